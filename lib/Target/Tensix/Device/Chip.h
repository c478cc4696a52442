// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chip: its cores and its DRAM, reached through windows. Coordinates are of NoC 0, as
// requests and windows name them: where Blackhole's firmware has numbered the working
// columns anew, by those numbers.

#ifndef HET_LIB_TARGET_TENSIX_DEVICE_CHIP_H
#define HET_LIB_TARGET_TENSIX_DEVICE_CHIP_H

#include "../TensixABI.h"
#include "Provider.h"

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace het::tensix {

/// The numbers of a kind of chip.
struct Architecture {
  const char *name; ///< As in artifacts.
  uint32_t pciIdentity;
  /// Places of Tensix tiles. One of the two is in the order of the bits that say which of
  /// them are fused off: rows on Wormhole, columns on Blackhole.
  std::vector<uint32_t> columns, rows;
  std::vector<uint32_t> banks; ///< A node of each.
  /// Likewise where the firmware has numbered nodes anew: the working ones come first.
  std::vector<uint32_t> numberedBanks;
  uint64_t bankBytes;
  uint32_t coreBytes; ///< In a core's memory.
  uint32_t clockKilohertz;
  uint32_t managementNode;      ///< Where the management core (ARC) is.
  uint64_t managementAddresses; ///< Where its own addresses of 32 bits begin there.
  uint32_t telemetryTags, telemetryValues; ///< Where it keeps the tables' addresses.
};

/// Null where the chip is not known.
const Architecture *findArchitecture(uint32_t identity);

inline uint32_t nodeAt(uint32_t x, uint32_t y) { return y << 6 | x; }
/// "(x, y)".
std::string nameOf(uint32_t node);

class Chip {
public:
  /// Null with a status where the provider shows no chip that is known, or one that can
  /// not be used.
  static std::unique_ptr<Chip> open(std::shared_ptr<Provider> provider,
                                    HetStatus *status);

  const Architecture &architecture() const { return kind; }
  std::string place() const { return provider->place(); }
  /// The cores that are there, in rows.
  const std::vector<uint32_t> &cores() const { return nodes; }
  /// A node of each bank that is there.
  const std::vector<uint32_t> &banks() const { return bankNodes; }
  uint64_t dramBytes() const { return bankNodes.size() * kind.bankBytes; }
  /// As Provider::lost.
  std::string lost() const { return provider->lost(); }

  void readCore(uint32_t node, uint32_t address, void *to, size_t bytes);
  void writeCore(uint32_t node, uint32_t address, const void *from, size_t bytes);
  uint32_t readWord(uint32_t node, uint32_t address);
  /// DRAM by linear addresses (HetTensixRange).
  void readDram(uint64_t address, void *to, size_t bytes);
  void writeDram(uint64_t address, const void *from, size_t bytes);

  /// Starts the one RISC-V core of a tile that runs kernels; the others stay in reset.
  void start(uint32_t node);
  void stop(uint32_t node);
  /// Where that core is; nothing where the provider does not show it.
  std::optional<uint32_t> programCounter(uint32_t node);
  void pass(uint32_t clocks) { provider->pass(clocks); }

private:
  struct Aim {
    uint32_t node = ~0u;
    uint64_t place = 0;
    bool operator==(const Aim &other) const {
      return node == other.node && place == other.place;
    }
  };
  using Telemetry = std::map<uint32_t, uint32_t>; ///< Values by their tags.

  Chip(std::shared_ptr<Provider> provider, const Architecture &kind)
      : provider(std::move(provider)), kind(kind) {}
  /// Reads the management core's memory, by its own addresses.
  uint32_t readManagement(uint32_t address);
  bool readTelemetry(Telemetry &telemetry, HetStatus *status);
  /// Blackhole: whether nodes are named by numbers that the firmware has given.
  bool areNumberedAnew();
  bool findTiles(HetStatus *status);
  bool stopAll(HetStatus *status);
  /// Calls with an offset in the window and a length for each piece.
  template <class Access>
  void reach(unsigned window, uint32_t node, uint64_t address, size_t bytes,
             Access access);
  template <class Access> void reachDram(uint64_t address, size_t bytes, Access access);
  void reset(uint32_t node, uint32_t bits);

  const std::shared_ptr<Provider> provider;
  const Architecture &kind;
  std::vector<uint32_t> nodes, bankNodes;
  std::array<Aim, Provider::windowCount> aims = {}; ///< How each window is set.
};

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_DEVICE_CHIP_H
