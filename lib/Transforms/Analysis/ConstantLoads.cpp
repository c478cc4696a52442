// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory is constant by its address space, by what the front end has said of a load, or
// because it is an argument's that is only read.

#include "ConstantLoads.h"
#include "het/IR/Module.h"

using namespace mlir;

namespace het::transforms {

/// Whether memory is only read by way of the pointer.
static bool isOnlyRead(Value pointer) {
  return llvm::all_of(pointer.getUsers(), [&](Operation *user) {
    if (auto copy = dyn_cast<LLVM::MemcpyOp>(user))
      return copy.getDst() != pointer && !copy.getIsVolatile();
    if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(user))
      return isOnlyRead(user->getResult(0));
    return isa<LLVM::LoadOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(user);
  });
}

/// Finds the pointer arguments whose memory nobody writes while the kernel runs.
static llvm::DenseSet<Value> findConstantArguments(LLVM::LLVMFuncOp kernel) {
  using Dialect = LLVM::LLVMDialect;
  llvm::DenseSet<Value> constant;
  for (BlockArgument argument : kernel.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (kernel.getArgAttr(index, Dialect::getByValAttrName())
            ? kernel.getArgAttr(index, ir::gridConstantAttrName) || isOnlyRead(argument)
            : kernel.getArgAttr(index, Dialect::getReadonlyAttrName()) &&
                  kernel.getArgAttr(index, Dialect::getNoAliasAttrName()))
      constant.insert(argument);
  }
  return constant;
}

/// The value that a pointer was computed from.
static Value baseOf(Value pointer) {
  while (Operation *op = pointer.getDefiningOp()) {
    if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(op))
      break;
    pointer = op->getOperand(0);
  }
  return pointer;
}

llvm::DenseSet<Operation *> findConstantLoads(LLVM::LLVMFuncOp kernel) {
  const llvm::DenseSet<Value> arguments = findConstantArguments(kernel);
  llvm::DenseSet<Operation *> loads;
  kernel.walk([&](LLVM::LoadOp load) {
    auto type = cast<LLVM::LLVMPointerType>(load.getAddr().getType());
    if (!load.getVolatile_() &&
        (load.getInvariant() || type.getAddressSpace() == ir::constantSpace ||
         arguments.contains(baseOf(load.getAddr()))))
      loads.insert(load);
  });
  return loads;
}

} // namespace het::transforms
