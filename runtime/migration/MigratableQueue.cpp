// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From tasks to work of the active backend.

#include "migration/MigratableQueue.h"
#include "core/Device.h"
#include "core/Module.h"
#include "core/Runtime.h"
#include "core/trace/Trace.h"
#include "migration/Eligibility.h"
#include "migration/MigratableDevice.h"
#include "migration/MigrationExtension.h"
#include "migration/PollIntervals.h"

#include <algorithm>
#include <new>
#include <utility>

namespace het::core {

/// Pieces that wait together.
static constexpr size_t maxTogether = 1024;

/// In a trace each has a span of its own.
static bool mayJoin(size_t pieces) { return !Trace::get() && pieces < maxTogether; }

MigratableQueue::MigratableQueue(Device &device, const std::string &name)
    : owner(device), migratable(MigratableDevice::of(device)),
      track(Trace::get() ? Trace::get()->track(device.index(), device.name(), name) : 0),
      queue(std::make_unique<SoftwareQueue>()) {
  migratable.work.add(*this);
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
  migratable.work.remove(*this);
  for (auto &[backend, place] : places) {
    place.feed.reset();
    place.timer.reset();
    if (place.queue)
      backend->abi().destroyQueue(place.queue);
  }
}

void MigratableQueue::synchronize() {
  {
    std::lock_guard<std::mutex> lock(backlog.mutex);
    last = nullptr; // what others launch from now on is not waited for
  }
  queue->synchronize();
}

/// With the mutex held.
Status MigratableQueue::enqueue(std::function<void()> task,
                                std::shared_ptr<LaunchBatch> batch) {
  waiting.push_back(std::move(batch));
  Status status = queue->pushNow([this, task = std::move(task)] {
    task();
    std::lock_guard<std::mutex> lock(backlog.mutex);
    waiting.pop_front();
  });
  if (!status.ok())
    waiting.pop_back();
  return status;
}

Status MigratableQueue::push(std::function<void()> task) {
  std::lock_guard<std::mutex> lock(backlog.mutex);
  last = nullptr;
  return enqueue(std::move(task), nullptr);
}

/// Null where the device has failed, or does now, or the backend is lost.
BackendPlace *MigratableQueue::placeOn(Backend &backend) {
  if (migratable.hasFailed() || backend.isLost())
    return nullptr;
  BackendPlace &place = places[&backend];
  if (place.queue)
    return &place;
  HetStatus status = {};
  if (backend.abi().createQueue(backend.handle(), &place.queue, &status) == HET_OK) {
    place.feed = std::make_unique<InFlightThrottle>(
        backend, place.queue, migratable.extension().settings().shortLaunch);
    place.timer = std::make_unique<LaunchTimer>(backend, place.queue);
    return &place;
  }
  place.queue = nullptr;
  if (!backend.isLost())
    migratable.fail(HET_FAULT_LOST, backend.name() + ": " + status.message);
  return nullptr;
}

Status MigratableQueue::call(std::function<void()> function) {
  makeRoom();
  return push(std::move(function));
}

Status MigratableQueue::launch(Graph &) {
  return unsupported("a graph in one piece", owner.name());
}

Status MigratableQueue::record(Event &event) {
  std::lock_guard<std::mutex> lock(backlog.mutex);
  last = nullptr;
  auto signal = std::make_shared<Signal>();
  if (queue->isIdle()) // no thread is needed to say so
    signal->reach();
  else if (Status status = enqueue([signal] { signal->reach(); }, nullptr); !status.ok())
    return status;
  static_cast<MigratableEvent &>(event).records.record(std::move(signal));
  return Status::success();
}

Status MigratableQueue::wait(Event &event) {
  std::shared_ptr<Signal> signal = static_cast<MigratableEvent &>(event).records.latest();
  if (!signal || signal->isReached())
    return Status::success();
  return push([signal] { signal->wait(); });
}

static Status checkLaunch(Kernel &kernel, Backend &backend, const LaunchShape &shape) {
  const std::string why = Eligibility::sharedMemoryBlocker(
      kernel, backend, kernel.sharedBytes(shape.dynamicSharedBytes));
  if (!why.empty())
    return unsupported(why, backend.name());
  return MigratableCode::of(kernel).loadOn(backend).status();
}

/// With code for the backend that it is given to: should that be another one before it
/// runs, the move sees to it.
Status MigratableQueue::launch(Kernel &kernel, const LaunchShape &shape,
                               const void *arguments, size_t argumentBytes) {
  if (Status status = kernel.prepare(); !status.ok())
    return status;
  makeRoom();
  for (;;) {
    Backend &active = migratable.active();
    if (Status status = checkLaunch(kernel, active, shape); !status.ok()) {
      // It was moved to where this can not run.
      if (&active == &owner.primary() ||
          !migratable.migration
               .moveWhenResumed(owner.primary().name(), "kernel '" +
                                                            kernel.info().displayName +
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
  launch->shape.programmatic = false; // blocks of two launches are not suspended at once
  launch->arguments.assign(packed, packed + argumentBytes);
  MigratableCode &code = launch->code();
  code.noteGiven(shape.dynamicSharedBytes);
  Status status = join({std::move(launch), {}});
  if (!status.ok())
    code.noteEnded();
  return status;
}

Status MigratableQueue::join(MigratablePiece piece) {
  std::lock_guard<std::mutex> lock(backlog.mutex);
  const bool joins = last && mayJoin(last->pieces.size());
  if (!joins)
    last = std::make_shared<LaunchBatch>();
  last->pieces.push_back(std::move(piece));
  ++backlog.pieces;
  if (joins)
    return Status::success();
  Status status = enqueue([this, batch = last] { run(batch); }, last);
  if (!status.ok()) {
    last = nullptr;
    backlog.remove(1);
  }
  return status;
}

/// Waits until the stream has room for a piece more. Not for threads with a lock that its
/// tasks may take.
void MigratableQueue::makeRoom() {
  {
    std::unique_lock<std::mutex> lock(backlog.mutex);
    backlog.room.wait(lock, [&] { return backlog.pieces < Backlog::maxPieces; });
  }
  queue->makeRoom();
}

void MigratableQueue::run(const std::shared_ptr<LaunchBatch> &batch) {
  for (;;) {
    Backend &backend = migratable.active();
    const Step step = advance(batch);
    if (step == Step::Over)
      return;
    if (step == Step::Lost && !migratable.loss.goOnAfter(backend))
      return drop(batch);
  }
}

/// Gives what has not ended to the active backend, and waits. `Over` when all have
/// ended, or the device has a fault: then nobody resumes them.
MigratableQueue::Step
MigratableQueue::advance(const std::shared_ptr<LaunchBatch> &batch) {
  Gate::Inside inside(migratable.gate);
  Backend &backend = migratable.active();
  Submission submission(migratable, backlog, *batch, backend, track);
  if (BackendPlace *place = placeOn(backend))
    submission.run(*place);
  submission.settle(batch->given);
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
bool MigratableQueue::close(const std::shared_ptr<LaunchBatch> &batch) {
  std::lock_guard<std::mutex> lock(backlog.mutex);
  if (!batch->pieces.empty())
    return false;
  if (last == batch)
    last = nullptr;
  return true;
}

/// Gives up a batch that nobody resumes.
void MigratableQueue::drop(const std::shared_ptr<LaunchBatch> &batch) {
  std::lock_guard<std::mutex> lock(backlog.mutex);
  if (last == batch)
    last = nullptr;
  for (const MigratablePiece &piece : batch->pieces)
    if (piece.launch)
      piece.launch->code().noteEnded();
  backlog.remove(batch->pieces.size());
  batch->pieces.clear();
}

/// After a loss: what is behind a copy that is to be done again has not begun.
void MigratableQueue::setBack(LaunchBatch &batch) {
  std::lock_guard<std::mutex> lock(backlog.mutex);
  auto isWork = [](const MigratablePiece &piece) { return !piece.launch; };
  auto first = std::find_if(batch.pieces.begin(), batch.pieces.end(), isWork);
  for (; first != batch.pieces.end(); ++first)
    if (first->launch)
      first->launch->state.reset();
}

void MigratableQueue::forEachLaunch(const std::function<void(MigratableLaunch &)> &use) {
  std::lock_guard<std::mutex> lock(backlog.mutex);
  for (const std::shared_ptr<LaunchBatch> &batch : waiting) {
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
