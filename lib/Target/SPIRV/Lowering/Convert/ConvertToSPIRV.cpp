// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPIR-V's part of the conversion: positions and barriers of work-items, memory barriers
// by its specification, and services by functions of DeviceCode.c.

#include "ConvertToSPIRV.h"
#include "../../../Support/Lowering/SpaceMerging.h"
#include "../../../Support/Lowering/TargetLowering.h"
#include <cstddef>

using namespace mlir;

namespace het::spirv {

/// Records: the launch, and the block where it is segmented.
constexpr target::BlockABI blockABI = {
    .addresses = target::AddressForm::Bits64,
    .packedAddresses = target::AddressForm::Bits64,
    .space = ir::globalSpace,
    .blockId = {1, offsetof(HetSpirvBlock, blockId)},
    .blockDim = {0, offsetof(HetSpirvLaunch, blockDim)},
    .gridDim = {0, offsetof(HetSpirvLaunch, gridDim)},
    .arguments = {0, offsetof(HetSpirvLaunch, arguments)},
    .variables = {0, offsetof(HetSpirvLaunch, variables)},
    .shared = {1, offsetof(HetSpirvBlock, shared)},
    .frame = {1, offsetof(HetSpirvBlock, frame)},
    .dynamicSharedOffset = {0, offsetof(HetSpirvLaunch, dynamicSharedOffset)},
    .dynamicSharedBytes = {0, offsetof(HetSpirvLaunch, dynamicSharedBytes)},
    .cooperative = {0, offsetof(HetSpirvLaunch, cooperative)},
    .currentLane = {1, offsetof(HetSpirvBlock, currentLane)},
    .clusterDim = {0, offsetof(HetSpirvLaunch, clusterDim)},
    .clusterGiven = {0, offsetof(HetSpirvLaunch, clusterGiven)},
    .clusterShared = {1, offsetof(HetSpirvBlock, clusterShared)},
    .clusterStride = {0, offsetof(HetSpirvLaunch, clusterStride)}};

namespace {

/// Scopes and memory semantics (SPIR-V specification, 3.27 and 3.25).
enum : uint32_t {
  scopeCrossDevice = 0,
  scopeDevice = 1,
  scopeWorkgroup = 2,
  scopeInvocation = 4,
  semanticsOfAllMemory = 0x10 | 0x100 | 0x200, // sequentially consistent
};

class Converter : public target::BlockConverter {
public:
  Converter(LLVM::LLVMFuncOp function, const target::KernelObjects &objects,
            const target::KernelInfo &info, Form form, unsigned lanes)
      : BlockConverter(function, /*recordCount=*/2, blockABI, objects, info),
        context{form, records[0], records[1], lanes} {}

protected:
  StringRef targetName() override { return "SPIR-V"; }
  Value position(target::Position which, ir::Dim dim) override;
  Value laneId() override {
    return LLVM::AndOp::create(builder, linearThread(builder, context),
                               constantI32(builder, ir::teamSize - 1));
  }
  Value teamId() override {
    return LLVM::LShrOp::create(builder, linearThread(builder, context),
                                constantI32(builder, 5));
  }
  Value sharedBase() override {
    return context.isSegmented() ? BlockConverter::sharedBase() : context.block;
  }
  Value parking() override;
  Value pollInterval() override {
    return load({0, offsetof(HetSpirvLaunch, pollInterval)}, builder.getI32Type());
  }
  void fence(ir::FenceScope scope) override;
  StringRef accessScope(StringRef scope) override;
  LogicalResult convertBarrier() override;
  LogicalResult convertTeamOperation() override {
    return spirv::convertTeamOperation(op, context);
  }
  StringRef servicePrefix() override { return "__het_spirv_"; }
  void declared(LLVM::LLVMFuncOp callee) override { spirv::declared(callee); }
  void appendPosition(SmallVectorImpl<Value> &operands) override;
  Value isLocal(Value pointer) override;
  Value isGridConstant(Value pointer) override;
  /// EndAtFaults.cpp makes it leave.
  void endThread() override { callFunction(builder, endThreadName, nullptr, {}); }

private:
  Value threadId(ir::Dim dim);
  void emitBarrier();
  void convertBarrierReduce(ir::BarrierReduceOp barrier);
  Value frameBytes();

