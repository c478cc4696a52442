// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's memory that kernels may reach, as it is on the chip while a launch runs.

#ifndef HET_LIB_TARGET_TENSIX_DEVICE_MIRRORS_H
#define HET_LIB_TARGET_TENSIX_DEVICE_MIRRORS_H

#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

struct HetDevice;

namespace het::tensix {

struct Range;

/// Both sides change it meanwhile. An exchange brings what one side has changed since the
/// last one to the other, in pieces of up to 8 bytes that are written at once; where both
/// have changed a byte, the chip's stays. Takes the device's memoryMutex and chipMutex.
class Mirrors {
public:
  /// Brings all of it to the chip.
  explicit Mirrors(HetDevice &device);

  bool any() const { return !agreed.empty(); }
  void exchange();
  /// An exchange, if exchanges would take no more than a tenth of the time.
  void exchangeIfDue();

private:
  using Clock = std::chrono::steady_clock;
  using Words = std::vector<uint64_t>;

  void exchange(const Range &range, uint64_t address, Words &known);
  void toChip(const Range &range, const Words &known, const std::vector<size_t> &changed);

  HetDevice &device;
  std::map<uint64_t, Words> agreed; ///< Words as both sides had them last, by address.
  Clock::time_point due = Clock::now();
};

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_DEVICE_MIRRORS_H
