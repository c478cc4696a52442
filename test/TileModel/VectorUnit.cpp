// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VectorUnit.h"
#include "Model.h"

#include <cmath>
#include <cstring>

namespace tilemodel {
namespace {

enum {
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
  SFPCAST = 0x90
};

uint32_t fieldD(uint32_t word) { return word >> 4 & 15; }
uint32_t fieldC(uint32_t word) { return word >> 8 & 15; }
uint32_t fieldB(uint32_t word) { return word >> 12 & 15; }
uint32_t fieldA(uint32_t word) { return word >> 16 & 15; }
uint32_t mode(uint32_t word) { return word & 15; }
int32_t immediate(uint32_t word) { return static_cast<int32_t>(word << 8) >> 20; }

float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

/// Subnormals are taken for zeros.
float input(uint32_t bits) {
  return floatOf(bits & 0x7F800000 ? bits : bits & 0x80000000);
}

/// SFPCAST.md: of a sign and a magnitude, to nearest.
uint32_t castInteger(uint32_t bits) {
  const uint32_t magnitude = bits & 0x7FFFFFFF;
  return (bits & 0x80000000) | bitsOf(static_cast<float>(magnitude));
}

/// Shifts are modulo 32.
uint32_t shift(uint32_t value, int32_t by) {
  return by >= 0 ? value << (by & 31) : value >> (-static_cast<uint32_t>(by) & 31);
}

/// SFPSTORE.md, FP32Shuffle and back: the exponent is behind the mantissa's upper bits.
uint16_t shuffled(uint16_t x) {
  return (x & 0x8000) | (x & 0x7F) << 8 | (x & 0x7F80) >> 7;
}
uint16_t unshuffled(uint16_t x) {
  return (x & 0x8000) | (x & 0xFF) << 7 | (x & 0x7F00) >> 8;
}

/// Dst.md: where a row of 32 bits lies among those of 16.
uint32_t placeOf(uint32_t row) { return (row & 0x1F8) << 1 | (row & 0x207); }

} // namespace

VectorUnit::VectorUnit(bool isBlackhole)
    : isBlackhole(isBlackhole), dst(1024 * 16, 0xDBDB) {
  for (auto &reg : registers)
    for (uint32_t &value : reg)
      value = 0xDBDBDBDB;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    registers[8][lane] = bitsOf(0.8373f);
    registers[9][lane] = 0;
    registers[10][lane] = bitsOf(1.0f);
    registers[15][lane] = 2 * lane;
  }
}

void VectorUnit::refuse(uint32_t word, const char *why) const {
  fail("vector unit: instruction 0x%08x: %s", word, why);
}

uint32_t VectorUnit::readDst(uint32_t row, uint32_t column) const {
  const uint32_t place = placeOf(row);
  const uint32_t bits = dst[place * 16 + column] << 16 | dst[(place + 8) * 16 + column];
  return static_cast<uint32_t>(unshuffled(bits >> 16)) << 16 | (bits & 0xFFFF);
}

void VectorUnit::writeDst(uint32_t row, uint32_t column, uint32_t value) {
  const uint32_t place = placeOf(row);
  dst[place * 16 + column] = shuffled(value >> 16);
  dst[(place + 8) * 16 + column] = value;
}

void VectorUnit::claim(uint32_t row, uint32_t rows, Claim how) {
  for (uint32_t i = row; i < row + rows; ++i) {
    if (how != Claim::None && claims[i] != Claim::None)
      fail("vector unit: row %u of Dst is asked for by a packer and an unpacker", i);
    claims[i] = how;
  }
}

void VectorUnit::setCounter(uint32_t word) {
  if ((word & 0xFFFC3FFF) != 0x37000004)
    refuse(word, "of SETRWC only setting Dst's counter is modelled");
  counter = word >> 14 & 15;
  ++cycle;
}

/// VectorUnit.md: the bit above the lowest one of an address says which columns.
uint32_t VectorUnit::rowOf(uint32_t word, unsigned lane) const {
  const uint32_t address = ((word & 0x3FF) + counter) & 0x3FF;
  if (address & 0x201)
    refuse(word, "an address in Dst that is odd, or over 511");
  return (address & ~3u) + lane / 8;
}

uint32_t VectorUnit::columnOf(uint32_t word, unsigned lane) const {
  return (lane & 7) * 2 + (((word & 0x3FF) + counter) >> 1 & 1);
}

