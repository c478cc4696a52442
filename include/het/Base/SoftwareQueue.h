// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues and events of our own: a queue is a thread that carries out functions in
// order. For targets whose driver has none, and for programs whose work may move.

#ifndef HET_BASE_SOFTWAREQUEUE_H
#define HET_BASE_SOFTWAREQUEUE_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace het {

/// What an event is: how many signals were put into queues, how many reached.
/// Shared by the queues that still have to reach it, so it may be destroyed early.
class EventState {
public:
  uint64_t announce();         ///< a signal is put into a queue: its number
  void reach(uint64_t signal); ///< the queue has come to it
  void wait(uint64_t signal);  ///< until it is reached
  void waitLatest();
  uint64_t latest();
  bool isDone();
  uint64_t time(); ///< of the signal reached last, in nanoseconds

private:
  std::mutex mutex;
  std::condition_variable changed;
  uint64_t announced = 0, reachedAt = 0;
  std::atomic<uint64_t> reached{0}; ///< Changed with the mutex held.
};

/// A thread that carries out tasks in the order they come, one at a time. Where there are
/// cores enough, threads that wait look for what they wait for a while before they sleep: to
/// be woken takes longer than a small kernel.
class SoftwareQueue {
public:
  SoftwareQueue();
  ~SoftwareQueue(); ///< carries out what is left first

  void push(std::function<void()> task);
  void signal(std::shared_ptr<EventState> event);
  void wait(std::shared_ptr<EventState> event);
  /// Returns when all tasks are done; carries out those that wait itself.
  void synchronize();
  bool isIdle();

private:
  void run();
  void runFirst(std::unique_lock<std::mutex> &lock);

  std::mutex mutex;
  std::condition_variable arrived, finished;
  std::deque<std::function<void()>> tasks;
  bool busy = false, closing = false;
  std::atomic<size_t> unfinished{0}; ///< `tasks`, and the one that runs.
  std::thread thread;
};

} // namespace het

#endif // HET_BASE_SOFTWAREQUEUE_H
