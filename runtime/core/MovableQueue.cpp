// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From tasks to work of the present backend.

#include "MovableQueue.h"
#include "Movement.h"
#include "StreamTrace.h"
#include "het/Runtime/Device.h"
#include "het/Runtime/Module.h"
#include "het/Runtime/Runtime.h"

#include <algorithm>
#include <new>

namespace het::core {

/// Launches that are given to a backend together.
static constexpr size_t mostTogether = 64;

/// In a trace each has a span of its own.
static bool mayJoin(size_t launches) {
  return !Trace::get() && launches < mostTogether;
}

MovableQueue::MovableQueue(Device &device, const std::string &name)
    : owner(device), movement(*device.movement()),
      track(Trace::get() ? Trace::get()->track(device.index(), device.name(), name) : 0),
      queue(std::make_unique<SoftwareQueue>()) {
  movement.add(*this);
}

MovableQueue::~MovableQueue() {
  queue.reset(); // carries out what is left
  movement.remove(*this);
  for (auto [backend, one] : queues)
    backend->abi().destroyQueue(one);
}

/// With the mutex held.
void MovableQueue::enqueue(std::function<void()> task, std::shared_ptr<Batch> batch) {
  waiting.push_back(std::move(batch));
  queue->push([this, task = std::move(task)] {
    task();
    std::lock_guard<std::mutex> lock(pushing);
    waiting.pop_front();
  });
}

void MovableQueue::push(std::function<void()> task) {
  std::lock_guard<std::mutex> lock(pushing);
  last = nullptr;
  enqueue(std::move(task), nullptr);
}

namespace {

/// Is inside the gates of all devices that work concerns: the stream's, and those whose
/// memory it touches. In the order of their places, so that nobody waits in a circle.
class InsideAll {
public:
  InsideAll(Device &device, const DeviceWork &work) {
    Runtime &runtime = device.movement()->runtime();
    Device *devices[] = {&device, ownerOf(runtime, work.to),
                         work.kind == DeviceWork::Kind::Fill
                             ? nullptr
                             : ownerOf(runtime, work.from)};
    std::sort(std::begin(devices), std::end(devices), [](Device *a, Device *b) {
      return (a ? a->index() + 1 : 0) < (b ? b->index() + 1 : 0);
    });
    Device *previous = nullptr;
    for (Device *one : devices)
      if (one && one != std::exchange(previous, one)) {
        gates[count] = &one->movement()->gate;
        gates[count++]->enter();
      }
  }
  ~InsideAll() {
    while (count)
      gates[--count]->leave();
  }

private:
  static Device *ownerOf(Runtime &runtime, uint64_t address) {
    return runtime.ownerOf(reinterpret_cast<const void *>(address));
  }

