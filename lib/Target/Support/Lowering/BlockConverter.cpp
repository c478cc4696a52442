// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads from a block's records, and entries, which take the kernel's arguments off the
// packed ones.

#include "BlockConverter.h"
#include "BlockArguments.h"
#include "TargetLowering.h"

using namespace mlir;

namespace het::target {

Value loadAddress(ImplicitLocOpBuilder &builder, Value record, uint64_t offset,
                  AddressForm form, unsigned space) {
  Type pointer = pointerTo(builder, space);
  if (form == AddressForm::Pointer)
    return loadField(builder, record, offset, pointer);
  Type number = form == AddressForm::Bits32 ? builder.getI32Type() : builder.getI64Type();
  return LLVM::IntToPtrOp::create(builder, pointer,
                                  loadField(builder, record, offset, number));
}

Value BlockConverter::load(Field field, Type type) {
  return loadField(builder, records[field.record], field.offset, type);
}

Value BlockConverter::loadWide(Field field) {
  return LLVM::ZExtOp::create(builder, builder.getI64Type(),
                              load(field, builder.getI32Type()));
}

Value BlockConverter::loadAddress(Field field, unsigned space) {
  return target::loadAddress(builder, records[field.record], field.offset, abi.addresses,
                             space);
}

Value BlockConverter::position(Position which, ir::Dim dim) {
  if (which == Position::Thread) // segments are given it
    return {};
  Field field = which == Position::Block         ? abi.blockId
                : which == Position::BlockSize   ? abi.blockDim
                : which == Position::ClusterSize ? abi.clusterDim
                                                 : abi.gridDim;
  field.offset += 4 * static_cast<unsigned>(dim);
  return load(field, builder.getI32Type());
}

Value BlockConverter::sharedBase() { return loadAddress(abi.shared, ir::sharedSpace); }

Value BlockConverter::sharedBytes() {
  return LLVM::AddOp::create(builder, loadWide(abi.dynamicSharedOffset),
                             loadWide(abi.dynamicSharedBytes));
}

Value BlockConverter::dynamicShared() {
  Value offset = loadWide(abi.dynamicSharedOffset);
  return addressAt(builder, sharedBase(), offset);
}

Value BlockConverter::frame(Type type) {
  return castTo(builder, type, loadAddress(abi.frame, abi.space));
}

Value BlockConverter::addressOf(LLVM::AddressOfOp op) {
  if (auto it = objects.shared.offsets.find(op.getGlobalName());
      it != objects.shared.offsets.end()) {
    Value offset = constantI64(builder, it->second);
    return castTo(builder, op.getType(), addressAt(builder, sharedBase(), offset));
  }
  auto it = objects.variables.find(op.getGlobalName());
  if (it == objects.variables.end())
    return {};
  Value table = loadAddress(abi.variables, abi.space);
  return castTo(builder, op.getType(),
                target::loadAddress(builder, table, it->second * sizeof(uint64_t),
                                    abi.packedAddresses, ir::globalSpace));
}

Value BlockConverter::isShared(Value pointer) {
  Value base = integer(generic(sharedBase()));
  return isWithin(builder, integer(pointer), base, sharedBytes());
}

//===----------------------------------------------------------------------===//
// Clusters: the blocks' shared memory lies at equal distances, in the order of ranks.
//===----------------------------------------------------------------------===//

Value BlockConverter::clusterBase() {
  return integer(generic(loadAddress(abi.clusterShared, ir::sharedSpace)));
}

bool BlockConverter::usesClusters() const {
  auto found = function->getParentOfType<ModuleOp>().walk([](Operation *other) {
    return ir::usesCluster(other) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

Value BlockConverter::mapToCluster(Value pointer, Value rank) {
  Value base = clusterBase(), stride = loadWide(abi.clusterStride);
  Value place = LLVM::URemOp::create(
      builder, LLVM::SubOp::create(builder, integer(pointer), base), stride);
  Value wide = LLVM::ZExtOp::create(builder, builder.getI64Type(), rank);
  Value distance =
      LLVM::AddOp::create(builder, LLVM::MulOp::create(builder, wide, stride), place);
  Value address = LLVM::AddOp::create(builder, base, distance);
  return LLVM::IntToPtrOp::create(builder, pointer.getType(), address);
}

Value BlockConverter::rankInCluster(Value pointer) {
  Value stride = loadWide(abi.clusterStride);
  Value distance = LLVM::SubOp::create(builder, integer(pointer), clusterBase());
  Value blocks = constantI64(builder, 1);
  for (ir::Dim dim : {ir::Dim::X, ir::Dim::Y, ir::Dim::Z})
    blocks =
        LLVM::MulOp::create(builder, blocks,
                            LLVM::ZExtOp::create(builder, builder.getI64Type(),
                                                 position(Position::ClusterSize, dim)));
  auto isBelow = [&](Value value, Value limit) {
    return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ult, value, limit);
  };
  Value rank = LLVM::UDivOp::create(builder, distance, stride);
  Value isThere = LLVM::AndOp::create(
      builder, isBelow(rank, blocks),
      isBelow(LLVM::URemOp::create(builder, distance, stride), sharedBytes()));
  return LLVM::SelectOp::create(
      builder, isThere, LLVM::TruncOp::create(builder, builder.getI32Type(), rank),
      constantI32(builder, ~0u));
}

Value BlockConverter::clusterAddress(Value pointer) {
  return LLVM::TruncOp::create(builder, builder.getI32Type(), integer(pointer));
}

/// All of it lies within 2 GiB of its beginning.
Value BlockConverter::clusterPointer(Value address) {
  Value base = clusterBase();
  Value low = LLVM::TruncOp::create(builder, builder.getI32Type(), base);
  Value distance = LLVM::SExtOp::create(builder, builder.getI64Type(),
                                        LLVM::SubOp::create(builder, address, low));
  return LLVM::IntToPtrOp::create(builder, pointerTo(builder, ir::genericSpace),
                                  Value(LLVM::AddOp::create(builder, base, distance)));
}

/// Shared memory of the cluster's other blocks is not global.
Value BlockConverter::isGlobal(Value pointer) {
  Value isOther = FunctionConverter::isGlobal(pointer);
  if (!isOther || !usesClusters())
    return isOther;
  Value none = constantI32(builder, ~0u);
  return LLVM::AndOp::create(builder, isOther,
                             LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq,
                                                  rankInCluster(pointer), none));
}

LogicalResult BlockConverter::noteLane(Value lane) {
  Value record = records[abi.currentLane.record];
  LLVM::StoreOp::create(builder, lane,
                        addressAt(builder, record, abi.currentLane.offset));
  return success();
}

/// A pointer that the host gives leads to global memory, whatever its type says.
static Value loadArgument(ImplicitLocOpBuilder &builder, Type type, Value packed,
                          uint32_t offset, const BlockABI &abi) {
  if (!isa<LLVM::LLVMPointerType>(type))
    return loadField(builder, packed, offset, type);
  return castTo(
      builder, type,
      loadAddress(builder, packed, offset, abi.packedAddresses, ir::globalSpace));
}

void appendArguments(ImplicitLocOpBuilder &builder, LLVM::LLVMFuncOp kernel,
                     unsigned firstArgument, ArrayRef<uint32_t> offsets, Value packed,
                     const BlockABI &abi, SmallVectorImpl<Value> &arguments) {
  for (auto [index, offset] : llvm::enumerate(offsets)) {
    const unsigned number = firstArgument + index;
    Type type = kernel.getArgument(number).getType();
    if (kernel.getArgAttr(number, LLVM::LLVMDialect::getByValAttrName()))
      arguments.push_back(
          castTo(builder, type, addressAt(builder, packed, uint64_t(offset))));
    else
      arguments.push_back(loadArgument(builder, type, packed, offset, abi));
  }
}

void passByAddress(LLVM::LLVMFuncOp kernel) {
  for (unsigned i = 0, e = kernel.getNumArguments(); i < e; ++i)
    kernel.removeArgAttr(i, LLVM::LLVMDialect::getByValAttrName());
}

static void createEntry(StringRef name, LLVM::LLVMFuncOp kernel,
                        ArrayRef<uint32_t> offsets, const BlockABI &abi) {
  ImplicitLocOpBuilder builder(kernel.getLoc(), kernel.getContext());
  builder.setInsertionPointToEnd(kernel->getBlock());
  Type i32 = builder.getI32Type(), record = kernel.getArgument(0).getType();
  auto entry = LLVM::LLVMFuncOp::create(builder, name,
                                        LLVM::LLVMFunctionType::get(i32, {record, i32}));
  Block *body = entry.addEntryBlock(builder);
  builder.setInsertionPointToEnd(body);
  SmallVector<Value> arguments(body->getArguments());
  Value packed =
      loadAddress(builder, arguments[0], abi.arguments.offset, abi.addresses, abi.space);
  appendArguments(builder, kernel, /*firstArgument=*/2, offsets, packed, abi, arguments);
  auto call = LLVM::CallOp::create(builder, kernel, arguments);
  LLVM::ReturnOp::create(builder, call.getResults());
}

FailureOr<KernelInfo>
convertBlocks(LLVM::LLVMFuncOp kernel, const BlockABI &abi, const BlockEntries &entries,
              llvm::function_ref<std::unique_ptr<FunctionConverter>(
                  LLVM::LLVMFuncOp, const KernelObjects &, const KernelInfo &)>
                  create) {
  auto module = kernel->getParentOfType<ModuleOp>();
  const KernelObjects objects(module);
  // The pc comes before the kernel's own arguments.
  KernelInfo info = describeKernel(kernel, objects, /*firstArgument=*/1);
  LLVM::LLVMFuncOp resume = resumeOf(kernel);
  if (resume && entries.resume.empty())
    return kernel.emitError("blocks that are suspended have no way back in on this "
                            "target");
  Type record = LLVM::LLVMPointerType::get(module.getContext(), abi.space);
  if (failed(convertFunctions(module, record, [&](LLVM::LLVMFuncOp function) {
        return create(function, objects, info);
      })))
    return failure();
  createEntry(entries.run, kernel, info.argumentOffsets, abi);
  if (resume && (resume != kernel || entries.always))
    createEntry(entries.resume, resume, info.argumentOffsets, abi);
  passByAddress(kernel);
  if (resume)
    passByAddress(resume);
  objects.erase(module);
  return info;
}

} // namespace het::target
