// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Services: what a kernel leaves for the host by functions of DeviceCode.c; clocks; and
// questions about addresses.

#include "ConvertToTensix.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cstddef>

using namespace mlir;

namespace het::tensix {
namespace {

class ServiceConverter {
public:
  ServiceConverter(Operation *op, Value block)
      : op(op), block(block), builder(op->getLoc(), op) {}

  LogicalResult run();

private:
  Value generic(Value value) { return target::toGeneric(builder, value); }
  void replace(Value value) {
    if (value)
      op->replaceAllUsesWith(ValueRange{value});
    op->erase();
  }
  void convertNote(ir::NoteLaneOp note);
  void convertClock(ir::ClockOp clock);

  Operation *op;
  Value block;
  ImplicitLocOpBuilder builder;
};

void ServiceConverter::convertNote(ir::NoteLaneOp note) {
  Value place = LLVM::GEPOp::create(
      builder, block.getType(), builder.getI8Type(), block,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offsetof(HetTensixBlock, currentLane))});
  LLVM::StoreOp::create(builder, note.getLane(), place);
  op->erase();
}

/// All clocks count the chip's, of about a nanosecond each.
void ServiceConverter::convertClock(ir::ClockOp clock) {
  Value time = callFunction(builder, "het_core_clock", builder.getI64Type(), {});
  if (clock.getType() != time.getType())
    time = LLVM::TruncOp::create(builder, clock.getType(), time);
  replace(time);
}

LogicalResult ServiceConverter::run() {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ir::PrintfOp print) {
        replace(callFunction(builder, "__het_tensix_printf", builder.getI32Type(),
                             {block, generic(print.getFormat()),
                              generic(print.getArguments())}));
        return success();
      })
      .Case([&](ir::AssertFailOp fail) {
        callFunction(builder, "__het_tensix_assert", nullptr,
                     {block, generic(fail.getMessage()), generic(fail.getFile()),
                      fail.getLine(), generic(fail.getFunction())});
        op->erase();
        return success();
      })
      .Case([&](ir::TrapOp) {
        callFunction(builder, "__het_tensix_trapped", nullptr, {block});
        op->erase();
        return success();
      })
      .Case([&](ir::NoteLaneOp note) {
        convertNote(note);
        return success();
      })
      .Case([&](ir::MallocOp allocate) {
        Value pointer = LLVM::IntToPtrOp::create(
            builder, pointerTo(builder, ir::globalSpace),
            target::callMalloc(builder, allocate));
        replace(LLVM::AddrSpaceCastOp::create(builder, allocate.getType(), pointer));
        return success();
      })
      .Case([&](ir::FreeOp release) {
        callFunction(builder, "__het_tensix_note_free", nullptr,
                     {block, target::callFree(builder, release)});
        op->erase();
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
        return LogicalResult(rest->emitError("Tensix cores do not support '")
                             << rest->getName() << "' yet");
      });
}

/// Flat addresses: those of the block's core are where TensixABI.h says; what is of no
/// other kind is global.
class SpaceConverter {
public:
  SpaceConverter(ir::IsSpaceOp op, Value block, LLVM::LLVMFuncOp kernel)
      : op(op), block(block), kernel(kernel), builder(op.getLoc(), op) {
    address = LLVM::PtrToIntOp::create(builder, builder.getI64Type(), op.getPointer());
  }

  void run() {
    op.replaceAllUsesWith(answer());
    op.erase();
  }

private:
  Value answer() {
    switch (op.getSpace()) {
    case ir::Space::Shared:
      return isShared();
    case ir::Space::Local:
      return isLocal();
    case ir::Space::Constant:
      return isConstant();
    case ir::Space::GridConstant:
      return isGridConstant();
    case ir::Space::Global:
      return invert(
          either(either(isShared(), isLocal()), either(isConstant(), isGridConstant())));
    }
    llvm_unreachable("an address space of no kind");
  }
  Value i64(uint64_t value) {
    return LLVM::ConstantOp::create(builder, builder.getI64Type(),
                                    builder.getI64IntegerAttr(value));
  }
  Value field(uint64_t offset) {
    Value value = loadField(builder, block, offset, builder.getI32Type());
    return LLVM::ZExtOp::create(builder, builder.getI64Type(), value);
  }
  Value either(Value a, Value b) { return LLVM::OrOp::create(builder, a, b); }
  Value invert(Value a) {
    Value one = LLVM::ConstantOp::create(builder, builder.getI1Type(),
                                         builder.getBoolAttr(true));
    return LLVM::XOrOp::create(builder, a, one);
  }
  Value isConstant() {
    return target::isInConstants(builder, kernel->getParentOfType<ModuleOp>(), address);
  }
  /// On the stack, or in a frame; behind the block's are those of other blocks.
  Value isLocal() {
    Value frame = field(offsetof(HetTensixBlock, frame));
    Value behind = LLVM::SubOp::create(builder, i64(uint64_t(1) << 32), frame);
    return either(
        target::isWithin(builder, address, i64(HET_TENSIX_LOWEST_DATA),
                         i64(HET_TENSIX_STACK_TOP - HET_TENSIX_LOWEST_DATA)),
        target::isWithin(builder, address, frame, behind));
  }
  Value isShared() {
    return target::isWithin(builder, address, field(offsetof(HetTensixBlock, shared)),
                            field(offsetof(HetTensixBlock, sharedBytes)));
  }
  Value isGridConstant();

  ir::IsSpaceOp op;
  Value block, address;
  LLVM::LLVMFuncOp kernel;
  ImplicitLocOpBuilder builder;
};

/// The packed arguments are one object as far as this goes; variables lie behind them.
Value SpaceConverter::isGridConstant() {
  bool any = false;
  for (unsigned i = firstArgument, e = kernel.getNumArguments(); i < e; ++i)
    any |= bool(kernel.getArgAttr(i, ir::gridConstantAttrName));
  if (!any)
    return LLVM::ConstantOp::create(builder, builder.getI1Type(),
                                    builder.getBoolAttr(false));
  Value begin = field(offsetof(HetTensixBlock, arguments));
  Value end = field(offsetof(HetTensixBlock, variables));
  return target::isWithin(builder, address, begin,
                          LLVM::SubOp::create(builder, end, begin));
}

} // namespace

LogicalResult convertService(Operation *op, Value block) {
  return ServiceConverter(op, block).run();
}

void convertSpace(ir::IsSpaceOp op, Value block, LLVM::LLVMFuncOp kernel) {
  SpaceConverter(op, block, kernel).run();
}

} // namespace het::tensix
