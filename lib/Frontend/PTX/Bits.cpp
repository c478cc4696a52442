// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits: fields, logic, shifts, permutations (PTX ISA, Integer Arithmetic Instructions;
// Logic and Shift Instructions).

#include "../LibraryCalls.h"
#include "../Shifts.h"
#include "Emitter.h"

using namespace het;
using namespace het::ptx;
using namespace llvm;
using PtxType = het::ptx::Type;

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

void het::ptx::emitPopulation(Emitter &e) {
  e.result(e.b.CreateZExtOrTrunc(e.b.CreateUnaryIntrinsic(Intrinsic::ctpop, e.source(1)),
                                 e.b.getInt32Ty()));
}

static Value *leadingZeros(Emitter &e, Value *x) {
  Value *count =
      e.b.CreateIntrinsic(Intrinsic::ctlz, {x->getType()}, {x, e.b.getFalse()});
  return e.b.CreateZExtOrTrunc(count, e.b.getInt32Ty());
}

void het::ptx::emitLeadingZeros(Emitter &e) { e.result(leadingZeros(e, e.source(1))); }

/// The place of the highest bit that is not the sign, or -1.
void het::ptx::emitFindHighest(Emitter &e) {
  const PtxType type = e.type();
  Value *x = e.source(1);
  if (type.isSigned())
    x = e.b.CreateXor(x, e.b.CreateAShr(x, type.bits - 1));
  Value *zeros = leadingZeros(e, x);
  Value *place = e.b.CreateSub(e.b.getInt32(type.bits - 1), zeros);
  if (e.has("shiftamt")) // How far up it would have to go.
    place = e.b.CreateSelect(e.b.CreateIsNull(x), e.b.getInt32(-1), zeros);
  e.result(place);
}

/// fns: the place of the n-th set bit from a place on, up or down; -1 if there is none.
void het::ptx::emitFindNth(Emitter &e) {
  IRBuilder<> &b = e.b;
  Value *mask = e.bits(1, 32), *base = e.bits(2, 32), *offset = e.bits(3, 32);
  Value *isDown = b.CreateICmpSLT(offset, b.getInt32(0));
  Value *isHere = b.CreateIsNull(offset);
  Value *wanted = b.CreateBinaryIntrinsic(Intrinsic::abs, offset, b.getFalse());
  wanted = b.CreateSelect(isHere, b.getInt32(1), wanted);
  Value *found = b.getInt32(-1);
  for (unsigned place = 0; place < 32; ++place) {
    Value *at = b.getInt32(place);
    // How many set bits there are from the base to this place.
    Value *low = b.CreateBinaryIntrinsic(Intrinsic::umin, base, at);
    Value *high = b.CreateBinaryIntrinsic(Intrinsic::umax, base, at);
    Value *isOutside = b.CreateICmpUGT(high, b.getInt32(31));
    Value *range = createShift(b, llvm::Instruction::Shl, b.getInt32(-1), low);
    range = b.CreateAnd(range, createShift(b, llvm::Instruction::LShr, b.getInt32(-1),
                                           b.CreateSub(b.getInt32(31), high)));
    Value *count = b.CreateUnaryIntrinsic(Intrinsic::ctpop, b.CreateAnd(mask, range));
    Value *isAbove = b.CreateICmpUGE(at, base), *isBelow = b.CreateICmpULE(at, base);
    Value *isSide = b.CreateSelect(isDown, isBelow, isAbove);
    isSide = b.CreateSelect(isHere, b.CreateICmpEQ(at, base), isSide);
    Value *isSet =
        b.CreateICmpNE(b.CreateAnd(mask, b.getInt32(1u << place)), b.getInt32(0));
    Value *isIt =
        b.CreateAnd(b.CreateAnd(isSide, isSet),
                    b.CreateAnd(b.CreateICmpEQ(count, wanted), b.CreateNot(isOutside)));
    found = b.CreateSelect(isIt, at, found);
  }
  e.result(found);
}

