// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's part of the conversion: services are calls through the block's
// HetHostServices, and there is one address space, so whether an address is in one of
// hetIR's is told by comparing it with the ranges that are known.

#include "ConvertToHost.h"
#include "../../Support/Lowering/BlockArguments.h"
#include "../../Support/Lowering/BlockConverter.h"
#include "../../Support/Lowering/SpaceMerging.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "../HostABI.h"
#include <cstddef>

using namespace mlir;

namespace het::host {
namespace {

constexpr target::BlockABI blockABI = target::blockRecordABI<HetHostBlock>(
    target::AddressForm::Pointer, target::AddressForm::Pointer, ir::genericSpace,
    {0, offsetof(HetHostBlock, dynamicSharedBytes)});

class Converter : public target::BlockConverter {
public:
  using BlockConverter::BlockConverter;

protected:
  StringRef targetName() override { return "the host"; }
  Value parking() override;
  Value pollInterval() override {
    return load({0, offsetof(HetHostBlock, pollInterval)}, builder.getI32Type());
  }
  Value callService(target::Service service, Type result,
                    ArrayRef<Value> operands) override;
  void release(ir::FreeOp op) override;
  void sleep(Value nanoseconds) override {
    callPointer(offsetof(HetHostServices, sleep), nullptr, {nanoseconds});
  }
  Value clock(ir::ClockKind kind) override {
    Value number = target::constantI32(builder, static_cast<uint32_t>(kind));
    return callPointer(offsetof(HetHostServices, clock), builder.getI64Type(), {number});
  }
  Value isLocal(Value pointer) override;
  Value isGridConstant(Value pointer) override;

private:
  Value callPointer(uint64_t offset, Type result, ArrayRef<Value> arguments);
  Value i64(uint64_t value) { return target::constantI64(builder, value); }
  Value number(uint64_t offset) { return load({0, offset}, builder.getI64Type()); }
};

Value Converter::parking() {
  Value flag = loadAddress({0, offsetof(HetHostBlock, parking)}, ir::genericSpace);
  auto load = LLVM::LoadOp::create(builder, builder.getI32Type(), flag);
  load.setOrdering(LLVM::AtomicOrdering::monotonic);
  load.setAlignment(4);
  return load;
}

/// Calls the service whose pointer lies at `offset` of the services.
Value Converter::callPointer(uint64_t offset, Type result, ArrayRef<Value> arguments) {
  Type pointer = target::pointerTo(builder, ir::genericSpace);
  Value services = loadAddress({0, offsetof(HetHostBlock, services)}, ir::genericSpace);
  SmallVector<Value> operands{target::loadField(builder, services, offset, pointer)};
  llvm::append_range(operands, arguments);
  SmallVector<Type> types;
  for (Value argument : arguments)
    types.push_back(argument.getType());
  Type returned = result ? result : LLVM::LLVMVoidType::get(builder.getContext());
  auto type = LLVM::LLVMFunctionType::get(returned, types);
  auto made = LLVM::CallOp::create(builder, type, operands);
  return result ? made.getResult() : Value();
}

Value Converter::callService(target::Service service, Type result,
                             ArrayRef<Value> operands) {
  SmallVector<Value> all{records[0]};
  llvm::append_range(all, operands);
  switch (service) {
  case target::Service::Printf:
    return callPointer(offsetof(HetHostServices, printf), result, all);
  case target::Service::Assert:
    return callPointer(offsetof(HetHostServices, assertFail), result, all);
  case target::Service::Trap:
    return callPointer(offsetof(HetHostServices, trap), result, all);
  case target::Service::NoteFree:
    return callPointer(offsetof(HetHostServices, noteFree), result, all);
  case target::Service::Clock: // see `clock`
    break;
  }
  llvm_unreachable("a service of no kind");
}

void Converter::release(ir::FreeOp op) {
  Value isFreed = target::callFree(builder, op);
  callService(target::Service::NoteFree, nullptr, {generic(op.getPointer()), isFreed});
}

/// A thread's live objects lie in the block's frame, or on the stack between its
/// pointer, less what a function may use below it, and where the block was started.
Value Converter::isLocal(Value pointer) {
  constexpr uint64_t redZone = 128;
  Value address = integer(pointer);
  Value stack =
      LLVM::StackSaveOp::create(builder, target::pointerTo(builder, ir::genericSpace));
  Value low = LLVM::SubOp::create(builder, integer(stack), i64(redZone));
  Value height =
      LLVM::SubOp::create(builder, number(offsetof(HetHostBlock, stackTop)), low);
  Value threads = LLVM::AddOp::create(
      builder, loadWide({0, offsetof(HetHostBlock, threadCount)}), i64(31));
  threads = LLVM::AndOp::create(builder, threads, i64(~uint64_t(31)));
  Value bytes = LLVM::AddOp::create(
      builder, LLVM::MulOp::create(builder, threads, i64(info.frameBytesPerThread)),
      i64(info.frameBytesPerBlock));
  return LLVM::OrOp::create(
      builder, target::isWithin(builder, address, low, height),
      target::isWithin(builder, address, number(offsetof(HetHostBlock, frame)), bytes));
}

Value Converter::isGridConstant(Value pointer) {
  Value result = target::constantI1(builder, false), address = integer(pointer);
  Value packed = number(offsetof(HetHostBlock, arguments));
  for (unsigned index : info.gridConstants) {
    Value base = LLVM::AddOp::create(builder, packed, i64(info.argumentOffsets[index]));
    Value isThere =
        target::isWithin(builder, address, base, i64(info.argumentSizes[index]));
    result = LLVM::OrOp::create(builder, result, isThere);
  }
  return result;
}

} // namespace

FailureOr<target::KernelInfo> convertToHost(LLVM::LLVMFuncOp kernel) {
  auto module = kernel->getParentOfType<ModuleOp>();
  auto info = target::convertBlocks<Converter>(kernel, blockABI,
                                               {entryName, resumeName, /*always=*/true});
  if (succeeded(info))
    target::mergeSpaces(module, [](unsigned) { return unsigned(ir::genericSpace); });
  return info;
}

} // namespace het::host
