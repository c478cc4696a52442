// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers for straight-line code of the vector unit. Of all values in registers the one
// whose next use is farthest gives way (L. A. Belady, "A study of replacement algorithms
// for a virtual-storage computer", IBM Systems Journal 5, 1966).

#include "VectorCode.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace het::tensix;
using namespace het::tensix::sfpu;

namespace {

constexpr unsigned none = ~0u;

/// The words of the code, with the pauses that the vector unit needs between them.
class Emitter {
protected:
  void emit(uint32_t word, llvm::ArrayRef<uint32_t> touched, uint32_t slow = none);
  void rest(unsigned instructions);
  void emitStore(uint32_t reg, unsigned slot);
  void emitLoad(uint32_t reg, unsigned slot);
  void emitConstant(const VectorInst &inst, uint32_t vd);
  void emitLastRests(bool storesMayFollow);

  llvm::SmallVector<VectorWord, 0> words;
  uint32_t pending = none; ///< The register that the last instruction still writes.

private:
  llvm::DenseMap<unsigned, unsigned> stores; ///< How many words there were behind it.
  std::optional<unsigned> lastStore;
};

class Assembler : Emitter {
public:
  Assembler(const VectorCode &code, llvm::ArrayRef<unsigned> freeSlots,
            bool collectsDoubts)
      : code(code), count(collectsDoubts ? doubtRegister : registerCount),
        slots(freeSlots), values(code.valueCount()) {}
  std::optional<llvm::SmallVector<VectorWord, 0>> run();

private:
  struct Value {
    llvm::SmallVector<unsigned, 4> uses; ///< Backwards: the next one is the last.
    uint32_t reg = none;
    unsigned slot = none; ///< Where it also is.
    bool isFixed = false;
    const VectorInst *again =
        nullptr;            ///< The instruction that makes it, where that is cheap.
    bool isSpilled = false; ///< The slot is one of `slots`.
  };

  void findUses();
  unsigned nextUse(unsigned value) const {
    return values[value].uses.empty() ? none : values[value].uses.back();
  }
  bool isHeld(uint32_t reg, llvm::ArrayRef<unsigned> held) const {
    return owners[reg] != none && llvm::is_contained(held, owners[reg]);
  }
  /// A register that holds nothing that is needed, but for `held`.
  uint32_t take(llvm::ArrayRef<unsigned> held);
  void keep(unsigned value);
  void release(uint32_t reg);
  uint32_t bring(unsigned value, llvm::ArrayRef<unsigned> held);
  uint32_t define(unsigned value, llvm::ArrayRef<unsigned> held);
  /// A register with the value, which an instruction may overwrite.
  uint32_t consume(unsigned value, llvm::ArrayRef<unsigned> held);
  void own(uint32_t reg, unsigned value);
  void finishUse(const VectorInst &inst);
  void freeSlots(const VectorInst &inst);

  void write(const VectorInst &inst);
  void writeTied(const VectorInst &inst, uint32_t opcode, uint32_t mod1, unsigned tied);
  void writeUnary(const VectorInst &inst, uint32_t opcode, uint32_t mod1);
  void writeShift(const VectorInst &inst);
  void writeMultiplyAdd(const VectorInst &inst);
  void writeNative(const VectorInst &inst);
  void writeLoad(const VectorInst &inst);
  void writeDoubt(const VectorInst &inst);
  void writeSelect(const VectorInst &inst);
  void writeCall(const VectorInst &inst);
  void writeStore(const VectorInst &inst);
  void writeResult();

