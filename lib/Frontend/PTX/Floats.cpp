// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating point (PTX ISA, Floating-Point Instructions; Half Precision Floating-Point
// Instructions). Halves are computed in float: sums, products and quotients round there
// and back to what rounding once gives.

#include "Floats.h"
#include "../LibraryCalls.h"

using namespace het::ptx;
using namespace llvm;
using PtxType = het::ptx::Type;

Value *het::ptx::flushed(IRBuilder<> &b, Value *value) {
  if (!value->getType()->isFloatTy())
    return value;
  Value *bits = b.CreateBitCast(value, b.getInt32Ty());
  Value *isSmall = b.CreateIsNull(b.CreateAnd(bits, 0x7F800000));
  Value *kept = b.CreateSelect(isSmall, b.CreateAnd(bits, 0x80000000), bits);
  return b.CreateBitCast(kept, value->getType());
}

Value *het::ptx::saturated(IRBuilder<> &b, Value *value) {
  llvm::Type *type = value->getType();
  Value *low =
      b.CreateBinaryIntrinsic(Intrinsic::maximumnum, value, ConstantFP::get(type, 0.0));
  return b.CreateBinaryIntrinsic(Intrinsic::minimumnum, low, ConstantFP::get(type, 1.0));
}

Value *het::ptx::widened(IRBuilder<> &b, Value *value) {
  if (value->getType()->isHalfTy())
    return b.CreateFPExt(value, b.getFloatTy());
  if (!value->getType()->isBFloatTy())
    return value;
  Value *bits = b.CreateZExt(b.CreateBitCast(value, b.getInt16Ty()), b.getInt32Ty());
  return b.CreateBitCast(b.CreateShl(bits, 16), b.getFloatTy());
}

Value *het::ptx::rounded(Emitter &e, Value *value, PtxType type) {
  if (type.bits != 16)
    return value;
  if (type.kind == PtxType::Kind::Float)
    return e.b.CreateFPTrunc(value, e.b.getHalfTy());
  Value *bits = e.library("float2bfloat_rn", {value}, e.b.getInt16Ty());
  return e.b.CreateBitCast(bits, e.b.getBFloatTy());
}

namespace {

/// How an instruction looks at its operands and results.
struct Style {
  bool isFlushed, isSaturated, isPositive;
  PtxType type;

  explicit Style(const Emitter &e)
      : isFlushed(e.has("ftz")), isSaturated(e.has("sat")), isPositive(e.has("relu")),
        type(e.type()) {}
};

} // namespace

/// Does an operation in float or double for each lane, with what the modifiers ask for.
static void emitLanes(Emitter &e, unsigned sources,
                      function_ref<Value *(ArrayRef<Value *>)> make) {
  const Style style(e);
  SmallVector<Value *> values;
  for (unsigned i = 1; i <= sources; ++i)
    values.push_back(e.source(i));
  e.result(e.eachLane(style.type, values, [&](ArrayRef<Value *> own) {
    SmallVector<Value *> wide;
    for (Value *value : own) {
      wide.push_back(widened(e.b, value));
      if (style.isFlushed)
        wide.back() = flushed(e.b, wide.back());
    }
    Value *made = make(wide);
    if (style.isFlushed)
      made = flushed(e.b, made);
    if (style.isSaturated)
      made = saturated(e.b, made);
    return rounded(e, made, style.type.lane());
  }));
}

//===----------------------------------------------------------------------===//
// Arithmetic that rounds
//===----------------------------------------------------------------------===//

/// The device library's suffix of a direction; empty for the nearest.
static StringRef directionOf(const Emitter &e) {
  if (e.has("rz"))
    return "_rz";
  if (e.has("rm"))
    return "_rd";
  return e.has("rp") ? "_ru" : "";
}

