// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Services: the functions that NVIDIA's driver provides to every kernel (CUDA C++
// Programming Guide; PTX Writer's Guide to Interoperability, "System Calls") and clocks.
// What the driver's heap holds can not move, so parkable code has the runtime's.

#include "ConvertToPTX.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace het::ptx {
namespace {

class ServiceConverter {
public:
  ServiceConverter(Operation *op, Heap heap)
      : op(op), heap(heap), builder(op->getLoc(), op),
        pointer(LLVM::LLVMPointerType::get(op->getContext())) {}

  LogicalResult run();

private:
  Value generic(Value value) {
    return value.getType() == pointer
               ? value
               : Value(LLVM::AddrSpaceCastOp::create(builder, pointer, value));
  }
  void call(StringRef name, Type result, ArrayRef<Value> operands);
  void convertClock(ir::ClockOp clock);
  void convertMalloc(ir::MallocOp allocate);
  void convertFree(ir::FreeOp release);

  Operation *op;
  Heap heap;
  ImplicitLocOpBuilder builder;
  Type pointer;
};

/// Replaces the operation by a call of one of the driver's functions.
void ServiceConverter::call(StringRef name, Type result, ArrayRef<Value> operands) {
  auto module = op->getParentOfType<ModuleOp>();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    SmallVector<Type> types(ValueRange(operands).getTypes());
    Type returned = result ? result : LLVM::LLVMVoidType::get(op->getContext());
    function = LLVM::LLVMFuncOp::create(
        builder, name, LLVM::LLVMFunctionType::get(returned, types));
  }
  auto made = LLVM::CallOp::create(builder, function, operands);
  op->replaceAllUsesWith(made.getResults());
  op->erase();
}

void ServiceConverter::convertClock(ir::ClockOp clock) {
  StringRef name = clock.getKind() == ir::ClockKind::Cycles32   ? "clock"
                   : clock.getKind() == ir::ClockKind::Cycles64 ? "clock64"
                                                                : "globaltimer";
  op->replaceAllUsesWith(
      ValueRange{callIntrinsic(builder, ("llvm.nvvm.read.ptx.sreg." + name).str(),
                               clock.getType(), {})});
  op->erase();
}

void ServiceConverter::convertMalloc(ir::MallocOp allocate) {
  if (heap == Heap::Drivers)
    return call("malloc", pointer, allocate.getSize());
  Value address = target::callMalloc(builder, allocate);
  op->replaceAllUsesWith(ValueRange{LLVM::IntToPtrOp::create(builder, pointer, address)});
  op->erase();
}

/// What malloc did not give is a trap.
void ServiceConverter::convertFree(ir::FreeOp release) {
  if (heap == Heap::Drivers)
    return call("free", {}, release.getPointer());
  Value isFreed = target::callFree(builder, release);
  Value isWrong = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, isFreed,
                                       constantI32(builder, 0));
  Block *before = op->getBlock(), *rest = before->splitBlock(op);
  Block *wrong = builder.createBlock(rest);
  callIntrinsic(builder, "llvm.trap", {}, {});
  LLVM::BrOp::create(builder, ValueRange(), rest);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, isWrong, wrong, rest);
  op->erase();
}

LogicalResult ServiceConverter::run() {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ir::PrintfOp print) {
        call("vprintf", builder.getI32Type(),
             {generic(print.getFormat()), generic(print.getArguments())});
        return success();
      })
      .Case([&](ir::AssertFailOp fail) {
        Value charBytes = LLVM::ConstantOp::create(builder, builder.getI64Type(),
                                                   builder.getI64IntegerAttr(1));
        call("__assertfail", {},
             {generic(fail.getMessage()), generic(fail.getFile()), fail.getLine(),
              generic(fail.getFunction()), charBytes});
        return success();
      })
      .Case([&](ir::TrapOp) {
        callIntrinsic(builder, "llvm.trap", {}, {});
        op->erase();
        return success();
      })
      .Case([&](ir::MallocOp allocate) {
        convertMalloc(allocate);
        return success();
      })
      .Case([&](ir::FreeOp release) {
        convertFree(release);
        return success();
      })
      .Case([&](ir::ClockOp clock) {
        convertClock(clock);
        return success();
      })
      .Case([&](ir::SleepOp sleep) {
        callIntrinsic(builder, "llvm.nvvm.nanosleep", {}, sleep.getNanoseconds());
        op->erase();
        return success();
      })
      .Default([](Operation *rest) {
        return LogicalResult(rest->emitError("PTX has no '") << rest->getName() << "'");
      });
}

} // namespace

LogicalResult convertService(Operation *op, Heap heap) {
  return ServiceConverter(op, heap).run();
}

} // namespace het::ptx
