// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating point (PTX ISA, Floating-Point Instructions; Half Precision Floating-Point
// Instructions). Halves are computed in float: sums, products and quotients round there
// and back to what rounding once gives.

#include "Floats.h"
#include "../LibraryCalls.h"
#include "het/IR/FlushedArithmetic.h"

using namespace het::ptx;
using namespace llvm;
using PtxType = het::ptx::Type;

Value *het::ptx::flushed(IRBuilder<> &b, Value *value) {
  if (!value->getType()->isFloatTy())
    return value;
  return het::createMathCall(b, het::ir::flushFunction, /*approximate=*/false, {value},
                             value->getType());
}

/// A number without what is below a bound, but for its sign.
static Value *withoutBelow(IRBuilder<> &b, Value *value, Value *size, double bound) {
  Value *isSmall = b.CreateFCmpOLT(b.CreateUnaryIntrinsic(Intrinsic::fabs, size),
                                   ConstantFP::get(size->getType(), bound));
  Value *zero = ConstantFP::get(value->getType(), 0.0);
  return b.CreateSelect(isSmall,
                        b.CreateBinaryIntrinsic(Intrinsic::copysign, zero, value), value);
}

/// A half, in float, whose subnormals count as zeros; and a result that is to become a
/// half, and is too small for a normal one once it is rounded to 11 bits. `size`: the
/// result before it was rounded.
static Value *flushedHalf(IRBuilder<> &b, Value *value) {
  return withoutBelow(b, value, value, 0x1p-14);
}
static Value *flushedToHalf(IRBuilder<> &b, Value *value, Value *size) {
  return withoutBelow(b, value, size, 0x1.ffep-15);
}

Value *het::ptx::flushedOperand(IRBuilder<> &b, Value *value) {
  Value *wide = widened(b, value);
  return value->getType()->isHalfTy() ? flushedHalf(b, wide) : flushed(b, wide);
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

/// Whether its numbers flush as halves do, and not as floats.
static bool isHalf(PtxType type) {
  return type.lane().bits == 16 && type.lane().kind == PtxType::Kind::Float;
}

/// Does an operation in float or double for each lane, with what the modifiers ask for.
/// Results of float that are flushed may be tiny only where they are exact.
static void emitLanes(Emitter &e, unsigned sources,
                      function_ref<Value *(ArrayRef<Value *>)> make) {
  const Style style(e);
  SmallVector<Value *> values;
  for (unsigned i = 1; i <= sources; ++i)
    values.push_back(e.source(i));
  e.result(e.eachLane(style.type, values, [&](ArrayRef<Value *> own) {
    SmallVector<Value *> wide;
    for (Value *value : own) {
      wide.push_back(style.isFlushed ? flushedOperand(e.b, value) : widened(e.b, value));
    }
    Value *made = make(wide);
    if (style.isFlushed)
      made = isHalf(style.type) ? flushedToHalf(e.b, made, made) : flushed(e.b, made);
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

/// Whether float numbers are flushed by the operation itself.
static bool isFlushedFloat(const Emitter &e) {
  return e.has("ftz") && e.type().lane().bits == 32;
}

/// An operation of float that flushes, by hetIR's function: whether a product is tiny
/// does not show in what it is rounded to.
static void emitFlushed(Emitter &e, StringRef name, unsigned sources,
                        bool approximate = false) {
  SmallVector<Value *> values;
  for (unsigned i = 1; i <= sources; ++i)
    values.push_back(e.source(i));
  const std::string function = (name + directionOf(e) + het::ir::flushSuffix).str();
  e.result(e.eachLane(e.type(), values, [&](ArrayRef<Value *> v) {
    Value *made = het::createMathCall(e.b, function, approximate, v, v[0]->getType());
    return e.has("sat") ? saturated(e.b, made) : made;
  }));
}

/// An operation that the device library has for the directions, by its name there.
static void emitRounded(Emitter &e, StringRef name, unsigned sources,
                        function_ref<Value *(ArrayRef<Value *>)> nearest) {
  const StringRef direction = directionOf(e);
  const bool isQuotientOfOne =
      name == "rcp" && direction.empty(); // no function of its own
  if (isFlushedFloat(e) && !isQuotientOfOne)
    return emitFlushed(e, name, sources);
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
static Value *halfFma(Emitter &e, SmallVector<Value *> values, PtxType type) {
  const Style style(e);
  if (style.isFlushed && isHalf(type))
    for (Value *&value : values)
      value = rounded(e, flushedHalf(e.b, widened(e.b, value)), type);
  SmallVector<Value *> bits;
  for (Value *value : values)
    bits.push_back(e.b.CreateBitCast(value, e.b.getInt16Ty()));
  StringRef name = type.kind == PtxType::Kind::Float ? "fma_half_rn" : "fma_bfloat_rn";
  Value *made =
      e.b.CreateBitCast(e.library(name, bits, e.b.getInt16Ty()), e.irType(type));
  if (!style.isSaturated && !style.isPositive && !style.isFlushed)
    return made;
  Value *wide = widened(e.b, made);
  if (style.isFlushed && isHalf(type)) { // in double the sum is exact where it is tiny
    SmallVector<Value *> exact;
    for (Value *value : values)
      exact.push_back(e.b.CreateFPExt(value, e.b.getDoubleTy()));
    wide = flushedToHalf(e.b, wide,
                         e.b.CreateIntrinsic(Intrinsic::fma, {e.b.getDoubleTy()}, exact));
  }
  if (style.isSaturated)
    wide = saturated(e.b, wide);
  else if (style.isPositive)
    wide = e.b.CreateBinaryIntrinsic(Intrinsic::maximum, wide,
                                     ConstantFP::get(wide->getType(), 0.0));
  return rounded(e, wide, type);
}

void het::ptx::emitFma(Emitter &e) {
  if (e.type().bits == 16) {
    e.result(e.eachLane(e.type(), {e.source(1), e.source(2), e.source(3)},
                        [&](ArrayRef<Value *> v) {
                          return halfFma(e, SmallVector<Value *>(v), e.type().lane());
                        }));
    return;
  }
  if (isFlushedFloat(e))
    return emitFlushed(e, "fma", 3);
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
    Value *value =
        isFlushed ? rounded(e, flushedOperand(e.b, v[0]), e.type().lane()) : v[0];
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
  if (isFlushedFloat(e)) {
    StringRef name = Intrinsic::getBaseName(id);
    name.consume_front("llvm.");
    return emitFlushed(e, name, 2);
  }
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
  const StringRef function = functionOf(e.instruction.opcode);
  if (isFlushedFloat(e))
    return emitFlushed(e, function, 1, /*approximate=*/true);
  emitLanes(e, 1, [&](ArrayRef<Value *> v) {
    return het::createMathCall(e.b, function, /*approximate=*/true, v, v[0]->getType());
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
