// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chip as the PCI bus shows it: configuration space, memory by physical addresses, and
// time, which passes by itself on silicon. What a chip is stands in Chip.h.

#ifndef HET_LIB_TARGET_TENSIX_DEVICE_PROVIDER_H
#define HET_LIB_TARGET_TENSIX_DEVICE_PROVIDER_H

#include "het/Target/TargetABI.h"

#include <cstdint>
#include <string>

namespace het::tensix {

/// Fills in a status and returns its code.
int32_t report(HetStatus *status, int32_t code, const std::string &message);

/// Its functions are called by one thread at a time.
class Provider {
public:
  virtual ~Provider() = default;

  virtual uint32_t readConfiguration(uint32_t offset) = 0;
  virtual void read(uint64_t address, void *to, uint32_t bytes) = 0;
  virtual void write(uint64_t address, const void *from, uint32_t bytes) = 0;
  /// Lets so many clocks pass, or about as much time.
  virtual void pass(uint32_t clocks) = 0;
  /// Whether tiles have their debug signals; a simulator may end the process instead.
  virtual bool hasDebugSignals() const { return true; }
};

/// Null, with a status, where HET_TTSIM_LIBRARY names no library with the simulator's C
/// interface. A process has one, which stays.
Provider *openSimulator(HetStatus *status);
/// Whether there is one, without starting it.
int32_t findSimulator(HetStatus *status);

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_DEVICE_PROVIDER_H
