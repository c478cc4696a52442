// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module's one kernel, HET_SPIRV_ENTRY: it takes the arguments of the user's kernel
// off the launch and calls it.

#include "ConvertToSPIRV.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"
#include <cstddef>

using namespace mlir;

namespace het::spirv {
namespace {

/// Whether the memory that a pointer leads to is only read, as far as this pointer goes.
bool isOnlyRead(Value pointer) {
  return llvm::all_of(pointer.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<LLVM::LoadOp>(user))
      return true;
    if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(user))
      return isOnlyRead(user->getResult(0));
    return isa<LLVM::MemcpyOp, LLVM::MemmoveOp>(user) && use.getOperandNumber() == 1;
  });
}

/// The kernel's own arguments, off the packed ones.
void appendArguments(ImplicitLocOpBuilder &builder, LLVM::LLVMFuncOp kernel,
                     ArrayRef<uint32_t> offsets, SmallVectorImpl<Value> &arguments) {
  Value packed = target::loadAddress(builder, arguments[0], blockABI.arguments.offset,
                                     blockABI.addresses, blockABI.space);
  target::appendArguments(builder, kernel, arguments.size(), offsets, packed, blockABI,
                          arguments);
}

LLVM::LLVMFuncOp declareEntry(ModuleOp module, ImplicitLocOpBuilder &builder,
                              ArrayRef<Type> arguments) {
  builder.setInsertionPointToEnd(module.getBody());
  auto entry = LLVM::LLVMFuncOp::create(
      builder, HET_SPIRV_ENTRY,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(module.getContext()),
                                  arguments));
  entry.setCConv(LLVM::CConv::SPIR_KERNEL);
  builder.setInsertionPointToEnd(entry.addEntryBlock(builder));
  return entry;
}

/// Drivers align memory of a work-group as they like; there is room to go up.
Value alignUp(ImplicitLocOpBuilder &builder, Value shared) {
  Type i64 = builder.getI64Type();
  Value address = LLVM::PtrToIntOp::create(builder, i64, shared);
  Value beyond = LLVM::SubOp::create(builder, constantI64(builder, 0), address);
  Value distance = LLVM::AndOp::create(
      builder, beyond, constantI64(builder, HET_SPIRV_SHARED_ALIGNMENT - 1));
  return LLVM::GEPOp::create(builder, shared.getType(), builder.getI8Type(), shared,
                             ArrayRef<LLVM::GEPArg>{distance});
}

void createNativeEntry(ModuleOp module, LLVM::LLVMFuncOp kernel,
                       ArrayRef<uint32_t> offsets) {
  ImplicitLocOpBuilder builder(kernel.getLoc(), module.getContext());
  LLVM::LLVMFuncOp entry = declareEntry(
      module, builder,
      {pointerTo(builder, ir::globalSpace), pointerTo(builder, ir::sharedSpace)});
  SmallVector<Value> arguments{entry.getArgument(0),
                               alignUp(builder, entry.getArgument(1))};
  appendArguments(builder, kernel, offsets, arguments);
  LLVM::CallOp::create(builder, kernel, arguments);
  LLVM::ReturnOp::create(builder, ValueRange{});
}

/// Calls one of the two, and leaves its result in `place`.
void callEither(ImplicitLocOpBuilder &builder, LLVM::LLVMFuncOp kernel,
                LLVM::LLVMFuncOp resume, Value block, Value place,
                ArrayRef<Value> arguments) {
  Value field = target::addressAt(builder, block, offsetof(HetSpirvBlock, wasParked));
  Value wasParked =
      LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne,
                           LLVM::LoadOp::create(builder, builder.getI32Type(), field),
                           constantI32(builder, 0));
  Block *from = builder.getInsertionBlock();
  Block *blocks[2];
  for (LLVM::LLVMFuncOp function : {kernel, resume}) {
    Block *&call = blocks[function == resume];
    call = new Block();
    from->getParent()->push_back(call);
    builder.setInsertionPointToEnd(call);
    auto result = LLVM::CallOp::create(builder, function, arguments);
    LLVM::StoreOp::create(builder, result.getResult(), place);
    LLVM::ReturnOp::create(builder, ValueRange{});
  }
  builder.setInsertionPointToEnd(from);
  LLVM::CondBrOp::create(builder, wasParked, blocks[1], ValueRange{}, blocks[0],
                         ValueRange{});
}

/// Goes on with the block of this work-item at its pc.
void createSegmentedEntry(ModuleOp module, LLVM::LLVMFuncOp kernel,
                          LLVM::LLVMFuncOp resume, ArrayRef<uint32_t> offsets) {
  ImplicitLocOpBuilder builder(kernel.getLoc(), module.getContext());
  Type global = pointerTo(builder, ir::globalSpace);
  LLVM::LLVMFuncOp entry = declareEntry(module, builder, {global});
  Value launch = entry.getArgument(0);
  Value blocks =
      globalPointer(builder, loadField(builder, launch, offsetof(HetSpirvLaunch, blocks),
                                       builder.getI64Type()));
  Value item = callFunction(builder, "_Z13get_global_idj", builder.getI64Type(),
                            constantI32(builder, 0));
  Value offset =
      LLVM::MulOp::create(builder, item, constantI64(builder, sizeof(HetSpirvBlock)));
  Value block = target::addressAt(builder, blocks, offset);
  Value place = target::addressAt(builder, block, offsetof(HetSpirvBlock, pc));
  Value pc = LLVM::LoadOp::create(builder, builder.getI32Type(), place);
  SmallVector<Value> arguments{launch, block, pc};
  appendArguments(builder, kernel, offsets, arguments);
  if (resume && resume != kernel)
    return callEither(builder, kernel, resume, block, place, arguments);
  auto call = LLVM::CallOp::create(builder, kernel, arguments);
  LLVM::StoreOp::create(builder, call.getResult(), place);
  LLVM::ReturnOp::create(builder, ValueRange{});
}

} // namespace

void copyArguments(LLVM::LLVMFuncOp kernel) {
  DataLayout layout(kernel->getParentOfType<ModuleOp>());
  Block &entry = kernel.getBody().front();
  for (BlockArgument argument : entry.getArguments()) {
    unsigned index = argument.getArgNumber();
    auto type =
        kernel.getArgAttrOfType<TypeAttr>(index, LLVM::LLVMDialect::getByValAttrName());
    if (!type || kernel.getArgAttr(index, ir::gridConstantAttrName) ||
        isOnlyRead(argument))
      continue;
    ImplicitLocOpBuilder builder(kernel.getLoc(), &entry, entry.begin());
    auto alignment = kernel.getArgAttrOfType<IntegerAttr>(
        index, LLVM::LLVMDialect::getAlignAttrName());
    Value copy = LLVM::AllocaOp::create(
        builder, argument.getType(), type.getValue(), constantI32(builder, 1),
        alignment ? alignment.getInt() : layout.getTypeABIAlignment(type.getValue()));
    argument.replaceAllUsesWith(copy);
    Value size = constantI64(builder, layout.getTypeSize(type.getValue()));
    LLVM::MemcpyOp::create(builder, copy, argument, size, /*isVolatile=*/false);
  }
}

void createEntry(ModuleOp module, LLVM::LLVMFuncOp kernel, LLVM::LLVMFuncOp resume,
                 Form form, ArrayRef<uint32_t> offsets) {
  if (form == Form::Segmented)
    createSegmentedEntry(module, kernel, resume, offsets);
  else
    createNativeEntry(module, kernel, offsets);
  target::passByAddress(kernel);
  if (resume)
    target::passByAddress(resume);
}

} // namespace het::spirv
