// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelInfo.h"
#include "TargetLowering.h"

using namespace mlir;

namespace het::target {

static uint64_t numberIn(DictionaryAttr attributes, StringRef name) {
  auto number = attributes ? attributes.getAs<IntegerAttr>(name) : IntegerAttr();
  return number ? number.getValue().getZExtValue() : 0;
}

KernelInfo describeKernel(LLVM::LLVMFuncOp kernel, const KernelObjects &objects,
                          unsigned firstArgument) {
  KernelInfo info;
  info.variableCount = objects.variables.size();
  info.staticSharedBytes = objects.shared.bytes;
  info.maxThreads =
      numberIn(kernel->getAttrOfType<DictionaryAttr>(ir::infoAttrName), "max_threads");
  PackedParameters packed = packedParameters(kernel, firstArgument);
  info.argumentOffsets = std::move(packed.offsets);
  info.argumentSizes = std::move(packed.sizes);
  info.argumentBytes = packed.bytes;
  for (unsigned i = firstArgument; i < kernel.getNumArguments(); ++i)
    if (kernel.getArgAttr(i, ir::gridConstantAttrName))
      info.gridConstants.push_back(i - firstArgument);
  auto frame = kernel->getAttrOfType<DictionaryAttr>(ir::frameAttrName);
  info.frameBytesPerThread = numberIn(frame, "thread_bytes");
  info.frameBytesPerBlock = numberIn(frame, "block_bytes");
  if (auto layout = kernel->getAttrOfType<IntegerAttr>(ir::layoutAttrName)) {
    info.layout = layout.getValue().getZExtValue();
    info.stateBytes = numberIn(frame, "state_bytes");
    info.stateSharedBytes = numberIn(frame, "shared_bytes");
  }
  kernel->getParentOfType<ModuleOp>().walk([&](Operation *op) {
    info.readsClock |= isa<ir::ClockOp>(op);
    info.waitsForGrids |= isa<ir::GridDependencyWaitOp>(op);
    info.hasGridBarrier |= isa<ir::GridBarrierOp>(op) && !ir::usesCluster(op);
  });
  return info;
}

LLVM::LLVMFuncOp resumeOf(LLVM::LLVMFuncOp kernel) {
  auto name = kernel->getAttrOfType<FlatSymbolRefAttr>(ir::resumeAttrName);
  if (!name)
    return nullptr;
  return kernel->getParentOfType<ModuleOp>().lookupSymbol<LLVM::LLVMFuncOp>(
      name.getValue());
}

} // namespace het::target
