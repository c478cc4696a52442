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

/// Launches that wait together, and those under way that can be parked.
static constexpr size_t mostTogether = 1024, mostParkable = 64;

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
  for (auto &[backend, place] : places) {
    place.feed.reset();
    if (place.queue)
      backend->abi().destroyQueue(place.queue);
  }
}

void MovableQueue::synchronize() {
  {
    std::lock_guard<std::mutex> lock(pushing);
    last = nullptr; // what others launch from now on is not waited for
  }
  queue->synchronize();
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
  if (Place *place = placeOn(backend)) {
    TraceScope scope(track, !Trace::get() ? "" : work.name());
    if (Trace::get())
      scope.arguments = work.traced().add("on", backend.name());
    HetStatus status = {};
    const bool isGiven = work.enqueue(backend.abi(), place->queue, &status) == HET_OK;
    backend.abi().synchronize(place->queue);
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
MovableQueue::Place *MovableQueue::placeOn(Backend &backend) {
  if (movement.hasFailed() || backend.isLost())
    return nullptr;
  Place &place = places[&backend];
  if (place.queue)
    return &place;
  HetStatus status = {};
  if (backend.abi().createQueue(backend.handle(), &place.queue, &status) == HET_OK) {
    place.feed = std::make_unique<PlainFeed>(backend, place.queue,
                                             movement.runtime().shortLaunch());
    return &place;
  }
  place.queue = nullptr;
  if (!backend.isLost())
    movement.fail(HET_FAULT_LOST, backend.name() + ": " + status.message);
  return nullptr;
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
  enqueue([this, batch = last] { run(batch); }, last);
}

void MovableQueue::run(const std::shared_ptr<Batch> &batch) {
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
MovableQueue::Step MovableQueue::advance(const std::shared_ptr<Batch> &batch) {
  Gate::Inside inside(movement.gate);
  Backend &backend = movement.present();
  if (Place *place = placeOn(backend))
    runOn(*batch, backend, *place);
  settle(*batch, backend, batch->given);
  if (!movement.hasFailed() && backend.isLost())
    return Step::Lost;
  if (!movement.hasFailed() && !backend.hasFault()) {
    if (!batch->given || movement.isParking())
      return close(batch) ? Step::Over : Step::More;
    movement.fail(HET_FAULT_LOST,
                  backend.name() + ": a launch came back before it had ended");
  }
  drop(batch);
  return Step::Over;
}

/// Where nothing is left of it, nothing comes to it any more.
bool MovableQueue::close(const std::shared_ptr<Batch> &batch) {
  std::lock_guard<std::mutex> lock(pushing);
  if (!batch->launches.empty())
    return false;
  if (last == batch)
    last = nullptr;
  return true;
}

/// Nobody goes on with it.
void MovableQueue::drop(const std::shared_ptr<Batch> &batch) {
  std::lock_guard<std::mutex> lock(pushing);
  if (last == batch)
    last = nullptr;
  for (const std::unique_ptr<MovableLaunch> &launch : batch->launches)
    launch->kernel->noteEnded();
  batch->launches.clear();
}

/// The first that has not been given; null where there is none yet.
MovableLaunch *MovableQueue::next(Batch &batch) {
  std::lock_guard<std::mutex> lock(pushing);
  return batch.given < batch.launches.size() ? batch.launches[batch.given].get()
                                             : nullptr;
}

void MovableQueue::runOn(Batch &batch, Backend &backend, Place &place) {
  batch.given = batch.parkable = 0;
  MovableLaunch *launch = next(batch);
  if (!launch)
    return;
  TraceScope scope(track, Trace::get() ? launch->kernel->info().displayName : "");
  while (launch && give(batch, *launch, backend, place))
    launch = next(batch);
  backend.abi().synchronize(place.queue);
  place.feed->clear();
  if (!Trace::get() || !batch.given)
    return;
  scope.arguments.add("on", backend.name());
  if (const auto &state = batch.launches.front()->state)
    scope.arguments.add("blocks", state->blockCount)
        .add("ended", state->number(HET_BLOCK_ENDED))
        .add("parked", state->number(HET_BLOCK_PARKED));
}

static uint64_t blocksOf(const LaunchShape &shape) {
  return uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
}

/// Puts one in. False: no more are to be put in now.
bool MovableQueue::give(Batch &batch, MovableLaunch &launch, Backend &backend,
                        Place &place) {
  ShortLaunches::Choice choice;
  ShortLaunches *brief = launch.kernel->shortLaunches();
  if (brief && !launch.state)
    choice = brief->choose(backend, launch.shape, launch.arguments);
  if (choice.isTimed && !catchUp(batch, backend, place))
    return false;
  // Behind one that parks nothing is to begin.
  HetArtifact *plain = batch.parkable ? nullptr : choice.plain;
  if (plain) {
    settle(batch, backend, place.feed->makeRoom(choice.expected));
    if (movement.isParking())
      return false;
  } else if (batch.parkable == mostParkable && !catchUp(batch, backend, place)) {
    return false;
  }
  if (choice.isTimed)
    place.feed->begin();
  if (!giveTo(launch, plain, backend, place))
    return false;
  ++batch.given;
  if (plain)
    place.feed->add(choice.expected);
  else
    ++batch.parkable;
  if (!choice.isTimed)
    return true;
  const std::optional<ShortLaunches::Time> taken = place.feed->end();
  if (taken && !movement.isParking() && !backend.hasFault())
    brief->noteTime(choice, *taken);
  return catchUp(batch, backend, place);
}

/// `plain`: its code, or null: the launch is one that can be parked.
bool MovableQueue::giveTo(MovableLaunch &launch, HetArtifact *plain, Backend &backend,
                          Place &place) {
  Result<HetArtifact *> artifact = plain ? plain : launch.kernel->loadOn(backend);
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
    if (!launch.state && !plain)
      launch.state.emplace(blocksOf(launch.shape));
  } catch (const std::bad_alloc &) {
    movement.fail(HET_FAULT_LOST, "no memory for a launch's state");
    return false;
  }
  if (backend.parks() && !plain)
    code = backend.abi().enqueueParkable(place.queue, &given, &*launch.state, &status);
  else
    code = backend.abi().enqueueLaunch(place.queue, &given, &status);
  if (code != HET_OK && !backend.isLost())
    movement.fail(HET_FAULT_UNSUPPORTED, toStatus(status, backend.name()).text());
  return code == HET_OK;
}

/// Waits for all that are under way. False where some have not ended.
bool MovableQueue::catchUp(Batch &batch, Backend &backend, Place &place) {
  backend.abi().synchronize(place.queue);
  place.feed->clear();
  if (movement.hasFailed() || backend.hasFault())
    return false;
  settle(batch, backend, batch.given);
  return !batch.given;
}

/// Takes out those that have ended, of so many that came to an end or were parked. What a
/// backend that is lost says of its launches means nothing.
void MovableQueue::settle(Batch &batch, Backend &backend, size_t most) {
  for (; most && !movement.hasFailed() && !backend.isLost(); --most) {
    const bool hasFault = backend.hasFault();
    MovableLaunch &launch = *batch.launches.front();
    if (launch.state) {
      if (!backend.parks())
        launch.state->end();
      if (!launch.state->hasEnded())
        return;
      --batch.parkable;
    }
    if (!hasFault)
      movement.journal.add(launch);
    launch.kernel->noteEnded();
    std::lock_guard<std::mutex> lock(pushing);
    batch.launches.pop_front();
    --batch.given;
  }
}

void MovableQueue::forEachLaunch(
    const std::function<void(MovableLaunch &)> &use) {
  std::lock_guard<std::mutex> lock(pushing);
  for (const std::shared_ptr<Batch> &batch : waiting) {
    if (!batch)
      return;
    for (const std::unique_ptr<MovableLaunch> &launch : batch->launches)
      use(*launch);
  }
}

} // namespace het::core
