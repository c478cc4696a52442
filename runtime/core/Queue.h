// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues and events: what a stream puts its work into, and places in that work. A
// device's executor makes both, so all of one process's are of one kind.

#ifndef HET_RUNTIME_CORE_QUEUE_H
#define HET_RUNTIME_CORE_QUEUE_H

#include "het/Base/Status.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace het::core {

class Device;
class Graph;
class Kernel;
class NativeWork;
struct DeviceWork;
struct LaunchShape;

/// A place in a queue, recorded any number of times. Who waits for it waits for the
/// record made last before that, also when the event is recorded again or destroyed
/// meanwhile.
class Event {
public:
  static Result<std::shared_ptr<Event>> create(Device &device);
  virtual ~Event() = default;
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;

  /// Whether the latest record was reached, or there is none.
  virtual bool isDone() const = 0;
  virtual void wait() const = 0;
  /// Nanoseconds from the latest record of `start` to this one's; both are done and of
  /// one device.
  virtual Result<int64_t> since(const Event &start) const = 0;

protected:
  Event() = default;
};

/// Work that a device does in order. Functions return when the work is queued, for which
/// they may wait for room in the queue, and a kernel's first launch for its code. What
/// they point to, but for arguments, stays until the work is done.
class Queue {
public:
  /// Carries out what is left first.
  virtual ~Queue() = default;
  Queue(const Queue &) = delete;
  Queue &operator=(const Queue &) = delete;

  virtual Status add(const DeviceWork &work) = 0;
  /// Copies the arguments. A kernel that is not loaded is loaded here.
  virtual Status launch(Kernel &kernel, const LaunchShape &shape, const void *arguments,
                        size_t argumentBytes) = 0;
  virtual Status launch(Graph &graph) = 0;
  /// Unsupported where there is none.
  virtual Status launch(NativeWork &work);
  virtual Status call(std::function<void()> function) = 0;
  /// Calls `work` now with the stream of the vendor's driver that the queue is; what it
  /// puts there is work of the queue. Unsupported where it is none.
  virtual Status addNative(const std::function<void(void *stream)> &work);
  /// A failure leaves the event as it was.
  virtual Status record(Event &event) = 0;
  /// The event may be of another device.
  virtual Status wait(Event &event) = 0;

  /// Returns when the work that was queued before the call is done.
  virtual void synchronize() = 0;
  virtual bool isIdle() = 0;

  /// Its line in the process's trace; nothing if it has none.
  virtual std::optional<unsigned> traceTrack() const = 0;

protected:
  Queue() = default;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_QUEUE_H
