// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues that are threads.

#include "het/Base/SoftwareQueue.h"

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
constexpr uint64_t longLook = 5'000'000, shortLook = 50'000;

/// Looks until it is so, or for so long.
template <class Condition> static void lookFor(uint64_t nanoseconds, Condition isSo) {
  constexpr unsigned enoughCores = 4;
  static const bool hasCores = std::thread::hardware_concurrency() >= enoughCores;
  if (!hasCores)
    return;
  for (const uint64_t end = now() + nanoseconds; !isSo() && now() < end;)
    std::this_thread::yield();
}

uint64_t EventState::announce() {
  std::lock_guard<std::mutex> lock(mutex);
  return ++announced;
}

void EventState::reach(uint64_t signal) {
  std::lock_guard<std::mutex> lock(mutex);
  if (signal > reached)
    reached = signal;
  reachedAt = now();
  changed.notify_all();
}

void EventState::wait(uint64_t signal) {
  lookFor(longLook, [&] { return reached >= signal; });
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return reached >= signal; });
}

void EventState::waitLatest() { wait(latest()); }

uint64_t EventState::latest() {
  std::lock_guard<std::mutex> lock(mutex);
  return announced;
}

bool EventState::isDone() {
  std::lock_guard<std::mutex> lock(mutex);
  return reached >= announced;
}

uint64_t EventState::time() {
  std::lock_guard<std::mutex> lock(mutex);
  return reachedAt;
}

SoftwareQueue::SoftwareQueue() : thread([this] { run(); }) {}

SoftwareQueue::~SoftwareQueue() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    closing = true;
  }
  arrived.notify_one();
  thread.join();
}

void SoftwareQueue::push(std::function<void()> task) {
  bool wake;
  {
    std::lock_guard<std::mutex> lock(mutex);
    wake = tasks.empty() && !busy;
    tasks.push_back(std::move(task));
    ++unfinished;
  }
  if (wake)
    arrived.notify_one();
}

void SoftwareQueue::signal(std::shared_ptr<EventState> event) {
  uint64_t number = event->announce();
  push([event = std::move(event), number] { event->reach(number); });
}

void SoftwareQueue::wait(std::shared_ptr<EventState> event) {
  uint64_t number = event->latest();
  push([event = std::move(event), number] { event->wait(number); });
}

void SoftwareQueue::synchronize() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!busy && !tasks.empty())
    runFirst(lock);
  lock.unlock();
  lookFor(longLook, [&] { return unfinished == 0; });
  lock.lock();
  finished.wait(lock, [&] { return tasks.empty() && !busy; });
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
  --unfinished;
  if (tasks.empty())
    finished.notify_all();
}

void SoftwareQueue::run() {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    if (tasks.empty() && !closing) {
      lock.unlock();
      lookFor(shortLook, [&] { return unfinished != 0; });
      lock.lock();
    }
    arrived.wait(lock, [&] { return !busy && (!tasks.empty() || closing); });
    if (tasks.empty())
      return;
    runFirst(lock);
  }
}

} // namespace het
