// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of chips: tt-isa-documentation (WormholeB0, BlackholeA0); where Blackhole's
// nodes lie and what its firmware says of them is in tt-zephyr-platforms
// (lib/tenstorrent/bh_arc/noc_init.c, telemetry.c).

#include "Chip.h"

namespace het::tensix {

const Architecture *findArchitecture(uint32_t identity) {
  static const Architecture kinds[] = {
      {"wormhole",
       wormholeIdentity,
       {1, 2, 3, 4, 6, 7, 8, 9},
       {11, 1, 10, 2, 9, 3, 8, 4, 7, 5},
       {nodeAt(0, 0), nodeAt(0, 5), nodeAt(5, 0), nodeAt(5, 2), nodeAt(5, 3),
        nodeAt(5, 5)},
       {},
       uint64_t(2) << 30,
       1464 << 10,
       1000000,
       nodeAt(0, 10),
       0x800000000,
       0x800301D0,
       0x800301D4},
      {"blackhole",
       blackholeIdentity,
       {1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11, 7, 10},
       {2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
       {nodeAt(0, 0), nodeAt(0, 2), nodeAt(0, 4), nodeAt(0, 5), nodeAt(9, 0),
        nodeAt(9, 2), nodeAt(9, 4), nodeAt(9, 5)},
       {nodeAt(17, 12), nodeAt(17, 15), nodeAt(17, 18), nodeAt(17, 21), nodeAt(18, 12),
        nodeAt(18, 15), nodeAt(18, 18), nodeAt(18, 21)},
       uint64_t(4) << 30,
       1536 << 10,
       1350000,
       nodeAt(8, 0),
       0,
       0x80030434,
       0x80030430},
  };
  for (const Architecture &kind : kinds)
    if (kind.pciIdentity == identity)
      return &kind;
  return nullptr;
}

int32_t reportUnknownChip(const std::string &place, uint32_t identity,
                          HetStatus *status) {
  return report(status, HET_UNAVAILABLE,
                place + ": found a PCI device " + hexadecimal(identity) + ", expected " +
                    hexadecimal(wormholeIdentity) + " (Wormhole) or " +
                    hexadecimal(blackholeIdentity) + " (Blackhole)");
}

std::string hexadecimal(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string nameOf(uint32_t node) {
  return "(" + std::to_string(node & 63) + ", " + std::to_string(node >> 6) + ")";
}

} // namespace het::tensix
