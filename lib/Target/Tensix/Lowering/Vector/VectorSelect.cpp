// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VectorSelect.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace het::tensix {

bool isLaneType(const Type *type) {
  return type->isIntegerTy(32) || type->isIntegerTy(1) || type->isFloatTy();
}

namespace {

constexpr uint32_t topBit = 0x80000000;

class Selection {
public:
  Selection(VectorCode &code, const Instruction &inst,
            function_ref<Lanes(Value *)> lanesOf, Floats floats)
      : code(code), inst(inst), lanesOf(lanesOf), isNative(floats == Floats::Native) {}
  std::optional<Lanes> run();

private:
  Lanes operand(unsigned number) { return lanesOf(inst.getOperand(number)); }
  Lanes call(Routine routine, ArrayRef<Lanes> operands) {
    return code.call(static_cast<unsigned>(routine), operands);
  }
  Lanes addFloats(Lanes a, Lanes b) {
    return isNative ? addNatively(code, a, b) : call(Routine::Add, {a, b});
  }
  std::optional<Lanes> arithmetic();
  std::optional<Lanes> shift();
  std::optional<Lanes> conversion();
  std::optional<Lanes> intrinsic();
  Lanes compareIntegers(CmpInst::Predicate predicate, Lanes a, Lanes b);
  Lanes compareFloats(CmpInst::Predicate predicate, Lanes a, Lanes b);

