// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The worker's thread ends with the process (Shutdown), and before all that exit() runs:
// the objects of the thread that calls exit() come first ([basic.start.term]), and the
// main thread has one that ends the worker.

#include "core/Worker.h"
#include "core/Shutdown.h"
#include "het/Base/Thread.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace het::core {

static constexpr size_t mostWaiting = 16;
static constexpr int lowPriority = 10; ///< As of nice(1).
static constexpr auto longestEnd = std::chrono::seconds(10);

Worker &Worker::get() {
  static Worker *worker = [] {
    auto *made = new Worker; // used until the process ends
    Shutdown::add([made] { made->stop(); });
    return made;
  }();
  return *worker;
}

namespace {

/// The main thread's comes to its end when the process does, or when that thread ends
/// before the others: then nothing more is made in the background while they run.
struct EndOfMainThread {
  ~EndOfMainThread() {
    if (syscall(SYS_gettid) != getpid())
      return;
    Shutdown::noteBeginning();
    Worker::get().stop();
  }
};

} // namespace

/// Libraries that a program is linked with are initialised by its main thread.
[[gnu::constructor]] static void watchMainThread() {
  static thread_local EndOfMainThread end;
  (void)end;
}

/// A process that fork() made has neither the thread nor, perhaps, the mutex.
bool Worker::isOfParent() const {
  const pid_t owner = process.load(std::memory_order_relaxed);
  return owner && owner != getpid();
}

bool Worker::add(const void *owner, std::function<void()> job) {
  if (isOfParent())
    return false;
  std::lock_guard<std::mutex> lock(mutex);
  if (jobs.size() >= mostWaiting)
    return false;
  if (stops())
    return true;
  if (!thread.joinable()) {
    Result<std::thread> started = startThread([this] { work(); });
    if (!started.ok())
      return false;
    process = getpid();
    thread = started.take();
    Shutdown::beforeLibraries();
  }
  jobs.push_back({owner, std::move(job)});
  changed.notify_all();
  return true;
}

void Worker::forget(const void *owner) {
  if (isOfParent())
    return;
  std::unique_lock<std::mutex> lock(mutex);
  auto isOwners = [&](const Job &job) { return job.owner == owner; };
  jobs.erase(std::remove_if(jobs.begin(), jobs.end(), isOwners), jobs.end());
  changed.wait(lock, [&] { return running != owner; });
}

void Worker::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return stops() || !jobs.empty(); });
    if (stops())
      break;
    Job job = std::move(jobs.front());
    jobs.pop_front();
    running = job.owner;
    lock.unlock();
    job.run();
    lock.lock();
    running = nullptr;
    changed.notify_all();
  }
  hasEnded = true;
  changed.notify_all();
}

void Worker::stop() {
  if (isOfParent())
    return;
  std::unique_lock<std::mutex> lock(mutex);
  stopping = true;
  jobs.clear();
  changed.notify_all();
  if (!thread.joinable())
    return;
  // exit() may have been called where the thread can not go on: in a callback
  // of the driver's, with its locks.
  const bool ended = changed.wait_for(lock, longestEnd, [&] { return hasEnded; });
  std::thread own = std::move(thread); // several may stop it at once
  lock.unlock();
  if (!own.joinable())
    return;
  if (ended)
    own.join();
  else
    own.detach();
}

void Worker::runAtLowPriority(const std::function<void()> &function) {
  Result<std::thread> thread = startThread([&] {
    // That it can not be lowered is no reason to do nothing.
    (void)setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), lowPriority);
    function();
  });
  if (thread.ok())
    thread->join();
  else
    function();
}

} // namespace het::core
