// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The background thread of the process: it makes special code of kernels, one
// after the other.

#ifndef HET_RUNTIME_CORE_WORKER_H
#define HET_RUNTIME_CORE_WORKER_H

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <sys/types.h>
#include <thread>

namespace het::core {

class Worker {
public:
  /// The process's; its thread starts with the first job.
  static Worker &get();

  /// Runs the job some time, but drops it where the process is about to end. False where
  /// too many wait already. `owner` is for forget().
  bool add(const void *owner, std::function<void()> job);

  /// Drops the owner's jobs that have not begun and waits for the one that has.
  void forget(const void *owner);

  /// Whether a job should go no further.
  bool stops() const { return stopping.load(std::memory_order_relaxed); }

  /// Drops what has not begun, waits for what has (but not for ever) and takes no more
  /// jobs. Any number of times.
  void stop();

  /// Calls a function in a thread of low priority and waits for it: for what
  /// takes no lock that the program's own threads need.
  static void runAtLowPriority(const std::function<void()> &function);

private:
  Worker() = default;
  void work();
  bool isOfParent() const;

  struct Job {
    const void *owner;
    std::function<void()> run;
  };
  std::atomic<bool> stopping{false};
  std::atomic<pid_t> process{0}; ///< The one with the thread; 0: none has.
  std::mutex mutex;              ///< Guards what follows.
  std::condition_variable changed;
  std::deque<Job> jobs;
  const void *running = nullptr; ///< The owner of the job that has begun.
  bool hasEnded = false;         ///< The thread does nothing more.
  std::thread thread;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_WORKER_H
