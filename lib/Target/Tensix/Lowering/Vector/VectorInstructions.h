// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions of a tile's vector unit (SFPU) as words, by the encodings and the names of
// Tenstorrent's documents (tt-isa-documentation, WormholeB0 and BlackholeA0, SFP*.md).
// Only those, and their modes, that are alike on both chips.

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORINSTRUCTIONS_H
#define HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORINSTRUCTIONS_H

#include <cstdint>

namespace het::tensix::sfpu {

/// Registers (LReg.md). 0 to 7 can be written.
enum Register : uint32_t {
  registerCount = 8,
  zero = 9,       ///< 0 in all lanes.
  one = 10,       ///< 1.0f in all lanes.
  doubleLane = 15 ///< Lane i has 2 * i.
};

enum Opcode : uint32_t {
  SFPLOAD = 0x70,
  SFPLOADI = 0x71,
  SFPSTORE = 0x72,
  SFPEXEXP = 0x77,
  SFPEXMAN = 0x78,
  SFPIADD = 0x79,
  SFPSHFT = 0x7A,
  SFPSETCC = 0x7B,
  SFPMOV = 0x7C,
  SFPAND = 0x7E,
  SFPOR = 0x7F,
  SFPNOT = 0x80,
  SFPLZ = 0x81,
  SFPMAD = 0x84,
  SFPADD = 0x85,
  SFPMUL = 0x86,
  SFPPUSHC = 0x87,
  SFPPOPC = 0x88,
  SFPSETSGN = 0x89,
  SFPENCC = 0x8A,
  SFPCOMPC = 0x8B,
  SFPXOR = 0x8D,
  SFPNOP = 0x8F,
  SFPCAST = 0x90,
  SETRWC = 0x37
};

/// Most instructions: VC and what Imm12 holds into VD.
constexpr uint32_t encode(Opcode opcode, uint32_t vd, uint32_t vc, uint32_t mod1,
                          int32_t imm12 = 0) {
  return opcode << 24 | (static_cast<uint32_t>(imm12) & 0xFFF) << 12 | vc << 8 | vd << 4 |
         mod1;
}

/// VD = VA * VB + VC.
constexpr uint32_t encodeMad(Opcode opcode, uint32_t vd, uint32_t va, uint32_t vb,
                             uint32_t vc) {
  return opcode << 24 | va << 16 | vb << 12 | vc << 8 | vd << 4;
}

/// Encodes an access to all 32 bits of Dst, as they are: SFPLOAD's and SFPSTORE's
/// MOD0_FMT_INT32.
constexpr uint32_t encodeDst(Opcode opcode, uint32_t vd, uint32_t row) {
  return opcode << 24 | vd << 20 | 4u << 16 | row;
}

/// How SFPLOADI puts its 16 bits into a register.
enum Immediate : uint32_t {
  upperOnly = 0,
  zeroExtended = 2,
  signExtended = 4,
  lower = 10
};

constexpr uint32_t encodeImmediate(uint32_t vd, Immediate kind, uint32_t imm16) {
  return SFPLOADI << 24 | vd << 20 | kind << 16 | (imm16 & 0xFFFF);
}

/// Dst's counter of this thread, which is added to each row: SETRWC.md.
constexpr uint32_t encodeRow(uint32_t row) { return SETRWC << 24 | row << 14 | 1u << 2; }

/// The second operand is Imm12 (SFPIADD, SFPSHFT), or flags stay as they are (SFPIADD).
constexpr uint32_t withImmediate = 1, subtracted = 2, keepsFlags = 4;
/// SFPEXEXP without the bias, SFPEXMAN without the hidden bit.
constexpr uint32_t plain = 1;
/// SFPSETCC: where VC is not 0. SFPENCC: flags are used, and all are set.
constexpr uint32_t notZero = 2, setAll = 10;

/// All lanes take part, by their flags: how code of the vector unit begins.
constexpr uint32_t enableAll = SFPENCC << 24 | 3u << 12 | setAll;
constexpr uint32_t pushFlags = SFPPUSHC << 24, popFlags = SFPPOPC << 24;
constexpr uint32_t nop = SFPNOP << 24;

/// As an instruction of a baby core that pushes it: its bits, rotated left by two
/// (BabyRISCV/PushTensixInstruction.md). The upper bits of all these are not both set.
constexpr uint32_t pushed(uint32_t word) { return word << 2 | word >> 30; }

} // namespace het::tensix::sfpu

#endif // HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORINSTRUCTIONS_H
