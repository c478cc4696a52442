// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that acts from time to time, until it has done what it was to do or the
// process is about to end.

#ifndef HET_RUNTIME_CORE_PERIODICTHREAD_H
#define HET_RUNTIME_CORE_PERIODICTHREAD_H

#include "het/Base/Status.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace het::core {

class PeriodicThread {
public:
  /// How an end came about.
  enum class End {
    NotRunning, ///< There is no thread, or it is another process's (after fork()).
    Stopped,    ///< It waited for its next turn.
    Finished,   ///< It had ended by itself, or was acting and has done that to its end.
    Left        ///< It is still acting: the limit is over.
  };

  /// Once. After each interval `act` is called, without any lock, until it returns
  /// false. Fails with Unavailable if there is no thread.
  Status start(std::chrono::nanoseconds interval, std::function<bool()> act);

  /// Acts at once, if it waits; else once more when it has acted.
  void wake();

  /// Lets it act no more, and waits until it has done what it does, but not for longer
  /// than `limit`: exit() may have been called where it can not go on, in a kernel's
  /// printf, say. Any number of times.
  End stop(std::chrono::nanoseconds limit);

private:
  void run(std::chrono::nanoseconds interval, const std::function<bool()> &act);

  std::atomic<int> process{0}; ///< The one that has the thread.
  std::mutex mutex;            ///< Guards what follows; never held while it acts.
  std::condition_variable changed;
  bool stopping = false, woken = false, waiting = false, ended = false;
  std::thread thread;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_PERIODICTHREAD_H
