// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that compute.

#include "Translator.h"

namespace het::spirv {

using Op = llvm::Instruction;

/// A truth value as 0 or 1, or -1.
Id InstructionTranslator::asNumber(llvm::Value *truth, bool isSigned) {
  return builder.append(spv::OpSelect, builder.integer(32),
                        {idOf(truth), u32(isSigned ? ~0u : 1), u32(0)});
}

/// OpNop: there is none.
static spv::Op opOf(unsigned opcode, bool isTruth) {
  switch (opcode) {
  case Op::Add:
    return isTruth ? spv::OpLogicalNotEqual : spv::OpIAdd;
  case Op::Sub:
    return isTruth ? spv::OpLogicalNotEqual : spv::OpISub;
  case Op::Mul:
    return isTruth ? spv::OpLogicalAnd : spv::OpIMul;
  case Op::And:
    return isTruth ? spv::OpLogicalAnd : spv::OpBitwiseAnd;
  case Op::Or:
    return isTruth ? spv::OpLogicalOr : spv::OpBitwiseOr;
  case Op::Xor:
    return isTruth ? spv::OpLogicalNotEqual : spv::OpBitwiseXor;
  case Op::FAdd:
    return spv::OpFAdd;
  case Op::FSub:
    return spv::OpFSub;
  case Op::FMul:
    return spv::OpFMul;
  case Op::FDiv:
    return spv::OpFDiv;
  default:
    break;
  }
  if (isTruth)
    return spv::OpNop;
  switch (opcode) {
  case Op::UDiv:
    return spv::OpUDiv;
  case Op::SDiv:
    return spv::OpSDiv;
  case Op::URem:
    return spv::OpUMod;
  case Op::SRem:
    return spv::OpSRem;
  case Op::Shl:
    return spv::OpShiftLeftLogical;
  case Op::LShr:
    return spv::OpShiftRightLogical;
  case Op::AShr:
    return spv::OpShiftRightArithmetic;
  default:
    return spv::OpNop;
  }
}

/// llvmpipe takes x + 0 for x, x 0 and 0 / x for 0 and x - x for 0, whatever x is. So
/// the zero is read from where the driver does not know it, and a difference is a sum.
void InstructionTranslator::translateForLlvmpipe(
    llvm::BinaryOperator &op, spv::Op made, llvm::MutableArrayRef<uint32_t> operands) {
  const Id type = typeOf(op.getType());
  for (unsigned index = 0; index < 2; ++index) {
    auto *constant = llvm::dyn_cast<llvm::Constant>(op.getOperand(index));
    if (!constant || !constant->isNullValue())
      continue;
    const unsigned bits = op.getType()->getScalarSizeInBits();
    Id zero = readPushed(PushedWord::Zero, 32);
    if (bits != 32)
      zero = builder.append(spv::OpUConvert, builder.integer(bits), zero);
    operands[index] = builder.append(spv::OpBitcast, type, zero);
  }
  if (made == spv::OpFSub && op.getOperand(0) == op.getOperand(1)) {
    operands[1] = builder.append(spv::OpFNegate, type, operands[1]);
    made = spv::OpFAdd;
  }
  makeExact(op, made, operands);
}

bool InstructionTranslator::translateBinary(llvm::BinaryOperator &op) {
  const spv::Op made = opOf(op.getOpcode(), op.getType()->isIntOrIntVectorTy(1));
  if (made == spv::OpNop)
    return false;
  uint32_t operands[] = {idOf(op.getOperand(0)), idOf(op.getOperand(1))};
  if (machine.isLlvmpipe && op.getType()->isFloatingPointTy())
    translateForLlvmpipe(op, made, operands);
  else if (op.getType()->isFPOrFPVectorTy())
    makeExact(op, made, operands);
  else
    make(op, made, operands);
  return true;
}

bool InstructionTranslator::translateCast(llvm::CastInst &cast) {
  llvm::Value *from = cast.getOperand(0);
  const bool fromTruth = from->getType()->isIntegerTy(1);
  auto choose = [&](Id one) {
    make(cast, spv::OpSelect, {idOf(from), one, builder.null(typeOf(cast.getType()))});
    return true;
  };
  auto convert = [&](spv::Op op) {
    make(cast, op, idOf(from));
    return true;
  };
  switch (cast.getOpcode()) {
  case Op::Trunc:
    return cast.getType()->isIntegerTy(1) ? false : convert(spv::OpUConvert);
  case Op::ZExt:
    return fromTruth ? choose(idOf(llvm::ConstantInt::get(cast.getType(), 1)))
                     : convert(spv::OpUConvert);
  case Op::SExt:
    return fromTruth ? choose(idOf(llvm::ConstantInt::getAllOnesValue(cast.getType())))
                     : convert(spv::OpSConvert);
  case Op::PtrToInt:
  case Op::IntToPtr:
    return convert(spv::OpUConvert);
  case Op::FPTrunc:
  case Op::FPExt:
    return convert(spv::OpFConvert);
  case Op::FPToSI:
    return convert(spv::OpConvertFToS);
  case Op::FPToUI:
    return convert(spv::OpConvertFToU);
  case Op::SIToFP:
    return convert(spv::OpConvertSToF);
  case Op::UIToFP:
    return convert(spv::OpConvertUToF);
  case Op::BitCast:
    return convert(spv::OpBitcast);
  default:
    return false;
  }
}

static spv::Op opOf(llvm::CmpInst::Predicate predicate) {
  switch (predicate) {
  case llvm::CmpInst::ICMP_EQ:
    return spv::OpIEqual;
  case llvm::CmpInst::ICMP_NE:
    return spv::OpINotEqual;
  case llvm::CmpInst::ICMP_UGT:
    return spv::OpUGreaterThan;
  case llvm::CmpInst::ICMP_UGE:
    return spv::OpUGreaterThanEqual;
  case llvm::CmpInst::ICMP_ULT:
    return spv::OpULessThan;
  case llvm::CmpInst::ICMP_ULE:
    return spv::OpULessThanEqual;
  case llvm::CmpInst::ICMP_SGT:
    return spv::OpSGreaterThan;
  case llvm::CmpInst::ICMP_SGE:
    return spv::OpSGreaterThanEqual;
  case llvm::CmpInst::ICMP_SLT:
    return spv::OpSLessThan;
  case llvm::CmpInst::ICMP_SLE:
    return spv::OpSLessThanEqual;
  case llvm::CmpInst::FCMP_OEQ:
    return spv::OpFOrdEqual;
  case llvm::CmpInst::FCMP_OGT:
    return spv::OpFOrdGreaterThan;
  case llvm::CmpInst::FCMP_OGE:
    return spv::OpFOrdGreaterThanEqual;
  case llvm::CmpInst::FCMP_OLT:
    return spv::OpFOrdLessThan;
  case llvm::CmpInst::FCMP_OLE:
    return spv::OpFOrdLessThanEqual;
  case llvm::CmpInst::FCMP_ONE:
    return spv::OpFOrdNotEqual;
  case llvm::CmpInst::FCMP_UEQ:
    return spv::OpFUnordEqual;
  case llvm::CmpInst::FCMP_UGT:
    return spv::OpFUnordGreaterThan;
  case llvm::CmpInst::FCMP_UGE:
    return spv::OpFUnordGreaterThanEqual;
  case llvm::CmpInst::FCMP_ULT:
    return spv::OpFUnordLessThan;
  case llvm::CmpInst::FCMP_ULE:
    return spv::OpFUnordLessThanEqual;
  case llvm::CmpInst::FCMP_UNE:
    return spv::OpFUnordNotEqual;
  default:
    return spv::OpNop;
  }
}

/// Whether both are numbers, by comparing each with itself: OpOrdered is not for shaders.
void InstructionTranslator::compareNumbers(llvm::CmpInst &compare) {
  const bool isOrdered = compare.getPredicate() == llvm::CmpInst::FCMP_ORD;
  const spv::Op same = isOrdered ? spv::OpFOrdEqual : spv::OpFUnordNotEqual;
  const Id a = idOf(compare.getOperand(0)), b = idOf(compare.getOperand(1)),
           type = typeOf(compare.getType());
  const Id ofA = builder.append(same, type, {a, a});
  const Id ofB = builder.append(same, type, {b, b});
  make(compare, isOrdered ? spv::OpLogicalAnd : spv::OpLogicalOr, {ofA, ofB});
}

bool InstructionTranslator::translateCompare(llvm::CmpInst &compare) {
  llvm::Value *a = compare.getOperand(0), *b = compare.getOperand(1);
  const llvm::CmpInst::Predicate predicate = compare.getPredicate();
  if (predicate == llvm::CmpInst::FCMP_ORD || predicate == llvm::CmpInst::FCMP_UNO) {
    compareNumbers(compare);
    return true;
  }
  const spv::Op op = opOf(predicate);
  if (op == spv::OpNop)
    return false;
  if (!a->getType()->isIntegerTy(1)) {
    make(compare, op, {idOf(a), idOf(b)});
  } else if (compare.isEquality()) {
    make(compare,
         predicate == llvm::CmpInst::ICMP_EQ ? spv::OpLogicalEqual
                                             : spv::OpLogicalNotEqual,
         {idOf(a), idOf(b)});
  } else {
    const bool isSigned = compare.isSigned();
    const Id first = asNumber(a, isSigned), second = asNumber(b, isSigned);
    make(compare, op, {first, second});
  }
  return true;
}

bool InstructionTranslator::translateComposite(llvm::Instruction &instruction) {
  if (auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    llvm::SmallVector<uint32_t> operands = {idOf(part->getAggregateOperand())};
    operands.append(part->idx_begin(), part->idx_end());
    make(instruction, spv::OpCompositeExtract, operands);
  } else if (auto *whole = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    llvm::SmallVector<uint32_t> operands = {idOf(whole->getInsertedValueOperand()),
                                            idOf(whole->getAggregateOperand())};
    operands.append(whole->idx_begin(), whole->idx_end());
    make(instruction, spv::OpCompositeInsert, operands);
  } else if (auto *element = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
    const Id vector = idOf(element->getVectorOperand());
    if (auto *index = llvm::dyn_cast<llvm::ConstantInt>(element->getIndexOperand()))
      make(instruction, spv::OpCompositeExtract,
           {vector, static_cast<uint32_t>(index->getZExtValue())});
    else
      make(instruction, spv::OpVectorExtractDynamic,
           {vector, idOf(element->getIndexOperand())});
  } else if (auto *insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
    const Id vector = idOf(insert->getOperand(0)), value = idOf(insert->getOperand(1));
    if (auto *index = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2)))
      make(instruction, spv::OpCompositeInsert,
           {value, vector, static_cast<uint32_t>(index->getZExtValue())});
    else
      make(instruction, spv::OpVectorInsertDynamic,
           {vector, value, idOf(insert->getOperand(2))});
  } else if (auto *shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    llvm::SmallVector<uint32_t> operands = {idOf(shuffle->getOperand(0)),
                                            idOf(shuffle->getOperand(1))};
    for (int place : shuffle->getShuffleMask())
      operands.push_back(place < 0 ? 0 : place);
    make(instruction, spv::OpVectorShuffle, operands);
  } else {
    return false;
  }
  return true;
}

