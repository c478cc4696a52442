// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Coprocessor.h"
#include "Model.h"

#include <algorithm>
#include <cstring>

namespace tilemodel {
namespace {

enum {
  PACR = 0x41,
  UNPACR = 0x42,
  SETRWC = 0x37,
  SETADC = 0x50,
  SETADCXY = 0x51,
  SETADCZW = 0x54,
  SETADCXX = 0x5E,
  STALLWAIT = 0xA2,
  SETC16 = 0xB2,
  RMWCIB0 = 0xB3,
  RMWCIB3 = 0xB6
};

constexpr uint32_t int32Format = 8, slowest = 40, datums = 16;

} // namespace

const CoprocessorKind &coprocessorOf(bool isBlackhole) {
  static const CoprocessorKind wormhole = {
      1u << 14, 8,  12, 14, 20, 4,  152, 56, 89, 0x18002 | 1u << 12, 40, 16, 44,
      52,       60, 64, 72, 74, 80, 3,   31, 39};
  static const CoprocessorKind blackhole = {
      1u << 11, 12, 16, 18, 24, 2,  180, 68, 101, 0x1FA002 | 1u << 12, 49, 0, 56,
      64,       72, 76, 84, 86, 92, 5,   37, 41};
  return isBlackhole ? blackhole : wormhole;
}

Coprocessor::Coprocessor(Chip &chip, Tile &tile)
    : vectors(chip.kind.isBlackhole), chip(chip), tile(tile),
      isBlackhole(chip.kind.isBlackhole), kind(coprocessorOf(isBlackhole)) {
  std::memset(setting, poison, sizeof(setting));
  std::memset(&unpacker, poison, sizeof(unpacker));
  std::memset(&packers, poison, sizeof(packers));
}

void Coprocessor::refuse(uint32_t word, const char *why) const {
  fail("coprocessor of (%u, %u): instruction 0x%08x: %s", tile.node & 63, tile.node >> 6,
       word, why);
}

/// What the core has written gets there when chance has it, or before the core reads
/// configuration again (BackendConfiguration.md, danger one).
void Coprocessor::settle(bool all) {
  while (!written.empty() && (all || !chip.chance.below(4))) {
    configuration[written.front().first] = written.front().second;
    written.pop_front();
  }
}

uint32_t Coprocessor::readConfiguration(uint32_t index) {
  if (index >= configurationWords)
    fail("a read of configuration word %u is not modelled", index);
  settle(true);
  return configuration[index];
}

void Coprocessor::writeConfiguration(uint32_t index, uint32_t value) {
  if (index >= configurationWords)
    fail("a write of configuration word %u is not modelled", index);
  written.push_back({index, value});
}

/// STALLWAIT.md: the bits that block an instruction.
uint32_t Coprocessor::blockOf(uint32_t word) const {
  if (VectorUnit::owns(word))
    return 1u << 8;
  switch (word >> 24) {
  case UNPACR:
    return 1u << 0 | 1u << 3;
  case PACR:
    return 1u << 0 | 1u << 2;
  case SETADC:
  case SETADCXY:
  case SETADCZW:
  case SETADCXX:
    return 1u << 0;
  case SETRWC:
    return 1u << 6;
  case SETC16:
  case RMWCIB0:
  case RMWCIB0 + 1:
  case RMWCIB0 + 2:
  case RMWCIB3:
    return 1u << 7;
  case STALLWAIT:
    return 0x1FF;
  default:
    refuse(word, "it is not modelled");
  }
}

bool Coprocessor::isWaiting() const {
  return (waitsFor & 1u << 1 && isUnpacking) || (waitsFor & 1u << 3 && isPacking) ||
         (waitsFor & kind.computes && chip.now < computesUntil);
}

void Coprocessor::step() {
  settle(false);
  if (!isWaiting())
    waitsFor = blocks = 0;
  if (queue.empty())
    return;
  const uint32_t word = queue.front(), opcode = word >> 24;
  if (blocks & blockOf(word))
    return;
  // A unit takes its instructions one by one.
  if ((opcode == UNPACR && isUnpacking) || (opcode == PACR && isPacking))
    return;
  queue.pop_front();
  ++executed;
  execute(word);
}

void Coprocessor::execute(uint32_t word) {
  if (VectorUnit::owns(word)) {
    computesUntil = chip.now + 1 + chip.chance.below(3);
    return vectors.execute(word);
  }
  switch (word >> 24) {
  case UNPACR:
    return unpack(word);
  case PACR:
    return pack(word);
  case SETADC:
    return setCounter(word);
  case SETADCXX:
    return setExtent(word);
  case SETADCXY:
  case SETADCZW:
    return clearCounters(word);
  case SETRWC:
    return vectors.setCounter(word);
  case STALLWAIT:
    waitsFor = word & 0x7FFF;
    blocks = word >> 15 & 0x1FF;
    if (!waitsFor || !blocks || (waitsFor & ~(1u << 1 | 1u << 3 | kind.computes)))
      refuse(word, "conditions of STALLWAIT that are not modelled");
    return;
  case SETC16:
    if ((word >> 16 & 255) >= settings)
      refuse(word, "a setting of a thread that is not there");
    setting[word >> 16 & 255] = word & 0xFFFF;
    return;
  default:
    return change(word);
  }
}

/// RMWCIB.md.
void Coprocessor::change(uint32_t word) {
  const uint32_t index = word & 255, shift = ((word >> 24) - RMWCIB0) * 8;
  const uint32_t mask = (word >> 16 & 255) << shift, value = (word >> 8 & 255) << shift;
  if (index >= configurationWords || setting[0])
    refuse(word, "configuration that is not modelled");
  configuration[index] = (configuration[index] & ~mask) | (value & mask);
}

void Coprocessor::setCounter(uint32_t word) {
  if (word >> 16 & 3)
    refuse(word, "counters of another thread are not modelled");
  const uint32_t channel = word >> 20 & 1, dimension = word >> 18 & 3;
  if (word >> 21 & 1)
    unpacker.of[channel][dimension] = word & 0xFFFF;
  if (word >> 23 & 1)
    packers.of[channel][dimension] = word & 0xFFFF;
}

void Coprocessor::setExtent(uint32_t word) {
  for (Counters *counters : {&unpacker, &packers})
    if (word >> (counters == &unpacker ? 21 : 23) & 1) {
      counters->of[0][0] = word & 0x3FF;
      counters->of[1][0] = word >> 10 & 0x3FF;
    }
}

void Coprocessor::clearCounters(uint32_t word) {
  const uint32_t first = word >> 24 == SETADCXY ? 0 : 2;
  if (word & 0x1FFFF0)
    refuse(word, "counters are only cleared so");
  for (Counters *counters : {&unpacker, &packers})
    for (uint32_t i = 0; i < 4; ++i)
      if ((word >> (counters == &unpacker ? 21 : 23) & 1) && (word >> i & 1))
        counters->of[i / 2][first + i % 2] = 0;
}

void Coprocessor::checkUnpacker(uint32_t word) const {
  if ((word & ~1u) != (UNPACR << 24 | 0x80))
    refuse(word, "of UNPACR only unpacker 0 with context 0 is modelled");
  if (setting[0] || setting[kind.contexts] & 0xF)
    refuse(word, "another state or context than the first");
  if (setting[kind.sourceSet] & 4)
    refuse(word, "SRCA_SET_SetOvrdWithAddr must be 0 where Dst is written");
  const uint32_t format = kind.format;
  if (field(kind.tile, 0, 4) != int32Format || field(format, 0, 4) != int32Format)
    refuse(word, "formats other than INT32 are not modelled");
  if (!field(format + 1, 0, 1) || !field(format + 1, 4, 1))
    refuse(word, "only uncompressed data to Dst is modelled");
  if (field(format, 8, 2) || field(format, 12, 8) || field(kind.tile + 3, 24, 8) ||
      field(format + 3, 0, 17))
    refuse(word, "a mode of the unpacker that is not modelled");
}

void Coprocessor::unpack(uint32_t word) {
  checkUnpacker(word);
  const auto &in = unpacker.of[0], &out = unpacker.of[1];
  if (in[2] || in[3] || out[2] || out[3])
    refuse(word, "counters Z and W are not modelled");
  const uint32_t first = in[1] * field(kind.width, 0, 16) + in[0];
  const uint32_t count = out[0] + 1 - in[0];
  const uint64_t from =
      (uint64_t(configuration[kind.address]) + field(kind.offset, 0, 16) + 1) * 16 +
      4 * uint64_t(first);
  const uint32_t bytes = field(kind.unpackBase, kind.unpackBaseBit, 16) +
                         out[1] * field(kind.unpackStrides, kind.strideBit, 12);
  const uint32_t to = bytes / 4 + field(kind.destination, 0, 16);
  if (bytes % 4 || to % datums || to < 4 * datums)
    refuse(word, "an address in Dst that is not modelled");
  if (from + 4 * uint64_t(count) > chip.kind.l1Bytes || count > 1024)
    refuse(word, "it reads over the memory's end");
  const uint32_t row = to / datums - 4, rows = (count + datums - 1) / datums;
  if (row + rows > 512)
    refuse(word, "it writes over Dst's end");
  isUnpacking = true;
  vectors.claim(row, rows, VectorUnit::Claim::Written);
  chip.later(chip.now + 1 + chip.chance.below(slowest), [this, from, count, row, rows] {
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t value;
      std::memcpy(&value, &tile.memory[from + 4 * i], 4);
      vectors.writeDst(row + i / datums, i % datums, value);
    }
    vectors.claim(row, rows, VectorUnit::Claim::None);
    isUnpacking = false;
  });
}

