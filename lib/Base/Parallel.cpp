// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs work by threads that take numbers from a shared counter.

#include "het/Base/Parallel.h"
#include "het/Base/Thread.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

using namespace het;

/// More do not help: memory and disk are slower than these.
static constexpr unsigned mostThreads = 16;

Status het::inParallel(uint64_t count, unsigned threads, const Worker &work,
                       const std::function<void()> &stop) {
  if (threads == 0)
    threads = std::clamp(std::thread::hardware_concurrency(), 1u, mostThreads);
  std::atomic<uint64_t> counter{0};
  std::atomic<bool> stopped{false};
  std::mutex mutex;
  Status failure; // guarded by `mutex`
  auto next = [&]() -> uint64_t {
    uint64_t number = stopped ? count : counter++;
    return std::min(number, count);
  };
  auto part = [&] {
    Status status = work(next);
    if (status.ok())
      return;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (failure.ok())
        failure = std::move(status);
    }
    stopped = true;
    if (stop)
      stop();
  };
  std::vector<std::thread> helpers;
  while (helpers.size() + 1 < std::min<uint64_t>(threads, count)) {
    Result<std::thread> helper = startThread(part);
    if (!helper.ok())
      break; // the threads that there are do it
    helpers.push_back(helper.take());
  }
  part();
  for (std::thread &helper : helpers)
    helper.join();
  return failure;
}
