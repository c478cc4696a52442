// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that mean the same to every target.

#include "BuilderPieces.h"
#include "TargetLowering.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace het::target {

/// Calls a function of the device library.
static Value callLibrary(ImplicitLocOpBuilder &builder, StringRef name, Type result,
                         ValueRange operands) {
  return callFunction(builder, name, result, operands, [](LLVM::LLVMFuncOp callee) {
    callee.setNoUnwind(true);
    callee.setWillReturn(true);
  });
}

void callDeviceLibrary(ir::MathOp op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value result =
      callLibrary(builder, ir::deviceLibraryName(op), op.getType(), op->getOperands());
  op.replaceAllUsesWith(result);
  op->erase();
}

static Value addressOf(ImplicitLocOpBuilder &builder, Value pointer) {
  return LLVM::PtrToIntOp::create(builder, builder.getI64Type(), pointer);
}

Value callMalloc(ImplicitLocOpBuilder &builder, ir::MallocOp op) {
  return callLibrary(builder, "__het_malloc", builder.getI64Type(),
                     {addressOf(builder, op.getHeap()), op.getSize()});
}

Value callFree(ImplicitLocOpBuilder &builder, ir::FreeOp op) {
  return callLibrary(
      builder, "__het_free", builder.getI32Type(),
      {addressOf(builder, op.getHeap()), addressOf(builder, op.getPointer())});
}

PackedParameters packedParameters(LLVM::LLVMFuncOp kernel, unsigned first) {
  DataLayout layout(kernel->getParentOfType<ModuleOp>());
  PackedParameters packed;
  for (unsigned i = first; i < kernel.getNumArguments(); ++i) {
    Type type = kernel.getArgument(i).getType();
    auto byval =
        kernel.getArgAttrOfType<TypeAttr>(i, LLVM::LLVMDialect::getByValAttrName());
    if (byval)
      type = byval.getValue();
    uint64_t alignment = layout.getTypeABIAlignment(type);
    if (auto given = kernel.getArgAttrOfType<IntegerAttr>(
            i, LLVM::LLVMDialect::getAlignAttrName());
        byval && given)
      alignment = given.getInt();
    packed.offsets.push_back(llvm::alignTo(packed.bytes, alignment));
    packed.sizes.push_back(layout.getTypeSize(type));
    packed.bytes = packed.offsets.back() + packed.sizes.back();
  }
  return packed;
}

void noteLanes(ModuleOp module) {
  SmallVector<Operation *> operations;
  module.walk([&](Operation *op) {
    if (isa<ir::AssertFailOp, ir::TrapOp>(op))
      operations.push_back(op);
  });
  for (Operation *op : operations) {
    ImplicitLocOpBuilder builder(op->getLoc(), op);
    Value team = ir::TeamIdOp::create(builder);
    Value width = ir::TeamSizeOp::create(builder);
    Value first = LLVM::MulOp::create(builder, team, width);
    Value lane = ir::LaneIdOp::create(builder);
    ir::NoteLaneOp::create(builder, LLVM::AddOp::create(builder, first, lane));
  }
}

void copyAtOnce(ModuleOp module) {
  module.walk([](Operation *op) {
    if (isa<ir::CopyGroupOp, ir::CopyWaitOp>(op))
      op->erase();
    else
      op->removeAttr(ir::copyAttrName);
  });
}

void dropGridDependencies(ModuleOp module) {
  module.walk([](Operation *op) {
    if (isa<ir::GridDependencyWaitOp, ir::GridDependencyTriggerOp>(op))
      op->erase();
  });
}

void dropSafePoints(ModuleOp module) {
  module.walk([](ir::SafePointOp point) {
    point->replaceAllUsesWith(point.getLive());
    point->erase();
  });
}

Value combine(ImplicitLocOpBuilder &builder, ir::ReduceKind kind, Value a, Value b) {
  switch (kind) {
  case ir::ReduceKind::Add:
    return LLVM::AddOp::create(builder, a, b);
  case ir::ReduceKind::Min:
    return LLVM::SMinOp::create(builder, a, b);
  case ir::ReduceKind::Max:
    return LLVM::SMaxOp::create(builder, a, b);
  case ir::ReduceKind::UMin:
    return LLVM::UMinOp::create(builder, a, b);
  case ir::ReduceKind::UMax:
    return LLVM::UMaxOp::create(builder, a, b);
  case ir::ReduceKind::And:
    return LLVM::AndOp::create(builder, a, b);
  case ir::ReduceKind::Or:
    return LLVM::OrOp::create(builder, a, b);
  case ir::ReduceKind::Xor:
    return LLVM::XOrOp::create(builder, a, b);
  }
  llvm_unreachable("a kind of reduction");
}

} // namespace het::target
