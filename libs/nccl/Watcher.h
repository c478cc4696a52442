// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that looks now and then whether ranks are lost, where NVIDIA's library does
// the work: its operations would wait for them for ever.

#ifndef HET_LIBS_NCCL_WATCHER_H
#define HET_LIBS_NCCL_WATCHER_H

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>

namespace het::nccl {

class Watcher {
public:
  Watcher() = default;
  Watcher(const Watcher &) = delete;
  Watcher &operator=(const Watcher &) = delete;
  ~Watcher() { stop(); }

  /// Calls `look` until that returns false, or stop(). False: there is no thread for it.
  bool start(std::function<bool()> look) {
    try {
      thread = std::thread([this, look = std::move(look)] {
        std::unique_lock lock(mutex);
        while (!ends.wait_for(lock, interval, [this] { return isEnding; })) {
          lock.unlock();
          const bool goesOn = look();
          lock.lock();
          if (!goesOn)
            return;
        }
      });
      return true;
    } catch (const std::system_error &) {
      return false;
    }
  }
  void stop() {
    {
      const std::lock_guard lock(mutex);
      isEnding = true;
    }
    ends.notify_all();
    if (thread.joinable())
      thread.join();
  }

private:
  static constexpr auto interval = std::chrono::milliseconds(100);
  std::mutex mutex;
  std::condition_variable ends;
  bool isEnding = false; ///< Guarded by the mutex.
  std::thread thread;
};

} // namespace het::nccl

#endif // HET_LIBS_NCCL_WATCHER_H
