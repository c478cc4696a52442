// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work for a target's queue, and spans of it for a trace.

#include "core/DirectQueue.h"
#include "core/Device.h"
#include "core/DeviceWork.h"
#include "core/DirectCode.h"
#include "core/Graph.h"
#include "core/Module.h"
#include "core/NativeWork.h"

namespace het::core {

Result<std::shared_ptr<Event>> DirectEvent::create(Backend &backend) {
  if (Status status = backend.openStatus(); !status.ok())
    return status;
  std::shared_ptr<DirectEvent> made(new DirectEvent(backend));
  HetStatus status;
  if (backend.abi().createEvent(backend.handle(), &made->event, &status) != HET_OK)
    return toStatus(status, backend.name());
  return std::shared_ptr<Event>(std::move(made));
}

DirectEvent::~DirectEvent() {
  if (event)
    backend.abi().destroyEvent(event);
}

bool DirectEvent::isDone() const { return backend.abi().isEventDone(event); }

void DirectEvent::wait() const { backend.abi().waitEvent(event); }

Result<int64_t> DirectEvent::since(const Event &start) const {
  int64_t nanoseconds = 0;
  HetStatus status;
  if (backend.abi().eventElapsed(static_cast<const DirectEvent &>(start).event, event,
                                 &nanoseconds, &status) != HET_OK)
    return toStatus(status, backend.name());
  return nanoseconds;
}

Result<std::unique_ptr<Queue>> DirectQueue::create(Device &device,
                                                   const std::string &name) {
  if (Status status = device.primary().openStatus(); !status.ok())
    return status;
  std::unique_ptr<DirectQueue> made(new DirectQueue(device, name));
  HetStatus status;
  if (device.abi().createQueue(device.handle(), &made->queue, &status) != HET_OK)
    return toStatus(status, device.name());
  made->traced();
  return std::unique_ptr<Queue>(std::move(made));
}

DirectQueue::DirectQueue(Device &device, std::string name)
    : device(device), backend(device.primary()), name(std::move(name)) {}

/// Its trace, from the first work on that there is after the process has one.
StreamTrace *DirectQueue::traced() {
  if (!Trace::get())
    return nullptr;
  std::call_once(isTraced,
                 [&] { trace = StreamTrace::create(device, queue, name).release(); });
  return trace;
}

std::optional<unsigned> DirectQueue::traceTrack() const {
  const StreamTrace *known = trace;
  return known ? std::optional(known->number()) : std::nullopt;
}

static TraceWork describe(const DeviceWork &work) {
  TraceWork described;
  described.kind =
      work.kind == DeviceWork::Kind::Fill ? TraceWork::Kind::Fill : TraceWork::Kind::Copy;
  described.bytes = work.bytes();
  described.to = reinterpret_cast<const void *>(work.to);
  described.from = reinterpret_cast<const void *>(work.from);
  described.isToDevice = isOfDevice(described.to);
  described.isFromDevice = isOfDevice(described.from);
  described.pattern = work.pattern;
  return described;
}

static TraceWork describe(const LaunchShape &shape) {
  TraceWork described;
  described.kind = TraceWork::Kind::Launch;
  std::copy_n(shape.grid, 3, described.grid);
  std::copy_n(shape.block, 3, described.block);
  described.sharedBytes = shape.dynamicSharedBytes;
  return described;
}

DirectQueue::~DirectQueue() {
  if (StreamTrace *own = trace) {
    synchronize();
    delete own;
  }
  if (queue)
    backend.abi().destroyQueue(queue);
}

Status DirectQueue::add(const DeviceWork &work) {
  StreamTrace *const own = traced();
  TracedWork traced(own, work.name(), own ? work.traced() : TraceArguments(),
                    own ? describe(work) : TraceWork());
  HetStatus status;
  return work.enqueue(backend.abi(), queue, &status) == HET_OK
             ? Status::success()
             : toStatus(status, backend.name());
}

Status DirectQueue::launch(Kernel &kernel, const LaunchShape &shape,
                           const void *arguments, size_t argumentBytes) {
  DirectCode &code = DirectCode::of(kernel);
  Result<HetArtifact *> general = code.load();
  if (!general.ok())
    return general.status();
  HetLaunch launch = makeLaunch(shape, arguments, argumentBytes);
  HetArtifact *special = code.choose(shape, arguments, argumentBytes);
  launch.artifact = special ? special : *general;
  StreamTrace *const own = traced();
  TracedWork traced(own, kernel.info().displayName.c_str(),
                    own ? TraceArguments().add("on", backend.name()) : TraceArguments(),
                    own ? describe(shape) : TraceWork());
  HetStatus status;
  int32_t result = backend.abi().enqueueLaunch(queue, &launch, &status);
  if (result == HET_INVALID && special) {
    code.drop(special);
    launch.artifact = *general;
    result = backend.abi().enqueueLaunch(queue, &launch, &status);
  }
  return result == HET_OK ? Status::success() : toStatus(status, backend.name());
}

Status DirectQueue::launch(Graph &graph) {
  TracedWork traced(this->traced(), "graph");
  return graph.enqueue(queue);
}

Status DirectQueue::launch(NativeWork &work) {
  TracedWork traced(this->traced(), "library");
  return work.enqueue(queue);
}

Status DirectQueue::call(std::function<void()> function) {
  using Function = std::function<void()>;
  auto held = std::make_unique<Function>(std::move(function));
  auto run = [](void *data) {
    std::unique_ptr<Function> own(static_cast<Function *>(data));
    (*own)();
  };
  TracedWork traced(this->traced(), "host function");
  HetStatus status;
  if (backend.abi().enqueueCall(queue, run, held.get(), &status) != HET_OK)
    return toStatus(status, backend.name());
  (void)held.release(); // run() owns it now
  return Status::success();
}

Status DirectQueue::addNative(const std::function<void(void *stream)> &work) {
  if (!backend.abi().enqueueNative)
    return Queue::addNative(work);
  using Work = std::function<void(void *)>;
  auto run = [](void *stream, void *data) { (*static_cast<const Work *>(data))(stream); };
  TracedWork traced(this->traced(), "library");
  HetStatus status;
  return backend.abi().enqueueNative(queue, run, const_cast<Work *>(&work), &status) ==
                 HET_OK
             ? Status::success()
             : toStatus(status, backend.name());
}

Status DirectQueue::record(Event &event) {
  HetStatus status;
  return backend.abi().enqueueSignal(queue, static_cast<DirectEvent &>(event).handle(),
                                     &status) == HET_OK
             ? Status::success()
             : toStatus(status, backend.name());
}

Status DirectQueue::wait(Event &event) {
  auto &direct = static_cast<DirectEvent &>(event);
  if (&direct.of().target() != &backend.target())
    return waitAcross(direct);
  HetStatus status;
  return backend.abi().enqueueWait(queue, direct.handle(), &status) == HET_OK
             ? Status::success()
             : toStatus(status, backend.name());
}

/// Waits for an event of another target: a queue there takes its record of now, and the
/// host waits for that queue.
Status DirectQueue::waitAcross(DirectEvent &event) {
  Backend &other = event.of();
  HetQueue *waiting = nullptr;
  HetStatus status;
  if (other.abi().createQueue(other.handle(), &waiting, &status) != HET_OK)
    return toStatus(status, other.name());
  std::shared_ptr<HetQueue> held(waiting, other.abi().destroyQueue);
  if (other.abi().enqueueWait(waiting, event.handle(), &status) != HET_OK)
    return toStatus(status, other.name());
  return call([held, &other] { other.abi().synchronize(held.get()); });
}

void DirectQueue::synchronize() { backend.abi().synchronize(queue); }

bool DirectQueue::isIdle() { return backend.abi().isIdle(queue); }

} // namespace het::core
