// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software queues and events: a queue is a thread that carries out functions in order.
// For targets whose driver has none, and for devices whose work may move.

#ifndef HET_BASE_SOFTWAREQUEUE_H
#define HET_BASE_SOFTWAREQUEUE_H

#include "het/Base/Status.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace het {

/// One record of an event: pending until its queue has come to it, then reached for ever.
class Signal {
public:
  void reach();
  void wait();
  bool isReached() const { return reached.load(std::memory_order_acquire); }
  /// When it was reached, in nanoseconds of the steady clock; 0 before that.
  uint64_t time() const { return reachedAt.load(std::memory_order_relaxed); }

private:
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<bool> reached{false}; ///< Changed with the mutex held.
  std::atomic<uint64_t> reachedAt{0};
};

/// An event: its latest record. Each record has a signal of its own, so who waits for one
/// does not wait for those made later, on whichever queue.
class SoftwareEvent {
public:
  /// Makes this the latest record. For who has put it into a queue.
  void record(std::shared_ptr<Signal> next);
  /// The latest record; null if there is none.
  std::shared_ptr<Signal> latest() const;

private:
  mutable std::mutex mutex;
  std::shared_ptr<Signal> signal; ///< Null before the first record.
};

/// A queue of tasks that one thread carries out in the order they come. It has the thread
/// from its first task until it has been idle for a while. Where there are cores enough,
/// threads that wait look for what they wait for a while before they sleep: to be woken
/// takes longer than a small kernel.
class SoftwareQueue {
public:
  /// The most tasks that wait in a queue before push() blocks.
  static constexpr size_t maxWaiting = 1 << 14;

  SoftwareQueue() = default;
  SoftwareQueue(const SoftwareQueue &) = delete;
  SoftwareQueue &operator=(const SoftwareQueue &) = delete;
  /// Carries out what is left first.
  ~SoftwareQueue();

  /// Waits for room first. Fails with Unavailable, and leaves the task out, if there is
  /// no thread for the queue and none can be made.
  [[nodiscard]] Status push(std::function<void()> task);
  /// Waits for nothing: for threads with a lock that a task may take.
  [[nodiscard]] Status pushNow(std::function<void()> task);
  /// Returns when fewer tasks wait than may; at once in a task of the queue itself.
  void makeRoom();
  /// Makes the event's next record, reached when everything before it is done. A failure
  /// leaves the event as it was.
  [[nodiscard]] Status signal(SoftwareEvent &event);
  /// Lets what comes after wait for the event's latest record.
  [[nodiscard]] Status wait(const SoftwareEvent &event);
  /// Returns when the tasks pushed before the call are done; carries out those that wait
  /// itself.
  void synchronize();
  bool isIdle();

private:
  Status ensureThread();
  void run();
  void runFirst(std::unique_lock<std::mutex> &lock);
  void waitUntilDone(uint64_t count, std::unique_lock<std::mutex> &lock);

  std::mutex mutex;                 ///< Guards what follows.
  std::condition_variable arrived;  ///< A task, or the end.
  std::condition_variable finished; ///< As many tasks as are `wanted`.
  std::deque<std::function<void()>> tasks;
  bool busy = false, closing = false;
  bool hasThread = false; ///< `thread` has not decided to end.
  std::thread thread;
  std::atomic<uint64_t> pushed{0},
      done{0}; ///< Tasks so far; changed with the mutex held.
  /// The least number of tasks done that a thread waits for; the greatest if none does.
  uint64_t wanted = UINT64_MAX;
};

} // namespace het

#endif // HET_BASE_SOFTWAREQUEUE_H
