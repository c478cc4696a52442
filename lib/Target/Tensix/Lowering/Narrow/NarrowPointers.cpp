// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function is made again with the images of its types (NarrowTypes.h), takes the
// old one's body, and each instruction that has to do with pointers is rewritten.

#include "../../../Support/Lowering/KernelLowering.h"
#include "Narrowing.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ReplaceConstant.h"

namespace het::tensix {
namespace {

class ModuleNarrowing {
public:
  ModuleNarrowing(llvm::Module &module)
      : module(module), types(module.getContext(), module.getDataLayout()) {}

  llvm::Error run(const llvm::DataLayout &layout);

private:
  void createObject(llvm::GlobalVariable &old);
  void createFunction(llvm::Function &old);
  llvm::Error fillObject(llvm::GlobalVariable &old);
  llvm::Error moveBody(llvm::Function &old);

  llvm::Module &module;
  NarrowTypes types;
};

void ModuleNarrowing::createObject(llvm::GlobalVariable &old) {
  // The initializer's type is known when all objects have been made.
  auto *placeholder = new llvm::GlobalVariable(
      module, types.stored(old.getValueType()), old.isConstant(), old.getLinkage(),
      nullptr, "", &old, llvm::GlobalValue::NotThreadLocal, 0);
  placeholder->setAlignment(std::max(old.getAlign().valueOrOne(),
                                     types.wide.getABITypeAlign(old.getValueType())));
  types.made[&old] = placeholder;
}

void ModuleNarrowing::createFunction(llvm::Function &old) {
  auto *made = llvm::Function::Create(types.image(old.getFunctionType()),
                                      old.getLinkage(), 0, "", &module);
  made->copyAttributesFrom(&old);
  made->setAttributes(plainAttributes(old.getAttributes(), made->getFunctionType()));
  made->takeName(&old);
  types.made[&old] = made;
}

llvm::Error ModuleNarrowing::fillObject(llvm::GlobalVariable &old) {
  auto *placeholder = llvm::cast<llvm::GlobalVariable>(types.made[&old]);
  llvm::Constant *value = types.initializer(old.getInitializer());
  if (!value)
    return llvm::createStringError("object '%s': its value is not supported yet",
                                   target::sourceName(old).str().c_str());
  auto *made = new llvm::GlobalVariable(module, value->getType(), old.isConstant(),
                                        old.getLinkage(), value, "", &old,
                                        llvm::GlobalValue::NotThreadLocal, 0);
  made->setAlignment(placeholder->getAlign());
  made->takeName(&old);
  placeholder->replaceAllUsesWith(made);
  placeholder->eraseFromParent();
  types.made[&old] = made;
  return llvm::Error::success();
}

llvm::Error ModuleNarrowing::moveBody(llvm::Function &old) {
  auto *made = llvm::cast<llvm::Function>(types.made[&old]);
  made->splice(made->end(), &old);
  Narrowing narrowing(*made, types);
  for (auto [from, to] : llvm::zip(old.args(), made->args())) {
    to.takeName(&from);
    narrowing.note(&to, from.getType());
    from.mutateType(to.getType());
    from.replaceAllUsesWith(&to);
  }
  return narrowing.run();
}

llvm::Error ModuleNarrowing::run(const llvm::DataLayout &layout) {
  llvm::SmallVector<llvm::GlobalVariable *> objects;
  llvm::SmallVector<llvm::Function *> functions;
  llvm::SmallVector<llvm::Constant *> constants;
  for (llvm::GlobalVariable &object : module.globals())
    objects.push_back(&object);
  for (llvm::Function &function : module)
    if (!function.isIntrinsic())
      functions.push_back(&function);
  constants.append(objects.begin(), objects.end());
  for (llvm::Function *function : functions)
    constants.push_back(function);
  llvm::convertUsersOfConstantsToInstructions(constants);
  for (llvm::GlobalVariable *object : objects)
    createObject(*object);
  for (llvm::Function *function : functions)
    createFunction(*function);
  for (llvm::Function *function : functions)
    if (!function->isDeclaration())
      if (llvm::Error error = moveBody(*function))
        return error;
  for (llvm::GlobalVariable *object : objects)
    if (llvm::Error error = fillObject(*object))
      return error;
  for (llvm::GlobalVariable *object : objects)
    object->setInitializer(nullptr);
  for (llvm::Function *function : functions)
    function->dropAllReferences();
  for (llvm::Constant *constant : constants)
    constant->removeDeadConstantUsers();
  for (llvm::Function *function : functions)
    function->eraseFromParent();
  for (llvm::GlobalVariable *object : objects)
    object->eraseFromParent();
  module.setDataLayout(layout);
  return llvm::Error::success();
}

} // namespace

llvm::Error narrowPointers(llvm::Module &module, const llvm::DataLayout &layout) {
  return ModuleNarrowing(module).run(layout);
}

} // namespace het::tensix
