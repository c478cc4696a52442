// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Services: what a kernel leaves for the host in HetServices, by functions of
// DeviceCode.c; and questions about addresses.

#include "../../Support/Lowering/TargetLowering.h"
#include "ConvertToSPIRV.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cstddef>

using namespace mlir;

namespace het::spirv {
namespace {

class ServiceConverter {
public:
  ServiceConverter(Operation *op, const Context &context)
      : op(op), context(context), builder(op->getLoc(), op) {}

  LogicalResult run();

private:
  Value generic(Value value) { return target::toGeneric(builder, value); }
  void replace(Value value) {
    if (value)
      op->replaceAllUsesWith(ValueRange{value});
    op->erase();
  }
  /// The thread is at its end; EndAtFaults.cpp makes it leave.
  void endThread() {
    callFunction(builder, endThreadName, nullptr, {});
    op->erase();
  }
  Value currentThread();
  void convertAssert(ir::AssertFailOp fail);
  void convertFree(ir::FreeOp release);
  void convertNote(ir::NoteLaneOp note);
  void convertClock(ir::ClockOp clock);
  LogicalResult refuse(const Twine &what) {
    return op->emitError("SPIR-V has no ") << what;
  }

  Operation *op;
  const Context &context;
  ImplicitLocOpBuilder builder;
};

Value ServiceConverter::currentThread() {
  if (!context.isSegmented())
    return linearThread(builder, context);
  Value place = LLVM::GEPOp::create(
      builder, context.block.getType(), builder.getI8Type(), context.block,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offsetof(HetSpirvBlock, currentLane))});
  return LLVM::LoadOp::create(builder, builder.getI32Type(), place);
}

void ServiceConverter::convertAssert(ir::AssertFailOp fail) {
  SmallVector<Value> operands{context.launch, generic(fail.getMessage()),
                              generic(fail.getFile()), fail.getLine(),
                              generic(fail.getFunction()), currentThread()};
  for (ir::Dim dim : {ir::Dim::X, ir::Dim::Y, ir::Dim::Z})
    operands.push_back(blockId(builder, context, dim));
  callFunction(builder, "__het_spirv_assert", nullptr, operands);
  endThread();
}

/// What malloc did not give is a fault.
void ServiceConverter::convertFree(ir::FreeOp release) {
  Value isFreed = target::callFree(builder, release);
  callFunction(builder, "__het_spirv_note_free", nullptr, {context.launch, isFreed});
  op->erase();
}

void ServiceConverter::convertNote(ir::NoteLaneOp note) {
  Value place = LLVM::GEPOp::create(
      builder, context.block.getType(), builder.getI8Type(), context.block,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offsetof(HetSpirvBlock, currentLane))});
  LLVM::StoreOp::create(builder, note.getLane(), place);
  op->erase();
}

/// All clocks count nanoseconds.
void ServiceConverter::convertClock(ir::ClockOp clock) {
  Value time =
      callFunction(builder, "__het_spirv_clock", builder.getI64Type(), context.launch);
  if (clock.getType() != time.getType())
    time = LLVM::TruncOp::create(builder, clock.getType(), time);
  replace(time);
}

LogicalResult ServiceConverter::run() {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ir::PrintfOp print) {
        replace(callFunction(builder, "__het_spirv_printf", builder.getI32Type(),
                             {context.launch, generic(print.getFormat()),
                              generic(print.getArguments())}));
        return success();
      })
      .Case([&](ir::AssertFailOp fail) {
        convertAssert(fail);
        return success();
      })
      .Case([&](ir::TrapOp) {
        callFunction(builder, "__het_spirv_trap", nullptr, context.launch);
        endThread();
        return success();
      })
      .Case([&](ir::NoteLaneOp note) {
        convertNote(note);
        return success();
      })
      .Case([&](ir::MallocOp allocate) {
        Value pointer = globalPointer(builder, target::callMalloc(builder, allocate));
        replace(LLVM::AddrSpaceCastOp::create(builder, allocate.getType(), pointer));
        return success();
      })
      .Case([&](ir::FreeOp release) {
        convertFree(release);
        return success();
      })
      .Case([&](ir::SleepOp) { // a hint
        op->erase();
        return success();
      })
      .Case([&](ir::ClockOp clock) {
        convertClock(clock);
        return success();
      })
      .Default([&](Operation *rest) {
        return refuse("'" + rest->getName().getStringRef() + "' yet");
      });
}

Value isShared(ImplicitLocOpBuilder &builder, const Context &context, Value address) {
  auto field = [&](uint64_t offset) -> Value {
    Value value = loadField(builder, context.launch, offset, builder.getI32Type());
    return LLVM::ZExtOp::create(builder, builder.getI64Type(), value);
  };
  Value size = LLVM::AddOp::create(builder,
                                   field(offsetof(HetSpirvLaunch, dynamicSharedOffset)),
                                   field(offsetof(HetSpirvLaunch, dynamicSharedBytes)));
  Value generic = sharedBase(builder, context);
  if (Type type = pointerTo(builder, ir::genericSpace); generic.getType() != type)
    generic = LLVM::AddrSpaceCastOp::create(builder, type, generic);
  Value base = LLVM::PtrToIntOp::create(builder, builder.getI64Type(), generic);
  return target::isWithin(builder, address, base, size);
}

} // namespace

LogicalResult convertService(Operation *op, const Context &context) {
  return ServiceConverter(op, context).run();
}

/// Generic addresses are numbers that can be compared with those of known objects. Local
/// memory is where nobody knows.
LogicalResult convertIsSpace(ir::IsSpaceOp op, const Context &context) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value address =
      LLVM::PtrToIntOp::create(builder, builder.getI64Type(), op.getPointer());
  Value result;
  switch (op.getSpace()) {
  case ir::Space::Shared:
    result = isShared(builder, context, address);
    break;
  case ir::Space::Constant:
    result = target::isInConstants(
        builder, context.kernel->getParentOfType<ModuleOp>(), address);
    break;
  default:
    return op.emitError("SPIR-V can not tell whether a pointer leads to ")
           << stringifySpace(op.getSpace()) << " memory";
  }
  op.replaceAllUsesWith(result);
  op.erase();
  return success();
}

} // namespace het::spirv
