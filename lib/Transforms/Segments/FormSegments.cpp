// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts kernels at their safe points so that they run on a machine without SIMT hardware
// (docs/spec/hetir.md, Frame).
//
// Before: a kernel is the code of one thread, every sync point behind a safe point
// (`--hetir-insert-safe-points=team-ops`). After: a kernel `@k(%pc, arguments…) ->
// i32` runs one whole block from `pc` (0: the beginning) until it has ended (-1),
// waits at the grid barrier (a pc to go on with) or can not go on (-2: a deadlock);
// `@k.segment.N` run the segments; device functions take their thread's position as
// further arguments. State lives in the frame (Frame.h).
//
// A parkable kernel's blocks also end with -3 where they have parked, and there is a
// second function, `@k.resume`, for blocks whose threads may stand anywhere.

#include "../Analysis/IncomingValue.h"
#include "../SafePoints/InsertJoinPoints.h"
#include "../SafePoints/InsertLoopPoints.h"
#include "../SafePoints/LocalObjects.h"
#include "../SafePoints/StripMineLoops.h"
#include "Segments.h"
#include "het/Transforms/Passes.h"
#include "het/Transforms/WaitingLoops.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Demangle/Demangle.h"

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
  auto bytes = [&](StringRef name, uint64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  SmallVector<NamedAttribute> frame{bytes("block_bytes", layout.bytesPerBlock()),
                                    bytes("thread_bytes", layout.bytesPerThread())};
  if (Attribute hash = kernel->getAttr(ir::layoutAttrName)) {
    frame.push_back(bytes("state_bytes", layout.bytesOfState()));
    run->setAttr(ir::layoutAttrName, hash);
  }
  run->setAttr(ir::frameAttrName, builder.getDictionaryAttr(frame));
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

/// Sync points must be in kernels, and loops that wait for other threads, which go on
/// only where the kernel stops a lane: a function's frame is not kept.
LogicalResult checkFunction(LLVM::LLVMFuncOp function) {
  if (Operation *loop = findWaitingLoop(function))
    return loop->emitError("a loop that waits for other threads in a function that is "
                           "recursive: found it in ")
           << llvm::demangle(function.getName())
           << ", expected it in a kernel or in functions that are not recursive, where "
              "this device lets other threads run; write the recursion as a loop";
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

LogicalResult checkPoints(LLVM::LLVMFuncOp kernel) {
  if (kernel.getBody().front().getOps<ir::SafePointOp>().empty())
    return kernel.emitError("found no safe point at the entry, expected one; run "
                            "--hetir-insert-safe-points first");
  WalkResult result = kernel.walk([](Operation *op) {
    if (!ir::isSyncPoint(op) || isa_and_nonnull<ir::SafePointOp>(op->getPrevNode()))
      return WalkResult::advance();
    op->emitOpError("found no safe point before it, expected one; run "
                    "--hetir-insert-safe-points=team-ops first");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted() || failed(checkSlots(kernel)));
}

/// What goes through safe points as it is.
Value throughSafePoints(Value value) {
  while (auto point = value.getDefiningOp<ir::SafePointOp>())
    value = point.getLive()[cast<OpResult>(value).getResultNumber()];
  return value;
}

/// What a block argument always is; null: it may be several values, or may not be used
/// behind the safe points that it goes through.
Value onlyValueOf(BlockArgument argument) {
  Value only;
  bool isCarried = false;
  Block *block = argument.getOwner();
  for (auto it = block->pred_begin(), e = block->pred_end(); it != e; ++it) {
    Value value = incomingValue(argument, it);
    if (value && value != argument && throughSafePoints(value) == argument) {
      isCarried = true;
      continue;
    }
    if (!value || (value != argument && only && value != only))
      return nullptr;
    if (value != argument)
      only = value;
  }
  if (isCarried && only && !only.getDefiningOp<LLVM::ConstantOp>())
    return nullptr;
  return only;
}

/// Block arguments through which values went that a dropped poll kept: left in a loop
/// whose threads leave it apart, they would be no more the same for all.
void dropIdleArguments(LLVM::LLVMFuncOp kernel) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Block &block : llvm::drop_begin(kernel.getBody()))
      for (BlockArgument argument : block.getArguments())
        if (Value only = argument.use_empty() ? Value() : onlyValueOf(argument)) {
          argument.replaceAllUsesWith(only);
          changed = true;
        }
  }
}

/// Polls of single threads are no points where a block's threads run together.
void dropPerThreadPolls(LLVM::LLVMFuncOp kernel) {
  joinStrips(kernel);
  SmallVector<ir::SafePointOp> polls;
  kernel.walk([&](ir::SafePointOp op) {
    if (op.getReason() == ir::SafePointReason::Poll && !op.getSyncPoint())
      polls.push_back(op);
  });
  for (ir::SafePointOp op : polls) {
    op->replaceAllUsesWith(op->getOperands());
    op->erase();
  }
  dropIdleArguments(kernel);
}

