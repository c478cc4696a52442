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

Coprocessor::Coprocessor(Chip &chip, Tile &tile) : chip(chip), tile(tile) {
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
         (waitsFor & 1u << 14 && chip.now < computesUntil);
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
    if (!waitsFor || !blocks || (waitsFor & ~(1u << 1 | 1u << 3 | 1u << 14)))
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
  if (setting[0] || setting[39] & 0xF)
    refuse(word, "another state or context than the first");
  if (setting[3] & 4)
    refuse(word, "SRCA_SET_SetOvrdWithAddr must be 0 where Dst is written");
  if (field(52, 0, 4) != int32Format || field(60, 0, 4) != int32Format)
    refuse(word, "formats other than INT32 are not modelled");
  if (!field(61, 0, 1) || !field(61, 4, 1))
    refuse(word, "only uncompressed data to Dst is modelled");
  if (field(60, 8, 2) || field(60, 12, 8) || field(55, 24, 8) || field(63, 0, 17))
    refuse(word, "a mode of the unpacker that is not modelled");
}

void Coprocessor::unpack(uint32_t word) {
  checkUnpacker(word);
  const auto &in = unpacker.of[0], &out = unpacker.of[1];
  if (in[2] || in[3] || out[2] || out[3])
    refuse(word, "counters Z and W are not modelled");
  const uint32_t first = in[1] * field(74, 0, 16) + in[0], count = out[0] + 1 - in[0];
  const uint64_t from =
      (uint64_t(configuration[64]) + field(80, 0, 16) + 1) * 16 + 4 * uint64_t(first);
  const uint32_t bytes = field(40, 16, 16) + out[1] * field(44, 12, 12);
  const uint32_t to = bytes / 4 + field(72, 0, 16);
  if (bytes % 4 || to % datums || to < 4 * datums)
    refuse(word, "an address in Dst that is not modelled");
  if (from + 4 * uint64_t(count) > chip.kind.l1Bytes || count > 1024)
    refuse(word, "it reads over the memory's end");
  const uint32_t row = to / datums - 4, rows = (count + datums - 1) / datums;
  if (row + rows > 512)
    refuse(word, "it writes over Dst's end");
  isUnpacking = true;
  vectors.claim(row, rows, VectorUnit::Claim::Written);
  chip.later(chip.now + 1 + chip.chance.below(slowest), [=, this] {
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t value;
      std::memcpy(&value, &tile.memory[from + 4 * i], 4);
      vectors.writeDst(row + i / datums, i % datums, value);
    }
    vectors.claim(row, rows, VectorUnit::Claim::None);
    isUnpacking = false;
  });
}

void Coprocessor::checkPacker(uint32_t word) const {
  if ((word & ~0x1u) != (PACR << 24 | 1u << 8) || !(word & 1))
    refuse(word, "of PACR only packer 0, which ends its output, is modelled");
  if (setting[0])
    refuse(word, "another state than the first");
  if (!field(14, 0, 1) || field(0, 14, 1) || field(1, 25, 4) != int32Format ||
      field(58, 4, 4) != int32Format || field(58, 8, 4) != int32Format)
    refuse(word, "formats other than INT32 are not modelled");
  if (field(2, 2, 4) || field(59, 0, 16) || field(59, 20, 2))
    refuse(word, "a stage of the packer that is not modelled");
  if (!field(58, 0, 1) || (field(58, 21, 1) && !field(58, 17, 1)) || field(58, 15, 2) ||
      field(58, 1, 1) || field(89, 0, 17))
    refuse(word, "an output of the packer that is not modelled");
  // All mask sets are alike.
  for (uint32_t i = 20; i < 24; ++i)
    if (field(i, 0, 16) != 0xFFFF)
      refuse(word, "edges are masked");
}

void Coprocessor::pack(uint32_t word) {
  checkPacker(word);
  const auto &in = packers.of[0], &out = packers.of[1];
  if (in[0] || in[2] || in[3] || out[1] || out[2] || out[3])
    refuse(word, "counters that are not modelled");
  const uint32_t count = out[0] + 1, datum = in[1] * field(8, 12, 12) / 4;
  const uint32_t row = datum / datums + field(152, 0, 12);
  const uint32_t rows = (count + datums - 1) / datums;
  const uint64_t to = uint64_t(configuration[57] + 1 & 0x1FFFF) << 4;
  if (datum % datums || row + rows > 512)
    refuse(word, "an address in Dst that is not modelled");
  if (to + 4 * uint64_t(count) > chip.kind.l1Bytes)
    refuse(word, "it writes over the memory's end");
  if (setting[31])
    refuse(word, "counters that move are not modelled");
  vectors.claim(row, rows, VectorUnit::Claim::Read);
  isPacking = true;
  std::memset(&tile.memory[to], poison, 4 * count);
  chip.later(chip.now + 1 + chip.chance.below(slowest), [=, this] {
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t value = vectors.readDst(row + i / datums, i % datums);
      std::memcpy(&tile.memory[to + 4 * i], &value, 4);
    }
    vectors.claim(row, rows, VectorUnit::Claim::None);
    isPacking = false;
  });
}

} // namespace tilemodel
