// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic (PTX ISA, Integer Arithmetic Instructions).

#include "Emitter.h"

using namespace het::ptx;
using namespace llvm;
using PtxType = het::ptx::Type;

static Value *lanes(Emitter &e, function_ref<Value *(Value *, Value *)> make) {
  return e.eachLane(e.type(), {e.source(1), e.source(2)},
                    [&](ArrayRef<Value *> v) { return make(v[0], v[1]); });
}

void het::ptx::emitAdd(Emitter &e) {
  e.result(lanes(e, [&](Value *x, Value *y) { return e.b.CreateAdd(x, y); }));
}

void het::ptx::emitSub(Emitter &e) { e.result(e.b.CreateSub(e.source(1), e.source(2))); }

void het::ptx::emitAddSaturated(Emitter &e) {
  e.result(e.b.CreateBinaryIntrinsic(Intrinsic::sadd_sat, e.source(1), e.source(2)));
}

void het::ptx::emitSubSaturated(Emitter &e) {
  e.result(e.b.CreateBinaryIntrinsic(Intrinsic::ssub_sat, e.source(1), e.source(2)));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The whole product, twice as wide.
static Value *wideProduct(Emitter &e) {
  const PtxType type = e.type();
  llvm::Type *wide = e.integer(type.bits * 2);
  return e.b.CreateMul(e.b.CreateIntCast(e.source(1), wide, type.isSigned()),
                       e.b.CreateIntCast(e.source(2), wide, type.isSigned()));
}

/// .lo or .hi
static Value *halfProduct(Emitter &e) {
  if (!e.has("hi"))
    return e.b.CreateMul(e.source(1), e.source(2));
  return e.b.CreateTrunc(e.b.CreateLShr(wideProduct(e), e.type().bits),
                         e.integer(e.type().bits));
}

void het::ptx::emitMul(Emitter &e) { e.result(halfProduct(e)); }
void het::ptx::emitMulWide(Emitter &e) { e.result(wideProduct(e)); }

void het::ptx::emitMad(Emitter &e) {
  e.result(e.b.CreateAdd(halfProduct(e), e.source(3)));
}

void het::ptx::emitMadSaturated(Emitter &e) {
  e.result(e.b.CreateBinaryIntrinsic(Intrinsic::sadd_sat, halfProduct(e), e.source(3)));
}

void het::ptx::emitMadWide(Emitter &e) {
  e.result(e.b.CreateAdd(wideProduct(e), e.bits(3, e.type().bits * 2)));
}

/// The product of the low 24 bits: its low 32 bits, or those from 16 up.
static Value *product24(Emitter &e) {
  const bool isSigned = e.type().isSigned();
  auto low = [&](unsigned index) {
    Value *narrow = e.b.CreateTrunc(e.source(index), e.integer(24));
    return e.b.CreateIntCast(narrow, e.b.getInt64Ty(), isSigned);
  };
  Value *product = e.b.CreateMul(low(1), low(2));
  return e.b.CreateTrunc(e.has("hi") ? e.b.CreateLShr(product, 16) : product,
                         e.b.getInt32Ty());
}

void het::ptx::emitMul24(Emitter &e) { e.result(product24(e)); }
void het::ptx::emitMad24(Emitter &e) {
  e.result(e.b.CreateAdd(product24(e), e.source(3)));
}

//===----------------------------------------------------------------------===//
// Others of two
//===----------------------------------------------------------------------===//

static Value *difference(IRBuilder<> &b, Value *x, Value *y, bool isSigned) {
  Value *isLess = isSigned ? b.CreateICmpSLT(x, y) : b.CreateICmpULT(x, y);
  return b.CreateSelect(isLess, b.CreateSub(y, x), b.CreateSub(x, y));
}

void het::ptx::emitSad(Emitter &e) {
  Value *distance = difference(e.b, e.source(1), e.source(2), e.type().isSigned());
  e.result(e.b.CreateAdd(distance, e.source(3)));
}

/// By zero a machine has some result; so has this.
static Value *safeDivisor(Emitter &e, Value *dividend, Value *divisor) {
  llvm::Type *type = divisor->getType();
  Value *one = ConstantInt::get(type, 1);
  Value *isBad = e.b.CreateIsNull(divisor);
  if (e.type().isSigned()) {
    // The smallest by -1 overflows.
    Value *smallest = ConstantInt::get(type, APInt::getSignMask(e.type().bits));
    isBad = e.b.CreateOr(
        isBad, e.b.CreateAnd(e.b.CreateICmpEQ(dividend, smallest),
                             e.b.CreateICmpEQ(divisor, Constant::getAllOnesValue(type))));
  }
  return e.b.CreateSelect(isBad, one, divisor);
}

void het::ptx::emitDivide(Emitter &e) {
  Value *x = e.source(1), *y = e.source(2), *safe = safeDivisor(e, x, y);
  Value *quotient =
      e.type().isSigned() ? e.b.CreateSDiv(x, safe) : e.b.CreateUDiv(x, safe);
  e.result(e.b.CreateSelect(e.b.CreateIsNull(y), Constant::getAllOnesValue(x->getType()),
                            quotient));
}

void het::ptx::emitRemainder(Emitter &e) {
  Value *x = e.source(1), *y = e.source(2), *safe = safeDivisor(e, x, y);
  Value *rest = e.type().isSigned() ? e.b.CreateSRem(x, safe) : e.b.CreateURem(x, safe);
  e.result(e.b.CreateSelect(e.b.CreateIsNull(y), x, rest));
}

void het::ptx::emitAbs(Emitter &e) {
  e.result(e.b.CreateBinaryIntrinsic(Intrinsic::abs, e.source(1), e.b.getFalse()));
}

void het::ptx::emitNegate(Emitter &e) { e.result(e.b.CreateNeg(e.source(1))); }

static void emitChoice(Emitter &e, Intrinsic::ID ofSigned, Intrinsic::ID ofUnsigned) {
  e.result(lanes(e, [&](Value *x, Value *y) -> Value * {
    Value *chosen =
        e.b.CreateBinaryIntrinsic(e.type().isSigned() ? ofSigned : ofUnsigned, x, y);
    if (e.has("relu"))
      chosen = e.b.CreateBinaryIntrinsic(Intrinsic::smax, chosen,
                                         ConstantInt::get(chosen->getType(), 0));
    return chosen;
  }));
}

void het::ptx::emitMin(Emitter &e) { emitChoice(e, Intrinsic::smin, Intrinsic::umin); }
void het::ptx::emitMax(Emitter &e) { emitChoice(e, Intrinsic::smax, Intrinsic::umax); }

//===----------------------------------------------------------------------===//
// Carries
//===----------------------------------------------------------------------===//

static bool takesCarry(const Emitter &e) { return e.instruction.opcode.ends_with("c"); }

/// x + y, with the carry that there was and the one that there is.
static void addWithCarry(Emitter &e, Value *x, Value *y) {
  IRBuilder<> &b = e.b;
  Value *flag = e.body.carry();
  Value *first = b.CreateBinaryIntrinsic(Intrinsic::uadd_with_overflow, x, y);
  Value *sum = b.CreateExtractValue(first, 0), *isOver = b.CreateExtractValue(first, 1);
  if (takesCarry(e)) {
    Value *carry = b.CreateZExt(b.CreateLoad(b.getInt1Ty(), flag), x->getType());
    Value *second = b.CreateBinaryIntrinsic(Intrinsic::uadd_with_overflow, sum, carry);
    sum = b.CreateExtractValue(second, 0);
    isOver = b.CreateOr(isOver, b.CreateExtractValue(second, 1));
  }
  if (e.has("cc"))
    b.CreateStore(isOver, flag);
  e.result(sum);
}

void het::ptx::emitAddCarry(Emitter &e) { addWithCarry(e, e.source(1), e.source(2)); }
void het::ptx::emitMadCarry(Emitter &e) { addWithCarry(e, halfProduct(e), e.source(3)); }

void het::ptx::emitSubBorrow(Emitter &e) {
  IRBuilder<> &b = e.b;
  Value *flag = e.body.carry();
  Value *x = e.source(1), *y = e.source(2);
  Value *isUnder = b.CreateICmpULT(x, y), *rest = b.CreateSub(x, y);
  if (takesCarry(e)) {
    Value *borrow = b.CreateZExt(b.CreateLoad(b.getInt1Ty(), flag), x->getType());
    isUnder = b.CreateOr(isUnder, b.CreateICmpULT(rest, borrow));
    rest = b.CreateSub(rest, borrow);
  }
  if (e.has("cc"))
    b.CreateStore(isUnder, flag);
  e.result(rest);
}

//===----------------------------------------------------------------------===//
// Dot products
//===----------------------------------------------------------------------===//

/// The device library's function, by the signs of its operands: "dot4_su".
static void emitDot(Emitter &e, const Twine &name) {
  std::string signs;
  for (unsigned i : {0, 1})
    signs += e.type(i).isSigned() ? 's' : 'u';
  e.result(e.library(name + "_" + signs, {e.bits(1, 32), e.bits(2, 32), e.bits(3, 32)},
                     e.b.getInt32Ty()));
}

void het::ptx::emitDotOf4(Emitter &e) { emitDot(e, "dot4"); }
void het::ptx::emitDotOf2(Emitter &e) { emitDot(e, e.has("hi") ? "dot2_hi" : "dot2_lo"); }
