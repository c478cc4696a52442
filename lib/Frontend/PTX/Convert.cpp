// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons, choices, moves and conversions (PTX ISA, Comparison and Selection
// Instructions; Data Movement and Conversion Instructions: mov, cvt).

#include "../LibraryCalls.h"
#include "Floats.h"

using namespace het::ptx;
using namespace llvm;
using PtxType = het::ptx::Type;

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static CmpInst::Predicate floatComparison(StringRef name) {
  static constexpr std::pair<StringLiteral, CmpInst::Predicate> names[] = {
      {"eq", CmpInst::FCMP_OEQ},  {"ne", CmpInst::FCMP_ONE},  {"lt", CmpInst::FCMP_OLT},
      {"le", CmpInst::FCMP_OLE},  {"gt", CmpInst::FCMP_OGT},  {"ge", CmpInst::FCMP_OGE},
      {"equ", CmpInst::FCMP_UEQ}, {"neu", CmpInst::FCMP_UNE}, {"ltu", CmpInst::FCMP_ULT},
      {"leu", CmpInst::FCMP_ULE}, {"gtu", CmpInst::FCMP_UGT}, {"geu", CmpInst::FCMP_UGE},
      {"num", CmpInst::FCMP_ORD}, {"nan", CmpInst::FCMP_UNO}};
  for (const auto &[known, predicate] : names)
    if (known == name)
      return predicate;
  return CmpInst::BAD_FCMP_PREDICATE;
}

static CmpInst::Predicate integerComparison(StringRef name, bool isSigned) {
  if (name == "eq")
    return CmpInst::ICMP_EQ;
  if (name == "ne")
    return CmpInst::ICMP_NE;
  if (name == "lt" || name == "lo")
    return isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT;
  if (name == "le" || name == "ls")
    return isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE;
  if (name == "gt" || name == "hi")
    return isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT;
  if (name == "ge" || name == "hs")
    return isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE;
  return CmpInst::BAD_ICMP_PREDICATE;
}

/// The comparison of two values; null, with a fault, if their type has none.
static Value *compare(Emitter &e, PtxType type, Value *x, Value *y) {
  const StringRef name = e.instruction.modifiers.front();
  if (!type.isFloat()) {
    CmpInst::Predicate predicate = integerComparison(name, type.isSigned());
    if (predicate != CmpInst::BAD_ICMP_PREDICATE)
      return e.b.CreateICmp(predicate, x, y);
  } else {
    CmpInst::Predicate predicate = floatComparison(name);
    x = e.has("ftz") ? flushedOperand(e.b, x) : widened(e.b, x);
    y = e.has("ftz") ? flushedOperand(e.b, y) : widened(e.b, y);
    if (predicate != CmpInst::BAD_FCMP_PREDICATE)
      return e.b.CreateFCmp(predicate, x, y);
  }
  e.fail("'." + name + "' does not compare this type");
  return nullptr;
}

/// The comparisons of operands 1 and 2, one for each lane; none, with a fault, if the
/// type has none.
static SmallVector<Value *, 2> compare(Emitter &e, PtxType type) {
  Value *x = e.source(1, type), *y = e.source(2, type);
  SmallVector<Value *, 2> all;
  for (unsigned lane = 0; lane < type.lanes; ++lane) {
    auto part = [&](Value *value) {
      return type.lanes == 1 ? value : e.b.CreateExtractElement(value, lane);
    };
    all.push_back(compare(e, type.lane(), part(x), part(y)));
    if (!all.back())
      return {};
  }
  return all;
}

/// A comparison joined with a predicate, if there is one.
static Value *join(Emitter &e, Value *is) {
  if (e.count() < 4)
    return is;
  Value *other = e.predicate(3);
  if (e.has("and"))
    return e.b.CreateAnd(is, other);
  if (e.has("or"))
    return e.b.CreateOr(is, other);
  if (e.has("xor"))
    return e.b.CreateXor(is, other);
  e.fail("found 4 operands, expected 3");
  return is;
}

void het::ptx::emitCompare(Emitter &e) {
  const SmallVector<Value *, 2> lanes = compare(e, e.type());
  if (lanes.empty())
    return;
  const Operand &place = e.operand(0);
  if (place.kind != Operand::Kind::Pair)
    return lanes.size() == 1 ? e.result(join(e, lanes[0]))
                             : e.fail("operand 1 is not a pair of predicates");
  Value *first = join(e, lanes[0]);
  Value *second = join(e, lanes.size() == 1 ? e.b.CreateNot(lanes[0]) : lanes[1]);
  e.result(place.parts[0], first);
  e.result(place.parts[1], second);
}

