// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the process ends, exit() runs in reverse order what was registered: the
// destructors of a library that a thread has opened come before a function that was
// registered before it was opened, and so do those of objects that a library makes when
// it is first used. So the end of our threads is registered again where a library is
// opened.

#include "core/Shutdown.h"
#include "core/trace/Trace.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace het::core {

namespace {

/// Never destroyed, as it is used until the process ends.
struct List {
  std::mutex mutex;
  std::vector<std::function<void()>> stops;
};

List &list() {
  static List *made = new List;
  return *made;
}

std::atomic<bool> begun{false};

void stopAll() {
  begun = true;
  std::vector<std::function<void()>> stops;
  {
    std::lock_guard<std::mutex> lock(list().mutex);
    stops = list().stops;
  }
  for (const std::function<void()> &stop : stops)
    stop();
  if (Trace *trace = Trace::get())
    trace->write();
}

} // namespace

void Shutdown::add(std::function<void()> stop) {
  std::lock_guard<std::mutex> lock(list().mutex);
  list().stops.push_back(std::move(stop));
}

static std::atomic<bool> stopsBeforeLibraries{false};

void Shutdown::beforeLibraries() {
  stopsBeforeLibraries = true;
  std::atexit(stopAll);
}

bool Shutdown::isBeforeLibraries() { return stopsBeforeLibraries; }

bool Shutdown::hasBegun() { return begun; }

void Shutdown::noteBeginning() { begun = true; }

} // namespace het::core