void het::ptx::emitReverse(Emitter &e) {
  e.result(e.b.CreateUnaryIntrinsic(Intrinsic::bitreverse, e.source(1)));
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// The low byte of a position or length, at most the width.
static Value *byteOf(Emitter &e, unsigned index, unsigned width) {
  Value *low = e.b.CreateAnd(e.bits(index, 32), 0xFF);
  return e.b.CreateBinaryIntrinsic(Intrinsic::umin, low, e.b.getInt32(width));
}

void het::ptx::emitExtract(Emitter &e) {
  IRBuilder<> &b = e.b;
  const PtxType type = e.type();
  const bool isSigned = type.isSigned();
  // In twice the width nothing is shifted too far.
  llvm::Type *wide = e.integer(type.bits * 2);
  Value *value = b.CreateIntCast(e.source(1), wide, isSigned);
  Value *position = b.CreateZExt(byteOf(e, 2, type.bits), wide);
  Value *length = b.CreateZExt(byteOf(e, 3, type.bits), wide);
  Value *shifted =
      isSigned ? b.CreateAShr(value, position) : b.CreateLShr(value, position);
  Value *rest = b.CreateSub(ConstantInt::get(wide, type.bits * 2), length);
  Value *isEmpty = b.CreateIsNull(length);
  Value *safe = b.CreateSelect(isEmpty, ConstantInt::get(wide, 0), rest);
  Value *field = b.CreateShl(shifted, safe);
  field = isSigned ? b.CreateAShr(field, safe) : b.CreateLShr(field, safe);
  field = b.CreateSelect(isEmpty, ConstantInt::get(wide, 0), field);
  e.result(b.CreateTrunc(field, e.integer(type.bits)));
}

/// So many ones from a place on.
static Value *onesAt(Emitter &e, Value *position, Value *length, unsigned bits) {
  IRBuilder<> &b = e.b;
  llvm::Type *wide = e.integer(bits * 2);
  Value *one = ConstantInt::get(wide, 1);
  Value *ones = b.CreateSub(b.CreateShl(one, b.CreateZExt(length, wide)), one);
  return b.CreateTrunc(b.CreateShl(ones, b.CreateZExt(position, wide)), e.integer(bits));
}

void het::ptx::emitInsert(Emitter &e) {
  IRBuilder<> &b = e.b;
  const unsigned bits = e.type().bits;
  Value *position = byteOf(e, 3, bits);
  Value *mask = onesAt(e, position, byteOf(e, 4, bits), bits);
  Value *field = createShift(b, llvm::Instruction::Shl, e.source(1), position);
  e.result(
      b.CreateOr(b.CreateAnd(field, mask), b.CreateAnd(e.source(2), b.CreateNot(mask))));
}

/// szext: keeps so many low bits, with their sign or zeros.
void het::ptx::emitExtend(Emitter &e) {
  IRBuilder<> &b = e.b;
  Value *count = e.bits(2, 32);
  count = e.has("wrap") ? b.CreateAnd(count, 31)
                        : b.CreateBinaryIntrinsic(Intrinsic::umin, count, b.getInt32(32));
  Value *rest = b.CreateSub(b.getInt32(32), count);
  Value *up = createShift(b, llvm::Instruction::Shl, e.bits(1, 32), rest);
  Value *kept = createShift(
      b, e.type().isSigned() ? llvm::Instruction::AShr : llvm::Instruction::LShr, up,
      rest);
  e.result(b.CreateSelect(b.CreateIsNull(count), b.getInt32(0), kept));
}

void het::ptx::emitMask(Emitter &e) {
  IRBuilder<> &b = e.b;
  auto operand = [&](unsigned index) -> Value * {
    Value *value = e.bits(index, 32);
    return e.has("wrap")
               ? b.CreateAnd(value, 31)
               : b.CreateBinaryIntrinsic(Intrinsic::umin, value, b.getInt32(32));
  };
  Value *position = operand(1);
  e.result(onesAt(e, position, operand(2), 32));
}

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

void het::ptx::emitAnd(Emitter &e) { e.result(e.b.CreateAnd(e.source(1), e.source(2))); }
void het::ptx::emitOr(Emitter &e) { e.result(e.b.CreateOr(e.source(1), e.source(2))); }
void het::ptx::emitXor(Emitter &e) { e.result(e.b.CreateXor(e.source(1), e.source(2))); }
void het::ptx::emitNot(Emitter &e) { e.result(e.b.CreateNot(e.source(1))); }
void het::ptx::emitLogicalNot(Emitter &e) {
  e.result(e.b.CreateZExt(e.b.CreateIsNull(e.source(1)), e.integer(e.type().bits)));
}

/// Any function of three bits, by its truth table.
void het::ptx::emitLogicOfThree(Emitter &e) {
  IRBuilder<> &b = e.b;
  const uint64_t table = e.constant(4);
  Value *result = b.getInt32(0);
  for (unsigned row = 0; row < 8; ++row) {
    if (!(table >> row & 1))
      continue;
    Value *all = b.getInt32(-1);
    for (unsigned input = 0; input < 3; ++input) {
      Value *bits = e.bits(input + 1, 32);
      all = b.CreateAnd(all, row >> (2 - input) & 1 ? bits : b.CreateNot(bits));
    }
    result = b.CreateOr(result, all);
  }
  const Operand &place = e.operand(0);
  if (e.count() == 5)
    return e.result(result);
  if (place.kind != Operand::Kind::Pair)
    return e.fail("operand 1 is not a register and a predicate");
  Value *isSet = b.CreateICmpNE(result, b.getInt32(0)), *other = e.predicate(5);
  e.result(place.parts[1],
           e.has("and") ? b.CreateAnd(isSet, other) : b.CreateOr(isSet, other));
  e.result(place.parts[0], result);
}

//===----------------------------------------------------------------------===//
// Shifts and permutations
//===----------------------------------------------------------------------===//

static void emitShift(Emitter &e, llvm::Instruction::BinaryOps opcode) {
  // The amount is a word whatever the type is.
  Value *value = e.source(1), *amount = e.bits(2, 32);
  if (e.type().bits >= 32)
    return e.result(createShift(e.b, opcode, value, amount));
  const bool isSigned = opcode == llvm::Instruction::AShr;
  Value *wide = e.b.CreateIntCast(value, e.b.getInt32Ty(), isSigned);
  e.result(e.b.CreateTrunc(createShift(e.b, opcode, wide, amount), value->getType()));
}

void het::ptx::emitShiftLeft(Emitter &e) { emitShift(e, llvm::Instruction::Shl); }
void het::ptx::emitShiftRight(Emitter &e) {
  emitShift(e, e.type().isSigned() ? llvm::Instruction::AShr : llvm::Instruction::LShr);
}

/// shf: a word out of the two of b:a, seen from above or from below.
void het::ptx::emitFunnel(Emitter &e) {
  IRBuilder<> &b = e.b;
  Value *low = e.bits(1, 32), *high = e.bits(2, 32), *amount = e.bits(3, 32);
  const bool isLeft = e.has("l");
  Value *moved = b.CreateIntrinsic(isLeft ? Intrinsic::fshl : Intrinsic::fshr,
                                   {b.getInt32Ty()}, {high, low, amount});
  if (e.has("clamp"))
    moved = b.CreateSelect(b.CreateICmpUGE(amount, b.getInt32(32)), isLeft ? low : high,
                           moved);
  e.result(moved);
}

/// The selectors of prmt's other modes, for each value of their two control bits.
static ArrayRef<uint16_t> selectorsOf(StringRef mode) {
  static constexpr uint16_t forward[] = {0x3210, 0x4321, 0x5432, 0x6543};
  static constexpr uint16_t backward[] = {0x5670, 0x6701, 0x7012, 0x0123};
  static constexpr uint16_t replicate8[] = {0x0000, 0x1111, 0x2222, 0x3333};
  static constexpr uint16_t clampLeft[] = {0x3210, 0x3211, 0x3222, 0x3333};
  static constexpr uint16_t clampRight[] = {0x0000, 0x1110, 0x2210, 0x3210};
  static constexpr uint16_t replicate16[] = {0x1010, 0x3232, 0x1010, 0x3232};
  if (mode == "f4e")
    return forward;
  if (mode == "b4e")
    return backward;
  if (mode == "rc8")
    return replicate8;
  if (mode == "ecl")
    return clampLeft;
  if (mode == "ecr")
    return clampRight;
  return replicate16;
}

void het::ptx::emitPermute(Emitter &e) {
  IRBuilder<> &b = e.b;
  Value *selector = e.bits(3, 32);
  const StringRef mode = e.firstOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  if (!mode.empty()) {
    ArrayRef<uint16_t> choices = selectorsOf(mode);
    Value *control = b.CreateAnd(selector, 3);
    selector = b.getInt32(choices[0]);
    for (unsigned i = 1; i < 4; ++i)
      selector = b.CreateSelect(b.CreateICmpEQ(control, b.getInt32(i)),
                                b.getInt32(choices[i]), selector);
  }
  e.result(permuteBytes(b, e.bits(1, 32), e.bits(2, 32), selector));
}