void InstructionTranslator::translatePhi(llvm::PHINode &phi) {
  llvm::SmallVector<uint32_t> operands;
  for (auto [block, value] : llvm::zip(phi.blocks(), phi.incoming_values())) {
    operands.push_back(idOf(value));
    operands.push_back(idOf(block));
  }
  make(phi, spv::OpPhi, operands);
}

void InstructionTranslator::translateInstruction(llvm::Instruction &instruction) {
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
    return translatePhi(*phi);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return translateLoad(*load);
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return translateStore(*store);
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return translateUpdate(*update);
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return translateExchange(*exchange);
  if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return translateCall(*call);
  bool isMade = false;
  if (auto *op = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    isMade = translateBinary(*op);
  else if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    isMade = translateCast(*cast);
  else if (auto *compare = llvm::dyn_cast<llvm::CmpInst>(&instruction))
    isMade = translateCompare(*compare);
  else if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
    isMade = make(*select, spv::OpSelect,
                  {idOf(select->getCondition()), idOf(select->getTrueValue()),
                   idOf(select->getFalseValue())});
  else if (instruction.getOpcode() == Op::FNeg)
    isMade = makeExact(instruction, spv::OpFNegate, idOf(instruction.getOperand(0)));
  else
    isMade = translateComposite(instruction);
  if (!isMade)
    failAt(instruction);
}

} // namespace het::spirv
