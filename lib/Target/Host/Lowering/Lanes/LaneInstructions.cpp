// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One instruction for several lanes. Lanes outside of the mask compute too, from values
// that mean nothing: so nothing that is computed may trap, and flags that promise
// something about the values are dropped.

#include "LaneInstructions.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace het::host {

static bool isDivision(const Instruction &instruction) {
  return instruction.isIntDivRem();
}

void LaneInstructions::emit(Instruction &instruction) {
  if (isa<PHINode>(instruction) || instruction.isTerminator())
    return;
  auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  if (intrinsic && intrinsic->isAssumeLikeIntrinsic())
    return;
  builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  if (isPerLane(instruction))
    return emitEachLane(instruction);
  if (isa<LoadInst, StoreInst>(instruction))
    return emitAccess(instruction);
  if (!isVarying(&instruction))
    return emitUniform(instruction);
  if (Value *vector = emitVarying(instruction))
    vectors[&instruction] = vector;
  else
    emitEachLane(instruction);
}

void LaneInstructions::emitUniform(Instruction &instruction) {
  Instruction *copy = instruction.clone();
  for (Use &operand : copy->operands())
    operand.set(scalarOf(operand.get()));
  copy->dropPoisonGeneratingAnnotations();
  copy->dropUBImplyingAttrsAndMetadata();
  builder.Insert(copy);
  scalars[&instruction] = copy;
  if (!isDivision(instruction) || isSomeLane(mask))
    return;
  Value *one = ConstantInt::get(copy->getType(), 1);
  builder.SetInsertPoint(copy);
  copy->setOperand(1, builder.CreateSelect(any(mask), copy->getOperand(1), one));
  builder.SetInsertPoint(copy->getParent());
}

/// Lanes outside of the mask divide by 1.
Value *LaneInstructions::emitDivision(BinaryOperator &division) {
  Value *divisor = vectorOf(division.getOperand(1));
  Value *one = ConstantInt::get(divisor->getType(), 1);
  const APInt *constant = nullptr;
  auto *known = dyn_cast<ConstantInt>(division.getOperand(1));
  if (known)
    constant = &known->getValue();
  if (!constant || constant->isZero() || constant->isAllOnes())
    divisor = builder.CreateSelect(mask, divisor, one);
  return builder.CreateBinOp(division.getOpcode(), vectorOf(division.getOperand(0)),
                             divisor);
}

Value *LaneInstructions::emitAddress(GetElementPtrInst &address) {
  SmallVector<Value *> indices;
  for (Value *index : address.indices())
    indices.push_back(valueOf(index, isVarying(index)));
  Value *base = address.getPointerOperand();
  return builder.CreateGEP(address.getSourceElementType(), valueOf(base, isVarying(base)),
                           indices);
}

Value *LaneInstructions::emitChoice(SelectInst &choice) {
  Value *condition = choice.getCondition();
  Value *result = builder.CreateSelect(valueOf(condition, isVarying(condition)),
                                       vectorOf(choice.getTrueValue()),
                                       vectorOf(choice.getFalseValue()));
  if (auto *copy = dyn_cast<SelectInst>(result)) {
    if (isa<FPMathOperator>(choice))
      copy->copyFastMathFlags(&choice);
    copy->dropPoisonGeneratingFlags();
  }
  return result;
}

/// The same operation on vectors; null: there is none.
Instruction *LaneInstructions::widen(Instruction &instruction) {
  SmallVector<Value *> operands;
  for (Value *operand : instruction.operands())
    operands.push_back(vectorOf(operand));
  if (auto *conversion = dyn_cast<CastInst>(&instruction))
    return CastInst::Create(conversion->getOpcode(), operands[0],
                            vectorType(conversion->getType()));
  if (auto *comparison = dyn_cast<CmpInst>(&instruction))
    return CmpInst::Create(comparison->getOpcode(), comparison->getPredicate(),
                           operands[0], operands[1]);
  if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
    return BinaryOperator::Create(operation->getOpcode(), operands[0], operands[1]);
  if (auto *operation = dyn_cast<UnaryOperator>(&instruction))
    return UnaryOperator::Create(operation->getOpcode(), operands[0]);
  return isa<FreezeInst>(instruction) ? new FreezeInst(operands[0]) : nullptr;
}

