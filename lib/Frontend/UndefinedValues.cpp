// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps what a thread does not look at from changing what other threads do.
//
//   int i;
//   if (lane == 0) i = atomicAdd(&next, 1);
//   i = __shfl_sync(mask, i, 0);
//
// Only lane 0's `i` counts, but all lanes pass one. To C++ the others' have no value at
// all, and LLVM may conclude from a place that must be given a value that every lane is
// lane 0. So nothing promises here that a value is defined, a variable that is declared
// without a value has one, which nobody knows, and a division by zero has a result.

#include "Optimize.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace het;
using namespace llvm;
using namespace llvm::PatternMatch;

//===----------------------------------------------------------------------===//
// Promises
//===----------------------------------------------------------------------===//

static void dropPromises(Function &function, const AttributeMask &promises) {
  function.removeRetAttrs(promises);
  if (!isKernelFunction(function)) // a launch has its arguments
    for (unsigned index = 0; index < function.arg_size(); ++index)
      function.removeParamAttrs(index, promises);
  for (Instruction &instruction : instructions(function)) {
    if (auto *call = dyn_cast<CallBase>(&instruction)) {
      call->removeRetAttrs(promises);
      for (unsigned index = 0; index < call->arg_size(); ++index)
        call->removeParamAttrs(index, promises);
    } else {
      instruction.setMetadata(LLVMContext::MD_noundef, nullptr);
    }
  }
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// A variable of at most so many bytes leaves memory, as a rule: to give it a value
/// costs nothing. A large one may be a table that is indexed.
static constexpr uint64_t largestVariable = 64;

static bool hasArray(Type *type) {
  return type->isArrayTy() || any_of(type->subtypes(), hasArray);
}

static bool isSmall(const AllocaInst &variable) {
  Type *type = variable.getAllocatedType();
  std::optional<TypeSize> size = variable.getAllocationSize(variable.getDataLayout());
  return variable.isStaticAlloca() && !variable.isArrayAllocation() && size &&
         !size->isScalable() && size->getFixedValue() <= largestVariable &&
         !hasArray(type);
}

/// The places behind which a variable has no value: each time it is declared.
static SmallVector<Instruction *> declarationsOf(AllocaInst &variable) {
  SmallVector<Instruction *> places;
  for (User *user : variable.users())
    if (auto *start = dyn_cast<LifetimeIntrinsic>(user);
        start && start->getIntrinsicID() == Intrinsic::lifetime_start)
      places.push_back(start);
  if (places.empty())
    places.push_back(&variable);
  return places;
}

static void giveValues(Function &function) {
  SmallVector<AllocaInst *> variables;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && isSmall(*variable))
      variables.push_back(variable);
  for (AllocaInst *variable : variables)
    for (Instruction *place : declarationsOf(*variable)) {
      auto next = std::next(place->getIterator());
      auto *value =
          new FreezeInst(PoisonValue::get(variable->getAllocatedType()), "", next);
      new StoreInst(value, variable, next);
    }
}

//===----------------------------------------------------------------------===//
// Divisions
//===----------------------------------------------------------------------===//

/// Whether a divisor cannot turn out to be a literal zero on one of the ways that lead to
/// it, which LLVM would take for ways that nobody goes: it is made of constants, what a
/// kernel is launched with, and what the device says.
static bool comesFromOutside(Value *divisor) {
  SmallPtrSet<Value *, 8> seen;
  SmallVector<Value *> left{divisor};
  while (!left.empty()) {
    Value *value = left.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (isa<ConstantInt>(value)) {
      if (value == divisor && cast<ConstantInt>(value)->isZero())
        return false;
    } else if (auto *argument = dyn_cast<Argument>(value)) {
      if (!isKernelFunction(*argument->getParent()))
        return false; // it may be inlined
    } else if (auto *call = dyn_cast<CallBase>(value)) {
      const Function *callee = call->getCalledFunction();
      if (!callee || !callee->isDeclaration())
        return false; // likewise
      append_range(left, call->args());
    } else if (isa<BinaryOperator, CastInst>(value)) {
      append_range(left, cast<Instruction>(value)->operand_values());
    } else {
      return false;
    }
  }
  return true;
}

