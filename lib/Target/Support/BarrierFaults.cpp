// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts barrier faults of segmented kernels into words.

#include "BarrierFaults.h"
#include "het/Target/TargetABI.h"

namespace het::target {

/// A number that may have been cut off.
static std::string shown(uint32_t number, uint32_t most) {
  return number < most ? std::to_string(number) : std::to_string(most) + " or more";
}

std::optional<BarrierFault> barrierFault(uint32_t result) {
  // The block waits, has ended, or waits for ever elsewhere. This is asked of every
  // block.
  const uint32_t kind = result >> 28 & 7;
  if (!(result >> 31) || kind > 3)
    return std::nullopt;
  const std::string barrier = "barrier " + std::to_string(result >> 24 & 0xF);
  const std::string number = shown(result & 0xFFFFFF, 0xFFFFFF);
  const std::string first = shown(result >> 12 & 0xFFF, 0xFFF);
  const std::string second = shown(result & 0xFFF, 0xFFF);
  switch (kind) {
  case 0:
    return BarrierFault{HET_FAULT_DEADLOCK,
                        "threads wait for threads that never come: " + first + " of " +
                            second + " have arrived at " + barrier};
  case 1:
    return BarrierFault{HET_FAULT_TRAP, barrier + ": found threads that count " + first +
                                            " and " + second + ", expected one count"};
  case 2:
    return BarrierFault{HET_FAULT_TRAP, barrier + ": found a count of " + number +
                                            ", expected a multiple of 32"};
  default:
    return BarrierFault{HET_FAULT_TRAP,
                        "a barrier's number: found " + number + ", expected 0 to 15"};
  }
}

} // namespace het::target