/// Of each lane all ones or 1.0.
void het::ptx::emitSet(Emitter &e) {
  IRBuilder<> &b = e.b;
  const PtxType to = e.type(0), from = e.type(1);
  const SmallVector<Value *, 2> lanes = compare(e, from);
  if (lanes.empty())
    return;
  const unsigned bits = to.width() / from.lanes;
  uint64_t yes = ~uint64_t(0);
  if (to.isFloat())
    yes = to.kind == PtxType::Kind::BFloat ? 0x3F80 : bits == 16 ? 0x3C00 : 0x3F800000;
  Value *all = b.getIntN(to.width(), 0);
  for (auto [index, is] : enumerate(lanes)) {
    Value *own = b.CreateSelect(
        join(e, is), ConstantInt::get(e.integer(bits), APInt(64, yes).trunc(bits)),
        b.getIntN(bits, 0));
    all = b.CreateOr(all, b.CreateShl(b.CreateZExt(own, all->getType()), index * bits));
  }
  e.result(all);
}

void het::ptx::emitSelect(Emitter &e) {
  e.result(e.b.CreateSelect(e.predicate(3), e.source(1), e.source(2)));
}

void het::ptx::emitSelectBySign(Emitter &e) {
  Value *c = e.source(3, e.type(1)), *isFirst;
  if (e.type(1).isFloat()) {
    if (e.has("ftz"))
      c = flushed(e.b, c);
    isFirst = e.b.CreateFCmpOGE(c, ConstantFP::get(c->getType(), 0.0));
  } else {
    isFirst = e.b.CreateICmpSGE(c, ConstantInt::get(c->getType(), 0));
  }
  e.result(e.b.CreateSelect(isFirst, e.source(1), e.source(2)));
}