  const Context context;
};

/// The thread's position: in a flat group, a part of the linear index.
Value Converter::threadId(ir::Dim dim) {
  if (context.form == Form::Native)
    return readPosition(builder, "get_local_id", dim);
  auto size = [&](ir::Dim of) {
    return BlockConverter::position(target::Position::BlockSize, of);
  };
  Value index = readPosition(builder, "get_local_id", ir::Dim::X);
  Value width = size(ir::Dim::X);
  if (dim == ir::Dim::X)
    return LLVM::URemOp::create(builder, index, width);
  Value row = LLVM::UDivOp::create(builder, index, width);
  Value height = size(ir::Dim::Y);
  if (dim == ir::Dim::Y)
    return LLVM::URemOp::create(builder, row, height);
  return LLVM::UDivOp::create(builder, row, height);
}

Value Converter::position(target::Position which, ir::Dim dim) {
  if (which == target::Position::Thread)
    return threadId(dim);
  if (which == target::Position::Block && !context.isSegmented())
    return readPosition(builder, "get_group_id", dim);
  return BlockConverter::position(which, dim);
}

Value Converter::parking() {
  Value flag = loadAddress({0, offsetof(HetSpirvLaunch, parking)}, ir::globalSpace);
  auto load = LLVM::LoadOp::create(builder, builder.getI32Type(), flag);
  load.setVolatile_(true);
  return load;
}

/// Barriers of a native kernel are reached by all threads of the block together
/// (ChooseForm.cpp).
void Converter::emitBarrier() {
  callFunction(builder, "_Z22__spirv_ControlBarrierjjj", nullptr,
               {constantI32(builder, scopeWorkgroup),
                constantI32(builder, scopeWorkgroup),
                constantI32(builder, semanticsOfAllMemory)});
}

/// By a word of the block's memory. Intel's work_group_any and its like give, for CPUs,
/// results that depend on nothing known where a group is not a multiple of its vectors.
void Converter::convertBarrierReduce(ir::BarrierReduceOp barrier) {
  Value offset = loadWide({0, offsetof(HetSpirvLaunch, scratchOffset)});
  Value word = target::addressAt(builder, sharedBase(), offset);
  Value zero = constantI32(builder, 0);
  Value predicate = barrier.getPredicate();
  bool isAnd = barrier.getKind() == ir::BarrierReduceKind::And;
  if (isAnd) // those that are false are counted
    predicate =
        LLVM::XOrOp::create(builder, predicate, target::constantI1(builder, true));
  emitBarrier(); // of the word's last use
  LLVM::StoreOp::create(builder, zero, word);
  emitBarrier();
  LLVM::AtomicRMWOp::create(
      builder, LLVM::AtomicBinOp::add, word,
      LLVM::ZExtOp::create(builder, builder.getI32Type(), predicate),
      LLVM::AtomicOrdering::monotonic, "workgroup");
  emitBarrier();
  Value result = LLVM::LoadOp::create(builder, builder.getI32Type(), word);
  if (barrier.getKind() != ir::BarrierReduceKind::Count) {
    auto test = isAnd ? LLVM::ICmpPredicate::eq : LLVM::ICmpPredicate::ne;
    result = LLVM::ZExtOp::create(builder, builder.getI32Type(),
                                  LLVM::ICmpOp::create(builder, test, result, zero));
  }
  barrier.replaceAllUsesWith(result);
  barrier.erase();
}

LogicalResult Converter::convertBarrier() {
  if (auto reduce = dyn_cast<ir::BarrierReduceOp>(op)) {
    convertBarrierReduce(reduce);
    return success();
  }
  if (!isa<ir::BarrierOp>(op))
    return refuse();
  emitBarrier();
  op->erase();
  return success();
}

/// A block's threads are one work-item where it is segmented.
void Converter::fence(ir::FenceScope scope) {
  uint32_t number = scope == ir::FenceScope::System   ? scopeCrossDevice
                    : scope == ir::FenceScope::Device ? scopeDevice
                    : context.isSegmented()           ? scopeInvocation
                                                      : scopeWorkgroup;
  callFunction(
      builder, "_Z21__spirv_MemoryBarrierjj", nullptr,
      {constantI32(builder, number), constantI32(builder, semanticsOfAllMemory)});
}

/// By LLVM's names for SPIR-V. The work-item of a segmented block stands for its threads.
StringRef Converter::accessScope(StringRef scope) {
  if (scope == "team" || scope == "block")
    return context.isSegmented() ? "singlethread" : "workgroup";
  return scope;
}

/// The thread's linear index, and its block's.
void Converter::appendPosition(SmallVectorImpl<Value> &operands) {
  if (context.isSegmented())
    operands.push_back(LLVM::LoadOp::create(
        builder, builder.getI32Type(),
        target::addressAt(builder, context.block, abi.currentLane.offset)));
  else
    operands.push_back(linearThread(builder, context));
  for (ir::Dim dim : {ir::Dim::X, ir::Dim::Y, ir::Dim::Z})
    operands.push_back(position(target::Position::Block, dim));
}

/// The size of a segmented block's frame; its threads are padded to a multiple of 32.
Value Converter::frameBytes() {
  Value threads = constantI64(builder, 1);
  for (ir::Dim dim : {ir::Dim::X, ir::Dim::Y, ir::Dim::Z}) {
    Value size = BlockConverter::position(target::Position::BlockSize, dim);
    Value wide = LLVM::ZExtOp::create(builder, builder.getI64Type(), size);
    threads = LLVM::MulOp::create(builder, threads, wide);
  }
  threads = LLVM::AndOp::create(
      builder,
      LLVM::AddOp::create(builder, threads, constantI64(builder, ir::teamSize - 1)),
      constantI64(builder, ~uint64_t(ir::teamSize - 1)));
  return LLVM::AddOp::create(
      builder,
      LLVM::MulOp::create(builder, threads,
                          constantI64(builder, info.frameBytesPerThread)),
      constantI64(builder, info.frameBytesPerBlock));
}

/// One of the work-item's objects; where that is a block, also one in its frame.
Value Converter::isLocal(Value pointer) {
  Value isOwn =
      callFunction(builder, isOwnObjectName, builder.getI1Type(), generic(pointer));
  if (!context.isSegmented())
    return isOwn;
  Value frame = integer(loadAddress(abi.frame, abi.space));
  return LLVM::OrOp::create(
      builder, isOwn, target::isWithin(builder, integer(pointer), frame, frameBytes()));
}

Value Converter::isGridConstant(Value pointer) {
  Value any = target::constantI1(builder, false), address = integer(pointer);
  Value packed = integer(loadAddress(abi.arguments, abi.space));
  for (unsigned index : info.gridConstants) {
    Value base = LLVM::AddOp::create(builder, packed,
                                     constantI64(builder, info.argumentOffsets[index]));
    Value isThere = target::isWithin(builder, address, base,
                                     constantI64(builder, info.argumentSizes[index]));
    any = LLVM::OrOp::create(builder, any, isThere);
  }
  return any;
}

} // namespace

FailureOr<target::KernelInfo> convertToSPIRV(LLVM::LLVMFuncOp kernel, Form form,
                                             unsigned lanes) {
  auto module = kernel->getParentOfType<ModuleOp>();
  const bool isSegmented = form == Form::Segmented;
  const target::KernelObjects objects(module);
  // A segmented kernel's pc comes before its own arguments.
  target::KernelInfo info = target::describeKernel(kernel, objects, isSegmented);
  if (!isSegmented) {
    target::dropSafePoints(module);
    copyArguments(kernel);
  }
  auto pointer = [&](unsigned space) -> Type {
    return LLVM::LLVMPointerType::get(module.getContext(), space);
  };
  Type records[] = {pointer(ir::globalSpace),
                    pointer(isSegmented ? ir::globalSpace : ir::sharedSpace)};
  if (failed(target::convertFunctions(module, records, [&](LLVM::LLVMFuncOp function) {
        return std::make_unique<Converter>(function, objects, info, form, lanes);
      })))
    return failure();
  createEntry(module, kernel, target::resumeOf(kernel), form, info.argumentOffsets);
  objects.erase(module);
  target::markConstantLoads(module);
  // CUDA's constant memory is global memory that no kernel writes; and a segmented
  // block's shared memory is global.
  target::mergeSpaces(module, [=](unsigned space) -> unsigned {
    bool isGlobal =
        space == ir::constantSpace || (space == ir::sharedSpace && isSegmented);
    return isGlobal ? unsigned(ir::globalSpace) : space;
  });
  target::setPlainLayout(module);
  return info;
}

} // namespace het::spirv
