// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Straight-line code for the vector unit, over any number of values of 32 lanes, and its
// way to words: values in eight registers, and in Dst where these do not do.
//
// Dst is 32 slots of 16 rows. A slot holds 256 lanes, of which code works on 32 at a
// time: those at the row that the counter of Dst adds (RWCs.md).

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORCODE_H
#define HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORCODE_H

#include "VectorInstructions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace het::tensix {

constexpr unsigned slotCount = 32, slotRows = 16;

/// A value of 32 lanes.
struct Lanes {
  unsigned number = 0;
};

enum class VectorOp {
  Constant,  ///< imm
  Broadcast, ///< imm: the number of a scalar of the core
  Fixed,     ///< imm: one of the registers that are constant
  Load,      ///< imm: slot
  Store,     ///< imm: slot
  Add,
  AddConstant, ///< imm of 12 bits
  Subtract,
  And,
  Or,
  Xor,
  Not,
  ShiftLeft,  ///< imm
  ShiftRight, ///< imm
  ShiftBy,    ///< Left by the second, right where it is negative; modulo 32.
  LeadingZeros,
  Exponent,    ///< Its field.
  Mantissa,    ///< 23 bits.
  Significand, ///< With the hidden bit.
  Magnitude,   ///< Without its sign.
  FromInteger, ///< A float of an integer up to 2^24; exact.
  MultiplyAdd, ///< On floats that are integers, and a product below 2^24; exact.
  AddFloats,   ///< The unit's own, as is the next.
  MultiplyFloats,
  Doubt,  ///< A sign bit says that a lane's floats may be wrong.
  Select, ///< Where the first is not 0 the next ones, else those after them.
  Call    ///< imm: the number of a routine; from registers 0, 1... to 0.
};

struct VectorInst {
  VectorOp op;
  llvm::SmallVector<unsigned, 2> results; ///< Values by their numbers.
  llvm::SmallVector<unsigned, 4> operands;
  uint32_t imm = 0;
};

/// A piece of code: values are in the order of their definition.
class VectorCode {
public:
  Lanes constant(uint32_t value);
  Lanes broadcast(unsigned scalar);
  Lanes load(unsigned slot);
  void store(unsigned slot, Lanes value);
  /// Lane i has 2 * i.
  Lanes doubleLane() { return fixed(sfpu::doubleLane); }

  Lanes add(Lanes a, Lanes b) { return make(VectorOp::Add, {a, b}); }
  Lanes add(Lanes a, int32_t b);
  Lanes subtract(Lanes a, Lanes b) { return make(VectorOp::Subtract, {a, b}); }
  Lanes negate(Lanes a) { return subtract(fixed(sfpu::zero), a); }
  Lanes bitAnd(Lanes a, Lanes b) { return make(VectorOp::And, {a, b}); }
  Lanes bitAnd(Lanes a, uint32_t b) { return bitAnd(a, constant(b)); }
  Lanes bitOr(Lanes a, Lanes b) { return make(VectorOp::Or, {a, b}); }
  Lanes bitXor(Lanes a, Lanes b) { return make(VectorOp::Xor, {a, b}); }
  Lanes bitNot(Lanes a) { return make(VectorOp::Not, {a}); }
  Lanes shiftLeft(Lanes a, unsigned bits);
  Lanes shiftRight(Lanes a, unsigned bits);
  Lanes shiftBy(Lanes a, Lanes bits) { return make(VectorOp::ShiftBy, {a, bits}); }
  Lanes leadingZeros(Lanes a) { return make(VectorOp::LeadingZeros, {a}); }
  Lanes exponent(Lanes a) { return make(VectorOp::Exponent, {a}); }
  Lanes mantissa(Lanes a) { return make(VectorOp::Mantissa, {a}); }
  Lanes significand(Lanes a) { return make(VectorOp::Significand, {a}); }
  Lanes magnitude(Lanes a) { return make(VectorOp::Magnitude, {a}); }
  Lanes fromInteger(Lanes a) { return make(VectorOp::FromInteger, {a}); }
  Lanes multiplyAdd(Lanes a, Lanes b, Lanes c) {
    return make(VectorOp::MultiplyAdd, {a, b, c});
  }
  Lanes nativeAdd(Lanes a, Lanes b) { return make(VectorOp::AddFloats, {a, b}); }
  Lanes nativeMultiply(Lanes a, Lanes b) {
    return make(VectorOp::MultiplyFloats, {a, b});
  }
  void doubt(Lanes negative);
  Lanes select(Lanes condition, Lanes a, Lanes b);
  /// Several at once, for which the flags are set once.
  llvm::SmallVector<Lanes, 4> select(Lanes condition, llvm::ArrayRef<Lanes> a,
                                     llvm::ArrayRef<Lanes> b);
  Lanes call(unsigned routine, llvm::ArrayRef<Lanes> operands);

  /// 0 or 1: the sign bit; whether it is 0; and not of those.
  Lanes sign(Lanes a) { return shiftRight(a, 31); }
  Lanes isZero(Lanes a) { return shiftRight(leadingZeros(a), 5); }
  Lanes inverse(Lanes truth) { return bitXor(truth, constant(1)); }
  /// All bits where a truth is 1.
  Lanes mask(Lanes truth) { return negate(truth); }

  /// An argument of a routine: what register `number` holds at its beginning.
  Lanes argument(unsigned number);
  /// Leaves the routine's result in register 0.
  void finish(Lanes result) { outcome = result; }

  bool empty() const { return insts.empty(); }
  llvm::ArrayRef<VectorInst> code() const { return insts; }
  llvm::ArrayRef<Lanes> arguments() const { return given; }
  std::optional<Lanes> result() const { return outcome; }
  unsigned valueCount() const { return values; }

private:
  Lanes fixed(uint32_t reg);
  Lanes make(VectorOp op, llvm::ArrayRef<Lanes> operands, uint32_t imm = 0);

  llvm::SmallVector<VectorInst, 0> insts;
  llvm::SmallVector<Lanes, 4> given;
  std::optional<Lanes> outcome;
  unsigned values = 0;
  llvm::DenseMap<std::pair<unsigned, uint32_t>, Lanes> pure; ///< By op and immediate.
};

/// A part of an assembled piece; they are in order.
struct VectorWord {
  enum Kind { Instruction, UpperOf, LowerOf, Routine } kind;
  uint32_t word; ///< Instruction, or that with an immediate of 0; a routine's number.
  unsigned scalar = 0; ///< Whose half it takes.
};

/// The register that collects doubts; code without doubts uses it as any other.
constexpr uint32_t doubtRegister = 7;

/// Assigns registers and writes instructions. Takes slots for what does not fit out of
/// `freeSlots`; nothing where these do not do.
std::optional<llvm::SmallVector<VectorWord, 0>>
assemble(const VectorCode &code, llvm::ArrayRef<unsigned> freeSlots,
         bool collectsDoubts = false);

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORCODE_H
