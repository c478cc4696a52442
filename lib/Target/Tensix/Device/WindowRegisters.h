// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a chip's windows are set by registers in its first PCI memory range (BAR 0), where
// no kernel driver does it: tt-isa-documentation, WormholeB0/PCIExpressTile/TLBs.md, and
// for Blackhole the open kernel driver and simulator.

#ifndef HET_LIB_TARGET_TENSIX_DEVICE_WINDOWREGISTERS_H
#define HET_LIB_TARGET_TENSIX_DEVICE_WINDOWREGISTERS_H

#include "Provider.h"

#include <array>

namespace het::tensix {

struct WindowRegisters {
  uint32_t identity;
  unsigned bits;  ///< In an offset within a window.
  unsigned first; ///< Number of our first window among the chip's; the last one is the
                  ///< driver's.
  uint64_t firstOffset;   ///< Where our first window is.
  unsigned registerBytes; ///< For each of the chip's windows, from `registers`.
  unsigned wordBytes;     ///< In one write to them.

  static constexpr uint64_t registers = 0x1FC00000;

  uint64_t offsetOf(unsigned window) const {
    return firstOffset + (uint64_t(window) << bits);
  }
  uint64_t registerOf(unsigned window) const {
    return registers + uint64_t(registerBytes) * (first + window);
  }
  /// 12 bytes, of which `registerBytes` are used: the place in units of the window, the
  /// node, and strict order. Wormhole has 36 bits of addresses, Blackhole 64.
  std::array<uint32_t, 3> encode(Provider::Node node, uint64_t address) const {
    const bool isWide = identity == blackholeIdentity;
    const unsigned nodeBit = (isWide ? 64 : 36) - bits,
                   orderBit = nodeBit + (isWide ? 27 : 26);
    unsigned __int128 value = address >> bits;
    value |= static_cast<unsigned __int128>(node) << nodeBit;
    value |= static_cast<unsigned __int128>(1) << orderBit;
    return {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32),
            static_cast<uint32_t>(value >> 64)};
  }
};

/// Null where the chip is not known.
inline const WindowRegisters *windowRegistersOf(uint32_t identity) {
  static constexpr WindowRegisters kinds[] = {
      {wormholeIdentity, 24, 166, 0xB000000, 8, 8},
      {blackholeIdentity, 21, 0, 0, 12, 4},
  };
  for (const WindowRegisters &kind : kinds)
    if (kind.identity == identity)
      return &kind;
  return nullptr;
}

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_DEVICE_WINDOWREGISTERS_H
