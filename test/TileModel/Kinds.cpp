// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of the chips.

#include "Model.h"

#include <cstdlib>
#include <cstring>

namespace tilemodel {

const Kind &chosenKind() {
  static const Kind wormhole = {"wormhole",
                                false,
                                0x401E1E52,
                                1464 << 10,
                                uint64_t(2) << 30,
                                {1, 2, 3, 4, 6, 7, 8, 9},
                                {11, 1, 10, 2, 9, 3, 8, 4, 7, 5},
                                {{at(0, 0), at(0, 1), at(0, 11)},
                                 {at(0, 5), at(0, 6), at(0, 7)},
                                 {at(5, 0), at(5, 1), at(5, 11)},
                                 {at(5, 2), at(5, 9), at(5, 10)},
                                 {at(5, 3), at(5, 4), at(5, 8)},
                                 {at(5, 5), at(5, 6), at(5, 7)}},
                                at(0, 10),
                                0x800000000,
                                0x800301D0,
                                0x800301D4,
                                0x400,
                                0x24,
                                0x28,
                                32,
                                8192};
  static const Kind blackhole = {"blackhole",
                                 true,
                                 0xB1401E52,
                                 1536 << 10,
                                 uint64_t(4) << 30,
                                 {1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11, 7, 10},
                                 {2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                                 {{at(0, 0), at(0, 1), at(0, 11)},
                                  {at(0, 2), at(0, 3), at(0, 10)},
                                  {at(0, 4), at(0, 8), at(0, 9)},
                                  {at(0, 5), at(0, 6), at(0, 7)},
                                  {at(9, 0), at(9, 1), at(9, 11)},
                                  {at(9, 2), at(9, 3), at(9, 10)},
                                  {at(9, 4), at(9, 8), at(9, 9)},
                                  {at(9, 5), at(9, 6), at(9, 7)}},
                                 at(8, 0),
                                 0,
                                 0x80030434,
                                 0x80030430,
                                 0x800,
                                 0x28,
                                 0x40,
                                 64,
                                 16384};
  const char *name = std::getenv("HET_TILE_MODEL_CHIP");
  if (!name || !*name || !std::strcmp(name, wormhole.name))
    return wormhole;
  if (std::strcmp(name, blackhole.name))
    fail("HET_TILE_MODEL_CHIP: found '%s', expected wormhole or blackhole", name);
  return blackhole;
}

} // namespace tilemodel
