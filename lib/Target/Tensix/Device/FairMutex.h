// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mutex that is given to who has waited longest: a thread that holds it most of the
// time, and takes it again at once, lets others in between.

#ifndef HET_LIB_TARGET_TENSIX_DEVICE_FAIRMUTEX_H
#define HET_LIB_TARGET_TENSIX_DEVICE_FAIRMUTEX_H

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace het::tensix {

/// Lockable.
class FairMutex {
public:
  void lock() {
    std::unique_lock<std::mutex> guard(mutex);
    const uint64_t ticket = next++;
    isServed.wait(guard, [&] { return serving == ticket; });
  }
  bool try_lock() {
    std::lock_guard<std::mutex> guard(mutex);
    if (serving != next)
      return false;
    ++next;
    return true;
  }
  /// How many threads wait for it.
  uint64_t waiting() {
    std::lock_guard<std::mutex> guard(mutex);
    return serving == next ? 0 : next - serving - 1;
  }
  void unlock() {
    {
      std::lock_guard<std::mutex> guard(mutex);
      ++serving;
    }
    isServed.notify_all();
  }

private:
  std::mutex mutex; ///< Guards what follows.
  uint64_t next = 0, serving = 0;
  std::condition_variable isServed;
};

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_DEVICE_FAIRMUTEX_H