/// Wormhole's first packer takes as many datums as the counters say; Blackhole's takes a
/// row by each of four ways, all of which ReadIntfSel 0 names.
void Coprocessor::checkPacker(uint32_t word) const {
  if ((word & ~1u) != (PACR << 24 | (isBlackhole ? 0 : 1u << 8)))
    refuse(word, "of PACR only packer 0 with all that it reads is modelled");
  if (!isBlackhole && !(word & 1))
    refuse(word, "PACR that does not end its output is not modelled");
  if (setting[0])
    refuse(word, "another state than the first");
  const uint32_t output = kind.packer + 2;
  if (!field(kind.packReads, 0, 1) || field(0, 14, 1) || field(1, 25, 4) != int32Format ||
      field(output, 4, 4) != int32Format || field(output, 8, 4) != int32Format)
    refuse(word, "formats other than INT32 are not modelled");
  if (field(2, 2, 4) || field(output + 1, 0, 16) || field(output + 1, 19, 3))
    refuse(word, "a stage of the packer that is not modelled");
  if (!field(output, 0, 1) || configuration[output] & kind.unusedOutput ||
      (!isBlackhole && field(output, 21, 1) && !field(output, 17, 1)) ||
      field(kind.packLimit, 0, 17))
    refuse(word, "an output of the packer that is not modelled");
  // All mask sets are alike.
  for (uint32_t i = 0; i < kind.edgeCount; ++i)
    if (field(kind.edges + i, 0, 16) != 0xFFFF)
      refuse(word, "edges are masked");
}