void VectorUnit::load(uint32_t word) {
  if ((word >> 16 & 15) != 4 || (word & 0xFC00) || (word >> 20 & 15) >= writable)
    refuse(word, "of SFPLOAD only MOD0_FMT_INT32 is modelled");
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const uint32_t row = rowOf(word, lane);
    if (cycle - stored[row / 8] <= 4)
      refuse(word, "Dst is read within four cycles of a write");
    if (claims[row] == Claim::Written)
      refuse(word, "Dst is read before an unpacker that was not waited for");
    if (isEnabled(lane))
      registers[word >> 20 & 15][lane] = readDst(row, columnOf(word, lane));
  }
}

void VectorUnit::store(uint32_t word) {
  if ((word >> 16 & 15) != 4 || (word & 0xFC00) || (word >> 20 & 15) > 11)
    refuse(word, "of SFPSTORE only MOD0_FMT_INT32 is modelled");
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const uint32_t row = rowOf(word, lane);
    if (claims[row] != Claim::None)
      refuse(word, "Dst is written under a packer or unpacker that was not waited for");
    stored[row / 8] = cycle;
    if (isEnabled(lane))
      writeDst(row, columnOf(word, lane), registers[word >> 20 & 15][lane]);
  }
}

void VectorUnit::loadImmediate(uint32_t word) {
  const uint32_t target = word >> 20 & 15, value = word & 0xFFFF;
  if (target >= writable)
    refuse(word, "SFPLOADI into a register that can not be written");
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (!isEnabled(lane))
      continue;
    uint32_t &reg = registers[target][lane];
    switch (word >> 16 & 15) {
    case 0:
      reg = value << 16;
      break;
    case 2:
      reg = value;
      break;
    case 4:
      reg = static_cast<int16_t>(value);
      break;
    case 8:
      reg = value << 16 | (reg & 0xFFFF);
      break;
    case 10:
      reg = (reg & 0xFFFF0000) | value;
      break;
    default:
      refuse(word, "a mode of SFPLOADI that is not modelled");
    }
  }
}

/// SFPMAD.md. The product has more bits than a float; how many Wormhole's documents do
/// not say. Blackhole's unit keeps the sign of zeros.
float VectorUnit::multiplyAdd(uint32_t word, unsigned lane) const {
  const float a = input(registers[fieldA(word)][lane]);
  const float b = input(registers[fieldB(word)][lane]);
  const float c = input(registers[fieldC(word)][lane]);
  const double product = static_cast<double>(a) * b;
  if (c != 0 && a != 1 && b != 1 && std::isfinite(product) &&
      static_cast<double>(static_cast<float>(product)) != product)
    return floatOf(0x7FDBDBDB);
  const float result = std::fma(a, b, c);
  if (std::isnan(result))
    return floatOf(bitsOf(result) | 1);
  if (std::fpclassify(result) == FP_NORMAL || std::isinf(result))
    return result;
  return isBlackhole ? std::copysign(0.0f, result) : 0.0f;
}

uint32_t VectorUnit::compute(uint32_t word, uint32_t opcode, unsigned lane) const {
  const uint32_t c = registers[fieldC(word)][lane], d = registers[fieldD(word)][lane];
  switch (opcode << 4 | mode(word)) {
  case SFPEXEXP << 4 | 1:
    return c >> 23 & 255;
  case SFPEXMAN << 4 | 0:
    return (c & 0x7FFFFF) | 0x800000;
  case SFPEXMAN << 4 | 1:
    return c & 0x7FFFFF;
  case SFPIADD << 4 | 4:
    return c + d;
  case SFPIADD << 4 | 5:
    return c + immediate(word);
  case SFPIADD << 4 | 6:
    return c - d;
  case SFPSHFT << 4 | 0:
    return shift(d, static_cast<int32_t>(c));
  case SFPSHFT << 4 | 1:
    return shift(d, immediate(word));
  case SFPMOV << 4 | 0:
    return c;
  case SFPAND << 4 | 0:
    return d & c;
  case SFPOR << 4 | 0:
    return d | c;
  case SFPXOR << 4 | 0:
    return d ^ c;
  case SFPNOT << 4 | 0:
    return ~c;
  case SFPLZ << 4 | 0:
    return c ? __builtin_clz(c) : 32;
  case SFPSETSGN << 4 | 1:
    return (c & 0x7FFFFFFF) | (word >> 12 & 1) << 31;
  case SFPCAST << 4 | 0:
    return castInteger(c);
  case SFPMAD << 4 | 0:
  case SFPADD << 4 | 0:
  case SFPMUL << 4 | 0:
    return bitsOf(multiplyAdd(word, lane));
  default:
    refuse(word, "it is not modelled");
  }
}

