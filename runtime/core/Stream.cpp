// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events.
//
// The legacy default stream and the blocking streams wait for each other lazily: every
// stream counts what is put into it, and one that is about to get work first waits for
// those of the other side whose count has moved since it last did.

#include "core/Stream.h"
#include "migration/MigratableQueue.h"
#include "migration/MigratableDevice.h"
#include "core/trace/StreamTrace.h"
#include "core/code/Specialisations.h"
#include "core/Device.h"
#include "core/Graph.h"
#include "core/Module.h"

namespace het::core {

Result<std::shared_ptr<Event>> Event::create(Device &device) {
  std::shared_ptr<Event> event(new Event(device));
  if (device.migratable()) {
    event->state = std::make_shared<EventState>();
    return event;
  }
  HetStatus status;
  if (device.abi().createEvent(device.handle(), &event->handle, &status) != HET_OK)
    return toStatus(status, device.name());
  return event;
}

Event::~Event() {
  if (handle)
    owner.abi().destroyEvent(handle);
}

bool Event::isDone() const {
  return state ? state->isDone() : owner.abi().isEventDone(handle);
}

void Event::wait() const {
  if (state)
    return state->waitLatest();
  owner.abi().waitEvent(handle);
}

Result<int64_t> Event::since(const Event &start) const {
  if (state)
    return static_cast<int64_t>(state->time()) -
           static_cast<int64_t>(start.state->time());
  int64_t nanoseconds = 0;
  HetStatus status;
  if (owner.abi().eventElapsed(start.handle, handle, &nanoseconds, &status) != HET_OK)
    return toStatus(status, owner.name());
  return nanoseconds;
}

Stream::Stream(Device &device, StreamKind kind) : owner(device), streamKind(kind) {}

/// Of its line in a trace.
static std::string nextStreamName(StreamKind kind) {
  static std::atomic<unsigned> latest{0};
  if (!Trace::get())
    return "";
  return kind == StreamKind::Legacy ? "default stream"
                                    : "stream " + std::to_string(++latest);
}

Result<std::shared_ptr<Stream>> Stream::create(Device &device, StreamKind kind) {
  std::shared_ptr<Stream> stream(new Stream(device, kind));
  HetStatus status;
  if (device.migratable())
    stream->movable = std::make_unique<MigratableQueue>(device, nextStreamName(kind));
  else if (device.abi().createQueue(device.handle(), &stream->queue, &status) != HET_OK)
    return toStatus(status, device.name());
  Result<std::shared_ptr<Event>> latest = Event::create(device);
  if (!latest.ok())
    return latest.status();
  stream->latest = latest.take();
  if (stream->queue)
    stream->trace = StreamTrace::create(device, stream->queue, nextStreamName(kind));
  std::lock_guard<std::mutex> lock(device.mutex);
  device.streams.insert(stream.get());
  return stream;
}

Stream::~Stream() {
  {
    std::lock_guard<std::mutex> lock(owner.mutex);
    owner.streams.erase(this);
  }
  if (trace)
    synchronizeAlone();
  trace.reset();
  if (queue)
    owner.abi().destroyQueue(queue);
}

/// Makes this stream wait for what the other one has got since it last waited.
Status Stream::follow(Stream &other, uint64_t &seen) {
  uint64_t count = other.count.load(std::memory_order_acquire);
  if (count == seen)
    return Status::success();
  if (movable) {
    other.movable->signal(other.latest->state);
    movable->wait(other.latest->state);
    seen = count;
    return Status::success();
  }
  HetStatus status;
  const HetDeviceABI &abi = owner.abi();
  if (abi.enqueueSignal(other.queue, other.latest->handle, &status) != HET_OK ||
      abi.enqueueWait(queue, other.latest->handle, &status) != HET_OK)
    return toStatus(status, owner.name());
  seen = count;
  return Status::success();
}

Status Stream::order() {
  if (streamKind == StreamKind::NonBlocking)
    return Status::success();
  std::lock_guard<std::mutex> lock(owner.mutex);
  if (streamKind == StreamKind::Blocking) {
    if (Status status = follow(*owner.legacy, seenLegacy); !status.ok())
      return status;
  } else {
    for (Stream *other : owner.streams)
      if (other->streamKind == StreamKind::Blocking)
        if (Status status = follow(*other, other->seenByLegacy); !status.ok())
          return status;
  }
  count.fetch_add(1, std::memory_order_release);
  return Status::success();
}

Status Stream::copy(void *to, const void *from, size_t size) {
  if (Status status = order(); !status.ok())
    return status;
  if (movable) {
    movable->copy(to, from, size);
    return Status::success();
  }
  HetStatus status;
  static const std::string name = "copy";
  TracedWork traced(trace.get(), name,
                    trace ? copyArguments(to, from, size) : TraceArguments());
  owner.abi().enqueueCopy(queue, reinterpret_cast<uint64_t>(to),
                          reinterpret_cast<uint64_t>(from), size, &status);
  return toStatus(status, owner.name());
}

Status Stream::copyRows(void *to, size_t toPitch, const void *from, size_t fromPitch,
                        size_t width, size_t rows) {
  auto *target = static_cast<char *>(to);
  auto *source = static_cast<const char *>(from);
  if (!movable && !owner.abi().enqueueCopyRows) {
    for (size_t row = 0; row < rows; ++row)
      if (Status status =
              copy(target + row * toPitch, source + row * fromPitch, width);
          !status.ok())
        return status;
    return Status::success();
  }
  if (Status status = order(); !status.ok())
    return status;
  if (movable) {
    movable->copyRows(to, toPitch, from, fromPitch, width, rows);
    return Status::success();
  }
  HetStatus status;
  static const std::string name = "copy rows";
  TracedWork traced(trace.get(), name,
                    trace ? copyArguments(to, from, width * rows) : TraceArguments());
  owner.abi().enqueueCopyRows(queue, reinterpret_cast<uint64_t>(to), toPitch,
                              reinterpret_cast<uint64_t>(from), fromPitch, width, rows,
                              &status);
  return toStatus(status, owner.name());
}

Status Stream::fill(void *to, uint32_t pattern, unsigned patternBytes,
                    size_t size) {
  if (Status status = order(); !status.ok())
    return status;
  if (movable) {
    movable->fill(to, pattern, patternBytes, size);
    return Status::success();
  }
  HetStatus status;
  static const std::string name = "fill";
  TracedWork traced(trace.get(), name,
                    trace ? copyArguments(to, nullptr, size) : TraceArguments());
  owner.abi().enqueueFill(queue, reinterpret_cast<uint64_t>(to), pattern,
                          patternBytes, size, &status);
  return toStatus(status, owner.name());
}

HetLaunch makeLaunch(const LaunchShape &shape, const void *arguments,
                     size_t argumentBytes) {
  HetLaunch launch = {};
  for (unsigned dim = 0; dim < 3; ++dim) {
    launch.grid[dim] = shape.grid[dim];
    launch.block[dim] = shape.block[dim];
  }
  launch.dynamicSharedBytes = shape.dynamicSharedBytes;
  launch.cooperative = shape.cooperative;
  launch.arguments = arguments;
  launch.argumentBytes = argumentBytes;
  return launch;
}

LaunchShape shapeOf(const HetLaunch &launch) {
  LaunchShape shape;
  for (unsigned dim = 0; dim < 3; ++dim) {
    shape.grid[dim] = launch.grid[dim];
    shape.block[dim] = launch.block[dim];
  }
  shape.dynamicSharedBytes = launch.dynamicSharedBytes;
  shape.cooperative = launch.cooperative;
  return shape;
}

Status Stream::launch(Kernel &kernel, const LaunchShape &shape,
                      const void *arguments, size_t argumentBytes) {
  if (movable)
    return launchMigratable(kernel, shape, arguments, argumentBytes);
  Result<HetArtifact *> artifact = kernel.load();
  if (!artifact.ok())
    return artifact.status();
  if (Status status = order(); !status.ok())
    return status;
  HetLaunch launch = makeLaunch(shape, arguments, argumentBytes);
  launch.artifact = *artifact;
  HetStatus status;
  HetArtifact *variant = kernel.specialisations ? kernel.specialisations->choose(
                                               shape, arguments, argumentBytes)
                                         : nullptr;
  TracedWork traced(trace.get(), kernel.info().displayName,
                    trace ? TraceArguments().add("on", owner.name()) : TraceArguments());
  if (variant)
    launch.artifact = variant;
  if (owner.abi().enqueueLaunch(queue, &launch, &status) == HET_INVALID && variant) {
    kernel.specialisations->drop(variant);
    launch.artifact = *artifact;
    owner.abi().enqueueLaunch(queue, &launch, &status);
  }
  return toStatus(status, owner.name());
}

static Status checkLaunch(Kernel &kernel, Backend &backend, const LaunchShape &shape) {
  const uint64_t shared = kernel.sharedBytes(shape.dynamicSharedBytes);
  if (shared > backend.properties().sharedBytesPerBlockOptIn)
    return unsupported(tooMuchShared(kernel, backend, shared), backend.name());
  return kernel.loadOn(backend).status();
}

/// With code for the backend that it is given to: should that be another one before it
/// runs, the move sees to it.
Status Stream::launchMigratable(Kernel &kernel, const LaunchShape &shape,
                             const void *arguments, size_t argumentBytes) {
  if (Status status = kernel.prepare(); !status.ok())
    return status;
  MigratableDevice &migratable = *owner.migratable();
  for (;;) {
    Backend &present = migratable.present();
    if (Status status = checkLaunch(kernel, present, shape); !status.ok()) {
      // It was moved to where this can not run.
      if (&present == &owner.home() ||
          !migratable
               .moveTo(owner.home().name(), "kernel '" + kernel.info().displayName +
                                                "' can not run where it was")
               .ok())
        return status;
      continue;
    }
    Gate::Inside inside(migratable.gate);
    if (&migratable.present() != &present)
      continue;
    if (Status status = order(); !status.ok())
      return status;
    movable->launch(kernel, shape, arguments, argumentBytes);
    return Status::success();
  }
}

Status Stream::launch(Graph &graph) {
  if (!graph.isAlive())
    return unavailable("a graph of before its device was reset", owner.name());
  graph.watchOne();
  if (Status status = order(); !status.ok())
    return status;
  HetStatus status;
  static const std::string name = "graph";
  TracedWork traced(trace.get(), name);
  owner.abi().enqueueGraph(queue, graph.handle, &status);
  return toStatus(status, owner.name());
}

Status Stream::call(std::function<void()> function) {
  if (Status status = order(); !status.ok())
    return status;
  if (movable) {
    movable->call(std::move(function));
    return Status::success();
  }
  auto *held = new std::function<void()>(std::move(function));
  auto run = [](void *data) {
    std::unique_ptr<std::function<void()>> own(
        static_cast<std::function<void()> *>(data));
    (*own)();
  };
  HetStatus status;
  static const std::string name = "host function";
  TracedWork traced(trace.get(), name);
  if (owner.abi().enqueueCall(queue, run, held, &status) != HET_OK)
    delete held;
  return toStatus(status, owner.name());
}

Status Stream::record(Event &event) {
  if (Status status = order(); !status.ok())
    return status;
  if (movable) {
    movable->signal(event.state);
    return Status::success();
  }
  HetStatus status;
  owner.abi().enqueueSignal(queue, event.handle, &status);
  return toStatus(status, owner.name());
}

Status Stream::wait(Event &event) {
  if (Status status = order(); !status.ok())
    return status;
  if (movable) {
    movable->wait(event.state);
    return Status::success();
  }
  HetStatus status;
  if (&event.owner.target() == &owner.target()) {
    owner.abi().enqueueWait(queue, event.handle, &status);
    return toStatus(status, owner.name());
  }
  HetEvent *handle = event.handle;
  const HetDeviceABI *abi = &event.owner.abi();
  return call([=] { abi->waitEvent(handle); });
}

void Stream::synchronize() {
  // The legacy stream is done when the blocking streams are, too.
  if (streamKind == StreamKind::Legacy)
    (void)order();
  synchronizeAlone();
}

void Stream::synchronizeAlone() {
  if (movable)
    movable->synchronize();
  else
    owner.abi().synchronize(queue);
}

bool Stream::isIdle() {
  if (streamKind == StreamKind::Legacy)
    (void)order();
  return movable ? movable->isIdle() : owner.abi().isIdle(queue);
}

} // namespace het::core
