// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetIR operations that the host's process carries out: output, assertions, the
// heap, clocks. They become calls through the block's HetHostServices.

#include "ConvertToHost.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "het/IR/Module.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cstddef>

using namespace mlir;

namespace het::host {
namespace {

class ServiceConverter {
public:
  ServiceConverter(Operation *op, Value block)
      : op(op), block(block), builder(op->getLoc(), op) {}

  LogicalResult run();

private:
  Value call(uint64_t offset, Type result, ArrayRef<Value> arguments);
  void replace(Value value) {
    if (value)
      op->replaceAllUsesWith(ValueRange{value});
    op->erase();
  }
  void convertClock(ir::ClockOp clock);
  Value flat(Value value);
  Type pointer() { return LLVM::LLVMPointerType::get(op->getContext()); }

  Operation *op;
  Value block;
  ImplicitLocOpBuilder builder;
};

/// Calls the service whose pointer lies at `offset` of the services.
Value ServiceConverter::call(uint64_t offset, Type result,
                             ArrayRef<Value> arguments) {
  Value services =
      loadField(builder, block, offsetof(HetHostBlock, services), pointer());
  SmallVector<Value> operands{loadField(builder, services, offset, pointer())};
  llvm::append_range(operands, arguments);
  SmallVector<Type> types;
  for (Value argument : arguments)
    types.push_back(argument.getType());
  Type returned = result ? result : LLVM::LLVMVoidType::get(op->getContext());
  auto type = LLVM::LLVMFunctionType::get(returned, types);
  auto made = LLVM::CallOp::create(builder, type, operands);
  return result ? made.getResult() : Value();
}

Value ServiceConverter::flat(Value value) {
  auto type = dyn_cast<LLVM::LLVMPointerType>(value.getType());
  return type && type.getAddressSpace()
             ? LLVM::AddrSpaceCastOp::create(builder, pointer(), value)
             : value;
}

void ServiceConverter::convertClock(ir::ClockOp clock) {
  Value kind = LLVM::ConstantOp::create(
      builder, builder.getI32Type(),
      builder.getI32IntegerAttr(static_cast<int>(clock.getKind())));
  Value ticks = call(offsetof(HetHostServices, clock), builder.getI64Type(), {kind});
  if (clock.getType() != ticks.getType())
    ticks = LLVM::TruncOp::create(builder, clock.getType(), ticks);
  replace(ticks);
}

LogicalResult ServiceConverter::run() {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ir::PrintfOp print) {
        replace(call(offsetof(HetHostServices, printf), builder.getI32Type(),
                     {block, flat(print.getFormat()), flat(print.getArguments())}));
        return success();
      })
      .Case([&](ir::AssertFailOp fail) {
        replace(call(offsetof(HetHostServices, assertFail), nullptr,
                     {block, flat(fail.getMessage()), flat(fail.getFile()),
                      fail.getLine(), flat(fail.getFunction())}));
        return success();
      })
      .Case([&](ir::NoteLaneOp note) {
        Value address = LLVM::GEPOp::create(
            builder, pointer(), builder.getI8Type(), block,
            ArrayRef<LLVM::GEPArg>{
                static_cast<int32_t>(offsetof(HetHostBlock, currentLane))});
        LLVM::StoreOp::create(builder, note.getLane(), address);
        op->erase();
        return success();
      })
      .Case([&](ir::TrapOp) {
        replace(call(offsetof(HetHostServices, trap), nullptr, {block}));
        return success();
      })
      .Case([&](ir::MallocOp allocate) {
        replace(LLVM::IntToPtrOp::create(builder, pointer(),
                                         target::callMalloc(builder, allocate)));
        return success();
      })
      .Case([&](ir::FreeOp release) {
        Value isFreed = target::callFree(builder, release);
        replace(call(offsetof(HetHostServices, noteFree), nullptr,
                     {block, flat(release.getPointer()), isFreed}));
        return success();
      })
      .Case([&](ir::SleepOp sleep) {
        replace(call(offsetof(HetHostServices, sleep), nullptr,
                     {sleep.getNanoseconds()}));
        return success();
      })
      .Case([&](ir::ClockOp clock) {
        convertClock(clock);
        return success();
      })
      .Default([](Operation *rest) {
        if (rest->getName().getDialectNamespace() !=
            ir::HetIRDialect::getDialectNamespace())
          return success();
        return LogicalResult(rest->emitError("the host does not support '")
                             << rest->getName() << "' yet");
      });
}

} // namespace

LogicalResult convertServices(LLVM::LLVMFuncOp function, Value block) {
  SmallVector<Operation *> operations;
  function.walk([&](Operation *op) { operations.push_back(op); });
  for (Operation *op : operations)
    if (failed(ServiceConverter(op, block).run()))
      return failure();
  return success();
}

void convertMath(LLVM::LLVMFuncOp function) {
  SmallVector<ir::MathOp> operations;
  function.walk([&](ir::MathOp op) { operations.push_back(op); });
  for (ir::MathOp op : operations)
    target::callDeviceLibrary(op);
}

} // namespace het::host
