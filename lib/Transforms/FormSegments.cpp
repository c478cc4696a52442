// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts kernels at their safe points so that they run on a machine without SIMT
// hardware (design, "How a block runs without SIMT hardware").
//
// Before: a kernel is the code of one thread, every sync point behind a safe point
// (`--hetir-insert-safe-points=team-ops`). After: a kernel `@k(%pc, arguments…) ->
// i32` runs one whole block from `pc` (0: the beginning) until it has ended (-1),
// waits at the grid barrier (a pc to go on with) or can not go on (-2: a deadlock);
// `@k.segment.N` run the segments; device functions take their thread's position as
// further arguments. State lives in the frame (Frame.h).

#include "LocalObjects.h"
#include "Segments.h"
#include "het/Transforms/Passes.h"
#include "mlir/Pass/Pass.h"

namespace het::transforms {
#define GEN_PASS_DEF_FORMSEGMENTS
#include "het/Transforms/Passes.h.inc"
} // namespace het::transforms

using namespace mlir;
using namespace het;
using namespace het::transforms;

namespace het::transforms {

void finishKernel(SegmentedKernel &segments, LLVM::LLVMFuncOp run,
                  const FrameLayout &layout) {
  LLVM::LLVMFuncOp kernel = segments.kernel;
  Builder builder(kernel.getContext());
  if (ArrayAttr attributes = kernel.getArgAttrsAttr()) {
    SmallVector<Attribute> shifted{builder.getDictionaryAttr({})};
    llvm::append_range(shifted, attributes);
    run.setArgAttrsAttr(builder.getArrayAttr(shifted));
  }
  run->setAttr(ir::kernelAttrName, builder.getUnitAttr());
  run->setAttr(ir::frameAttrName,
               builder.getDictionaryAttr(
                   {builder.getNamedAttr(
                        "block_bytes",
                        builder.getI64IntegerAttr(layout.bytesPerBlock())),
                    builder.getNamedAttr(
                        "thread_bytes",
                        builder.getI64IntegerAttr(layout.bytesPerThread()))}));
  std::string name = kernel.getName().str();
  kernel.erase();
  run.setName(name);
}

} // namespace het::transforms

namespace {

/// The thread's position as arguments: lane in the block, x, y, z.
SmallVector<Value> positionArguments(ImplicitLocOpBuilder &builder) {
  Value team = ir::TeamIdOp::create(builder);
  Value lane = ir::LaneIdOp::create(builder);
  Value first = LLVM::MulOp::create(builder, team, constant32(builder, 32));
  SmallVector<Value> values{LLVM::AddOp::create(builder, first, lane)};
  for (ir::Dim dim : {ir::Dim::X, ir::Dim::Y, ir::Dim::Z})
    values.push_back(ir::ThreadIdOp::create(builder, dim));
  return values;
}

/// Calls pass the thread's position along.
void extendCalls(ModuleOp module) {
  SmallVector<LLVM::CallOp> calls;
  module.walk([&](LLVM::CallOp call) {
    FlatSymbolRefAttr callee = call.getCalleeAttr();
    auto function =
        callee ? module.lookupSymbol<LLVM::LLVMFuncOp>(callee.getAttr()) : nullptr;
    if (!callee || (function && !function.isExternal()))
      calls.push_back(call);
  });
  for (LLVM::CallOp call : calls) {
    ImplicitLocOpBuilder builder(call.getLoc(), call);
    call.getCalleeOperandsMutable().append(positionArguments(builder));
    if (ArrayAttr attributes = call.getArgAttrsAttr()) {
      SmallVector<Attribute> extended(attributes.begin(), attributes.end());
      extended.append(4, builder.getDictionaryAttr({}));
      call.setArgAttrsAttr(builder.getArrayAttr(extended));
    }
  }
}

/// Device functions take their thread's position.
void extendFunction(LLVM::LLVMFuncOp function) {
  ImplicitLocOpBuilder builder(function.getLoc(), function.getContext());
  Type i32 = builder.getI32Type();
  Block &entry = function.getBody().front();
  auto type = function.getFunctionType();
  SmallVector<Type> types(type.getParams());
  types.append(4, i32);
  SmallVector<Value> position;
  for (unsigned i = 0; i < 4; ++i)
    position.push_back(entry.addArgument(i32, function.getLoc()));
  function.setFunctionType(
      LLVM::LLVMFunctionType::get(type.getReturnType(), types, type.isVarArg()));
  if (ArrayAttr attributes = function.getArgAttrsAttr()) {
    SmallVector<Attribute> extended(attributes.begin(), attributes.end());
    extended.append(4, builder.getDictionaryAttr({}));
    function.setArgAttrsAttr(builder.getArrayAttr(extended));
  }
  builder.setInsertionPointToStart(&entry);
  LaneContext context{};
  context.lane = LLVM::ZExtOp::create(builder, builder.getI64Type(), position[0]);
  for (unsigned dim = 0; dim < 3; ++dim)
    context.position[dim] = position[dim + 1];
  SmallVector<Block *> blocks;
  for (Block &block : function.getBody())
    blocks.push_back(&block);
  replacePositions(blocks, context);
}

/// Sync points must be in kernels: a function's frame is not kept.
LogicalResult checkFunction(LLVM::LLVMFuncOp function) {
  WalkResult result = function.walk([&](Operation *op) {
    if (!ir::isSyncPoint(op))
      return WalkResult::advance();
    op->emitError("a barrier or team operation in a function that is not inlined "
                  "is not supported yet: ")
        << function.getName();
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult checkAllocas(LLVM::LLVMFuncOp kernel) {
  WalkResult result = kernel.walk([&](LLVM::AllocaOp op) {
    if (op->getBlock()->isEntryBlock())
      return WalkResult::advance();
    op.emitError("a local object of variable size is not supported yet");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

struct FormSegments : het::transforms::impl::FormSegmentsBase<FormSegments> {
  using FormSegmentsBase::FormSegmentsBase;

  LogicalResult formKernel(LLVM::LLVMFuncOp kernel) {
    if (failed(checkAllocas(kernel)))
      return failure();
    copyWrittenArguments(kernel);
    SegmentedKernel segments(kernel);
    if (!schedule)
      if (std::optional<LogicalResult> chained = chainSegments(segments))
        return *chained;
    return scheduleSegments(segments);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<LLVM::LLVMFuncOp> kernels, functions;
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal())
        (ir::isKernel(function) ? kernels : functions).push_back(function);
    extendCalls(module);
    for (LLVM::LLVMFuncOp function : functions) {
      if (failed(checkFunction(function)))
        return signalPassFailure();
      extendFunction(function);
    }
    for (LLVM::LLVMFuncOp kernel : kernels)
      if (failed(formKernel(kernel)))
        return signalPassFailure();
  }
};

} // namespace