/// At most, of a block's area for what operations exchange.
uint64_t bytesExchanged(LLVM::LLVMFuncOp kernel) {
  constexpr uint64_t largest = 16;
  uint64_t bytes = 0;
  kernel.walk([&](Operation *op) {
    if (ir::isSyncPoint(op))
      bytes += largest * (op->getNumOperands() + op->getNumResults());
  });
  return bytes;
}

/// Adds points that are not of the state: their slots come behind it.
using InsertPoints = SmallVector<Type> (*)(LLVM::LLVMFuncOp, unsigned firstSlot);
void addPoints(LLVM::LLVMFuncOp kernel, FrameLayout &layout, InsertPoints insert) {
  const unsigned first = layout.slotCount();
  for (auto [number, type] : llvm::enumerate(insert(kernel, first)))
    (void)layout.addSlot(("additional" + Twine(first + number)).str(), type);
}

uint64_t frameBytes(LLVM::LLVMFuncOp kernel, StringRef which) {
  auto frame = kernel->getAttrOfType<DictionaryAttr>(ir::frameAttrName);
  return cast<IntegerAttr>(frame.get(which)).getInt();
}

struct FormSegments : het::transforms::impl::FormSegmentsBase<FormSegments> {
  using FormSegmentsBase::FormSegmentsBase;

  LogicalResult formKernel(LLVM::LLVMFuncOp kernel) {
    if (failed(checkPoints(kernel)) || failed(checkLocalObjects(kernel)))
      return failure();
    copyWrittenArguments(kernel);
    if (kernel->hasAttr(ir::layoutAttrName))
      return formParkable(kernel);
    (void)insertJoinPoints(kernel, nextSlot(kernel));
    SegmentedKernel segments(kernel);
    if (!schedule)
      if (auto chained = chainSegments(segments, FrameLayout(kernel)))
        return *chained;
    return scheduleSegments(segments, FrameLayout(kernel));
  }

  /// The scheduled form to go on with parked blocks whose threads stand apart, and to
  /// begin with where there is no chained one. Both have one layout.
  LogicalResult formParkable(LLVM::LLVMFuncOp kernel) {
    ModuleOp module = getOperation();
    std::string name = kernel.getName().str(), resumeName = name + ".resume";
    OpBuilder builder(kernel);
    auto copy = cast<LLVM::LLVMFuncOp>(builder.clone(*kernel));
    copy.setName(resumeName);
    FrameLayout layout(copy);
    addPoints(copy, layout, insertJoinPoints);
    std::optional<FrameLayout> ofChain;
    if (!schedule) {
      ofChain.emplace(prepareChain(kernel));
      if (ofChain->bytesPerThread() > layout.bytesPerThread())
        layout.reserveBlockBytes(ofChain->bytesPerBlock() + bytesExchanged(kernel));
    }
    SegmentedKernel all(copy);
    if (failed(scheduleSegments(all, std::move(layout))))
      return failure();
    auto resume = module.lookupSymbol<LLVM::LLVMFuncOp>(resumeName);
    auto run = ofChain ? chain(kernel, resume, std::move(*ofChain)) : LLVM::LLVMFuncOp();
    if (!run) {
      if (auto left = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
        left.erase();
      resume.setName(name);
      run = resume;
    } else {
      resume->removeAttr(ir::kernelAttrName);
      resume = resumeInEither(run, resume);
    }
    run->setAttr(ir::resumeAttrName, FlatSymbolRefAttr::get(resume.getSymNameAttr()));
    return success();
  }

  /// Makes a kernel what is chained: its threads poll together or not at all, and loops
  /// have points as in code that is not parked. These have slots behind the state.
  FrameLayout prepareChain(LLVM::LLVMFuncOp kernel) {
    FrameLayout layout(kernel);
    dropPerThreadPolls(kernel);
    carryAddresses(kernel);
    addPoints(kernel, layout, insertLoopPoints);
    addPoints(kernel, layout, insertJoinPoints);
    return layout;
  }

  /// The chained form, if there is one that fits into the block's area of `resume`.
  LLVM::LLVMFuncOp chain(LLVM::LLVMFuncOp kernel, LLVM::LLVMFuncOp resume,
                         FrameLayout layout) {
    std::string name = kernel.getName().str();
    layout.reserveBlockBytes(frameBytes(resume, "block_bytes"));
    SegmentedKernel segments(kernel);
    auto chained = chainSegments(segments, std::move(layout));
    if (!chained || failed(*chained))
      return {};
    auto run = getOperation().lookupSymbol<LLVM::LLVMFuncOp>(name);
    if (frameBytes(run, "block_bytes") != frameBytes(resume, "block_bytes"))
      return {};
    if (frameBytes(run, "thread_bytes") < frameBytes(resume, "thread_bytes"))
      run->setAttr(ir::frameAttrName, resume->getAttr(ir::frameAttrName));
    return run;
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
