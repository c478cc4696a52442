// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread waits for its next time, acts, and ends when it is told to or the process
// does.

#include "core/PeriodicThread.h"
#include "het/Base/Thread.h"

#include <unistd.h>

namespace het::core {

Status PeriodicThread::start(std::chrono::nanoseconds interval,
                             std::function<bool()> act) {
  std::lock_guard<std::mutex> lock(mutex);
  Result<std::thread> started =
      startThread([this, interval, act = std::move(act)] { run(interval, act); });
  if (!started.ok())
    return started.status();
  process = getpid();
  thread = started.take();
  return Status::success();
}

void PeriodicThread::wake() {
  std::lock_guard<std::mutex> lock(mutex);
  woken = true;
  changed.notify_all();
}

void PeriodicThread::run(std::chrono::nanoseconds interval,
                         const std::function<bool()> &act) {
  std::unique_lock<std::mutex> lock(mutex);
  for (bool goesOn = true; goesOn && !stopping;) {
    waiting = true;
    changed.wait_for(lock, interval, [&] { return stopping || woken; });
    if (stopping)
      break;
    waiting = woken = false;
    lock.unlock();
    goesOn = act();
    lock.lock();
  }
  ended = true;
  changed.notify_all();
}

PeriodicThread::End PeriodicThread::stop(std::chrono::nanoseconds limit) {
  if (process != getpid()) // its mutex may be held for ever
    return End::NotRunning;
  std::unique_lock<std::mutex> lock(mutex);
  if (!thread.joinable())
    return End::NotRunning;
  const bool waited = waiting && !ended;
  stopping = true;
  changed.notify_all();
  const bool hasEnded = changed.wait_for(lock, limit, [&] { return ended; });
  std::thread own = std::move(thread); // several may stop it at once
  lock.unlock();
  if (own.joinable() && hasEnded)
    own.join();
  else if (own.joinable())
    own.detach();
  if (!hasEnded)
    return End::Left;
  return waited ? End::Stopped : End::Finished;
}

} // namespace het::core
