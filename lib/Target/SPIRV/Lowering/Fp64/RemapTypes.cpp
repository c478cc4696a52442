// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of all functions, objects and instructions change at once.

#include "RemapTypes.h"
#include "../../../Support/Lowering/IRPieces.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"

namespace het::spirv {

llvm::Type *TypeImages::remapType(llvm::Type *type) {
  llvm::Type *mapped =
      target::mapParts(type, [&](llvm::Type *part) { return remapType(part); });
  return mapped ? mapped : image(type);
}

namespace {

class Remapping {
public:
  Remapping(llvm::Module &module, TypeImages &types, llvm::ValueMaterializer *constants)
      : module(module), types(types), constants(constants) {}

  void run() {
    for (llvm::GlobalVariable &global : module.globals())
      globals.push_back(&global);
    for (llvm::Function &function : module)
      functions.push_back(&function);
    for (llvm::Function *function : functions)
      createFunction(*function);
    for (llvm::GlobalVariable *global : globals)
      createGlobal(*global);
    for (llvm::GlobalVariable *global : globals)
      if (global->hasInitializer())
        llvm::cast<llvm::GlobalVariable>(&*map[global])
            ->setInitializer(
                llvm::MapValue(global->getInitializer(), map, flags, &types, constants));
    for (llvm::Function *function : functions)
      moveBody(*function);
    erase();
  }

private:
  /// Those that name a type, as byval. (Of calls, LLVM's remapping does them.)
  llvm::AttributeList remapAttributes(llvm::AttributeList attributes) {
    llvm::LLVMContext &context = module.getContext();
    for (unsigned index : attributes.indexes())
      for (llvm::Attribute attribute : attributes.getAttributes(index))
        if (attribute.isTypeAttribute())
          attributes = attributes.replaceAttributeTypeAtIndex(
              context, index, attribute.getKindAsEnum(),
              types.remapType(attribute.getValueAsType()));
    return attributes;
  }
  void createFunction(llvm::Function &old) {
    bool isIntrinsic = old.isIntrinsic();
    std::string name = old.getName().str();
    auto *type = llvm::cast<llvm::FunctionType>(types.remapType(old.getFunctionType()));
    auto *made = llvm::Function::Create(type, old.getLinkage(), 0, "", &module);
    made->copyAttributesFrom(&old);
    made->setAttributes(remapAttributes(made->getAttributes()));
    old.setName("");
    made->setName(name); // by it an intrinsic is known; takeName does not look
    for (auto [from, to] : llvm::zip(old.args(), made->args())) {
      to.takeName(&from);
      map[&from] = &to;
    }
    if (isIntrinsic)
      if (auto mangled = llvm::Intrinsic::remangleIntrinsicFunction(made)) {
        if (*mangled != made)
          unused.push_back(made);
        made = *mangled;
      }
    map[&old] = made;
  }
  void createGlobal(llvm::GlobalVariable &old) {
    auto *made = new llvm::GlobalVariable(
        module, types.remapType(old.getValueType()), old.isConstant(), old.getLinkage(),
        nullptr, "", &old, llvm::GlobalValue::NotThreadLocal, old.getAddressSpace());
    made->takeName(&old);
    made->setAlignment(old.getAlign());
    map[&old] = made;
  }
  void moveBody(llvm::Function &old) {
    if (old.isDeclaration())
      return;
    auto *made = llvm::cast<llvm::Function>(&*map[&old]);
    made->splice(made->end(), &old);
    llvm::RemapFunction(*made, map, flags, &types, constants);
  }
  void erase() {
    for (llvm::Function *function : functions)
      function->eraseFromParent();
    for (llvm::GlobalVariable *global : globals)
      global->setInitializer(nullptr);
    for (llvm::GlobalVariable *global : globals)
      global->eraseFromParent();
    for (llvm::Function *function : unused)
      function->eraseFromParent();
  }

  static constexpr llvm::RemapFlags flags = llvm::RF_IgnoreMissingLocals;
  llvm::Module &module;
  llvm::ValueToValueMapTy map;
  TypeImages &types;
  llvm::ValueMaterializer *constants;
  llvm::SmallVector<llvm::GlobalVariable *> globals;
  llvm::SmallVector<llvm::Function *> functions, unused;
};

} // namespace

void remapTypes(llvm::Module &module, TypeImages &types,
                llvm::ValueMaterializer *constants) {
  Remapping(module, types, constants).run();
}

} // namespace het::spirv
