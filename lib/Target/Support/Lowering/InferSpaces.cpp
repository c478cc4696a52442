// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local objects and constants come with generic addresses, as in C. Here they get
// places of their own, and accesses through generic pointers become those of the
// spaces that they are seen to lead to.

#include "TargetLowering.h"
#include "llvm/CodeGen/ExpandReductions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"

namespace het::target {
namespace {

void moveLocals(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *object = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (!object || object->getAddressSpace() != ir::genericSpace)
        continue;
      auto *local = new llvm::AllocaInst(object->getAllocatedType(), ir::localSpace,
                                         object->getArraySize(), object->getAlign(),
                                         object->getName(), object->getIterator());
      auto *generic = new llvm::AddrSpaceCastInst(local, object->getType(), "",
                                                  object->getIterator());
      object->replaceAllUsesWith(generic);
      object->eraseFromParent();
    }
}

/// Objects of the module are all of them constants.
void moveConstants(llvm::Module &module, unsigned space) {
  llvm::SmallVector<llvm::GlobalVariable *> globals;
  for (llvm::GlobalVariable &global : module.globals())
    if (global.getAddressSpace() == ir::genericSpace)
      globals.push_back(&global);
  for (llvm::GlobalVariable *global : globals) {
    auto *moved = new llvm::GlobalVariable(
        module, global->getValueType(), global->isConstant(), global->getLinkage(),
        global->getInitializer(), "", global, llvm::GlobalValue::NotThreadLocal, space);
    moved->takeName(global);
    moved->setAlignment(global->getAlign());
    global->replaceAllUsesWith(
        llvm::ConstantExpr::getAddrSpaceCast(moved, global->getType()));
    global->eraseFromParent();
  }
  llvm::SmallVector<llvm::Constant *> constants;
  for (llvm::GlobalVariable &global : module.globals())
    constants.push_back(&global);
  llvm::convertUsersOfConstantsToInstructions(constants);
}

/// Removes calls that only say something to an optimiser.
void removeHints(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call)
        continue;
      switch (call->getIntrinsicID()) {
      case llvm::Intrinsic::lifetime_start:
      case llvm::Intrinsic::lifetime_end:
      case llvm::Intrinsic::assume:
      case llvm::Intrinsic::experimental_noalias_scope_decl:
        call->eraseFromParent();
        break;
      default:
        break;
      }
    }
}

} // namespace

void inferSpaces(llvm::Module &module, llvm::TargetMachine &machine, unsigned constants) {
  removeHints(module);
  moveLocals(module);
  moveConstants(module, constants);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::InferAddressSpacesPass(ir::genericSpace));
  passes.addPass(llvm::ExpandReductionsPass());
  passes.addPass(llvm::DCEPass());
  runOnFunctions(module, machine, std::move(passes));
}

} // namespace het::target
