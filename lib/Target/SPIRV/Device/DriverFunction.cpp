// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts uses of drivers, which the end of the process waits for.

#include "DriverFunction.h"

#include <condition_variable>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <unistd.h>

namespace het::spirv {
namespace {

/// Never destroyed, as it is used until the process is gone.
struct Uses {
  std::atomic<int> count{0}; ///< Threads that use drivers.
  std::atomic<bool> hasEnded{false};
  std::mutex mutex; ///< Only for who waits.
  std::condition_variable ends;
  const pid_t process = getpid();
};

Uses &uses() {
  static Uses *all = new Uses;
  return *all;
}

/// The calling thread's uses inside of each other.
thread_local int depth = 0;

void leave() {
  Uses &all = uses();
  --all.count;
  if (!all.hasEnded)
    return;
  std::lock_guard<std::mutex> lock(all.mutex);
  all.ends.notify_all();
}

bool enter() {
  if (depth)
    return true;
  ++uses().count;
  if (!uses().hasEnded)
    return true;
  leave();
  return false;
}

void end() {
  Uses &all = uses();
  if (getpid() != all.process)
    return; // of fork(): it has none of the threads
  all.hasEnded = true;
  const int own = depth ? 1 : 0;
  std::unique_lock<std::mutex> lock(all.mutex);
  all.ends.wait(lock, [&] { return all.count <= own; });
}

} // namespace

DriverUse::DriverUse() : isOpen(enter()) { depth += isOpen ? 1 : 0; }

DriverUse::~DriverUse() {
  if (isOpen && --depth == 0)
    leave();
}

void endBeforeDrivers() {
  uses();
  std::atexit(end);
}

void *openDriver(const char *file) {
  const BlockedSignals blocked;
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  endBeforeDrivers();
  return library;
}

} // namespace het::spirv
