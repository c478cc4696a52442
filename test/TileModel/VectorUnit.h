// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile's vector unit (SFPU) with its registers, its flags and Dst, after Tenstorrent's
// documents (WormholeB0 and BlackholeA0/TensixTile/TensixCoprocessor: VectorUnit.md,
// LReg.md, Dst.md, SFP*.md). What they leave open ends the process: a register that is
// read while a multiply-add still writes it, rows of Dst within four cycles of a write, a
// sum with a product that is not a float, a flag stack that is full, instructions and
// modes that are not here.

#ifndef HET_TEST_TILEMODEL_VECTORUNIT_H
#define HET_TEST_TILEMODEL_VECTORUNIT_H

#include <cstdint>
#include <vector>

namespace tilemodel {

class VectorUnit {
public:
  explicit VectorUnit(bool isBlackhole);
  static bool owns(uint32_t word) { return word >> 24 >= 0x70 && word >> 24 <= 0x95; }
  void execute(uint32_t word);
  /// SETRWC: of this thread's counters only Dst's is modelled.
  void setCounter(uint32_t word);

  uint32_t readDst(uint32_t row, uint32_t column) const;
  void writeDst(uint32_t row, uint32_t column, uint32_t value);
  /// Rows that an unpacker is still going to write, or a packer to read, until that is
  /// waited for.
  enum class Claim : uint8_t { None, Written, Read };
  void claim(uint32_t row, uint32_t rows, Claim how);

  uint64_t executed = 0;

private:
  static constexpr unsigned lanes = 32, writable = 8, stackDepth = 8;
  struct Flags {
    uint32_t set = 0;  ///< LaneFlags, a bit each.
    bool used = false; ///< UseLaneFlagsForLaneEnable, alike for all lanes here.
  };

  [[noreturn]] void refuse(uint32_t word, const char *why) const;
  bool isEnabled(unsigned lane) const { return !flags.used || flags.set >> lane & 1; }
  void checkHazard(uint32_t word, uint32_t opcode) const;
  uint32_t compute(uint32_t word, uint32_t opcode, unsigned lane) const;
  float multiplyAdd(uint32_t word, unsigned lane) const;
  void load(uint32_t word);
  void loadImmediate(uint32_t word);
  void store(uint32_t word);
  void setFlags(uint32_t word);
  void changeFlags(uint32_t word, uint32_t opcode);
  uint32_t rowOf(uint32_t word, unsigned lane) const;
  uint32_t columnOf(uint32_t word, unsigned lane) const;

  const bool isBlackhole;
  uint32_t registers[16][lanes];
  Flags flags;
  std::vector<Flags> stack;
  std::vector<uint16_t> dst;
  Claim claims[512] = {};
  uint64_t cycle = 8;
  uint64_t stored[64] = {}; ///< When the vector unit last wrote eight rows.
  uint32_t counter = 0;
  int slow = -1; ///< The register that the last instruction writes a cycle later.
};

} // namespace tilemodel

#endif // HET_TEST_TILEMODEL_VECTORUNIT_H
