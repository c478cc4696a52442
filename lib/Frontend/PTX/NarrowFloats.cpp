// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions to and from floating point of 8 and 16 bits that no single operation of
// LLVM has (PTX ISA, cvt): e4m3 and e5m2 in pairs, halves in each direction, halves of
// double and of integers, which must not be rounded twice.

#include "Floats.h"

#include <cmath>

using namespace het::ptx;
using namespace llvm;
using PtxType = het::ptx::Type;

//===----------------------------------------------------------------------===//
// Halves
//===----------------------------------------------------------------------===//

/// A float that rounds to any shorter format as the value does of which it is the part
/// towards zero: where that lost something, the last bit is set (rounding to odd).
static Value *markInexact(IRBuilder<> &b, Value *towardsZero, Value *isExact) {
  Value *bits = b.CreateBitCast(towardsZero, b.getInt32Ty());
  bits = b.CreateOr(bits, b.CreateZExt(b.CreateNot(isExact), b.getInt32Ty()));
  return b.CreateBitCast(bits, b.getFloatTy());
}

Value *het::ptx::oddFromDouble(Emitter &e, Value *value) {
  IRBuilder<> &b = e.b;
  Value *cut = e.library("double2float_rz", {value}, b.getFloatTy());
  // NaN counts as exact and stays one.
  Value *isExact = b.CreateFCmpUEQ(b.CreateFPExt(cut, value->getType()), value);
  return markInexact(b, cut, isExact);
}

Value *het::ptx::oddFromInteger(Emitter &e, Value *value, bool isSigned) {
  IRBuilder<> &b = e.b;
  llvm::Type *wide = b.getInt64Ty();
  value = b.CreateIntCast(value, wide, isSigned);
  const StringRef name = isSigned ? "ll" : "ull";
  Value *cut = e.library(name + "2float_rz", {value}, b.getFloatTy());
  Value *back = e.library("float2" + name + "_rz", {cut}, wide);
  return markInexact(b, cut, b.CreateICmpEQ(back, value));
}

