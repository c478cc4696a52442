// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A core: the RISC-V specification's RV32I and M. Stores.cpp has what becomes of stores,
// Bits.cpp the instructions that only Blackhole's cores have.

#include "Model.h"

#include <cstring>
#include <iterator>

namespace tilemodel {
namespace {

constexpr uint32_t localBase = 0xFFB00000, interfaceBase = 0xFFB20000;
constexpr uint32_t drainChance = 24; ///< One in so many: a store goes on its way.
constexpr uint32_t idle = 0x6F;      ///< `j .`
constexpr uint32_t clockLow = 0xFFB121F0, clockHigh = 0xFFB121F8;

int32_t signedOf(uint32_t value) { return static_cast<int32_t>(value); }

/// Bits [low, high] of an instruction.
uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return word << (31 - high) >> (31 - high + low);
}

uint32_t storeOffset(uint32_t word) {
  return (signedOf(word) >> 25 << 5) | bits(word, 11, 7);
}

uint32_t branchOffset(uint32_t word) {
  return (signedOf(word) >> 31 << 12) | bits(word, 7, 7) << 11 | bits(word, 30, 25) << 5 |
         bits(word, 11, 8) << 1;
}

uint32_t jumpOffset(uint32_t word) {
  return (signedOf(word) >> 31 << 20) | bits(word, 19, 12) << 12 |
         bits(word, 20, 20) << 11 | bits(word, 30, 21) << 1;
}

} // namespace

Core::Core(Chip &chip, Tile &tile)
    : chip(chip), tile(tile), local(chip.kind.isBlackhole ? 8 << 10 : 4 << 10, poison) {}

/// What Blackhole's cores keep of L1 may outlive it.
void Core::reset() {
  pc = 0;
  queued = 0;
  processStores();
  std::memset(registers, 0, sizeof(registers));
}

void Core::fault(const char *what, uint32_t detail) const {
  fail("core (%u, %u): %s 0x%08x at pc 0x%08x, ra 0x%08x, sp 0x%08x", tile.node & 63,
       tile.node >> 6, what, detail, pc, registers[1], registers[2]);
}

uint8_t *Core::memory(uint32_t address, uint32_t bytes) {
  if (address % bytes)
    fault("misaligned access of", address);
  if (address < chip.kind.l1Bytes)
    return &tile.memory[address];
  if (address >= localBase && address - localBase < local.size())
    return &local[address - localBase];
  return nullptr;
}

uint32_t Core::load(uint32_t address, uint32_t bytes) {
  waitForStores(address, bytes);
  if (const uint8_t *place = memory(address, bytes)) {
    processStores();
    if (chip.kind.isBlackhole && address < chip.kind.l1Bytes)
      place = kept(address);
    uint32_t value = 0;
    std::memcpy(&value, place, bytes);
    return value;
  }
  if (bytes != 4)
    fault("load of less than a word from", address);
  if (address == clockLow)
    latched = chip.now;
  if (address == clockLow || address == clockHigh)
    return address == clockLow ? latched : latched >> 32;
  if (address - interfaceBase < 4 * chip.kind.initiatorBytes)
    return tile.interface.read(address - interfaceBase);
  if (address != pushBuffer && isCoprocessor(address, bytes))
    return tile.coprocessor.readConfiguration((address - configurationBase) / 4);
  fault("load from", address);
}

bool Core::isCoprocessor(uint32_t address, uint32_t bytes) const {
  return bytes == 4 &&
         (address == pushBuffer || address - configurationBase < configurationBytes);
}

void Core::store(uint32_t address, uint32_t bytes, uint32_t value) {
  if (!memory(address, bytes) && !isCoprocessor(address, bytes) &&
      (bytes != 4 || address - interfaceBase >= 4 * chip.kind.initiatorBytes))
    fault("store to", address);
  if (queued == std::size(queue))
    emitStore();
  queue[queued++] = {address, bytes, value};
}

uint32_t Core::compute(uint32_t function, bool isOther, uint32_t a, uint32_t b) const {
  switch (function) {
  case 0:
    return isOther ? a - b : a + b;
  case 1:
    return a << (b & 31);
  case 2:
    return signedOf(a) < signedOf(b);
  case 3:
    return a < b;
  case 4:
    return a ^ b;
  case 5:
    return isOther ? signedOf(a) >> (b & 31) : a >> (b & 31);
  case 6:
    return a | b;
  default:
    return a & b;
  }
}

