// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From tasks to work of the present backend.

#include "MovableQueue.h"
#include "Movement.h"
#include "het/Runtime/Device.h"
#include "het/Runtime/Module.h"
#include "het/Runtime/Runtime.h"

#include <algorithm>
#include <new>

namespace het::core {

/// Launches that are given to a backend together.
static constexpr size_t mostTogether = 64;

MovableQueue::MovableQueue(Device &device)
    : owner(device), movement(*device.movement()),
      queue(std::make_unique<SoftwareQueue>()) {
  movement.add(*this);
}

MovableQueue::~MovableQueue() {
  queue.reset(); // carries out what is left
  movement.remove(*this);
  for (auto [backend, one] : queues)
    backend->abi().destroyQueue(one);
}

void MovableQueue::push(std::function<void()> task) {
  std::lock_guard<std::mutex> lock(pushing);
  last = nullptr;
  queue->push(std::move(task));
}

namespace {

/// Is inside the gates of all devices that work concerns: the stream's, and those whose
/// memory it touches. In the order of their places, so that nobody waits in a circle.
class InsideAll {
public:
  InsideAll(Device &device, const void *to, const void *from) {
    Runtime &runtime = device.movement()->runtime();
    Device *devices[] = {&device, runtime.ownerOf(to), runtime.ownerOf(from)};
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
  Gate *gates[3];
  unsigned count = 0;
};

} // namespace

void MovableQueue::push(const void *to, const void *from, Enqueue enqueue) {
  push([=, enqueue = std::move(enqueue)] {
    InsideAll inside(owner, to, from);
    carryOut(enqueue);
  });
}

void MovableQueue::carryOut(const Enqueue &enqueue) {
  Backend &backend = movement.present();
  HetQueue *onto = queueOn(backend);
  if (!onto)
    return;
  HetStatus status = {};
  if (enqueue(backend.abi(), onto, &status) != HET_OK)
    movement.fail(HET_FAULT_UNSUPPORTED, backend.name() + ": " + status.message);
  backend.abi().synchronize(onto);
}

/// Null where the device has failed, or does now.
HetQueue *MovableQueue::queueOn(Backend &backend) {
  if (movement.hasFailed())
    return nullptr;
  HetQueue *&one = queues[&backend];
  HetStatus status = {};
  if (!one && backend.abi().createQueue(backend.handle(), &one, &status) != HET_OK) {
    one = nullptr;
    movement.fail(HET_FAULT_LOST, backend.name() + ": " + status.message);
  }
  return one;
}

void MovableQueue::copy(void *to, const void *from, size_t size) {
  push(to, from, [=](const HetDeviceABI &abi, HetQueue *onto, HetStatus *status) {
    return abi.enqueueCopy(onto, reinterpret_cast<uint64_t>(to),
                           reinterpret_cast<uint64_t>(from), size, status);
  });
}

void MovableQueue::copyRows(void *to, size_t toPitch, const void *from,
                            size_t fromPitch, size_t width, size_t rows) {
  const auto target = reinterpret_cast<uint64_t>(to);
  const auto source = reinterpret_cast<uint64_t>(from);
  push(to, from, [=](const HetDeviceABI &abi, HetQueue *onto, HetStatus *status) {
    if (abi.enqueueCopyRows)
      return abi.enqueueCopyRows(onto, target, toPitch, source, fromPitch, width, rows,
                                 status);
    int32_t code = HET_OK;
    for (size_t row = 0; row < rows && code == HET_OK; ++row)
      code = abi.enqueueCopy(onto, target + row * toPitch, source + row * fromPitch,
                             width, status);
    return code;
  });
}

void MovableQueue::fill(void *to, uint32_t pattern, unsigned patternBytes,
                        size_t size) {
  push(to, nullptr, [=](const HetDeviceABI &abi, HetQueue *onto, HetStatus *status) {
    return abi.enqueueFill(onto, reinterpret_cast<uint64_t>(to), pattern, patternBytes,
                           size, status);
  });
}

void MovableQueue::call(std::function<void()> function) { push(std::move(function)); }

void MovableQueue::signal(const std::shared_ptr<EventState> &event) {
  std::lock_guard<std::mutex> lock(pushing);
  last = nullptr;
  queue->signal(event);
}

void MovableQueue::wait(const std::shared_ptr<EventState> &event) {
  std::lock_guard<std::mutex> lock(pushing);
  last = nullptr;
  queue->wait(event);
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
  const bool joins = last && last->launches.size() < mostTogether;
  if (!joins)
    last = std::make_shared<Batch>();
  last->launches.push_back(std::move(launch));
  if (!joins)
    queue->push([this, batch = last] {
      {
        std::lock_guard<std::mutex> lock(pushing);
        if (last == batch)
          last = nullptr; // it is complete now
      }
      run(*batch);
    });
}

void MovableQueue::run(Batch &batch) {
  while (!advance(batch)) {
  }
}

/// Gives what has not ended to the present backend, and waits. True when all have ended,
/// or the device has a fault: then nobody goes on with them.
bool MovableQueue::advance(Batch &batch) {
  Gate::Inside inside(movement.gate);
  running = &batch;
  Backend &backend = movement.present();
  if (HetQueue *onto = queueOn(backend)) {
    bool given = true;
    for (size_t at = batch.ended; at < batch.launches.size() && given; ++at)
      given = give(*batch.launches[at], backend, onto);
    backend.abi().synchronize(onto);
    settle(batch, backend);
  }
  const bool isOver = batch.ended == batch.launches.size();
  if (!isOver && !movement.hasFailed() && !backend.hasFault()) {
    if (movement.isParking())
      return false;
    movement.fail(HET_FAULT_LOST,
                  backend.name() + ": a launch came back before it had ended");
  }
  for (; batch.ended < batch.launches.size(); ++batch.ended)
    batch.launches[batch.ended]->kernel->noteEnded();
  running = nullptr;
  return true;
}

static uint64_t blocksOf(const LaunchShape &shape) {
  return uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
}

bool MovableQueue::give(MovableLaunch &launch, Backend &backend, HetQueue *onto) {
  Result<HetArtifact *> artifact = launch.kernel->loadOn(backend);
  if (!artifact.ok()) {
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
  if (code != HET_OK)
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
    launch.kernel->noteEnded();
    launch.state.reset();
  }
}

void MovableQueue::forEachLaunch(
    const std::function<void(const MovableLaunch &)> &use) const {
  if (running)
    for (size_t at = running->ended; at < running->launches.size(); ++at)
      if (running->launches[at]->state)
        use(*running->launches[at]);
}

} // namespace het::core
