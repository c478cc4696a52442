// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass over host code that lists Clang's constructor that registers kernels before a
// file's others. Constructors of one priority run in the order in which they are listed.

#include "RegistrationOrder.h"

#include "clang/Basic/CodeGenOptions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

using namespace het;

namespace {

class RegisterFirst : public llvm::PassInfoMixin<RegisterFirst> {
public:
  static llvm::PreservedAnalyses run(llvm::Module &module,
                                     llvm::ModuleAnalysisManager &) {
    llvm::GlobalVariable *list = module.getNamedGlobal("llvm.global_ctors");
    llvm::Function *registers = module.getFunction("__cuda_module_ctor");
    if (!list || !registers)
      return llvm::PreservedAnalyses::all();
    auto *entries = llvm::cast<llvm::ConstantArray>(list->getInitializer());
    llvm::SmallVector<llvm::Constant *> order;
    for (llvm::Use &entry : entries->operands())
      order.push_back(llvm::cast<llvm::Constant>(entry));
    std::stable_partition(order.begin(), order.end(), [&](llvm::Constant *entry) {
      return entry->getAggregateElement(1) == registers;
    });
    list->setInitializer(llvm::ConstantArray::get(entries->getType(), order));
    return llvm::PreservedAnalyses::none();
  }

  static bool isRequired() { return true; }
};

} // namespace

void het::registerFirst(clang::CodeGenOptions &options) {
  options.PassBuilderCallbacks.push_back([](llvm::PassBuilder &builder) {
    builder.registerPipelineStartEPCallback(
        [](llvm::ModulePassManager &manager, llvm::OptimizationLevel) {
          manager.addPass(RegisterFirst());
        });
  });
}
