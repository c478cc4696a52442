// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Giving launches and copies to a backend, and taking account of those that have ended.

#include "migration/Submission.h"
#include "core/Device.h"
#include "core/Module.h"
#include "core/Runtime.h"
#include "core/trace/Trace.h"
#include "migration/MigratableDevice.h"
#include "migration/PollIntervals.h"

#include <new>
#include <utility>

namespace het::core {

using Code = CodeTiers::Code;

/// Launches under way that can be suspended, and those that are timed: while one runs,
/// the next one is there.
static constexpr size_t maxParkable = 64, maxTimed = 2;

InFlightThrottle::Time expectedTime(Runtime &runtime, const DeviceWork &work) {
  constexpr uint64_t busBytes = 16, memoryBytes = 512; // a nanosecond
  auto isOfDevice = [&](uint64_t address) {
    return runtime.ownerOf(reinterpret_cast<const void *>(address));
  };
  const bool isInside = work.kind == DeviceWork::Kind::Fill ||
                        (isOfDevice(work.to) && isOfDevice(work.from));
  return std::chrono::microseconds(5) +
         InFlightThrottle::Time(work.bytes() / (isInside ? memoryBytes : busBytes));
}

/// The first that has not been given; null where there is none yet. Threads that launch
/// take the mutex, too: so several pieces are looked at together.
MigratablePiece *Submission::next() {
  if (batch.given == batch.known.size()) {
    std::lock_guard<std::mutex> lock(backlog.mutex);
    for (size_t i = batch.known.size(); i < batch.pieces.size(); ++i)
      batch.known.push_back(&batch.pieces[i]);
  }
  return batch.given < batch.known.size() ? batch.known[batch.given] : nullptr;
}

void Submission::run(BackendPlace &on) {
  place = &on;
  batch.given = batch.parkable = 0;
  batch.known.clear();
  batch.isLong = false;
  MigratablePiece *piece = next();
  if (!piece)
    return;
  const bool isTraced = Trace::get();
  TraceScope scope(track, !isTraced       ? ""
                          : piece->launch ? piece->launch->kernel->info().displayName
                                          : piece->work.name());
  if (isTraced && !piece->launch)
    scope.arguments = piece->work.traced();
  while (piece && give(*piece))
    piece = next();
  backend.abi().synchronize(place->queue);
  place->feed->clear();
  tellTimes(0);
  place->timer->forget();
  if (!isTraced || !batch.given)
    return;
  scope.arguments.add("on", backend.name());
  const MigratablePiece &first = *batch.known.front();
  if (first.launch && first.launch->state)
    scope.arguments.add("blocks", first.launch->state->blockCount)
        .add("ended", first.launch->state->number(HET_BLOCK_ENDED))
        .add("parked", first.launch->state->number(HET_BLOCK_PARKED));
}

static uint64_t blocksOf(const LaunchShape &shape) {
  return uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
}

/// The time of a launch that was suspended, or ended with a fault, says nothing.
void Submission::tellTimes(size_t most) {
  if (!device.isParking() && !device.hasFailed() && !backend.hasFault())
    place->timer->tell(most);
}

/// Puts one in. False: no more are to be put in now.
bool Submission::give(MigratablePiece &piece) {
  if (piece.launch)
    return giveLaunch(*piece.launch);
  // A replay log looks at what a copy has brought before there is more.
  const bool isAlone = device.replayLog.isOn();
  if ((batch.parkable || isAlone) && !catchUp())
    return false;
  const InFlightThrottle::Time expected = expectedTime(device.runtime(), piece.work);
  settle(place->feed->makeRoom(expected));
  if (device.isParking())
    return false;
  HetStatus status = {};
  if (piece.work.enqueue(backend.abi(), place->queue, &status) != HET_OK) {
    if (!backend.isLost())
      device.fail(HET_FAULT_UNSUPPORTED, backend.name() + ": " + status.message);
    return false;
  }
  ++batch.given;
  place->feed->add(expected);
  return !isAlone || catchUp();
}

bool Submission::giveLaunch(MigratableLaunch &launch) {
  tellTimes(maxTimed - 1);
  CodeTiers::Choice choice;
  CodeTiers *brief = launch.code().tiers();
  if (brief && !launch.state)
    choice = brief->choose(backend, launch.shape, launch.arguments);
  if (!makeWay(choice))
    return false;
  const bool isTimed = choice.isTimed && place->timer->begin();
  if (!giveTo(launch, choice))
    return false;
  ++batch.given;
  if (choice.code == Code::Plain) {
    place->feed->add(choice.expected);
  } else {
    ++batch.parkable;
    batch.isLong |= !isTimed && !choice.isShort;
  }
  if (isTimed)
    place->timer->end(*brief, choice);
  return true;
}

/// Waits until the launch may begin, as far as it has to. Behind those that can be
/// suspended only such ones are to begin, so it may become one: they may take long.
/// False: it is not to be given now.
bool Submission::makeWay(CodeTiers::Choice &choice) {
  if (choice.code == Code::Plain && batch.parkable &&
      (batch.isLong || !place->timer->isIdle())) {
    choice.code = Code::Parkable;
    choice.artifact = nullptr;
  }
  const bool isPlain = choice.code == Code::Plain;
  if ((isPlain ? batch.parkable != 0 : batch.parkable == maxParkable) && !catchUp())
    return false;
  if (!isPlain)
    return true;
  settle(place->feed->makeRoom(choice.expected));
  return !device.isParking();
}

bool Submission::giveTo(MigratableLaunch &launch, CodeTiers::Choice &choice) {
  const bool isPlain = choice.code == Code::Plain;
  Result<HetArtifact *> artifact =
      choice.artifact ? choice.artifact : launch.code().loadOn(backend);
  if (!artifact.ok()) {
    if (!backend.isLost())
      device.fail(HET_FAULT_UNSUPPORTED, artifact.status().text());
    return false;
  }
  HetLaunch given =
      makeLaunch(launch.shape, launch.arguments.data(), launch.arguments.size());
  given.artifact = *artifact;
  device.replayLog.check(launch);
  HetStatus status = {};
  int32_t code;
  try {
    if (!launch.state && !isPlain)
      launch.state.emplace(blocksOf(launch.shape));
  } catch (const std::bad_alloc &) {
    device.fail(HET_FAULT_LOST, "no memory for a launch's state");
    return false;
  }
  if (!isPlain)
    launch.state->pollInterval = launch.code().pollIntervals().on(backend);
  if (backend.parks() && !isPlain) {
    code = backend.abi().enqueueParkable(place->queue, &given, &*launch.state, &status);
    if (code == HET_INVALID && !launch.state->hasBegun()) {
      choice.code = Code::Plain;
      return givePlain(launch, given, status.message);
    }
  } else {
    code = backend.abi().enqueueLaunch(place->queue, &given, &status);
  }
  if (code == HET_INVALID && choice.general) {
    launch.code().tiers()->drop(choice);
    given.artifact = choice.general;
    code = backend.abi().enqueueLaunch(place->queue, &given, &status);
  }
  if (code != HET_OK && !backend.isLost())
    device.fail(HET_FAULT_UNSUPPORTED, toStatus(status, backend.name()).text());
  return code == HET_OK;
}

/// Gives plain code to a launch that has not begun and that suspendable code does not
/// take. A move waits for its end; so nothing that can be suspended may be in front of
/// it.
bool Submission::givePlain(MigratableLaunch &launch, HetLaunch given,
                           const std::string &why) {
  launch.state.reset();
  Result<HetArtifact *> plain = launch.code().plainOn(backend, why);
  HetStatus status = {};
  if (plain.ok()) {
    if (batch.parkable && !catchUp())
      return false;
    if (device.isParking())
      return false;
    given.artifact = *plain;
    if (backend.abi().enqueueLaunch(place->queue, &given, &status) == HET_OK)
      return true;
  }
  if (!backend.isLost())
    device.fail(HET_FAULT_UNSUPPORTED, plain.ok()
                                           ? toStatus(status, backend.name()).text()
                                           : plain.status().text());
  return false;
}

/// Waits for all that are under way. False where some have not ended.
bool Submission::catchUp() {
  backend.abi().synchronize(place->queue);
  place->feed->clear();
  if (device.hasFailed() || backend.hasFault())
    return false;
  settle(batch.given);
  return !batch.given;
}

/// Once each time that it has been suspended.
void Submission::noteParking(MigratableLaunch &launch) {
  if (const uint64_t taken = std::exchange(launch.state->parkingTime, 0))
    launch.code().pollIntervals().note(backend, launch.state->pollInterval,
                                       std::chrono::nanoseconds(taken));
}

/// Whether a piece that came to an end or was suspended has ended.
bool Submission::hasEnded(MigratablePiece &piece) {
  const bool hasFault = backend.hasFault();
  if (piece.launch && piece.launch->state) {
    LaunchState &state = *piece.launch->state;
    if (!backend.parks())
      state.end();
    if (!state.hasEnded()) {
      noteParking(*piece.launch);
      return false;
    }
    if (--batch.parkable == 0)
      batch.isLong = false;
  }
  if (!hasFault && piece.launch)
    device.replayLog.add(*piece.launch);
  else if (!hasFault)
    device.replayLog.add(piece.work);
  if (piece.launch)
    piece.launch->code().noteEnded();
  return true;
}

/// Takes out those that have ended, of so many that came to an end or were suspended.
/// What a backend that is lost says of them means nothing.
void Submission::settle(size_t most) {
  size_t ended = 0;
  while (ended < most && !device.hasFailed() && !backend.isLost() &&
         hasEnded(*batch.known[ended]))
    ++ended;
  if (!ended)
    return;
  batch.known.erase(batch.known.begin(), batch.known.begin() + ended);
  batch.given -= ended;
  std::lock_guard<std::mutex> lock(backlog.mutex);
  batch.pieces.erase(batch.pieces.begin(), batch.pieces.begin() + ended);
  backlog.remove(ended);
}

} // namespace het::core