uint32_t Core::multiply(uint32_t function, uint32_t a, uint32_t b) const {
  const int64_t wideA = signedOf(a), wideB = signedOf(b);
  const bool overflows = a == 0x80000000u && b == ~0u;
  switch (function) {
  case 0:
    return a * b;
  case 1:
    return wideA * wideB >> 32;
  case 2:
    return wideA * static_cast<int64_t>(b) >> 32;
  case 3:
    return static_cast<uint64_t>(a) * b >> 32;
  case 4:
    return !b ? ~0u : overflows ? a : signedOf(a) / signedOf(b);
  case 5:
    return b ? a / b : ~0u;
  case 6:
    return !b ? a : overflows ? 0 : signedOf(a) % signedOf(b);
  default:
    return b ? a % b : a;
  }
}

bool Core::compare(uint32_t function, uint32_t a, uint32_t b) const {
  switch (function) {
  case 0:
    return a == b;
  case 1:
    return a != b;
  case 4:
    return signedOf(a) < signedOf(b);
  case 5:
    return signedOf(a) >= signedOf(b);
  case 6:
    return a < b;
  case 7:
    return a >= b;
  default:
    fault("branch of no kind:", function);
  }
}

void Core::executeLoad(uint32_t word, uint32_t address) {
  const uint32_t function = bits(word, 14, 12);
  if (function == 3 || function > 5)
    fault("illegal instruction", word);
  uint32_t value = load(address, 1u << (function & 3));
  if (function == 0)
    value = static_cast<int8_t>(value);
  else if (function == 1)
    value = static_cast<int16_t>(value);
  write(bits(word, 11, 7), value);
}

/// With an immediate (opcode 0x13) or a second register (0x33).
void Core::executeArithmetic(uint32_t word) {
  const uint32_t target = bits(word, 11, 7), function = bits(word, 14, 12);
  const uint32_t a = registers[bits(word, 19, 15)], b = registers[bits(word, 24, 20)];
  const uint32_t upper = bits(word, 31, 25);
  const bool hasImmediate = (word & 127) == 0x13;
  const bool isShift = function == 1 || function == 5;
  const bool isOther =
      upper == 0x20 && (function == 5 || (function == 0 && !hasImmediate));
  if (hasImmediate && !isShift)
    write(target, compute(function, false, a, signedOf(word) >> 20));
  else if (!hasImmediate && upper == 1)
    write(target, multiply(function, a, b));
  else if (!upper || isOther)
    write(target, compute(function, isOther, a, hasImmediate ? bits(word, 24, 20) : b));
  else
    fault("illegal instruction", word);
}

uint32_t Core::fetch() const {
  if (pc % 4 || pc >= chip.kind.l1Bytes)
    fault("fetch from", pc);
  uint32_t word;
  std::memcpy(&word, &tile.memory[pc], 4);
  return word;
}

/// BabyRISCV/PushTensixInstruction.md, .ttinsn
void Core::pushInstruction(uint32_t word) {
  if (tile.coprocessor.isFull())
    return --executed, void();
  store(pushBuffer, 4, word >> 2 | word << 30);
  pc += 4;
}

void Core::step() {
  if (queued && !chip.chance.below(drainChance))
    emitStore();
  const uint32_t word = fetch();
  const uint32_t target = bits(word, 11, 7), function = bits(word, 14, 12);
  const uint32_t a = registers[bits(word, 19, 15)], b = registers[bits(word, 24, 20)];
  const uint32_t immediate = signedOf(word) >> 20;
  uint32_t next = pc + 4;
  executed += word != idle;
  if ((word & 3) != 3)
    return pushInstruction(word);
  switch (word & 127) {
  case 0x37: // lui
    write(target, word & 0xFFFFF000);
    break;
  case 0x17: // auipc
    write(target, pc + (word & 0xFFFFF000));
    break;
  case 0x6F: // jal
    write(target, next);
    next = pc + jumpOffset(word);
    break;
  case 0x67: // jalr
    if (function)
      fault("illegal instruction", word);
    next = (a + immediate) & ~1u;
    write(target, pc + 4);
    break;
  case 0x63: // branches
    if (compare(function, a, b))
      next = pc + branchOffset(word);
    break;
  case 0x03: // loads
    executeLoad(word, a + immediate);
    break;
  case 0x23: // stores
    if (function > 2)
      fault("illegal instruction", word);
    if (a + storeOffset(word) == pushBuffer && tile.coprocessor.isFull())
      return --executed, void();
    store(a + storeOffset(word), 1u << function, b);
    break;
  case 0x0F: // fence
    if (!chip.kind.isBlackhole || function)
      fault("illegal instruction", word);
    fence();
    break;
  case 0x13: // with an immediate
  case 0x33: // of registers
    if (!chip.kind.isBlackhole || !executeBits(word))
      executeArithmetic(word);
    break;
  default:
    fault("illegal instruction", word);
  }
  pc = next;
}

} // namespace tilemodel
