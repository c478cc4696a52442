// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module for each kernel: the closure of the symbols that it uses.

#include "KernelModules.h"

#include "het/IR/Module.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

using namespace het;
using namespace mlir;

namespace {

/// Knows, for each symbol of the module, the symbols its definition names.
class SymbolUses {
public:
  explicit SymbolUses(ModuleOp module) {
    for (Operation &op : module.getOps())
      if (auto symbol = dyn_cast<SymbolOpInterface>(op))
        byName[symbol.getNameAttr()] = &op;
    for (auto &entry : byName)
      uses[entry.second] = collect(entry.second);
  }

  /// The symbols that `root` needs, itself included, in no order.
  llvm::SetVector<Operation *> closure(Operation *root) const {
    llvm::SetVector<Operation *> found;
    found.insert(root);
    for (unsigned i = 0; i < found.size(); ++i)
      for (Operation *used : uses.lookup(found[i]))
        found.insert(used);
    return found;
  }

private:
  SmallVector<Operation *> collect(Operation *definition) const {
    llvm::SetVector<Operation *> found;
    auto note = [&](SymbolRefAttr reference) {
      if (Operation *used = byName.lookup(reference.getRootReference()))
        found.insert(used);
    };
    definition->walk([&](Operation *op) {
      // Only these of hetIR's operations name symbols.
      if (auto address = dyn_cast<LLVM::AddressOfOp>(op))
        note(address.getGlobalNameAttr());
      else if (auto call = dyn_cast<LLVM::CallOp>(op)) {
        if (FlatSymbolRefAttr callee = call.getCalleeAttr())
          note(callee);
      }
    });
    return found.takeVector();
  }

  llvm::DenseMap<StringAttr, Operation *> byName;
  llvm::DenseMap<Operation *, SmallVector<Operation *>> uses;
};

} // namespace

std::vector<KernelModule> het::splitKernels(ModuleOp module) {
  SymbolUses uses(module);
  llvm::DenseMap<Operation *, unsigned> position;
  unsigned count = 0;
  for (Operation &op : module.getOps())
    position[&op] = count++;

  std::vector<KernelModule> kernels;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!ir::isKernel(function))
      continue;
    SmallVector<Operation *> parts = uses.closure(function).takeVector();
    llvm::sort(parts, [&](Operation *a, Operation *b) {
      return position.lookup(a) < position.lookup(b);
    });
    OwningOpRef<ModuleOp> own = ModuleOp::create(function.getLoc());
    (*own)->setAttrs(module->getAttrDictionary());
    OpBuilder builder = OpBuilder::atBlockEnd(own->getBody());
    for (Operation *part : parts)
      builder.clone(*part);
    kernels.push_back({function.getName().str(), std::move(own), {}});
  }
  return kernels;
}
