// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initial values of local objects, which Clang makes constants of the module.

#include "Optimize.h"

#include "het/IR/Module.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace het;
using namespace llvm;

/// Whether a constant's value has the address of a shared object in it.
static bool holdsSharedAddress(const Constant &value) {
  const auto *object = dyn_cast<GlobalVariable>(&value);
  if (object)
    return object->getAddressSpace() == ir::sharedSpace;
  return any_of(value.operands(), [](const Use &part) {
    return isa<Constant>(part) && holdsSharedAddress(*cast<Constant>(part));
  });
}

static void storeParts(IRBuilder<> &builder, Constant &value, Value *place) {
  if (!value.getType()->isAggregateType()) {
    builder.CreateStore(&value, place);
    return;
  }
  for (unsigned i = 0; Constant *part = value.getAggregateElement(i); ++i)
    storeParts(builder, *part,
               builder.CreateConstInBoundsGEP2_32(value.getType(), place, 0, i));
}

/// The initial value of a local object is no constant if it holds the address of a shared
/// object, of which each block has its own: it is computed in the functions that use it.
static void computeInitialValues(Module &module) {
  for (GlobalVariable &constant : make_early_inc_range(module.globals())) {
    if (!constant.getName().starts_with("__const.") ||
        !holdsSharedAddress(*constant.getInitializer()))
      continue;
    convertUsersOfConstantsToInstructions({&constant});
    MapVector<Function *, Value *> objects;
    for (Use &use : make_early_inc_range(constant.uses())) {
      Function *function = cast<Instruction>(use.getUser())->getFunction();
      Value *&object = objects[function];
      if (!object) {
        IRBuilder<> builder(&function->getEntryBlock(),
                            function->getEntryBlock().getFirstInsertionPt());
        AllocaInst *made = builder.CreateAlloca(constant.getValueType());
        made->setAlignment(constant.getAlign().valueOrOne());
        storeParts(builder, *constant.getInitializer(), made);
        object = builder.CreateAddrSpaceCast(made, constant.getType());
      }
      use.set(object);
    }
    constant.eraseFromParent();
  }
}

/// Clang puts the initial value of a local array into the generic space, where LLVM's
/// address-space inference expects no variables.
static void moveInitialValues(Module &module) {
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    if (variable.getAddressSpace() != ir::genericSpace ||
        !variable.getName().starts_with("__const."))
      continue;
    auto *placed =
        new GlobalVariable(module, variable.getValueType(), variable.isConstant(),
                           variable.getLinkage(), variable.getInitializer(), "",
                           &variable, variable.getThreadLocalMode(), ir::globalSpace);
    placed->copyAttributesFrom(&variable);
    placed->takeName(&variable);
    variable.replaceAllUsesWith(
        ConstantExpr::getAddrSpaceCast(placed, variable.getType()));
    variable.eraseFromParent();
  }
}

void het::placeInitialValues(Module &module) {
  computeInitialValues(module);
  moveInitialValues(module);
}