/// An operation that the device library has for the directions, by its name there.
static void emitRounded(Emitter &e, StringRef name, unsigned sources,
                        function_ref<Value *(ArrayRef<Value *>)> nearest) {
  const StringRef direction = directionOf(e);
  emitLanes(e, sources, [&](ArrayRef<Value *> v) -> Value * {
    if (direction.empty())
      return nearest(v);
    const char *precision = v[0]->getType()->isDoubleTy() ? "d" : "f";
    return e.library(precision + name + direction, v, v[0]->getType());
  });
}

void het::ptx::emitFloatAdd(Emitter &e) {
  emitRounded(e, "add", 2, [&](auto v) { return e.b.CreateFAdd(v[0], v[1]); });
}
void het::ptx::emitFloatSub(Emitter &e) {
  emitRounded(e, "sub", 2, [&](auto v) { return e.b.CreateFSub(v[0], v[1]); });
}
void het::ptx::emitFloatMul(Emitter &e) {
  emitRounded(e, "mul", 2, [&](auto v) { return e.b.CreateFMul(v[0], v[1]); });
}
void het::ptx::emitFloatDivide(Emitter &e) {
  emitRounded(e, "div", 2, [&](auto v) { return e.b.CreateFDiv(v[0], v[1]); });
}
void het::ptx::emitReciprocal(Emitter &e) {
  emitRounded(e, "rcp", 1, [&](auto v) {
    return e.b.CreateFDiv(ConstantFP::get(v[0]->getType(), 1.0), v[0]);
  });
}
void het::ptx::emitSquareRoot(Emitter &e) {
  emitRounded(e, "sqrt", 1,
              [&](auto v) { return e.b.CreateUnaryIntrinsic(Intrinsic::sqrt, v[0]); });
}

/// `fma` of halves, by the device library: the sum is not exact in float.
static Value *halfFma(Emitter &e, ArrayRef<Value *> values, PtxType type) {
  SmallVector<Value *> bits;
  for (Value *value : values)
    bits.push_back(e.b.CreateBitCast(value, e.b.getInt16Ty()));
  StringRef name = type.kind == PtxType::Kind::Float ? "fma_half_rn" : "fma_bfloat_rn";
  Value *made =
      e.b.CreateBitCast(e.library(name, bits, e.b.getInt16Ty()), e.irType(type));
  const Style style(e);
  if (!style.isSaturated && !style.isPositive)
    return made;
  Value *wide = widened(e.b, made);
  if (style.isSaturated)
    wide = saturated(e.b, wide);
  else
    wide = e.b.CreateBinaryIntrinsic(Intrinsic::maximum, wide,
                                     ConstantFP::get(wide->getType(), 0.0));
  return rounded(e, wide, type);
}

void het::ptx::emitFma(Emitter &e) {
  if (e.type().bits == 16) {
    e.result(
        e.eachLane(e.type(), {e.source(1), e.source(2), e.source(3)},
                   [&](ArrayRef<Value *> v) { return halfFma(e, v, e.type().lane()); }));
    return;
  }
  const StringRef direction = directionOf(e);
  emitLanes(e, 3, [&](ArrayRef<Value *> v) -> Value * {
    llvm::Type *type = v[0]->getType();
    if (direction.empty())
      return e.b.CreateIntrinsic(Intrinsic::fma, {type}, v);
    return e.library((type->isFloatTy() ? "fmaf" : "fma") + direction, v, type);
  });
}

//===----------------------------------------------------------------------===//
// Signs and choices
//===----------------------------------------------------------------------===//

/// Changes the sign bit, of NaN as well.
static void emitSign(Emitter &e, bool isNegated) {
  const bool isFlushed = e.has("ftz");
  e.result(e.eachLane(e.type(), {e.source(1)}, [&](ArrayRef<Value *> v) -> Value * {
    Value *value = isFlushed ? flushed(e.b, v[0]) : v[0];
    llvm::IntegerType *type = e.integer(e.type().bits);
    Value *bits = e.b.CreateBitCast(value, type);
    const APInt sign = APInt::getSignMask(e.type().bits);
    bits = isNegated ? e.b.CreateXor(bits, ConstantInt::get(type, sign))
                     : e.b.CreateAnd(bits, ConstantInt::get(type, ~sign));
    return e.b.CreateBitCast(bits, value->getType());
  }));
}

