// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chip as its host reaches it: windows, each of which shows a piece of one node's
// addresses, and time, which passes by itself on silicon. What a chip is stands in
// Chip.h.

#ifndef HET_LIB_TARGET_TENSIX_DEVICE_PROVIDER_H
#define HET_LIB_TARGET_TENSIX_DEVICE_PROVIDER_H

#include "het/Target/TargetABI.h"

#include <cstdint>
#include <memory>
#include <string>

namespace het::tensix {

/// Fills in a status and returns its code.
int32_t report(HetStatus *status, int32_t code, const std::string &message);

std::string hexadecimal(uint64_t value);

/// PCI's numbers: the vendor in the lower half, the device in the upper.
constexpr uint32_t wormholeIdentity = 0x401E1E52, blackholeIdentity = 0xB1401E52;

/// "... is a PCI device that is not known"; what is known.
int32_t reportUnknownChip(const std::string &place, uint32_t identity, HetStatus *status);

/// Its functions are called by one thread at a time.
class Provider {
public:
  /// A coordinate of NoC 0: y << 6 | x.
  using Node = uint32_t;
  /// A window's size is a power of two.
  static constexpr unsigned windowCount = 10;

  virtual ~Provider() = default;

  virtual uint32_t identity() const = 0;
  /// For users: "simulated", or the device's file.
  virtual std::string place() const = 0;
  virtual unsigned windowBits() const = 0;
  /// The window shows the node's addresses from one that is a multiple of its size.
  virtual void aim(unsigned window, Node node, uint64_t address) = 0;
  virtual void read(unsigned window, uint32_t offset, void *to, uint32_t bytes) = 0;
  virtual void write(unsigned window, uint32_t offset, const void *from,
                     uint32_t bytes) = 0;
  /// Lets so many clocks pass, or about as much time.
  virtual void pass(uint32_t clocks) = 0;
  /// Why the chip is lost; empty as long as it can be reached. A lost one stays so: what
  /// is read is zero, what is written goes nowhere.
  virtual std::string lost() const { return {}; }
  /// Whether tiles have their debug signals; a simulator may end the process instead.
  virtual bool hasDebugSignals() const { return true; }
};

/// Null, with a status, where HET_TTSIM_LIBRARY names no library with the simulator's C
/// interface, or that simulates a chip that is not known. A process has one, which stays.
std::shared_ptr<Provider> openSimulator(HetStatus *status);
/// Whether there is one, without starting it.
int32_t findSimulator(HetStatus *status);

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_DEVICE_PROVIDER_H
