// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams over queues, and the order between them.
//
// The legacy default stream and the blocking streams wait for each other lazily: every
// stream counts what was put into its queue, and one that is about to get work first
// waits for those of the other side whose count has moved since it last did. Work is
// counted when it is in the queue, so that who sees the count finds the work in front of
// the signal.

#include "core/Stream.h"
#include "core/Device.h"
#include "core/DeviceLaunches.h"
#include "core/DeviceWork.h"
#include "core/Executor.h"
#include "core/Graph.h"
#include "core/Kernel.h"
#include "core/trace/Trace.h"

#include <algorithm>

namespace het::core {

Result<std::shared_ptr<Event>> Event::create(Device &device) {
  return device.executor().createEvent();
}

/// The name of a stream's line in a trace.
static std::string nextStreamName(StreamKind kind) {
  static std::atomic<unsigned> latest{0};
  return kind == StreamKind::Legacy ? "default stream"
                                    : "stream " + std::to_string(++latest);
}

Result<std::shared_ptr<Stream>> Stream::create(Device &device, StreamKind kind) {
  device.dropRetired();
  std::shared_ptr<Stream> stream(new Stream(device, kind));
  Result<std::unique_ptr<Queue>> queue =
      device.executor().createQueue(nextStreamName(kind));
  if (!queue.ok())
    return queue.status();
  stream->queue = queue.take();
  Result<std::shared_ptr<Event>> latest = Event::create(device);
  if (!latest.ok())
    return latest.status();
  stream->latest = latest.take();
  std::lock_guard<std::mutex> lock(device.mutex);
  device.streams.emplace(stream.get(), stream);
  return stream;
}

Stream::~Stream() {
  std::lock_guard<std::mutex> lock(owner.mutex);
  owner.streams.erase(this);
}

void Stream::retire(std::shared_ptr<Stream> stream) {
  Device &device = stream->owner;
  {
    std::list<std::shared_ptr<Stream>> place = std::move(stream->place);
    place.front() = std::move(stream);
    std::lock_guard<std::mutex> lock(device.mutex);
    device.retired.splice(device.retired.end(), place);
  }
  device.dropRetired();
}

/// Makes this stream wait for what the other one has got since it last waited.
Status Stream::follow(Stream &other, uint64_t &seen) {
  const uint64_t count = other.given.load(std::memory_order_acquire);
  if (count == seen)
    return Status::success();
  if (Status status = other.queue->record(*other.latest); !status.ok())
    return status;
  if (Status status = queue->wait(*other.latest); !status.ok())
    return status;
  seen = count;
  return Status::success();
}

Status Stream::order() {
  if (streamKind == StreamKind::NonBlocking)
    return Status::success();
  std::lock_guard<std::mutex> lock(owner.mutex);
  if (streamKind == StreamKind::Blocking)
    return follow(*owner.legacy, seenLegacy);
  for (auto &[other, held] : owner.streams)
    if (other->streamKind == StreamKind::Blocking)
      if (Status status = follow(*other, other->seenByLegacy); !status.ok())
        return status;
  return Status::success();
}

/// Puts a piece of work in: `give` puts it into a queue.
template <class Give> Status Stream::give(Give give) {
  if (Status status = order(); !status.ok())
    return status;
  Status status = give(*queue);
  if (streamKind != StreamKind::NonBlocking)
    given.fetch_add(1, std::memory_order_release);
  return status;
}

Status Stream::copy(void *to, const void *from, size_t size) {
  return give([&](Queue &queue) { return queue.add(DeviceWork::copy(to, from, size)); });
}

Status Stream::copyRows(void *to, size_t toPitch, const void *from, size_t fromPitch,
                        size_t width, size_t rows) {
  return give([&](Queue &queue) {
    return queue.add(DeviceWork::copyRows(to, toPitch, from, fromPitch, width, rows));
  });
}

Status Stream::fill(void *to, uint32_t pattern, unsigned patternBytes, size_t size) {
  return give([&](Queue &queue) {
    return queue.add(DeviceWork::fill(to, pattern, patternBytes, size));
  });
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
  std::copy_n(shape.cluster, 3, launch.cluster);
  launch.clusterGiven = shape.clusterGiven;
  launch.programmatic = shape.programmatic;
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
  std::copy_n(launch.cluster, 3, shape.cluster);
  shape.clusterGiven = launch.clusterGiven;
  shape.programmatic = launch.programmatic;
  return shape;
}

Status Stream::launch(Kernel &kernel, const LaunchShape &shape, const void *arguments,
                      size_t argumentBytes) {
  if (kernel.mayLaunch()) {
    Result<std::function<void()>> tree =
        owner.launches().plan(kernel, shape, arguments, argumentBytes);
    return tree.ok() ? runTree(tree.take()) : tree.status();
  }
  return give([&](Queue &queue) {
    return queue.launch(kernel, shape, arguments, argumentBytes);
  });
}

Status Stream::launchDeviceGraph(uint64_t graph) {
  Result<std::function<void()>> tree = owner.launches().plan(graph);
  return tree.ok() ? runTree(tree.take()) : tree.status();
}

/// Carries out what kernels may add to, here or in the stream.
Status Stream::runTree(std::function<void()> work) {
  if (!owner.launches().mustBeAlone())
    return call(std::move(work));
  if (Status status = order(); !status.ok())
    return status;
  queue->synchronize();
  work();
  return Status::success();
}

Status Stream::launch(Graph &graph) {
  return give([&](Queue &queue) { return queue.launch(graph); });
}

Status Queue::launch(NativeWork &) { return unsupported("native work", "this queue"); }

Status Stream::launch(NativeWork &work) {
  return give([&](Queue &queue) { return queue.launch(work); });
}

Status Stream::call(std::function<void()> function) {
  return give([&](Queue &queue) { return queue.call(std::move(function)); });
}

Status Queue::addNative(const std::function<void(void *stream)> &) {
  return unsupported("native work", "this queue");
}

Status Stream::addNative(const std::function<void(void *stream)> &work) {
  return give([&](Queue &queue) { return queue.addNative(work); });
}

Status Stream::record(Event &event) {
  return give([&](Queue &queue) { return queue.record(event); });
}

Status Stream::wait(Event &event) {
  return give([&](Queue &queue) { return queue.wait(event); });
}

/// The blocking streams with work that no wait in the legacy stream's queue covers, and
/// how much they have got. Nothing for a stream that is not the legacy one.
std::vector<std::pair<std::shared_ptr<Stream>, uint64_t>> Stream::ahead() {
  std::vector<std::pair<std::shared_ptr<Stream>, uint64_t>> found;
  if (streamKind != StreamKind::Legacy)
    return found;
  std::lock_guard<std::mutex> lock(owner.mutex);
  for (auto &[other, held] : owner.streams) {
    const uint64_t count = other->given.load(std::memory_order_acquire);
    if (other->streamKind == StreamKind::Blocking && count != other->seenByLegacy)
      if (std::shared_ptr<Stream> kept = held.lock())
        found.emplace_back(std::move(kept), count);
  }
  return found;
}

// The legacy stream is done when the blocking streams are, too. They are asked: a wait
// for them in its queue may fail, and work that is still running must not look done.

void Stream::synchronize() {
  const auto others = ahead();
  for (auto &[other, count] : others)
    other->queue->synchronize();
  queue->synchronize();
  std::lock_guard<std::mutex> lock(owner.mutex);
  for (auto &[other, count] : others)
    other->seenByLegacy = std::max(other->seenByLegacy, count);
}

bool Stream::isIdle() {
  for (auto &[other, count] : ahead())
    if (!other->queue->isIdle())
      return false;
  return queue->isIdle();
}

} // namespace het::core