/// By zero all bits set, as hetIR has it (docs/spec/hetir.md, Integers).
static void defineDivision(BinaryOperator &division) {
  IRBuilder<> builder(&division);
  Type *type = division.getType();
  Value *divisor = builder.CreateFreeze(division.getOperand(1));
  Value *isZero = builder.CreateICmpEQ(divisor, Constant::getNullValue(type));
  division.setOperand(1,
                      builder.CreateSelect(isZero, ConstantInt::get(type, 1), divisor));
  builder.SetInsertPoint(division.getNextNode());
  SmallVector<Use *> uses(make_pointer_range(division.uses()));
  Value *result =
      builder.CreateSelect(isZero, Constant::getAllOnesValue(type), &division);
  for (Use *use : uses)
    use->set(result);
}

static void defineDivisions(Function &function) {
  SmallVector<BinaryOperator *> divisions;
  for (Instruction &instruction : instructions(function))
    if (instruction.isIntDivRem() && !comesFromOutside(instruction.getOperand(1)))
      divisions.push_back(cast<BinaryOperator>(&instruction));
  for (BinaryOperator *division : divisions)
    defineDivision(*division);
}

/// A variable's values are seen once it has left memory.
static void promoteVariables(Function &function) {
  SmallVector<AllocaInst *> variables;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && isAllocaPromotable(variable))
      variables.push_back(variable);
  DominatorTree dominators(function);
  PromoteMemToReg(variables, dominators);
}

void het::allowUndefinedValues(Module &module) {
  AttributeMask promises = AttributeFuncs::getUBImplyingAttributes();
  for (Function &function : module) {
    if (function.isIntrinsic())
      continue;
    dropPromises(function, promises);
    if (function.isDeclaration())
      continue;
    giveValues(function);
    promoteVariables(function);
    defineDivisions(function);
  }
}

//===----------------------------------------------------------------------===//
// After optimisation
//===----------------------------------------------------------------------===//

/// Some value where one is undefined; null if it is defined.
static Constant *someValue(const Value *value) {
  return isa<UndefValue>(value) && value->getType()->isSingleValueType()
             ? Constant::getNullValue(value->getType())
             : nullptr;
}

static void defineJoins(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (isa<PHINode, SelectInst>(instruction))
      for (Use &operand : instruction.operands())
        if (Constant *value = someValue(operand))
          operand.set(value);
}

/// Takes the test for zero away again that defineDivision made, for hetIR's divisions are
/// defined; what that leaves without a use is added to `dead`. A program's own max(b, 1)
/// stays: all uses of the quotient must be behind the test.
static void simplifyDivision(BinaryOperator &division,
                             SmallVectorImpl<WeakTrackingVH> &dead) {
  Value *guarded = division.getOperand(1), *divisor = nullptr;
  if (!match(guarded, m_c_UMax(m_Value(divisor), m_One())))
    return;
  auto isZero = m_SpecificICmp(ICmpInst::ICMP_EQ, m_Specific(divisor), m_Zero());
  auto guardedUse = m_Select(isZero, m_AllOnes(), m_Specific(&division));
  if (!all_of(division.users(), [&](User *user) { return match(user, guardedUse); }))
    return;
  division.setOperand(1, divisor);
  dead.push_back(guarded);
  for (User *user : make_early_inc_range(division.users())) {
    user->replaceAllUsesWith(&division);
    dead.push_back(user);
  }
}

void het::settleUndefinedValues(Module &module) {
  SmallVector<WeakTrackingVH> dead;
  for (Function &function : module) {
    defineJoins(function);
    for (Instruction &instruction : instructions(function))
      if (instruction.isIntDivRem())
        simplifyDivision(cast<BinaryOperator>(instruction), dead);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}