Value *het::ptx::roundedTo(Emitter &e, Value *value, PtxType type, StringRef direction) {
  IRBuilder<> &b = e.b;
  Value *nearest = rounded(e, value, type);
  if (direction == "rn")
    return nearest;
  // Where that went the wrong way, the neighbour is meant: the pattern before it towards
  // zero, the one behind it away from it.
  Value *wide = widened(b, nearest), *bits = b.CreateBitCast(nearest, b.getInt16Ty());
  Value *isNegative = b.CreateICmpSLT(bits, b.getInt16(0));
  Value *isTooHigh = b.CreateFCmpOGT(wide, value);
  Value *isTooLow = b.CreateFCmpOLT(wide, value);
  Value *isWrong = direction == "rd"   ? isTooHigh
                   : direction == "ru" ? isTooLow
                                       : b.CreateSelect(isNegative, isTooLow, isTooHigh);
  Value *isDown = direction == "rd"   ? b.CreateNot(isNegative)
                  : direction == "ru" ? isNegative
                                      : b.getTrue();
  Value *step = b.CreateSelect(isDown, b.getInt16(-1), b.getInt16(1));
  bits = b.CreateAdd(bits, b.CreateSelect(isWrong, step, b.getInt16(0)));
  return b.CreateBitCast(bits, nearest->getType());
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

namespace {

/// A format of 8 bits with a sign.
struct ByteFormat {
  unsigned mantissa; ///< Its bits.
  int bias;
  double largest;

  /// The format that the modifiers name.
  static ByteFormat of(const Emitter &e) {
    return e.has("e5m2x2") ? ByteFormat{2, 15, 57344} : ByteFormat{3, 7, 448};
  }
};

} // namespace

/// The byte of a float: to the nearest, ties to even; what is too large, infinity too,
/// becomes the largest, and NaN the pattern of all ones.
static Value *toByte(Emitter &e, Value *value, const ByteFormat &format) {
  IRBuilder<> &b = e.b;
  llvm::Type *word = b.getInt32Ty();
  Value *sign = b.CreateAnd(b.CreateLShr(b.CreateBitCast(value, word), 24), 0x80);
  Value *isNan = b.CreateFCmpUNO(value, value);
  Value *size = b.CreateUnaryIntrinsic(Intrinsic::fabs, value);
  size = b.CreateBinaryIntrinsic(Intrinsic::minimumnum, size,
                                 ConstantFP::get(size->getType(), format.largest));
  // Normal: the mantissa is cut with the usual carry, and the exponent moves.
  const unsigned cut = 23 - format.mantissa;
  Value *bits = b.CreateBitCast(size, word);
  Value *isOdd = b.CreateAnd(b.CreateLShr(bits, cut), 1);
  Value *normal = b.CreateLShr(
      b.CreateAdd(b.CreateAdd(bits, b.getInt32((1u << (cut - 1)) - 1)), isOdd), cut);
  normal = b.CreateSub(
      normal, b.getInt32(static_cast<uint32_t>(127 - format.bias) << format.mantissa));
  // Subnormal: a count of the smallest numbers; the next one is the first normal.
  const int least = 1 - format.bias; // the exponent of the first normal number
  const double smallest = std::ldexp(1.0, least - static_cast<int>(format.mantissa));
  Value *count = b.CreateUnaryIntrinsic(
      Intrinsic::rint,
      b.CreateFMul(size, ConstantFP::get(size->getType(), 1 / smallest)));
  Value *subnormal = e.library("float2uint_rz", {count}, word);
  Value *isSmall =
      b.CreateFCmpOLT(size, ConstantFP::get(size->getType(), std::ldexp(1.0, least)));
  Value *byte = b.CreateSelect(isSmall, subnormal, normal);
  byte = b.CreateOr(byte, sign);
  return b.CreateTrunc(b.CreateSelect(isNan, b.getInt32(0x7F), byte), b.getInt16Ty());
}

/// The half of a byte, which holds each value of both formats.
static Value *halfOfByte(Emitter &e, Value *byte, bool isE5m2) {
  IRBuilder<> &b = e.b;
  Value *high = b.CreateShl(byte, 8);
  if (isE5m2)
    return b.CreateBitCast(high, b.getHalfTy());
  // With its exponent and mantissa in place the number is too small by 2^8.
  Value *size = b.CreateAnd(byte, 0x7F);
  Value *small = b.CreateBitCast(b.CreateShl(size, 7), b.getHalfTy());
  Value *wide = b.CreateFMul(b.CreateFPExt(small, b.getFloatTy()),
                             ConstantFP::get(b.getFloatTy(), 256));
  Value *bits = b.CreateBitCast(b.CreateFPTrunc(wide, b.getHalfTy()), b.getInt16Ty());
  bits = b.CreateSelect(b.CreateICmpEQ(size, b.getInt16(0x7F)), b.getInt16(0x7FFF), bits);
  return b.CreateBitCast(b.CreateOr(bits, b.CreateAnd(high, 0x8000)), b.getHalfTy());
}

/// cvt.….e4m3x2.f32 d, a, b: a becomes the upper byte. With f16x2 both are in one
/// register.
void het::ptx::emitConvertToBytes(Emitter &e) {
  IRBuilder<> &b = e.b;
  const ByteFormat format = ByteFormat::of(e);
  SmallVector<Value *, 2> parts; // the lower one first
  if (e.has("f32")) {
    parts = {e.source(2, e.type()), e.source(1, e.type())};
  } else {
    Value *both = e.source(1, e.type());
    for (unsigned lane = 0; lane < 2; ++lane)
      parts.push_back(widened(b, b.CreateExtractElement(both, lane)));
  }
  Value *bytes = nullptr;
  for (Value *part : reverse(parts)) {
    if (e.has("relu")) // NaN stays.
      part = b.CreateBinaryIntrinsic(Intrinsic::maximum, part,
                                     ConstantFP::get(part->getType(), 0.0));
    Value *byte = toByte(e, part, format);
    bytes = bytes ? b.CreateOr(b.CreateShl(bytes, 8), byte) : byte;
  }
  e.result(bytes);
}

void het::ptx::emitConvertFromBytes(Emitter &e) {
  IRBuilder<> &b = e.b;
  Value *bytes = e.bits(1, 16), *all = PoisonValue::get(e.irType(e.type()));
  for (unsigned lane = 0; lane < 2; ++lane) {
    Value *byte = b.CreateAnd(b.CreateLShr(bytes, lane * 8), 0xFF);
    Value *half = halfOfByte(e, byte, e.has("e5m2x2"));
    if (e.has("relu")) {
      Value *wide = b.CreateBinaryIntrinsic(Intrinsic::maximum, widened(b, half),
                                            ConstantFP::get(b.getFloatTy(), 0.0));
      half = rounded(e, wide, e.type().lane());
    }
    all = b.CreateInsertElement(all, half, lane);
  }
  e.result(all);
}
