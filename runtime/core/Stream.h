// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams: work that a device does in order, while the caller goes on.
//
// A device has one legacy stream. It and the blocking streams wait for each
// other as CUDA's default stream does: its work starts after everything that
// was given before to blocking streams, and work given later to those starts
// after it.

#ifndef HET_RUNTIME_CORE_STREAM_H
#define HET_RUNTIME_CORE_STREAM_H

#include "core/Queue.h"
#include "het/Base/Status.h"
#include "het/Target/TargetABI.h"

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <utility>
#include <vector>

namespace het::core {

class Device;
class Graph;
class Kernel;
class NativeWork;

/// The shape of a launch.
struct LaunchShape {
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t dynamicSharedBytes = 0;
  bool cooperative = false;
  uint32_t cluster[3] = {0, 0, 0}; ///< 0: none of the kernel's code is about clusters.
  bool clusterGiven = false;       ///< The program has said its size.
  /// It may begin before the launch in front of it has ended, if its code waits for that.
  bool programmatic = false;
};

/// As the target's form of a launch, without its code; and back.
HetLaunch makeLaunch(const LaunchShape &shape, const void *arguments,
                     size_t argumentBytes);
LaunchShape shapeOf(const HetLaunch &launch);

enum class StreamKind { Legacy, Blocking, NonBlocking };

/// A CUDA stream: work of one device that runs in the order in which it was given.
/// Thread-safe; shared by its users, the device and what still runs.
class Stream : public std::enable_shared_from_this<Stream> {
public:
  static Result<std::shared_ptr<Stream>> create(Device &device, StreamKind kind);
  /// Waits for its work; retire() does not.
  ~Stream();
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;

  /// Gives a stream up: the device keeps it until its work is done.
  static void retire(std::shared_ptr<Stream> stream);

  Device &device() const { return owner; }

  /// Copies between memory of the host and of devices. It must stay until done.
  Status copy(void *to, const void *from, size_t size);

  /// Copies rows whose beginnings are a pitch apart.
  Status copyRows(void *to, size_t toPitch, const void *from, size_t fromPitch,
                  size_t width, size_t rows);

  /// Writes `size` bytes of a pattern of 1, 2 or 4 bytes.
  Status fill(void *to, uint32_t pattern, unsigned patternBytes, size_t size);

  /// Launches; the arguments are copied. The first launch of a kernel lowers
  /// it, here.
  Status launch(Kernel &kernel, const LaunchShape &shape, const void *arguments,
                size_t argumentBytes);

  /// Launches a graph of this device as one piece of work.
  Status launch(Graph &graph);

  /// Does native work of this device.
  Status launch(NativeWork &work);

  /// Launches a graph that kernels may launch, too (DeviceLaunches::setGraph).
  Status launchDeviceGraph(uint64_t graph);

  /// Calls a function of the host; the stream waits for it.
  Status call(std::function<void()> function);

  /// Calls `work` now with the driver's stream that this one is (Queue::addNative).
  Status addNative(const std::function<void(void *stream)> &work);

  Status record(Event &event);
  /// Waits for what was recorded last, also by another device; nothing if it
  /// was never recorded.
  Status wait(Event &event);

  /// Its line in the process's trace; nothing if it has none.
  std::optional<unsigned> traceTrack() const { return queue->traceTrack(); }

  /// Waits for the work given to it before the call; for the legacy stream, also for that
  /// of blocking ones.
  void synchronize();
  bool isIdle();

private:
  friend class Device;
  Stream(Device &device, StreamKind kind) : owner(device), streamKind(kind) {}
  Status follow(Stream &other, uint64_t &seen);
  Status order();
  Status runTree(std::function<void()> work);
  std::vector<std::pair<std::shared_ptr<Stream>, uint64_t>> ahead();
  template <class Give> Status give(Give give);

  Device &owner;
  const StreamKind streamKind;
  std::unique_ptr<Queue> queue;
  /// Its place among those that are given up; made at once, for who has no memory then.
  std::list<std::shared_ptr<Stream>> place{nullptr};
  std::shared_ptr<Event> latest;  ///< For others to wait for.
  std::atomic<uint64_t> given{0}; ///< Pieces of work in the queue so far.

  /// How much of the other side's work was waited for so far; guarded by the device.
  uint64_t seenLegacy = 0;   ///< By this, of the legacy stream.
  uint64_t seenByLegacy = 0; ///< By the legacy stream, of this.
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_STREAM_H