  const VectorCode &code;
  const uint32_t count;              ///< Registers for values.
  llvm::SmallVector<unsigned> slots; ///< That are free.
  llvm::SmallVector<Value, 0> values;
  unsigned owners[registerCount] = {none, none, none, none, none, none, none, none};
  llvm::SmallVector<unsigned> stored; ///< Slots that the code itself writes.
  bool failed = false;
};

void Assembler::findUses() {
  llvm::ArrayRef<VectorInst> insts = code.code();
  if (code.result())
    values[code.result()->number].uses.push_back(insts.size());
  for (unsigned i = insts.size(); i-- > 0;)
    for (unsigned operand : llvm::reverse(insts[i].operands))
      values[operand].uses.push_back(i);
  for (const VectorInst &inst : insts)
    if (inst.op == VectorOp::Store)
      stored.push_back(inst.imm);
}

/// `slow` is the register that a multiply-add writes one cycle late: the next instruction
/// must not read it (SFPMAD.md, Instruction scheduling).
void Emitter::emit(uint32_t word, llvm::ArrayRef<uint32_t> touched, uint32_t slow) {
  if (pending != none && llvm::is_contained(touched, pending))
    words.push_back({VectorWord::Instruction, nop});
  words.push_back({VectorWord::Instruction, word});
  pending = slow;
}

/// For four cycles after a write the rows of Dst around it can not be read (Dst.md,
/// Instruction scheduling).
constexpr unsigned cyclesAfterStore = 4;

void Emitter::emitStore(uint32_t reg, unsigned slot) {
  emit(encodeDst(SFPSTORE, reg, slot * slotRows), {reg});
  lastStore = words.size();
  stores[slot] = words.size();
}

void Emitter::rest(unsigned instructions) {
  while (instructions--)
    emit(nop, {});
}

void Emitter::emitLoad(uint32_t reg, unsigned slot) {
  if (auto it = stores.find(slot); it != stores.end()) {
    unsigned since = words.size() - it->second;
    rest(cyclesAfterStore - std::min(since, cyclesAfterStore));
  }
  emit(encodeDst(SFPLOAD, reg, slot * slotRows), {reg});
}

/// A constant, or a scalar of the core.
void Emitter::emitConstant(const VectorInst &inst, uint32_t vd) {
  const uint32_t value = inst.imm;
  if (inst.op == VectorOp::Broadcast) {
    if (pending == vd)
      emit(nop, {});
    pending = none;
    words.push_back({VectorWord::UpperOf, encodeImmediate(vd, upperOnly, 0), value});
    words.push_back({VectorWord::LowerOf, encodeImmediate(vd, lower, 0), value});
  } else if (value <= 0xFFFF) {
    emit(encodeImmediate(vd, zeroExtended, value), {vd});
  } else if (value >= 0xFFFF8000) {
    emit(encodeImmediate(vd, signExtended, value), {vd});
  } else {
    emit(encodeImmediate(vd, upperOnly, value >> 16), {vd});
    if (value & 0xFFFF)
      emit(encodeImmediate(vd, lower, value), {vd});
  }
}

/// The next step may begin with the rows that this one stored.
void Emitter::emitLastRests(bool storesMayFollow) {
  if (pending != none)
    emit(nop, {});
  if (lastStore && storesMayFollow)
    rest(cyclesAfterStore -
         std::min<unsigned>(words.size() - *lastStore, cyclesAfterStore));
}

void Assembler::release(uint32_t reg) {
  if (owners[reg] != none)
    values[owners[reg]].reg = none;
  owners[reg] = none;
}

/// Before a value loses its register.
void Assembler::keep(unsigned value) {
  Value &kept = values[value];
  if (nextUse(value) == none || kept.again ||
      (kept.slot != none && !llvm::is_contained(stored, kept.slot)))
    return;
  if (slots.empty()) {
    failed = true;
    return;
  }
  kept.slot = slots.pop_back_val();
  kept.isSpilled = true;
  emitStore(kept.reg, kept.slot);
}

uint32_t Assembler::take(llvm::ArrayRef<unsigned> held) {
  uint32_t best = none;
  unsigned farthest = 0;
  for (uint32_t reg = 0; reg < count; ++reg) {
    if (owners[reg] == none)
      return reg;
    if (isHeld(reg, held))
      continue;
    unsigned use = nextUse(owners[reg]);
    if (best == none || use > farthest)
      best = reg, farthest = use;
  }
  assert(best != none && "an instruction holds all registers");
  keep(owners[best]);
  release(best);
  return best;
}

void Assembler::own(uint32_t reg, unsigned value) {
  owners[reg] = value;
  values[value].reg = reg;
}

uint32_t Assembler::bring(unsigned value, llvm::ArrayRef<unsigned> held) {
  Value &brought = values[value];
  if (brought.reg != none)
    return brought.reg;
  uint32_t reg = take(held);
  if (brought.again)
    emitConstant(*brought.again, reg);
  else
    emitLoad(reg, brought.slot);
  own(reg, value);
  return reg;
}

uint32_t Assembler::define(unsigned value, llvm::ArrayRef<unsigned> held) {
  uint32_t reg = take(held);
  own(reg, value);
  return reg;
}

uint32_t Assembler::consume(unsigned value, llvm::ArrayRef<unsigned> held) {
  uint32_t from = bring(value, held);
  if (!values[value].isFixed && nextUse(value) == none) {
    release(from);
    return from;
  }
  llvm::SmallVector<unsigned, 6> all(held);
  all.push_back(value);
  uint32_t to = take(all);
  emit(encode(SFPMOV, to, from, 0), {to, from});
  return to;
}

/// Takes this use off its operands'; what is used no more keeps its register until it is
/// taken.
void Assembler::finishUse(const VectorInst &inst) {
  for (unsigned operand : inst.operands)
    values[operand].uses.pop_back();
}

void Assembler::freeSlots(const VectorInst &inst) {
  for (unsigned operand : inst.operands) {
    Value &value = values[operand];
    if (!value.isSpilled || nextUse(operand) != none)
      continue;
    slots.push_back(value.slot);
    value.isSpilled = false;
  }
}

/// VD is the operand `tied`, VC the other one.
void Assembler::writeTied(const VectorInst &inst, uint32_t opcode, uint32_t mod1,
                          unsigned tied) {
  unsigned first = inst.operands[tied], other = inst.operands[1 - tied];
  if (opcode != SFPSHFT && mod1 != (subtracted | keepsFlags) &&
      (values[first].isFixed || nextUse(first) != none) && !values[other].isFixed &&
      nextUse(other) == none)
    std::swap(first, other);
  uint32_t vc = bring(other, inst.operands);
  uint32_t vd = consume(first, inst.operands);
  vc = values[other].reg == none ? vd : values[other].reg;
  emit(encode(static_cast<Opcode>(opcode), vd, vc, mod1), {vd, vc});
  own(vd, inst.results[0]);
}

void Assembler::writeUnary(const VectorInst &inst, uint32_t opcode, uint32_t mod1) {
  uint32_t vc = bring(inst.operands[0], inst.operands);
  if (!values[inst.operands[0]].isFixed && nextUse(inst.operands[0]) == none)
    release(vc);
  uint32_t vd = define(inst.results[0], inst.operands);
  int32_t imm = inst.op == VectorOp::AddConstant ? static_cast<int32_t>(inst.imm) : 0;
  emit(encode(static_cast<Opcode>(opcode), vd, vc, mod1, imm), {vd, vc});
}

/// By a constant.
void Assembler::writeShift(const VectorInst &inst) {
  int32_t bits = inst.op == VectorOp::ShiftLeft ? inst.imm : -inst.imm;
  uint32_t vd = consume(inst.operands[0], inst.operands);
  emit(encode(SFPSHFT, vd, 0, withImmediate, bits), {vd});
  own(vd, inst.results[0]);
}

void Assembler::writeMultiplyAdd(const VectorInst &inst) {
  uint32_t regs[3];
  for (unsigned i = 0; i < 3; ++i)
    bring(inst.operands[i], inst.operands);
  for (unsigned i = 0; i < 3; ++i)
    regs[i] = values[inst.operands[i]].reg;
  for (unsigned operand : inst.operands)
    if (!values[operand].isFixed && nextUse(operand) == none &&
        values[operand].reg != none)
      release(values[operand].reg);
  uint32_t vd = define(inst.results[0], inst.operands);
  emit(encodeMad(SFPMAD, vd, regs[0], regs[1], regs[2]), {vd, regs[0], regs[1], regs[2]},
       vd);
}

/// 1 * a + b, or a * b + 0.
void Assembler::writeNative(const VectorInst &inst) {
  uint32_t a = bring(inst.operands[0], inst.operands);
  uint32_t b = bring(inst.operands[1], inst.operands);
  for (unsigned operand : inst.operands)
    if (!values[operand].isFixed && nextUse(operand) == none &&
        values[operand].reg != none)
      release(values[operand].reg);
  uint32_t vd = define(inst.results[0], inst.operands);
  bool isAdd = inst.op == VectorOp::AddFloats;
  emit(isAdd ? encodeMad(SFPADD, vd, one, a, b) : encodeMad(SFPMUL, vd, a, b, zero),
       {vd, a, b}, vd);
}

/// The results begin as what they are where the condition is 0.
void Assembler::writeSelect(const VectorInst &inst) {
  const unsigned count = inst.results.size();
  llvm::ArrayRef<unsigned> operands = inst.operands;
  llvm::SmallVector<unsigned, 8> held(operands);
  for (unsigned operand : operands)
    bring(operand, held);
  llvm::SmallVector<uint32_t, 4> sources;
  for (unsigned i = 0; i <= count; ++i)
    sources.push_back(values[operands[i]].reg);
  llvm::SmallVector<uint32_t, 4> targets;
  for (unsigned i = 0; i < count; ++i) {
    unsigned otherwise = operands[1 + count + i];
    // A register that is read once more must stay.
    bool isRead = llvm::is_contained(operands.take_front(1 + count), otherwise) ||
                  llvm::is_contained(operands.drop_front(2 + count + i), otherwise);
    uint32_t from = values[otherwise].reg, to = from;
    if (values[otherwise].isFixed || nextUse(otherwise) != none || isRead) {
      to = take(held);
      emit(encode(SFPMOV, to, from, 0), {to, from});
    } else {
      release(from);
    }
    own(to, inst.results[i]);
    held.push_back(inst.results[i]);
    targets.push_back(to);
  }
  emit(pushFlags, {});
  emit(encode(SFPSETCC, 0, sources[0], notZero), {sources[0]});
  for (unsigned i = 0; i < count; ++i)
    emit(encode(SFPMOV, targets[i], sources[1 + i], 0), {targets[i], sources[1 + i]});
  emit(popFlags, {});
}

/// A routine uses all registers.
void Assembler::writeCall(const VectorInst &inst) {
  for (unsigned operand : inst.operands)
    values[operand].uses.push_back(none - 1); // needed in its slot
  for (uint32_t reg = 0; reg < count; ++reg)
    if (owners[reg] != none)
      keep(owners[reg]), release(reg);
  for (unsigned operand : inst.operands)
    values[operand].uses.pop_back();
  for (auto [reg, operand] : llvm::enumerate(inst.operands)) {
    const Value &value = values[operand];
    if (value.again)
      emitConstant(*value.again, reg);
    else if (value.isFixed)
      emit(encode(SFPMOV, reg, value.reg, 0), {static_cast<uint32_t>(reg)});
    else
      emitLoad(reg, value.slot);
  }
  if (pending != none)
    emit(nop, {});
  words.push_back({VectorWord::Routine, inst.imm});
  own(0, inst.results[0]);
}

void Assembler::writeStore(const VectorInst &inst) {
  uint32_t vd = bring(inst.operands[0], inst.operands);
  emitStore(vd, inst.imm);
}

/// Unless the code itself writes the slot, the value is loaded when it is used.
void Assembler::writeLoad(const VectorInst &inst) {
  values[inst.results[0]].slot = inst.imm;
  if (llvm::is_contained(stored, inst.imm))
    bring(inst.results[0], {});
}

void Assembler::writeDoubt(const VectorInst &inst) {
  uint32_t vc = bring(inst.operands[0], inst.operands);
  emit(encode(SFPOR, doubtRegister, vc, 0), {vc});
}

void Assembler::write(const VectorInst &inst) {
  switch (inst.op) {
  case VectorOp::Constant:
  case VectorOp::Broadcast:
    values[inst.results[0]].again = &inst;
    return;
  case VectorOp::Fixed:
    values[inst.results[0]].reg = inst.imm;
    values[inst.results[0]].isFixed = true;
    return;
  case VectorOp::Load:
    return writeLoad(inst);
  case VectorOp::Store:
    return writeStore(inst);
  case VectorOp::Add:
    return writeTied(inst, SFPIADD, keepsFlags, 0);
  case VectorOp::AddConstant:
    return writeUnary(inst, SFPIADD, withImmediate | keepsFlags);
  case VectorOp::Subtract: // VD = VC - VD
    return writeTied(inst, SFPIADD, subtracted | keepsFlags, 1);
  case VectorOp::And:
    return writeTied(inst, SFPAND, 0, 0);
  case VectorOp::Or:
    return writeTied(inst, SFPOR, 0, 0);
  case VectorOp::Xor:
    return writeTied(inst, SFPXOR, 0, 0);
  case VectorOp::Not:
    return writeUnary(inst, SFPNOT, 0);
  case VectorOp::ShiftLeft:
  case VectorOp::ShiftRight:
    return writeShift(inst);
  case VectorOp::ShiftBy:
    return writeTied(inst, SFPSHFT, 0, 0);
  case VectorOp::LeadingZeros:
    return writeUnary(inst, SFPLZ, 0);
  case VectorOp::Exponent:
    return writeUnary(inst, SFPEXEXP, plain);
  case VectorOp::Mantissa:
    return writeUnary(inst, SFPEXMAN, plain);
  case VectorOp::Significand:
    return writeUnary(inst, SFPEXMAN, 0);
  case VectorOp::Magnitude:
    return writeUnary(inst, SFPSETSGN, 1);
  case VectorOp::FromInteger:
    return writeUnary(inst, SFPCAST, 0);
  case VectorOp::MultiplyAdd:
    return writeMultiplyAdd(inst);
  case VectorOp::AddFloats:
  case VectorOp::MultiplyFloats:
    return writeNative(inst);
  case VectorOp::Doubt:
    return writeDoubt(inst);
  case VectorOp::Select:
    return writeSelect(inst);
  case VectorOp::Call:
    return writeCall(inst);
  }
}

/// Into register 0, where the routine's caller looks for it.
void Assembler::writeResult() {
  uint32_t from = bring(code.result()->number, {});
  if (from != 0)
    emit(encode(SFPMOV, 0, from, 0), {0, from});
}

std::optional<llvm::SmallVector<VectorWord, 0>> Assembler::run() {
  findUses();
  for (auto [reg, argument] : llvm::enumerate(code.arguments()))
    own(reg, argument.number);
  for (const VectorInst &inst : code.code()) {
    bool isUsed = inst.op == VectorOp::Store || inst.op == VectorOp::Doubt ||
                  llvm::any_of(inst.results,
                               [&](unsigned result) { return nextUse(result) != none; });
    finishUse(inst);
    if (isUsed)
      write(inst);
    freeSlots(inst);
    if (failed)
      return std::nullopt;
  }
  if (code.result())
    writeResult();
  emitLastRests(!code.result());
  return failed ? std::nullopt : std::optional(std::move(words));
}

} // namespace

std::optional<llvm::SmallVector<VectorWord, 0>>
het::tensix::assemble(const VectorCode &code, llvm::ArrayRef<unsigned> freeSlots,
                      bool collectsDoubts) {
  return Assembler(code, freeSlots, collectsDoubts).run();
}