void VectorUnit::setFlags(uint32_t word) {
  if (!flags.used)
    refuse(word, "SFPSETCC where flags are not used");
  uint32_t result = flags.set;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (!isEnabled(lane))
      continue;
    const int32_t c = static_cast<int32_t>(registers[fieldC(word)][lane]);
    bool flag = false;
    switch (mode(word)) {
    case 0:
      flag = c < 0;
      break;
    case 2:
      flag = c != 0;
      break;
    case 4:
      flag = c >= 0;
      break;
    case 6:
      flag = c == 0;
      break;
    default:
      refuse(word, "a mode of SFPSETCC that is not modelled");
    }
    result = (result & ~(1u << lane)) | static_cast<uint32_t>(flag) << lane;
  }
  flags.set = result;
}

void VectorUnit::changeFlags(uint32_t word, uint32_t opcode) {
  switch (opcode) {
  case SFPPUSHC:
    if (stack.size() == stackDepth)
      refuse(word, "the flag stack is full");
    stack.push_back(flags);
    return;
  case SFPPOPC:
    if (mode(word))
      refuse(word, "a mode of SFPPOPC that is not modelled");
    if (stack.empty())
      refuse(word, "the flag stack is empty");
    flags = stack.back();
    stack.pop_back();
    return;
  case SFPCOMPC: {
    const Flags top = stack.empty() ? Flags{~0u, true} : stack.back();
    flags.set = top.used && flags.used ? top.set & ~flags.set : 0;
    return;
  }
  default: // SFPENCC
    if (mode(word) != 10)
      refuse(word, "a mode of SFPENCC that is not modelled");
    flags.used = word >> 12 & 1;
    flags.set = word >> 13 & 1 ? ~0u : 0;
  }
}

/// Whether it reads what the last one still writes. Blackhole's unit waits by itself in
/// most cases; here in none.
void VectorUnit::checkHazard(uint32_t word, uint32_t opcode) const {
  if (slow < 0 || opcode == SFPNOP || (opcode >= SFPPUSHC && opcode <= SFPPOPC) ||
      opcode == SFPENCC || opcode == SFPCOMPC)
    return;
  const uint32_t reg = slow;
  bool reads = fieldC(word) == reg || fieldD(word) == reg;
  if (opcode == SFPLOAD || opcode == SFPLOADI || opcode == SFPSTORE)
    reads = (word >> 20 & 15) == reg;
  else if (opcode >= SFPMAD && opcode <= SFPMUL)
    reads = fieldA(word) == reg || fieldB(word) == reg || fieldC(word) == reg;
  if (reads)
    refuse(word, "it reads what the multiply-add before it still writes (SFPNOP)");
}

void VectorUnit::execute(uint32_t word) {
  const uint32_t opcode = word >> 24;
  ++executed;
  ++cycle;
  checkHazard(word, opcode);
  slow = -1;
  switch (opcode) {
  case SFPLOAD:
    return load(word);
  case SFPLOADI:
    return loadImmediate(word);
  case SFPSTORE:
    return store(word);
  case SFPNOP:
    return;
  case SFPSETCC:
    return setFlags(word);
  case SFPPUSHC:
  case SFPPOPC:
  case SFPCOMPC:
  case SFPENCC:
    return changeFlags(word, opcode);
  default:
    break;
  }
  if (fieldD(word) >= writable)
    refuse(word, "a result for a register that can not be written");
  uint32_t results[lanes];
  for (unsigned lane = 0; lane < lanes; ++lane)
    results[lane] = isEnabled(lane) ? compute(word, opcode, lane) : 0;
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (isEnabled(lane))
      registers[fieldD(word)][lane] = results[lane];
  if (opcode >= SFPMAD && opcode <= SFPMUL)
    slow = fieldD(word);
}

} // namespace tilemodel
