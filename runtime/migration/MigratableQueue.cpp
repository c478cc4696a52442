// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From tasks to work of the present backend.

#include "migration/MigratableQueue.h"
#include "migration/MigratableDevice.h"
#include "migration/MigrationExtension.h"
#include "migration/PollIntervals.h"
#include "core/trace/Trace.h"
#include "core/Device.h"
#include "core/Module.h"
#include "core/Runtime.h"

#include <algorithm>
#include <new>
#include <utility>

namespace het::core {

using Code = CodeTiers::Code;

/// Pieces that wait together, launches under way that can be parked, and those that are
/// timed: while one runs, the next one is there.
static constexpr size_t mostTogether = 1024, mostParkable = 64, mostTimed = 2;

/// In a trace each has a span of its own.
static bool mayJoin(size_t pieces) { return !Trace::get() && pieces < mostTogether; }

MigratableQueue::MigratableQueue(Device &device, const std::string &name)
    : owner(device), migratable(MigratableDevice::of(device)),
      track(Trace::get() ? Trace::get()->track(device.index(), device.name(), name) : 0),
      queue(std::make_unique<SoftwareQueue>()) {
  migratable.add(*this);
}

bool MigratableEvent::isDone() const {
  std::shared_ptr<Signal> latest = records.latest();
  return !latest || latest->isReached();
}

void MigratableEvent::wait() const {
  if (std::shared_ptr<Signal> latest = records.latest())
    latest->wait();
}

Result<int64_t> MigratableEvent::since(const Event &start) const {
  auto timeOf = [](const Event &event) -> int64_t {
    std::shared_ptr<Signal> latest =
        static_cast<const MigratableEvent &>(event).records.latest();
    return latest ? static_cast<int64_t>(latest->time()) : 0;
  };
  return timeOf(*this) - timeOf(start);
}

MigratableQueue::~MigratableQueue() {
  queue.reset(); // carries out what is left
  migratable.remove(*this);
  for (auto &[backend, place] : places) {
    place.feed.reset();
    place.timer.reset();
    if (place.queue)
      backend->abi().destroyQueue(place.queue);
  }
}

void MigratableQueue::synchronize() {
  {
    std::lock_guard<std::mutex> lock(pushing);
    last = nullptr; // what others launch from now on is not waited for
  }
  queue->synchronize();
}

/// With the mutex held.
Status MigratableQueue::enqueue(std::function<void()> task, std::shared_ptr<Batch> batch) {
  waiting.push_back(std::move(batch));
  Status status = queue->pushNow([this, task = std::move(task)] {
    task();
    std::lock_guard<std::mutex> lock(pushing);
    waiting.pop_front();
  });
  if (!status.ok())
    waiting.pop_back();
  return status;
}

Status MigratableQueue::push(std::function<void()> task) {
  std::lock_guard<std::mutex> lock(pushing);
  last = nullptr;
  return enqueue(std::move(task), nullptr);
}

/// Null where the device has failed, or does now, or the backend is lost.
MigratableQueue::Place *MigratableQueue::placeOn(Backend &backend) {
  if (migratable.hasFailed() || backend.isLost())
    return nullptr;
  Place &place = places[&backend];
  if (place.queue)
    return &place;
  HetStatus status = {};
  if (backend.abi().createQueue(backend.handle(), &place.queue, &status) == HET_OK) {
    place.feed = std::make_unique<InFlightThrottle>(backend, place.queue,
                                             migratable.extension().settings().shortLaunch);
    place.timer = std::make_unique<LaunchTimer>(backend, place.queue);
    return &place;
  }
  place.queue = nullptr;
  if (!backend.isLost())
    migratable.fail(HET_FAULT_LOST, backend.name() + ": " + status.message);
  return nullptr;
}

Status MigratableQueue::call(std::function<void()> function) {
  queue->makeRoom();
  return push(std::move(function));
}

Status MigratableQueue::launch(Graph &) {
  return unsupported("a graph in one piece", owner.name());
}

Status MigratableQueue::record(Event &event) {
  std::lock_guard<std::mutex> lock(pushing);
  last = nullptr;
  std::shared_ptr<Signal> signal = static_cast<MigratableEvent &>(event).records.record();
  Status status = enqueue([signal] { signal->reach(); }, nullptr);
  if (!status.ok())
    signal->reach(); // nobody waits for what will not come
  return status;
}

Status MigratableQueue::wait(Event &event) {
  std::shared_ptr<Signal> signal = static_cast<MigratableEvent &>(event).records.latest();
  if (!signal || signal->isReached())
    return Status::success();
  return push([signal] { signal->wait(); });
}

static Status checkLaunch(Kernel &kernel, Backend &backend, const LaunchShape &shape) {
  const uint64_t shared = kernel.sharedBytes(shape.dynamicSharedBytes);
  if (shared > backend.properties().sharedBytesPerBlockOptIn)
    return unsupported(tooMuchShared(kernel, backend, shared), backend.name());
  return MigratableCode::of(kernel).loadOn(backend).status();
}

/// With code for the backend that it is given to: should that be another one before it
/// runs, the move sees to it.
Status MigratableQueue::launch(Kernel &kernel, const LaunchShape &shape,
                               const void *arguments, size_t argumentBytes) {
  if (Status status = kernel.prepare(); !status.ok())
    return status;
  queue->makeRoom();
  for (;;) {
    Backend &active = migratable.active();
    if (Status status = checkLaunch(kernel, active, shape); !status.ok()) {
      // It was moved to where this can not run.
      if (&active == &owner.primary() ||
          !migratable
               .moveTo(owner.primary().name(), "kernel '" + kernel.info().displayName +
                                                   "' can not run where it was")
               .ok())
        return status;
      continue;
    }
    Gate::Inside inside(migratable.gate);
    if (&migratable.active() == &active)
      return join(kernel, shape, arguments, argumentBytes);
  }
}

Status MigratableQueue::join(Kernel &kernel, const LaunchShape &shape,
                             const void *arguments, size_t argumentBytes) {
  auto *packed = static_cast<const uint8_t *>(arguments);
  auto launch = std::make_unique<MigratableLaunch>();
  launch->kernel = &kernel;
  launch->shape = shape;
  launch->arguments.assign(packed, packed + argumentBytes);
  MigratableCode &code = launch->code();
  code.noteGiven(shape.dynamicSharedBytes);
  Status status = join({std::move(launch), {}});
  if (!status.ok())
    code.noteEnded();
  return status;
}

Status MigratableQueue::join(MigratablePiece piece) {
  std::lock_guard<std::mutex> lock(pushing);
  const bool joins = last && mayJoin(last->pieces.size());
  if (!joins)
    last = std::make_shared<Batch>();
  last->pieces.push_back(std::move(piece));
  if (joins)
    return Status::success();
  Status status = enqueue([this, batch = last] { run(batch); }, last);
  if (!status.ok())
    last = nullptr;
  return status;
}

void MigratableQueue::run(const std::shared_ptr<Batch> &batch) {
  for (;;) {
    Backend &backend = migratable.active();
    const Step step = advance(batch);
    if (step == Step::Over)
      return;
    if (step == Step::Lost && !migratable.goOnAfterLoss(backend))
      return drop(batch);
  }
}

/// Gives what has not ended to the present backend, and waits. `Over` when all have ended,
/// or the device has a fault: then nobody goes on with them.
MigratableQueue::Step MigratableQueue::advance(const std::shared_ptr<Batch> &batch) {
  Gate::Inside inside(migratable.gate);
  Backend &backend = migratable.active();
  if (Place *place = placeOn(backend))
    runOn(*batch, backend, *place);
  settle(*batch, backend, batch->given);
  if (!migratable.hasFailed() && backend.isLost()) {
    setBack(*batch);
    return Step::Lost;
  }
  if (!migratable.hasFailed() && !backend.hasFault()) {
    if (!batch->given || migratable.isParking())
      return close(batch) ? Step::Over : Step::More;
    migratable.fail(HET_FAULT_LOST,
                  backend.name() + ": a launch came back before it had ended");
  }
  drop(batch);
  return Step::Over;
}

/// Where nothing is left of it, nothing comes to it any more.
bool MigratableQueue::close(const std::shared_ptr<Batch> &batch) {
  std::lock_guard<std::mutex> lock(pushing);
  if (!batch->pieces.empty())
    return false;
  if (last == batch)
    last = nullptr;
  return true;
}

/// Nobody goes on with it.
void MigratableQueue::drop(const std::shared_ptr<Batch> &batch) {
  std::lock_guard<std::mutex> lock(pushing);
  if (last == batch)
    last = nullptr;
  for (const MigratablePiece &piece : batch->pieces)
    if (piece.launch)
      piece.launch->code().noteEnded();
  batch->pieces.clear();
}

/// The first that has not been given; null where there is none yet. Threads that launch
/// take the mutex, too: so several pieces are looked at together.
MigratablePiece *MigratableQueue::next(Batch &batch) {
  if (batch.given == batch.known.size()) {
    std::lock_guard<std::mutex> lock(pushing);
    for (size_t i = batch.known.size(); i < batch.pieces.size(); ++i)
      batch.known.push_back(&batch.pieces[i]);
  }
  return batch.given < batch.known.size() ? batch.known[batch.given] : nullptr;
}

void MigratableQueue::runOn(Batch &batch, Backend &backend, Place &place) {
  batch.given = batch.parkable = 0;
  batch.known.clear();
  batch.isLong = false;
  MigratablePiece *piece = next(batch);
  if (!piece)
    return;
  const bool isTraced = Trace::get();
  TraceScope scope(track, !isTraced       ? ""
                          : piece->launch ? piece->launch->kernel->info().displayName
                                          : piece->work.name());
  if (isTraced && !piece->launch)
    scope.arguments = piece->work.traced();
  while (piece && give(batch, *piece, backend, place))
    piece = next(batch);
  backend.abi().synchronize(place.queue);
  place.feed->clear();
  tellTimes(backend, place, 0);
  place.timer->forget();
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

/// The time of a launch that parked, or ended with a fault, says nothing.
void MigratableQueue::tellTimes(Backend &backend, Place &place, size_t most) {
  if (!migratable.isParking() && !migratable.hasFailed() && !backend.hasFault())
    place.timer->tell(most);
}

/// Puts one in. False: no more are to be put in now.
bool MigratableQueue::give(Batch &batch, MigratablePiece &piece, Backend &backend,
                        Place &place) {
  if (piece.launch)
    return giveLaunch(batch, *piece.launch, backend, place);
  // A journal looks at what a copy has brought before there is more.
  const bool isAlone = migratable.replayLog.isOn();
  if ((batch.parkable || isAlone) && !catchUp(batch, backend, place))
    return false;
  const InFlightThrottle::Time expected = timeOf(piece.work);
  settle(batch, backend, place.feed->makeRoom(expected));
  if (migratable.isParking())
    return false;
  HetStatus status = {};
  if (piece.work.enqueue(backend.abi(), place.queue, &status) != HET_OK) {
    if (!backend.isLost())
      migratable.fail(HET_FAULT_UNSUPPORTED, backend.name() + ": " + status.message);
    return false;
  }
  ++batch.given;
  place.feed->add(expected);
  return !isAlone || catchUp(batch, backend, place);
}

bool MigratableQueue::giveLaunch(Batch &batch, MigratableLaunch &launch, Backend &backend,
                              Place &place) {
  tellTimes(backend, place, mostTimed - 1);
  CodeTiers::Choice choice;
  CodeTiers *brief = launch.code().tiers();
  if (brief && !launch.state)
    choice = brief->choose(backend, launch.shape, launch.arguments);
  if (!makeWay(batch, choice, backend, place))
    return false;
  const bool isTimed = choice.isTimed && place.timer->begin();
  if (!giveTo(batch, launch, choice, backend, place))
    return false;
  ++batch.given;
  if (choice.code == Code::Plain) {
    place.feed->add(choice.expected);
  } else {
    ++batch.parkable;
    batch.isLong |= !isTimed && !choice.isShort;
  }
  if (isTimed)
    place.timer->end(*brief, choice);
  return true;
}

/// Waits until the launch may begin, as far as it has to. Behind those that can be parked
/// only such ones are to begin, so it may become one: they may take long. False: it is
/// not to be given now.
bool MigratableQueue::makeWay(Batch &batch, CodeTiers::Choice &choice, Backend &backend,
                           Place &place) {
  if (choice.code == Code::Plain && batch.parkable &&
      (batch.isLong || !place.timer->isIdle())) {
    choice.code = Code::Parkable;
    choice.artifact = nullptr;
  }
  const bool isPlain = choice.code == Code::Plain;
  if ((isPlain ? batch.parkable != 0 : batch.parkable == mostParkable) &&
      !catchUp(batch, backend, place))
    return false;
  if (!isPlain)
    return true;
  settle(batch, backend, place.feed->makeRoom(choice.expected));
  return !migratable.isParking();
}

bool MigratableQueue::giveTo(Batch &batch, MigratableLaunch &launch,
                          CodeTiers::Choice &choice, Backend &backend,
                          Place &place) {
  const bool isPlain = choice.code == Code::Plain;
  Result<HetArtifact *> artifact =
      choice.artifact ? choice.artifact : launch.code().loadOn(backend);
  if (!artifact.ok()) {
    if (!backend.isLost())
      migratable.fail(HET_FAULT_UNSUPPORTED, artifact.status().text());
    return false;
  }
  HetLaunch given =
      makeLaunch(launch.shape, launch.arguments.data(), launch.arguments.size());
  given.artifact = *artifact;
  migratable.replayLog.check(launch);
  HetStatus status = {};
  int32_t code;
  try {
    if (!launch.state && !isPlain)
      launch.state.emplace(blocksOf(launch.shape));
  } catch (const std::bad_alloc &) {
    migratable.fail(HET_FAULT_LOST, "no memory for a launch's state");
    return false;
  }
  if (!isPlain)
    launch.state->pollInterval = launch.code().pollIntervals().on(backend);
  if (backend.parks() && !isPlain) {
    code = backend.abi().enqueueParkable(place.queue, &given, &*launch.state, &status);
    if (code == HET_INVALID && !launch.state->hasBegun()) {
      choice.code = Code::Plain;
      return givePlain(batch, launch, given, backend, place, status.message);
    }
  } else {
    code = backend.abi().enqueueLaunch(place.queue, &given, &status);
  }
  if (code == HET_INVALID && choice.general) {
    launch.code().tiers()->drop(choice);
    given.artifact = choice.general;
    code = backend.abi().enqueueLaunch(place.queue, &given, &status);
  }
  if (code != HET_OK && !backend.isLost())
    migratable.fail(HET_FAULT_UNSUPPORTED, toStatus(status, backend.name()).text());
  return code == HET_OK;
}

/// Of a launch that has not begun, and that parkable code does not take. A move waits for
/// its end; so nothing that can be parked may be in front of it.
bool MigratableQueue::givePlain(Batch &batch, MigratableLaunch &launch, HetLaunch given,
                             Backend &backend, Place &place, const std::string &why) {
  launch.state.reset();
  Result<HetArtifact *> plain = launch.code().plainOn(backend, why);
  HetStatus status = {};
  if (plain.ok()) {
    if (batch.parkable && !catchUp(batch, backend, place))
      return false;
    if (migratable.isParking())
      return false;
    given.artifact = *plain;
    if (backend.abi().enqueueLaunch(place.queue, &given, &status) == HET_OK)
      return true;
  }
  if (!backend.isLost())
    migratable.fail(HET_FAULT_UNSUPPORTED, plain.ok() ? toStatus(status, backend.name()).text()
                                                    : plain.status().text());
  return false;
}

/// Waits for all that are under way. False where some have not ended.
bool MigratableQueue::catchUp(Batch &batch, Backend &backend, Place &place) {
  backend.abi().synchronize(place.queue);
  place.feed->clear();
  if (migratable.hasFailed() || backend.hasFault())
    return false;
  settle(batch, backend, batch.given);
  return !batch.given;
}

/// Once each time that it has been parked.
void MigratableQueue::noteParking(MigratableLaunch &launch, Backend &backend) {
  if (const uint64_t taken = std::exchange(launch.state->parkingTime, 0))
    launch.code().pollIntervals().note(backend, launch.state->pollInterval,
                                        std::chrono::nanoseconds(taken));
}

/// Whether a piece that came to an end or was parked has ended.
bool MigratableQueue::hasEnded(Batch &batch, MigratablePiece &piece, Backend &backend) {
  const bool hasFault = backend.hasFault();
  if (piece.launch && piece.launch->state) {
    LaunchState &state = *piece.launch->state;
    if (!backend.parks())
      state.end();
    if (!state.hasEnded()) {
      noteParking(*piece.launch, backend);
      return false;
    }
    if (--batch.parkable == 0)
      batch.isLong = false;
  }
  if (!hasFault && piece.launch)
    migratable.replayLog.add(*piece.launch);
  else if (!hasFault)
    migratable.replayLog.add(piece.work);
  if (piece.launch)
    piece.launch->code().noteEnded();
  return true;
}

/// Takes out those that have ended, of so many that came to an end or were parked. What a
/// backend that is lost says of them means nothing.
void MigratableQueue::settle(Batch &batch, Backend &backend, size_t most) {
  size_t ended = 0;
  while (ended < most && !migratable.hasFailed() && !backend.isLost() &&
         hasEnded(batch, *batch.known[ended], backend))
    ++ended;
  if (!ended)
    return;
  batch.known.erase(batch.known.begin(), batch.known.begin() + ended);
  batch.given -= ended;
  std::lock_guard<std::mutex> lock(pushing);
  batch.pieces.erase(batch.pieces.begin(), batch.pieces.begin() + ended);
}

/// After a loss: what is behind a copy that is to be done again has not begun.
void MigratableQueue::setBack(Batch &batch) {
  std::lock_guard<std::mutex> lock(pushing);
  auto isWork = [](const MigratablePiece &piece) { return !piece.launch; };
  auto first = std::find_if(batch.pieces.begin(), batch.pieces.end(), isWork);
  for (; first != batch.pieces.end(); ++first)
    if (first->launch)
      first->launch->state.reset();
}

void MigratableQueue::forEachLaunch(
    const std::function<void(MigratableLaunch &)> &use) {
  std::lock_guard<std::mutex> lock(pushing);
  for (const std::shared_ptr<Batch> &batch : waiting) {
    if (!batch)
      return;
    for (const MigratablePiece &piece : batch->pieces) {
      if (!piece.launch)
        return;
      use(*piece.launch);
    }
  }
}

} // namespace het::core
