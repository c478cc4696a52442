// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues that are carried out by threads of the process.

#include "het/Base/SoftwareQueue.h"
#include "het/Base/Thread.h"

#include <algorithm>
#include <chrono>

namespace het {

static uint64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// For how long threads look for what they wait for: those of the program, as CUDA's do,
/// for as long as most kernels take; those that wait for more to do, for about the time
/// that it takes to wake them. In nanoseconds.
static constexpr uint64_t longLook = 5'000'000, shortLook = 50'000;

/// How long a queue without work keeps its thread.
static constexpr auto idleTime = std::chrono::seconds(1);

/// Looks until it is so, or for so long.
template <class Condition> static void lookFor(uint64_t nanoseconds, Condition isSo) {
  constexpr unsigned enoughCores = 4;
  static const bool hasCores = std::thread::hardware_concurrency() >= enoughCores;
  if (!hasCores)
    return;
  for (const uint64_t end = now() + nanoseconds; !isSo() && now() < end;)
    std::this_thread::yield();
}

void Signal::reach() {
  std::lock_guard<std::mutex> lock(mutex);
  reachedAt.store(now(), std::memory_order_relaxed);
  reached.store(true, std::memory_order_release);
  changed.notify_all();
}

void Signal::wait() {
  if (isReached())
    return;
  lookFor(longLook, [&] { return isReached(); });
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return isReached(); });
}

void SoftwareEvent::record(std::shared_ptr<Signal> next) {
  std::lock_guard<std::mutex> lock(mutex);
  signal.swap(next);
}

std::shared_ptr<Signal> SoftwareEvent::latest() const {
  std::lock_guard<std::mutex> lock(mutex);
  return signal;
}

SoftwareQueue::~SoftwareQueue() {
  {
    std::unique_lock<std::mutex> lock(mutex);
    waitUntilDone(pushed, lock);
    closing = true;
  }
  arrived.notify_all();
  if (thread.joinable())
    thread.join();
}

/// With the mutex held.
Status SoftwareQueue::ensureThread() {
  if (hasThread)
    return Status::success();
  if (thread.joinable())
    thread.join(); // it has let go of the mutex for the last time
  Result<std::thread> started = startThread([this] { run(); });
  if (!started.ok())
    return started.status();
  thread = started.take();
  hasThread = true;
  return Status::success();
}

void SoftwareQueue::makeRoom() {
  std::unique_lock<std::mutex> lock(mutex);
  if (tasks.size() >= maxWaiting && thread.get_id() != std::this_thread::get_id())
    waitUntilDone(pushed - maxWaiting / 2, lock);
}

Status SoftwareQueue::push(std::function<void()> task) {
  makeRoom();
  return pushNow(std::move(task));
}

Status SoftwareQueue::pushNow(std::function<void()> task) {
  bool wake;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (Status status = ensureThread(); !status.ok())
      return status;
    wake = tasks.empty() && !busy;
    tasks.push_back(std::move(task));
    ++pushed;
  }
  if (wake)
    arrived.notify_one();
  return Status::success();
}

Status SoftwareQueue::signal(SoftwareEvent &event) {
  auto signal = std::make_shared<Signal>();
  if (isIdle()) // no thread is needed to say so
    signal->reach();
  else if (Status status = pushNow([signal] { signal->reach(); }); !status.ok())
    return status;
  event.record(std::move(signal));
  return Status::success();
}

Status SoftwareQueue::wait(const SoftwareEvent &event) {
  std::shared_ptr<Signal> signal = event.latest();
  if (!signal || signal->isReached())
    return Status::success();
  return pushNow([signal] { signal->wait(); });
}

/// With the mutex held, which it lets go of meanwhile.
void SoftwareQueue::waitUntilDone(uint64_t count, std::unique_lock<std::mutex> &lock) {
  while (done < count) {
    wanted = std::min(wanted, count);
    finished.wait(lock);
  }
}

void SoftwareQueue::synchronize() {
  std::unique_lock<std::mutex> lock(mutex);
  const uint64_t count = pushed;
  while (!busy && done < count)
    runFirst(lock);
  if (!busy && !tasks.empty())
    arrived.notify_one(); // those are the thread's
  if (done >= count)
    return;
  lock.unlock();
  lookFor(longLook, [&] { return done >= count; });
  lock.lock();
  waitUntilDone(count, lock);
}

bool SoftwareQueue::isIdle() {
  std::lock_guard<std::mutex> lock(mutex);
  return tasks.empty() && !busy;
}

void SoftwareQueue::runFirst(std::unique_lock<std::mutex> &lock) {
  std::function<void()> task = std::move(tasks.front());
  tasks.pop_front();
  busy = true;
  lock.unlock();
  task();
  task = nullptr;
  lock.lock();
  busy = false;
  if (++done >= wanted) {
    wanted = UINT64_MAX;
    finished.notify_all();
  }
}

void SoftwareQueue::run() {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    if (tasks.empty() && !closing) {
      lock.unlock();
      lookFor(shortLook, [&] { return pushed != done; });
      lock.lock();
    }
    const bool hasWork = arrived.wait_for(
        lock, idleTime, [&] { return !busy && (!tasks.empty() || closing); });
    if (hasWork && !tasks.empty())
      runFirst(lock);
    else if (closing || (!busy && tasks.empty()))
      break;
  }
  hasThread = false;
}

} // namespace het
