// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chip: its cores and its DRAM, reached through windows of the PCI Express tile
// (tt-isa-documentation, WormholeB0/PCIExpressTile/TLBs.md). Coordinates are of NoC 0.

#ifndef HET_LIB_TARGET_TENSIX_DEVICE_CHIP_H
#define HET_LIB_TARGET_TENSIX_DEVICE_CHIP_H

#include "../TensixABI.h"
#include "Provider.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace het::tensix {

/// The numbers of a kind of chip.
struct Architecture {
  const char *name; ///< As in artifacts.
  uint32_t pciIdentity; ///< Vendor in the lower half, device in the upper.
  std::vector<uint32_t> columns; ///< Of Tensix tiles.
  /// Their rows, in the order of the bits that say which are harvested.
  std::vector<uint32_t> rows;
  std::vector<uint32_t> banks; ///< A node of each.
  uint64_t bankBytes;
  uint32_t coreBytes; ///< Of a core's memory.
  uint32_t clockKilohertz;
};

inline uint32_t nodeAt(uint32_t x, uint32_t y) { return y << 6 | x; }

class Chip {
public:
  /// Null with a status where the provider shows no chip that is known.
  static std::unique_ptr<Chip> open(Provider &provider, HetStatus *status);

  const Architecture &architecture() const { return kind; }
  /// The cores that are there, in rows.
  const std::vector<uint32_t> &cores() const { return nodes; }
  uint64_t dramBytes() const { return kind.banks.size() * kind.bankBytes; }

  void readCore(uint32_t node, uint32_t address, void *to, size_t bytes);
  void writeCore(uint32_t node, uint32_t address, const void *from, size_t bytes);
  uint32_t readWord(uint32_t node, uint32_t address);
  /// DRAM by linear addresses (HetTensixRange).
  void readDram(uint64_t address, void *to, size_t bytes);
  void writeDram(uint64_t address, const void *from, size_t bytes);

  /// Of the one RISC-V core of a tile that runs kernels; the others stay in reset.
  void start(uint32_t node);
  void stop(uint32_t node);
  /// Where that core is; nothing where the provider does not show it.
  std::optional<uint32_t> programCounter(uint32_t node);
  void pass(uint32_t clocks) { provider.pass(clocks); }

private:
  Chip(Provider &provider, const Architecture &kind) : provider(provider), kind(kind) {}
  bool findCores(HetStatus *status);
  uint32_t readArc(uint32_t offset);
  /// Calls with a physical address and a length for each piece.
  template <class Access>
  void reach(uint32_t window, uint32_t node, uint64_t address, size_t bytes,
             Access access);
  template <class Access> void reachDram(uint64_t address, size_t bytes, Access access);
  void reset(uint32_t node, uint32_t bits);

  Provider &provider;
  const Architecture &kind;
  uint64_t bar0 = 0;
  std::vector<uint32_t> nodes;
  std::array<uint64_t, 20> windows = {}; ///< How each is set; 0: not yet.
};

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_DEVICE_CHIP_H