void het::ptx::emitFloatAbs(Emitter &e) { emitSign(e, false); }
void het::ptx::emitFloatNegate(Emitter &e) { emitSign(e, true); }

/// copysign's first source has the sign.
void het::ptx::emitCopySign(Emitter &e) {
  e.result(e.b.CreateBinaryIntrinsic(Intrinsic::copysign, e.source(2), e.source(1)));
}

static void emitExtreme(Emitter &e, Intrinsic::ID number, Intrinsic::ID nan) {
  const Intrinsic::ID id = e.has("NaN") ? nan : number;
  emitLanes(e, 2, [&](auto v) { return e.b.CreateBinaryIntrinsic(id, v[0], v[1]); });
}

void het::ptx::emitFloatMin(Emitter &e) {
  emitExtreme(e, Intrinsic::minimumnum, Intrinsic::minimum);
}
void het::ptx::emitFloatMax(Emitter &e) {
  emitExtreme(e, Intrinsic::maximumnum, Intrinsic::maximum);
}

void het::ptx::emitTest(Emitter &e) {
  static constexpr std::pair<StringLiteral, unsigned> classes[] = {
      {"finite", fcFinite},  {"infinite", fcInf},  {"number", fcAllFlags & ~fcNan},
      {"notanumber", fcNan}, {"normal", fcNormal}, {"subnormal", fcSubnormal}};
  for (const auto &[name, mask] : classes)
    if (e.has(name))
      e.result(e.b.createIsFPClass(e.source(1), mask));
}

//===----------------------------------------------------------------------===//
// Approximations
//===----------------------------------------------------------------------===//

static StringRef functionOf(StringRef opcode) {
  if (opcode == "ex2")
    return "exp2";
  return opcode == "lg2" ? "log2" : opcode;
}

void het::ptx::emitApproximateFunction(Emitter &e) {
  emitLanes(e, 1, [&](ArrayRef<Value *> v) {
    return createMathCall(e.b, functionOf(e.instruction.opcode), /*approximate=*/true, v,
                          v[0]->getType());
  });
}

void het::ptx::emitApproximateDivide(Emitter &e) {
  emitLanes(e, 2, [&](ArrayRef<Value *> v) {
    return e.library("fast_fdividef", v, v[0]->getType());
  });
}

/// A double without its lower word; a subnormal one becomes a zero.
static Value *upperWord(IRBuilder<> &b, Value *value) {
  Value *bits = b.CreateBitCast(value, b.getInt64Ty());
  Value *isSmall = b.CreateIsNull(b.CreateAnd(bits, uint64_t(0x7FF) << 52));
  Value *kept = b.CreateSelect(isSmall, b.getInt64(uint64_t(1) << 63),
                               b.getInt64(~uint64_t(0) << 32));
  return b.CreateBitCast(b.CreateAnd(bits, kept), value->getType());
}

/// Reciprocals of double, or of its square root. With .ftz only upper words are read and
/// written, from which programs go on by Newton's method.
void het::ptx::emitGrossReciprocal(Emitter &e) {
  IRBuilder<> &b = e.b;
  Value *x = e.source(1), *taken = e.has("ftz") ? upperWord(b, x) : x;
  if (e.instruction.opcode == "rsqrt")
    taken = b.CreateUnaryIntrinsic(Intrinsic::sqrt, taken);
  Value *made = b.CreateFDiv(ConstantFP::get(x->getType(), 1.0), taken);
  if (!e.has("ftz"))
    return e.result(made);
  Value *nan = ConstantFP::getQNaN(x->getType()); // else lost with the lower word
  e.result(b.CreateSelect(b.CreateFCmpUNO(x, x), nan, upperWord(b, made)));
}