void Coprocessor::pack(uint32_t word) {
  checkPacker(word);
  const auto &in = packers.of[0], &out = packers.of[1];
  if (in[0] || in[2] || in[3] || out[1] || out[2] || out[3])
    refuse(word, "counters that are not modelled");
  if (isBlackhole && out[0] + 1 != datums)
    refuse(word, "parts of rows are not modelled");
  const uint32_t count = isBlackhole ? 4 * datums : out[0] + 1;
  const uint32_t datum = in[1] * field(kind.packStrides, kind.strideBit, 12) / 4;
  const uint32_t row = datum / datums + field(kind.packOffset, 0, 12);
  const uint32_t rows = (count + datums - 1) / datums;
  const uint64_t begin = uint64_t((configuration[kind.packer + 1] + 1) & 0x1FFFF) << 4;
  const uint64_t to = packsTo ? packsTo : begin;
  if (datum % datums || row + rows > 512 || (isBlackhole && row % 4))
    refuse(word, "an address in Dst that is not modelled");
  if (to + 4 * uint64_t(count) > chip.kind.l1Bytes)
    refuse(word, "it writes over the memory's end");
  if (setting[kind.packMode])
    refuse(word, "counters that move are not modelled");
  packsTo = word & 1 ? 0 : to + 4 * uint64_t(count);
  movePacked(row, count, to);
}

void Coprocessor::movePacked(uint32_t row, uint32_t count, uint64_t to) {
  const uint32_t rows = (count + datums - 1) / datums;
  vectors.claim(row, rows, VectorUnit::Claim::Read);
  isPacking = true;
  std::memset(&tile.memory[to], poison, 4 * count);
  chip.later(chip.now + 1 + chip.chance.below(slowest), [this, row, count, to, rows] {
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t value = vectors.readDst(row + i / datums, i % datums);
      std::memcpy(&tile.memory[to + 4 * i], &value, 4);
    }
    vectors.claim(row, rows, VectorUnit::Claim::None);
    isPacking = false;
  });
}

} // namespace tilemodel