void het::ptx::emitMove(Emitter &e) {
  const PtxType type = e.type();
  // As bits: NaN stays what it is.
  const Operand &from = e.operand(1);
  e.result(from.kind == Operand::Kind::Real ? e.source(1) : e.bits(1, type.width()));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static Value *clampInteger(Emitter &e, Value *value, bool fromSigned, PtxType to) {
  IRBuilder<> &b = e.b;
  const unsigned from = value->getType()->getIntegerBitWidth();
  // One bit more holds both kinds.
  const unsigned wide = std::max(from, to.bits) + 1;
  value = b.CreateIntCast(value, e.integer(wide), fromSigned);
  APInt least =
      to.isSigned() ? APInt::getSignedMinValue(to.bits).sext(wide) : APInt(wide, 0);
  APInt most = to.isSigned() ? APInt::getSignedMaxValue(to.bits).sext(wide)
                             : APInt::getMaxValue(to.bits).zext(wide);
  Value *low = b.CreateBinaryIntrinsic(Intrinsic::smax, value,
                                       ConstantInt::get(value->getType(), least));
  Value *both = b.CreateBinaryIntrinsic(Intrinsic::smin, low,
                                        ConstantInt::get(value->getType(), most));
  return b.CreateTrunc(both, e.integer(to.bits));
}

static StringRef libraryDirection(const Emitter &e) {
  if (e.has("rz") || e.has("rzi"))
    return "rz";
  if (e.has("rm") || e.has("rmi"))
    return "rd";
  return e.has("rp") || e.has("rpi") ? "ru" : "rn";
}

/// The device library's name of a type.
static StringRef libraryType(unsigned bits, bool isSigned) {
  if (bits == 64)
    return isSigned ? "ll" : "ull";
  return isSigned ? "int" : "uint";
}

static void integerToInteger(Emitter &e, PtxType to, PtxType from) {
  Value *value = e.narrow(e.operand(1), from);
  value = e.has("sat") ? clampInteger(e, value, from.isSigned(), to)
                       : e.b.CreateIntCast(value, e.integer(to.bits), from.isSigned());
  e.result(value, to.isSigned());
}

static void floatToInteger(Emitter &e, PtxType to, PtxType from) {
  Value *value = widened(e.b, e.source(1, from));
  if (e.has("ftz"))
    value = flushed(e.b, value);
  const bool isDouble = value->getType()->isDoubleTy();
  const unsigned bits = std::max(to.bits, 32u);
  Value *whole =
      e.library((isDouble ? "double2" : "float2") + libraryType(bits, to.isSigned()) +
                    "_" + libraryDirection(e),
                {value}, e.integer(bits));
  if (to.bits < 32)
    whole = clampInteger(e, whole, to.isSigned(), to);
  e.result(whole, to.isSigned());
}

static void integerToFloat(Emitter &e, PtxType to, PtxType from) {
  Value *value = e.narrow(e.operand(1), from);
  const unsigned bits = std::max(from.bits, 32u);
  value = e.b.CreateIntCast(value, e.integer(bits), from.isSigned());
  const StringRef direction = libraryDirection(e);
  if (to.bits == 16) {
    Value *odd = oddFromInteger(e, value, from.isSigned());
    if (e.has("sat"))
      odd = saturated(e.b, odd);
    return e.result(roundedTo(e, odd, to, direction));
  }
  Value *made = e.library(libraryType(bits, from.isSigned()) +
                              (to.bits == 64 ? "2double_" : "2float_") + direction,
                          {value}, e.irType(to));
  e.result(e.has("sat") ? saturated(e.b, made) : made);
}

/// Rounds to a whole number if the modifiers ask for it.
static Value *roundToWhole(Emitter &e, Value *value) {
  static constexpr std::pair<StringLiteral, Intrinsic::ID> directions[] = {
      {"rni", Intrinsic::rint},
      {"rzi", Intrinsic::trunc},
      {"rmi", Intrinsic::floor},
      {"rpi", Intrinsic::ceil}};
  for (const auto &[name, id] : directions)
    if (e.has(name))
      return e.b.CreateUnaryIntrinsic(id, value);
  return value;
}

static void floatToFloat(Emitter &e, PtxType to, PtxType from) {
  IRBuilder<> &b = e.b;
  Value *value = widened(b, e.source(1, from));
  if (e.has("ftz"))
    value = flushed(b, value);
  value = roundToWhole(e, value);
  const StringRef direction = libraryDirection(e);
  if (from.bits == 64 && to.bits == 32 && e.has("ftz"))
    value = het::createMathCall(b,
                                direction == "rn"
                                    ? "float_ftz"
                                    : ("float_from_double_" + direction + "_ftz").str(),
                                /*approximate=*/false, {value}, b.getFloatTy());
  else if (from.bits == 64 && to.bits == 32)
    value = e.library("double2float_" + direction, {value}, b.getFloatTy());
  else if (to.bits == 64)
    value = b.CreateFPCast(value, b.getDoubleTy());
  if (e.has("ftz"))
    value = flushed(b, value);
  if (e.has("sat"))
    value = saturated(b, value);
  if (to.bits == 16) {
    if (from.bits == 64)
      value = oddFromDouble(e, value);
    value = roundedTo(e, value, to, libraryDirection(e));
  }
  e.result(value);
}

void het::ptx::emitConvert(Emitter &e) {
  const PtxType to = e.type(0), from = e.type(1);
  if (to.isFloat())
    return from.isFloat() ? floatToFloat(e, to, from) : integerToFloat(e, to, from);
  return from.isFloat() ? floatToInteger(e, to, from) : integerToInteger(e, to, from);
}

/// The first source becomes the upper half.
void het::ptx::emitConvertPair(Emitter &e) {
  auto half = [&](unsigned index) -> Value * {
    Value *value = e.source(index, e.type(1));
    if (e.has("relu"))
      value = e.b.CreateBinaryIntrinsic(Intrinsic::maximum, value,
                                        ConstantFP::get(value->getType(), 0.0));
    Value *made = roundedTo(e, value, e.type(0).lane(), libraryDirection(e));
    return e.b.CreateZExt(e.b.CreateBitCast(made, e.b.getInt16Ty()), e.b.getInt32Ty());
  };
  Value *upper = half(1);
  e.result(e.b.CreateOr(e.b.CreateShl(upper, 16), half(2)));
}

/// To 10 bits behind the point; halves go away from zero.
void het::ptx::emitConvertTf32(Emitter &e) {
  IRBuilder<> &b = e.b;
  Value *bits = e.bits(1, 32);
  Value *isFinite = b.CreateICmpNE(b.CreateAnd(bits, 0x7F800000), b.getInt32(0x7F800000));
  Value *nearest =
      b.CreateAnd(b.CreateAdd(bits, b.getInt32(0x1000)), ~uint64_t(0x1FFF) & 0xFFFFFFFF);
  e.result(b.CreateSelect(isFinite, nearest, bits));
}
