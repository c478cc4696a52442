// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The carry between asm statements. The ISA has one condition code for each thread, and
// code for large integers passes it from one statement to the next, often through small
// functions with a statement each. So it is a variable of the module until functions are
// inlined, then one of each function that uses it: calls do not keep it. Functions that
// take one from their caller, or leave one, are always inlined.

#include "Carries.h"
#include "../Optimize.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace het;
using namespace llvm;

static constexpr StringLiteral carryName = "__het_carry";

GlobalVariable *het::ptx::carryVariable(Module &module) {
  if (GlobalVariable *known = module.getNamedGlobal(carryName))
    return known;
  llvm::Type *bit = llvm::Type::getInt1Ty(module.getContext());
  return new GlobalVariable(module, bit, /*isConstant=*/false,
                            GlobalValue::InternalLinkage, ConstantInt::getFalse(bit),
                            carryName);
}

namespace {

/// The first and the last use that a function makes of its caller's carry.
struct CarryUse {
  enum Kind : uint8_t { Nothing, Takes, Leaves };
  Kind first = Nothing, last = Nothing;

  void add(CarryUse next) {
    if (next.first == Nothing)
      return;
    if (first == Nothing)
      first = next.first;
    last = next.last;
  }
  /// Whether there is one for the caller, or from it.
  bool isOpen() const { return first == Takes || last == Leaves; }
  bool operator!=(CarryUse other) const {
    return first != other.first || last != other.last;
  }
};
using CarryUses = DenseMap<const Function *, CarryUse>;

} // namespace

static CarryUse useOf(const Instruction &instruction, const GlobalVariable *carry,
                      const CarryUses &known) {
  if (auto *store = dyn_cast<StoreInst>(&instruction);
      store && store->getPointerOperand() == carry)
    return {CarryUse::Leaves, CarryUse::Leaves};
  if (auto *load = dyn_cast<LoadInst>(&instruction);
      load && load->getPointerOperand() == carry)
    return {CarryUse::Takes, CarryUse::Takes};
  auto *call = dyn_cast<CallBase>(&instruction);
  return call && call->getCalledFunction() ? known.lookup(call->getCalledFunction())
                                           : CarryUse();
}

/// Finds each function's uses, its own and those of what it calls.
static CarryUses findUses(Module &module, const GlobalVariable *carry) {
  CarryUses known;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Function &function : module) {
      CarryUse use;
      for (const Instruction &instruction : instructions(function))
        use.add(useOf(instruction, carry, known));
      if (known.lookup(&function) != use) {
        known[&function] = use;
        changed = true;
      }
    }
  }
  return known;
}

/// Replaces the module's variable in a function by one of its own, in a register.
static void keepInFunction(Function &function, ArrayRef<Use *> uses, llvm::Type *type) {
  IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
  AllocaInst *own = builder.CreateAlloca(type, nullptr, "carry");
  // Any value, the same each time, for reads before the first write.
  builder.CreateStore(builder.CreateFreeze(PoisonValue::get(type)), own);
  for (Use *use : uses)
    use->set(own);
  if (!isAllocaPromotable(own))
    return;
  DominatorTree dominators(function);
  PromoteMemToReg(own, dominators);
}

static void keepInFunctions(GlobalVariable *carry) {
  MapVector<Function *, SmallVector<Use *>> uses;
  for (Use &use : carry->uses())
    if (auto *instruction = dyn_cast<Instruction>(use.getUser()))
      uses[instruction->getFunction()].push_back(&use);
  for (auto &[function, ofFunction] : uses)
    keepInFunction(*function, ofFunction, carry->getValueType());
  if (carry->use_empty())
    carry->eraseFromParent();
}

/// In files that are linked its name has an ending for each file.
void het::keepCarriesInFunctions(Module &module) {
  for (GlobalVariable &variable : make_early_inc_range(module.globals()))
    if (variable.getName().starts_with(carryName) &&
        variable.getValueType()->isIntegerTy(1))
      keepInFunctions(&variable);
}

void het::ptx::settleCarries(Module &module) {
  GlobalVariable *carry = module.getNamedGlobal(carryName);
  if (!carry)
    return;
  const CarryUses known = findUses(module, carry);
  if (none_of(known,
              [](const auto &entry) { return entry.second.first == CarryUse::Takes; }))
    return keepCarriesInFunctions(module);
  for (Function &function : module)
    if (known.lookup(&function).isOpen() && !isKernelFunction(function) &&
        !function.hasFnAttribute(Attribute::NoInline))
      function.addFnAttr(Attribute::AlwaysInline);
}
