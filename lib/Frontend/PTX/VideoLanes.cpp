// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Video instructions on the half-words or bytes of registers (PTX ISA, SIMD Video
// Instructions). Each lane is computed in 32 bits.

#include "Emitter.h"

#include "llvm/ADT/StringSwitch.h"

using namespace het::ptx;
using namespace llvm;
using PtxType = het::ptx::Type;

namespace {
/// How the lanes of one instruction lie in registers.
struct Lanes {
  unsigned count, width; ///< 2 of 16 bits or 4 of 8.

  /// `x.h31`: which lanes an operand names, the lowest first. The name loses them.
  SmallVector<unsigned, 4> takeSelector(Emitter &e, Operand &operand,
                                        unsigned first) const;
  /// `d.b20`: which lanes are made, as bits.
  unsigned takeMask(Emitter &e, Operand &operand) const;

private:
  std::optional<StringRef> takeDigits(Operand &operand) const;
};
} // namespace

/// The digits behind the name. A dot may also lead to a part of a vector.
std::optional<StringRef> Lanes::takeDigits(Operand &operand) const {
  const auto [name, selector] = operand.name.rsplit('.');
  StringRef digits = selector;
  if (operand.kind != Operand::Kind::Name ||
      !digits.consume_front(count == 2 ? "h" : "b") || digits.empty())
    return std::nullopt;
  operand.name = name;
  return digits;
}

SmallVector<unsigned, 4> Lanes::takeSelector(Emitter &e, Operand &operand,
                                             unsigned first) const {
  SmallVector<unsigned, 4> lanes;
  for (unsigned i = 0; i < count; ++i)
    lanes.push_back(first + i);
  const std::optional<StringRef> digits = takeDigits(operand);
  if (!digits)
    return lanes;
  const bool isGood = digits->size() == count && all_of(*digits, [&](char digit) {
                        return digit >= '0' && digit < '0' + char(2 * count);
                      });
  if (!isGood) {
    e.fail("'" + *digits + "' selects no lanes");
    return lanes;
  }
  for (unsigned i = 0; i < count; ++i)
    lanes[i] = (*digits)[count - 1 - i] - '0';
  return lanes;
}

unsigned Lanes::takeMask(Emitter &e, Operand &operand) const {
  const std::optional<StringRef> digits = takeDigits(operand);
  if (!digits)
    return (1 << count) - 1;
  unsigned mask = 0, above = count;
  for (const char digit : *digits) {
    const unsigned lane = digit - '0';
    if (lane >= above) { // They stand from the highest to the lowest.
      e.fail("'" + *digits + "' is no mask of lanes");
      return 0;
    }
    mask |= 1 << lane;
    above = lane;
  }
  return mask;
}

static CmpInst::Predicate predicateOf(StringRef comparison) {
  return StringSwitch<CmpInst::Predicate>(comparison)
      .Case("eq", CmpInst::ICMP_EQ)
      .Case("ne", CmpInst::ICMP_NE)
      .Case("lt", CmpInst::ICMP_SLT)
      .Case("le", CmpInst::ICMP_SLE)
      .Case("gt", CmpInst::ICMP_SGT)
      .Default(CmpInst::ICMP_SGE);
}

/// The result of one lane; its operands are extended to 32 bits.
static Value *laneOf(Emitter &e, StringRef operation, Value *x, Value *y) {
  IRBuilder<> &b = e.b;
  if (operation == "vadd")
    return b.CreateAdd(x, y);
  if (operation == "vsub")
    return b.CreateSub(x, y);
  if (operation == "vabsdiff")
    return b.CreateBinaryIntrinsic(Intrinsic::abs, b.CreateSub(x, y), b.getFalse());
  if (operation == "vmin")
    return b.CreateBinaryIntrinsic(Intrinsic::smin, x, y);
  if (operation == "vmax")
    return b.CreateBinaryIntrinsic(Intrinsic::smax, x, y);
  if (operation == "vset") {
    const StringRef comparison = e.firstOf({"eq", "ne", "lt", "le", "gt", "ge"});
    return b.CreateZExt(b.CreateICmp(predicateOf(comparison), x, y), b.getInt32Ty());
  }
  // vavrg: halves go away from zero.
  Value *sum = b.CreateAdd(x, y);
  Value *isPositive = b.CreateICmpSGE(sum, b.getInt32(0));
  return b.CreateAShr(b.CreateAdd(sum, b.CreateZExt(isPositive, b.getInt32Ty())), 1);
}

static Value *saturated(IRBuilder<> &b, Value *value, unsigned width, bool isSigned) {
  const APInt least = isSigned ? APInt::getSignedMinValue(width).sext(32) : APInt(32, 0);
  const APInt most = isSigned ? APInt::getSignedMaxValue(width).sext(32)
                              : APInt::getMaxValue(width).zext(32);
  value = b.CreateBinaryIntrinsic(Intrinsic::smax, value, b.getInt(least));
  return b.CreateBinaryIntrinsic(Intrinsic::smin, value, b.getInt(most));
}

void het::ptx::emitVideoLanes(Emitter &e) {
  IRBuilder<> &b = e.b;
  const StringRef opcode = e.instruction.opcode;
  const Lanes lanes = opcode.ends_with("2") ? Lanes{2, 16} : Lanes{4, 8};
  // Only vset has no type of its result; what it adds has no sign.
  const bool isSet = opcode.starts_with("vset");
  const PtxType types[] = {e.type(isSet ? 0 : 1), e.type(isSet ? 1 : 2)};
  const bool isSigned = !isSet && e.type(0).isSigned();

  Operand target = e.operand(0), sources[] = {e.operand(1), e.operand(2)};
  const unsigned mask = lanes.takeMask(e, target);
  const SmallVector<unsigned, 4> selectors[] = {
      lanes.takeSelector(e, sources[0], 0),
      lanes.takeSelector(e, sources[1], lanes.count)};
  const PtxType word = PtxType::ofBits(32);
  Value *registers[] = {e.source(sources[0], word), e.source(sources[1], word)};
  auto lane = [&](unsigned source, unsigned index) {
    const unsigned from = selectors[source][index];
    Value *bits =
        b.CreateLShr(registers[from / lanes.count], from % lanes.count * lanes.width);
    return b.CreateIntCast(b.CreateTrunc(bits, e.integer(lanes.width)), b.getInt32Ty(),
                           types[source].isSigned());
  };

  Value *third = e.bits(3, 32), *sum = third, *merged = b.getInt32(0);
  for (unsigned i = 0; i < lanes.count; ++i) {
    const APInt place = APInt::getBitsSet(32, i * lanes.width, (i + 1) * lanes.width);
    if (!(mask >> i & 1)) { // The third source's lane stays.
      merged = b.CreateOr(merged, b.CreateAnd(third, place));
      continue;
    }
    Value *made = laneOf(e, opcode.drop_back(), lane(0, i), lane(1, i));
    if (e.has("sat"))
      made = saturated(b, made, lanes.width, isSigned);
    sum = b.CreateAdd(sum, made);
    merged = b.CreateOr(merged, b.CreateAnd(b.CreateShl(made, i * lanes.width), place));
  }
  e.result(target, e.has("add") ? sum : merged);
}
