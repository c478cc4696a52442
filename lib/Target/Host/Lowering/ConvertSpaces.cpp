// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetir.is_space on the host, where all memory is of one kind: an address is compared
// with the ranges of the block's shared memory, of the stack and the frame (local), of
// the constants that the kernel's module knows, and of its grid-constant arguments.
// What lies in none of them is global.

#include "../../Support/Lowering/TargetLowering.h"
#include "ConvertToHost.h"
#include "het/IR/Module.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"
#include <cstddef>

using namespace mlir;

namespace het::host {

namespace {

class SpaceConverter {
public:
  SpaceConverter(LLVM::LLVMFuncOp kernel, ir::IsSpaceOp op)
      : kernel(kernel), op(op), builder(op.getLoc(), op),
        block(op->getParentOfType<LLVM::LLVMFuncOp>().getArgument(0)) {
    address = integer(op.getPointer());
  }

  void run() {
    Value result = op.getSpace() == ir::Space::Global ? isGlobal()
                                                      : isIn(op.getSpace());
    op->replaceAllUsesWith(ValueRange{result});
    op->erase();
  }

private:
  Value isIn(ir::Space space);
  Value isGlobal();
  Value isShared();
  Value isLocal();
  Value isConstant();
  Value isGridConstant();

  Value i64(uint64_t value) {
    return LLVM::ConstantOp::create(builder, builder.getI64Type(),
                                    builder.getI64IntegerAttr(value));
  }
  Value integer(Value pointer) {
    return LLVM::PtrToIntOp::create(builder, builder.getI64Type(), pointer);
  }
  Value field(uint64_t offset) {
    return loadField(builder, block, offset, builder.getI64Type());
  }
  Value field32(uint64_t offset) {
    Value value = loadField(builder, block, offset, builder.getI32Type());
    return LLVM::ZExtOp::create(builder, builder.getI64Type(), value);
  }
  Value isWithin(Value base, Value size) {
    return target::isWithin(builder, address, base, size);
  }
  Value either(Value a, Value b) { return LLVM::OrOp::create(builder, a, b); }
  Value never() {
    return LLVM::ConstantOp::create(builder, builder.getI1Type(),
                                    builder.getBoolAttr(false));
  }

  LLVM::LLVMFuncOp kernel;
  ir::IsSpaceOp op;
  ImplicitLocOpBuilder builder;
  Value block, address;
};

Value SpaceConverter::isIn(ir::Space space) {
  switch (space) {
  case ir::Space::Shared:
    return isShared();
  case ir::Space::Constant:
    return isConstant();
  case ir::Space::Local:
    return isLocal();
  case ir::Space::GridConstant:
    return isGridConstant();
  case ir::Space::Global:
    return isGlobal();
  }
  llvm_unreachable("an address space of no kind");
}

Value SpaceConverter::isGlobal() {
  Value other = never();
  for (ir::Space space : {ir::Space::Shared, ir::Space::Constant, ir::Space::Local,
                          ir::Space::GridConstant})
    other = either(other, isIn(space));
  Value one = LLVM::ConstantOp::create(builder, builder.getI1Type(),
                                       builder.getBoolAttr(true));
  return LLVM::XOrOp::create(builder, other, one);
}

Value SpaceConverter::isShared() {
  Value bytes = LLVM::AddOp::create(
      builder, field32(offsetof(HetHostBlock, dynamicSharedOffset)),
      field32(offsetof(HetHostBlock, dynamicSharedBytes)));
  return isWithin(field(offsetof(HetHostBlock, shared)), bytes);
}

/// A thread's live objects lie in the block's frame, or on the stack between its
/// pointer, less what a function may use below it, and where the block was started.
Value SpaceConverter::isLocal() {
  constexpr uint64_t redZone = 128;
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value low = LLVM::SubOp::create(
      builder, integer(LLVM::StackSaveOp::create(builder, pointer)), i64(redZone));
  Value height = LLVM::SubOp::create(
      builder, field(offsetof(HetHostBlock, stackTop)), low);
  auto frame = kernel->getAttrOfType<DictionaryAttr>(ir::frameAttrName);
  uint64_t perBlock = cast<IntegerAttr>(frame.get("block_bytes")).getInt();
  uint64_t perThread = cast<IntegerAttr>(frame.get("thread_bytes")).getInt();
  Value threads = LLVM::AddOp::create(
      builder, field32(offsetof(HetHostBlock, threadCount)), i64(31));
  threads = LLVM::AndOp::create(builder, threads, i64(~uint64_t(31)));
  Value bytes = LLVM::AddOp::create(
      builder, LLVM::MulOp::create(builder, threads, i64(perThread)), i64(perBlock));
  return either(isWithin(low, height),
                isWithin(field(offsetof(HetHostBlock, frame)), bytes));
}

Value SpaceConverter::isConstant() {
  return target::isInConstants(builder, kernel->getParentOfType<ModuleOp>(), address);
}

Value SpaceConverter::isGridConstant() {
  Value result = never();
  Value buffer = field(offsetof(HetHostBlock, arguments));
  const target::PackedParameters packed = target::packedParameters(kernel, firstArgument);
  for (auto [i, begin, size] : llvm::enumerate(packed.offsets, packed.sizes)) {
    if (!kernel.getArgAttr(firstArgument + i, ir::gridConstantAttrName))
      continue;
    Value base = LLVM::AddOp::create(builder, buffer, i64(begin));
    result = either(result, isWithin(base, i64(size)));
  }
  return result;
}

} // namespace

void convertSpaces(ModuleOp module, LLVM::LLVMFuncOp kernel) {
  SmallVector<ir::IsSpaceOp> operations;
  module.walk([&](ir::IsSpaceOp op) { operations.push_back(op); });
  for (ir::IsSpaceOp op : operations)
    SpaceConverter(kernel, op).run();
}

} // namespace het::host
