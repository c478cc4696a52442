// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clock of kernels. OpenCL has none, so while a kernel runs that reads it, a thread
// of the host sets a word of memory forward.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_CLOCK_H
#define HET_LIB_TARGET_SPIRV_DEVICE_CLOCK_H

#include <atomic>
#include <cstdint>
#include <thread>

namespace het::spirv {

/// Keeps `nanoseconds` at the time of day as long as it lives. Kernels add to the word
/// as well, so that no two readings are equal; it never goes back.
class Clock {
public:
  explicit Clock(uint64_t &nanoseconds);
  ~Clock();
  /// Whether there is a thread for it.
  bool runs() const { return thread.joinable(); }
  Clock(const Clock &) = delete;
  Clock &operator=(const Clock &) = delete;

private:
  void setForward();

  uint64_t &nanoseconds;
  std::atomic<bool> stops{false};
  std::thread thread;
};

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_CLOCK_H