/// Null: the instruction has no form for vectors.
Value *LaneInstructions::emitVarying(Instruction &instruction) {
  if (auto *division = dyn_cast<BinaryOperator>(&instruction);
      division && isDivision(instruction))
    return emitDivision(*division);
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
    return emitIntrinsic(*intrinsic);
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
    return emitAddress(*address);
  if (auto *choice = dyn_cast<SelectInst>(&instruction))
    return emitChoice(*choice);
  if (isa<CallBase>(instruction))
    return nullptr;
  Instruction *copy = widen(instruction);
  if (!copy)
    return nullptr;
  if (isa<FPMathOperator>(instruction))
    copy->copyFastMathFlags(&instruction);
  copy->dropPoisonGeneratingFlags();
  return builder.Insert(copy);
}

Value *LaneInstructions::emitIntrinsic(IntrinsicInst &call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  if (!hasVectorForm(id))
    return nullptr;
  SmallVector<Value *> operands;
  SmallVector<Type *> types;
  if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, &plan.analyses.machine))
    types.push_back(vectorType(call.getType()));
  for (auto [index, operand] : enumerate(call.args())) {
    const bool isScalar =
        isVectorIntrinsicWithScalarOpAtArg(id, index, &plan.analyses.machine);
    if (isScalar && isVarying(operand))
      return nullptr;
    operands.push_back(valueOf(operand, !isScalar));
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, index, &plan.analyses.machine))
      types.push_back(operands.back()->getType());
  }
  CallInst *copy = builder.CreateIntrinsic(id, types, operands);
  if (isa<FPMathOperator>(call))
    copy->copyFastMathFlags(&call);
  copy->dropPoisonGeneratingFlags();
  return copy;
}

/// What one lane does of what lanes do one after another.
Instruction *LaneInstructions::cloneForLane(Instruction &instruction, Value *lane) {
  Instruction *copy = instruction.clone();
  for (Use &operand : copy->operands()) {
    Value *value = operand.get();
    if (vectors.contains(value))
      operand.set(builder.CreateExtractElement(vectorOf(value), lane));
    else
      operand.set(scalarOf(value));
  }
  return builder.Insert(copy);
}

/// A loop over the lanes of the mask, from the first one.
void LaneInstructions::emitEachLane(Instruction &instruction) {
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *body = newBlock("lane"), *after = newBlock("lanes.done");
  Type *bitsType = builder.getIntNTy(width);
  Value *bits = builder.CreateBitCast(mask, bitsType);
  builder.CreateCondBr(builder.CreateICmpNE(bits, zero(bitsType)), body, after);
  const bool hasResult = !instruction.getType()->isVoidTy();
  Type *type = hasResult ? vectorType(instruction.getType()) : nullptr;
  builder.SetInsertPoint(body);
  PHINode *left = builder.CreatePHI(bitsType, 2);
  left->addIncoming(bits, before);
  PHINode *results = hasResult ? builder.CreatePHI(type, 2) : nullptr;
  Value *lane = builder.CreateBinaryIntrinsic(Intrinsic::cttz, left, builder.getTrue());
  Instruction *copy = cloneForLane(instruction, lane);
  Value *next =
      builder.CreateAnd(left, builder.CreateSub(left, ConstantInt::get(bitsType, 1)));
  left->addIncoming(next, body);
  Value *collected = nullptr;
  if (hasResult) {
    collected = builder.CreateInsertElement(results, copy, lane);
    results->addIncoming(zero(type), before);
    results->addIncoming(collected, body);
  }
  builder.CreateCondBr(builder.CreateICmpNE(next, zero(bitsType)), body, after);
  builder.SetInsertPoint(after);
  if (!hasResult)
    return;
  PHINode *all = builder.CreatePHI(type, 2);
  all->addIncoming(zero(type), before);
  all->addIncoming(collected, body);
  vectors[&instruction] = all;
}

} // namespace het::host