  VectorCode &code;
  const Instruction &inst;
  function_ref<Lanes(Value *)> lanesOf;
  const bool isNative;
};

Lanes Selection::compareIntegers(CmpInst::Predicate predicate, Lanes a, Lanes b) {
  switch (predicate) {
  case CmpInst::ICMP_EQ:
    return isEqual(code, a, b);
  case CmpInst::ICMP_NE:
    return code.inverse(isEqual(code, a, b));
  case CmpInst::ICMP_SLT:
    return isLessSigned(code, a, b);
  case CmpInst::ICMP_SGT:
    return isLessSigned(code, b, a);
  case CmpInst::ICMP_SLE:
    return code.inverse(isLessSigned(code, b, a));
  case CmpInst::ICMP_SGE:
    return code.inverse(isLessSigned(code, a, b));
  case CmpInst::ICMP_ULT:
    return isLessUnsigned(code, a, b);
  case CmpInst::ICMP_UGT:
    return isLessUnsigned(code, b, a);
  case CmpInst::ICMP_ULE:
    return code.inverse(isLessUnsigned(code, b, a));
  default:
    return code.inverse(isLessUnsigned(code, a, b));
  }
}

/// A predicate's bits say of which of equal, greater, less and unordered it is true.
Lanes Selection::compareFloats(CmpInst::Predicate predicate, Lanes a, Lanes b) {
  Lanes unordered = code.bitOr(isNaN(code, a), isNaN(code, b));
  Lanes result = code.constant(0);
  switch (predicate & 7) {
  case 0:
    break;
  case 1:
    result = isEqualOrdered(code, a, b);
    break;
  case 2:
    result = isLessOrdered(code, b, a);
    break;
  case 3:
    result = code.inverse(isLessOrdered(code, a, b));
    break;
  case 4:
    result = isLessOrdered(code, a, b);
    break;
  case 5:
    result = code.inverse(isLessOrdered(code, b, a));
    break;
  case 6:
    result = code.inverse(isEqualOrdered(code, a, b));
    break;
  default:
    result = code.constant(1);
    break;
  }
  if (predicate & 8)
    return code.bitOr(result, unordered);
  return code.bitAnd(result, code.inverse(unordered));
}

std::optional<Lanes> Selection::arithmetic() {
  switch (inst.getOpcode()) {
  case Instruction::Add:
    if (inst.getType()->isIntegerTy(1))
      return code.bitXor(operand(0), operand(1));
    return code.add(operand(0), operand(1));
  case Instruction::Sub:
    return code.subtract(operand(0), operand(1));
  case Instruction::Mul:
    return call(Routine::MultiplyIntegers, {operand(0), operand(1)});
  case Instruction::And:
    return code.bitAnd(operand(0), operand(1));
  case Instruction::Or:
    return code.bitOr(operand(0), operand(1));
  case Instruction::Xor:
    return code.bitXor(operand(0), operand(1));
  case Instruction::FAdd:
    return addFloats(operand(0), operand(1));
  case Instruction::FSub:
    return addFloats(operand(0), code.bitXor(operand(1), code.constant(topBit)));
  case Instruction::FMul:
    return isNative ? multiplyNatively(code, operand(0), operand(1))
                    : call(Routine::Multiply, {operand(0), operand(1)});
  case Instruction::FNeg:
    return code.bitXor(operand(0), code.constant(topBit));
  default:
    return std::nullopt;
  }
}

std::optional<Lanes> Selection::shift() {
  auto *constant = dyn_cast<ConstantInt>(inst.getOperand(1));
  if (constant && constant->getZExtValue() > 31)
    return std::nullopt;
  switch (inst.getOpcode()) {
  case Instruction::Shl:
    return constant ? code.shiftLeft(operand(0), constant->getZExtValue())
                    : code.shiftBy(operand(0), operand(1));
  case Instruction::LShr:
    return constant ? code.shiftRight(operand(0), constant->getZExtValue())
                    : code.shiftBy(operand(0), code.negate(operand(1)));
  default:
    return shiftRightSigned(code, operand(0), operand(1));
  }
}

std::optional<Lanes> Selection::conversion() {
  Type *from = inst.getOperand(0)->getType();
  switch (inst.getOpcode()) {
  case Instruction::BitCast:
    return operand(0);
  case Instruction::ZExt:
    return from->isIntegerTy(1) ? std::optional(operand(0)) : std::nullopt;
  case Instruction::SExt:
    return from->isIntegerTy(1) ? std::optional(code.mask(operand(0))) : std::nullopt;
  case Instruction::Trunc:
    return from->isIntegerTy(32) ? std::optional(code.bitAnd(operand(0), 1u))
                                 : std::nullopt;
  case Instruction::UIToFP:
    return from->isIntegerTy(32) || from->isIntegerTy(1)
               ? std::optional(floatFromUnsigned(code, operand(0)))
               : std::nullopt;
  case Instruction::SIToFP:
    return from->isIntegerTy(32) ? std::optional(floatFromSigned(code, operand(0)))
                                 : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<Lanes> Selection::intrinsic() {
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  if (!call)
    return std::nullopt;
  switch (call->getIntrinsicID()) {
  case Intrinsic::fma:
    return this->call(isNative ? Routine::NativeMultiplyAdd : Routine::MultiplyAdd,
                      {operand(0), operand(1), operand(2)});
  case Intrinsic::fabs:
    return code.magnitude(operand(0));
  case Intrinsic::abs: {
    Lanes a = operand(0);
    return code.select(code.sign(a), code.negate(a), a);
  }
  case Intrinsic::smin:
  case Intrinsic::smax: {
    Lanes a = operand(0), b = operand(1), isLess = isLessSigned(code, a, b);
    bool isLeast = call->getIntrinsicID() == Intrinsic::smin;
    return code.select(isLess, isLeast ? a : b, isLeast ? b : a);
  }
  case Intrinsic::umin:
  case Intrinsic::umax: {
    Lanes a = operand(0), b = operand(1), isLess = isLessUnsigned(code, a, b);
    bool isLeast = call->getIntrinsicID() == Intrinsic::umin;
    return code.select(isLess, isLeast ? a : b, isLeast ? b : a);
  }
  case Intrinsic::ctlz:
    return code.leadingZeros(operand(0));
  default:
    return std::nullopt;
  }
}

std::optional<Lanes> Selection::run() {
  if (inst.isShift())
    return shift();
  if (inst.isBinaryOp() || isa<UnaryOperator>(inst))
    return arithmetic();
  if (inst.isCast())
    return conversion();
  if (auto *compare = dyn_cast<ICmpInst>(&inst))
    return inst.getOperand(0)->getType()->isIntegerTy(32)
               ? std::optional(
                     compareIntegers(compare->getPredicate(), operand(0), operand(1)))
               : std::nullopt;
  if (auto *compare = dyn_cast<FCmpInst>(&inst))
    return inst.getOperand(0)->getType()->isFloatTy()
               ? std::optional(
                     compareFloats(compare->getPredicate(), operand(0), operand(1)))
               : std::nullopt;
  if (isa<SelectInst>(inst))
    return code.select(operand(0), operand(1), operand(2));
  if (isa<FreezeInst>(inst))
    return operand(0);
  return intrinsic();
}

} // namespace

std::optional<Lanes> selectLanes(VectorCode &code, const Instruction &inst,
                                 function_ref<Lanes(Value *)> lanesOf, Floats floats) {
  return Selection(code, inst, lanesOf, floats).run();
}

std::string describe(const Instruction &inst) {
  std::string text;
  raw_string_ostream out(text);
  if (auto *call = dyn_cast<CallInst>(&inst); call && call->getCalledFunction())
    out << "a call of " << call->getCalledFunction()->getName();
  else
    out << inst.getOpcodeName();
  out << " of ";
  inst.getType()->print(out);
  return text;
}

} // namespace het::tensix
