// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Video instructions (PTX ISA, Video Instructions): arithmetic in 34 bits, saturation to
// the type, then a second operation.

#include "Emitter.h"

using namespace het::ptx;
using namespace llvm;
using PtxType = het::ptx::Type;

static Value *clamped(IRBuilder<> &b, Value *value, PtxType type) {
  llvm::Type *wide = value->getType();
  const unsigned width = wide->getIntegerBitWidth();
  const APInt least =
      type.isSigned() ? APInt::getSignedMinValue(type.bits).sext(width) : APInt(width, 0);
  const APInt most = type.isSigned() ? APInt::getSignedMaxValue(type.bits).sext(width)
                                     : APInt::getMaxValue(type.bits).zext(width);
  value = b.CreateBinaryIntrinsic(Intrinsic::smax, value, ConstantInt::get(wide, least));
  return b.CreateBinaryIntrinsic(Intrinsic::smin, value, ConstantInt::get(wide, most));
}

static Value *magnitude(IRBuilder<> &b, Value *x, Value *y) {
  return b.CreateBinaryIntrinsic(Intrinsic::abs, b.CreateSub(x, y), b.getFalse());
}

static Value *primary(Emitter &e, Value *x, Value *y) {
  IRBuilder<> &b = e.b;
  const StringRef name = e.instruction.opcode;
  if (name == "vadd")
    return b.CreateAdd(x, y);
  if (name == "vsub")
    return b.CreateSub(x, y);
  if (name == "vabsdiff")
    return magnitude(b, x, y);
  if (name == "vmin" || name == "vmax")
    return b.CreateBinaryIntrinsic(name == "vmin" ? Intrinsic::smin : Intrinsic::smax, x,
                                   y);
  Value *amount = e.has("wrap")
                      ? b.CreateAnd(y, 31)
                      : b.CreateBinaryIntrinsic(Intrinsic::umin, y, b.getInt64(32));
  return name == "vshl" ? b.CreateShl(x, amount) : b.CreateAShr(x, amount);
}

void het::ptx::emitVideo(Emitter &e) {
  IRBuilder<> &b = e.b;
  const PtxType type = e.type(0);
  Value *x =
      b.CreateIntCast(e.source(1, e.type(1)), b.getInt64Ty(), e.type(1).isSigned());
  Value *y =
      b.CreateIntCast(e.source(2, e.type(2)), b.getInt64Ty(), e.type(2).isSigned());
  Value *made = primary(e, x, y);
  if (e.has("sat"))
    made = clamped(b, made, type);
  made = b.CreateTrunc(made, b.getInt32Ty());
  const StringRef second = e.firstOf({"add", "min", "max"});
  if (e.count() < 4) {
    if (!second.empty())
      return e.fail("found 3 operands, expected 4");
    return e.result(made);
  }
  Value *c = e.source(3, type);
  // Without a second operation the third source is what the whole register replaces.
  if (second == "add")
    made = b.CreateAdd(made, c);
  else if (second == "min")
    made = b.CreateBinaryIntrinsic(type.isSigned() ? Intrinsic::smin : Intrinsic::umin,
                                   made, c);
  else if (second == "max")
    made = b.CreateBinaryIntrinsic(type.isSigned() ? Intrinsic::smax : Intrinsic::umax,
                                   made, c);
  e.result(made);
}