  Gate *gates[3];
  unsigned count = 0;
};

} // namespace

void MovableQueue::push(const DeviceWork &work) {
  push([=] {
    for (;;) {
      Backend *lost = nullptr;
      {
        InsideAll inside(owner, work);
        if (carryOut(work))
          return;
        lost = &movement.present();
      }
      if (!movement.goOnAfterLoss(*lost))
        return;
    }
  });
}

/// False: the backend is lost, and it is open whether the work is done by another.
bool MovableQueue::carryOut(const DeviceWork &work) {
  Backend &backend = movement.present();
  if (HetQueue *onto = queueOn(backend)) {
    TraceScope scope(track, !Trace::get() ? "" : work.name());
    if (Trace::get())
      scope.arguments = work.traced().add("on", backend.name());
    HetStatus status = {};
    const bool isGiven = work.enqueue(backend.abi(), onto, &status) == HET_OK;
    backend.abi().synchronize(onto);
    if (!isGiven && !backend.isLost())
      movement.fail(HET_FAULT_UNSUPPORTED, backend.name() + ": " + status.message);
  }
  if (movement.hasFailed())
    return true;
  if (backend.isLost())
    return false;
  if (!backend.hasFault())
    movement.journal.add(work);
  return true;
}

/// Null where the device has failed, or does now, or the backend is lost.
HetQueue *MovableQueue::queueOn(Backend &backend) {
  if (movement.hasFailed() || backend.isLost())
    return nullptr;
  HetQueue *&one = queues[&backend];
  HetStatus status = {};
  if (!one && backend.abi().createQueue(backend.handle(), &one, &status) != HET_OK) {
    one = nullptr;
    if (!backend.isLost())
      movement.fail(HET_FAULT_LOST, backend.name() + ": " + status.message);
  }
  return one;
}

void MovableQueue::copy(void *to, const void *from, size_t size) {
  push(DeviceWork::copy(to, from, size));
}

void MovableQueue::copyRows(void *to, size_t toPitch, const void *from,
                            size_t fromPitch, size_t width, size_t rows) {
  push(DeviceWork::copyRows(to, toPitch, from, fromPitch, width, rows));
}

void MovableQueue::fill(void *to, uint32_t pattern, unsigned patternBytes,
                        size_t size) {
  push(DeviceWork::fill(to, pattern, patternBytes, size));
}

void MovableQueue::call(std::function<void()> function) { push(std::move(function)); }

void MovableQueue::signal(const std::shared_ptr<EventState> &event) {
  std::lock_guard<std::mutex> lock(pushing);
  last = nullptr;
  enqueue([event, number = event->announce()] { event->reach(number); }, nullptr);
}

void MovableQueue::wait(const std::shared_ptr<EventState> &event) {
  std::lock_guard<std::mutex> lock(pushing);
  last = nullptr;
  enqueue([event, number = event->latest()] { event->wait(number); }, nullptr);
}

void MovableQueue::launch(Kernel &kernel, const LaunchShape &shape,
                          const void *arguments, size_t argumentBytes) {
  auto *packed = static_cast<const uint8_t *>(arguments);
  auto launch = std::make_unique<MovableLaunch>();
  launch->kernel = &kernel;
  launch->shape = shape;
  launch->arguments.assign(packed, packed + argumentBytes);
  kernel.noteGiven(shape.dynamicSharedBytes);
  std::lock_guard<std::mutex> lock(pushing);
  const bool joins = last && mayJoin(last->launches.size());
  if (!joins)
    last = std::make_shared<Batch>();
  last->launches.push_back(std::move(launch));
  if (joins)
    return;
  auto task = [this, batch = last] {
    {
      std::lock_guard<std::mutex> lock(pushing);
      if (last == batch)
        last = nullptr; // it is complete now
    }
    run(*batch);
  };
  enqueue(std::move(task), last);
}

void MovableQueue::run(Batch &batch) {
  for (;;) {
    Backend &backend = movement.present();
    const Step step = advance(batch);
    if (step == Step::Over)
      return;
    if (step == Step::Lost && !movement.goOnAfterLoss(backend))
      return drop(batch);
  }
}

/// Gives what has not ended to the present backend, and waits. `Over` when all have ended,
/// or the device has a fault: then nobody goes on with them.
MovableQueue::Step MovableQueue::advance(Batch &batch) {
  Gate::Inside inside(movement.gate);
  Backend &backend = movement.present();
  if (HetQueue *onto = queueOn(backend))
    runOn(batch, backend, onto);
  // What it says of its launches means nothing then.
  if (!movement.hasFailed() && backend.isLost())
    return Step::Lost;
  settle(batch, backend);
  const bool isOver = batch.ended == batch.launches.size();
  if (!isOver && !movement.hasFailed() && !backend.hasFault()) {
    if (movement.isParking())
      return Step::Parked;
    movement.fail(HET_FAULT_LOST,
                  backend.name() + ": a launch came back before it had ended");
  }
  for (; batch.ended < batch.launches.size(); ++batch.ended)
    batch.launches[batch.ended]->kernel->noteEnded();
  return Step::Over;
}

void MovableQueue::runOn(Batch &batch, Backend &backend, HetQueue *onto) {
  TraceScope scope(track, Trace::get() && batch.ended < batch.launches.size()
                              ? batch.launches[batch.ended]->kernel->info().displayName
                              : "");
  bool given = true;
  for (size_t at = batch.ended; at < batch.launches.size() && given; ++at)
    given = give(*batch.launches[at], backend, onto);
  backend.abi().synchronize(onto);
  if (!Trace::get() || batch.ended == batch.launches.size())
    return;
  scope.arguments.add("on", backend.name());
  if (const auto &state = batch.launches[batch.ended]->state)
    scope.arguments.add("blocks", state->blockCount)
        .add("ended", state->number(HET_BLOCK_ENDED))
        .add("parked", state->number(HET_BLOCK_PARKED));
}

/// Nobody goes on with it: its device is lost.
void MovableQueue::drop(Batch &batch) {
  Gate::Inside inside(movement.gate);
  for (; batch.ended < batch.launches.size(); ++batch.ended)
    batch.launches[batch.ended]->kernel->noteEnded();
}

static uint64_t blocksOf(const LaunchShape &shape) {
  return uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
}

bool MovableQueue::give(MovableLaunch &launch, Backend &backend, HetQueue *onto) {
  Result<HetArtifact *> artifact = launch.kernel->loadOn(backend);
  if (!artifact.ok()) {
    if (!backend.isLost())
      movement.fail(HET_FAULT_UNSUPPORTED, artifact.status().text());
    return false;
  }
  HetLaunch given =
      makeLaunch(launch.shape, launch.arguments.data(), launch.arguments.size());
  given.artifact = *artifact;
  HetStatus status = {};
  int32_t code;
  try {
    if (!launch.state)
      launch.state.emplace(blocksOf(launch.shape));
  } catch (const std::bad_alloc &) {
    movement.fail(HET_FAULT_LOST, "no memory for a launch's state");
    return false;
  }
  if (backend.parks())
    code = backend.abi().enqueueParkable(onto, &given, &*launch.state, &status);
  else
    code = backend.abi().enqueueLaunch(onto, &given, &status);
  if (code != HET_OK && !backend.isLost())
    movement.fail(HET_FAULT_UNSUPPORTED, toStatus(status, backend.name()).text());
  return code == HET_OK;
}

/// Counts those that have ended.
void MovableQueue::settle(Batch &batch, Backend &backend) {
  for (; batch.ended < batch.launches.size(); ++batch.ended) {
    MovableLaunch &launch = *batch.launches[batch.ended];
    if (!launch.state || movement.hasFailed())
      return;
    if (!backend.parks())
      launch.state->end();
    if (!launch.state->hasEnded())
      return;
    if (!backend.hasFault())
      movement.journal.add(launch);
    launch.kernel->noteEnded();
    launch.state.reset();
  }
}

void MovableQueue::forEachLaunch(
    const std::function<void(MovableLaunch &)> &use) {
  std::lock_guard<std::mutex> lock(pushing);
  for (const std::shared_ptr<Batch> &batch : waiting) {
    if (!batch)
      return;
    for (size_t at = batch->ended; at < batch->launches.size(); ++at)
      use(*batch->launches[at]);
  }
}

} // namespace het::core
