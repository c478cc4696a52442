// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetIR's positions, memory and order on the host: loads from the block's
// HetHostBlock (HostABI.h), which every function takes as its first argument.

#include "ConvertToHost.h"
#include "../../Support/Lowering/KernelObjects.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "het/IR/Module.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cstddef>

using namespace mlir;

namespace het::host {

namespace {

LLVM::LLVMPointerType pointerType(MLIRContext *context) {
  return LLVM::LLVMPointerType::get(context);
}

class FunctionConverter {
public:
  FunctionConverter(LLVM::LLVMFuncOp function, const target::KernelObjects &objects)
      : function(function), objects(objects),
        block(function.getBody().front().getArgument(0)) {}

  LogicalResult run() {
    SmallVector<Operation *> operations;
    function.walk([&](Operation *op) { operations.push_back(op); });
    for (Operation *op : operations)
      convert(op);
    convertMath(function);
    return convertServices(function, block);
  }

private:
  void convert(Operation *op);
  Value replacement(ImplicitLocOpBuilder &builder, Operation *op);
  Value loadDimension(ImplicitLocOpBuilder &builder, uint64_t offset,
                      ir::Dim dim);
  Value addressOf(ImplicitLocOpBuilder &builder, LLVM::AddressOfOp op);
  Value sharedAt(ImplicitLocOpBuilder &builder, uint64_t offset);

  LLVM::LLVMFuncOp function;
  const target::KernelObjects &objects;
  Value block;
};

Value FunctionConverter::loadDimension(ImplicitLocOpBuilder &builder,
                                       uint64_t offset, ir::Dim dim) {
  return loadField(builder, block, offset + 4 * static_cast<unsigned>(dim),
                   builder.getI32Type());
}

Value FunctionConverter::sharedAt(ImplicitLocOpBuilder &builder,
                                  uint64_t offset) {
  Type pointer = pointerType(builder.getContext());
  Value base =
      loadField(builder, block, offsetof(HetHostBlock, shared), pointer);
  return LLVM::GEPOp::create(builder, pointer, builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

Value FunctionConverter::addressOf(ImplicitLocOpBuilder &builder,
                                   LLVM::AddressOfOp op) {
  Type pointer = pointerType(builder.getContext());
  if (auto it = objects.shared.offsets.find(op.getGlobalName());
      it != objects.shared.offsets.end())
    return sharedAt(builder, it->second);
  auto it = objects.variables.find(op.getGlobalName());
  if (it == objects.variables.end())
    return nullptr;
  Value table =
      loadField(builder, block, offsetof(HetHostBlock, variables), pointer);
  return loadField(builder, table, it->second * sizeof(void *), pointer);
}

Value FunctionConverter::replacement(ImplicitLocOpBuilder &builder,
                                     Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](ir::BlockIdOp id) {
        return loadDimension(builder, offsetof(HetHostBlock, blockId), id.getDimension());
      })
      .Case([&](ir::BlockDimOp dim) {
        return loadDimension(builder, offsetof(HetHostBlock, blockDim),
                             dim.getDimension());
      })
      .Case([&](ir::GridDimOp dim) {
        return loadDimension(builder, offsetof(HetHostBlock, gridDim),
                             dim.getDimension());
      })
      .Case([&](ir::TeamSizeOp) -> Value {
        return LLVM::ConstantOp::create(builder, builder.getI32Type(),
                                        builder.getI32IntegerAttr(32));
      })
      .Case([&](ir::ParkingOp) -> Value {
        Type pointer = pointerType(builder.getContext());
        Value flag =
            loadField(builder, block, offsetof(HetHostBlock, parking), pointer);
        auto load = LLVM::LoadOp::create(builder, builder.getI32Type(), flag);
        load.setOrdering(LLVM::AtomicOrdering::monotonic);
        load.setAlignment(4);
        return load;
      })
      .Case([&](ir::PollIntervalOp) {
        return loadField(builder, block, offsetof(HetHostBlock, pollInterval),
                         builder.getI32Type());
      })
      .Case([&](ir::FrameOp) {
        return loadField(builder, block, offsetof(HetHostBlock, frame),
                         pointerType(builder.getContext()));
      })
      .Case([&](ir::DynamicSharedOp) -> Value {
        Value offset = loadField(builder, block,
                                 offsetof(HetHostBlock, dynamicSharedOffset),
                                 builder.getI32Type());
        Value wide =
            LLVM::ZExtOp::create(builder, builder.getI64Type(), offset);
        Value base = sharedAt(builder, 0);
        return LLVM::GEPOp::create(builder, base.getType(), builder.getI8Type(),
                                   base, ArrayRef<LLVM::GEPArg>{wide});
      })
      .Case([&](LLVM::AddressOfOp address) { return addressOf(builder, address); })
      .Default([](Operation *) { return Value(); });
}

void FunctionConverter::convert(Operation *op) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  if (auto fence = dyn_cast<ir::FenceOp>(op)) {
    // A block's threads are one thread of this process.
    bool ofBlock = fence.getScope() <= ir::FenceScope::Block;
    LLVM::FenceOp::create(builder, LLVM::AtomicOrdering::seq_cst,
                          ofBlock ? "singlethread" : "");
    op->erase();
    return;
  }
  if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
    exchange.removeSyncscopeAttr();
  if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
    update.removeSyncscopeAttr();
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    load.removeSyncscopeAttr();
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    store.removeSyncscopeAttr();
  if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    target::giveFirst(call, block);
    return;
  }
  if (Value value = replacement(builder, op)) {
    op->replaceAllUsesWith(ValueRange{value});
    op->erase();
  }
}

/// An entry of the artifact: reads the kernel's arguments off the packed buffer.
void createEntry(ModuleOp module, StringRef name, LLVM::LLVMFuncOp kernel) {
  ImplicitLocOpBuilder builder(kernel.getLoc(), module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  Type pointer = pointerType(module.getContext());
  Type i32 = builder.getI32Type();
  auto entry = LLVM::LLVMFuncOp::create(
      builder, name, LLVM::LLVMFunctionType::get(i32, {pointer, i32}));
  Block *body = entry.addEntryBlock(builder);
  builder.setInsertionPointToEnd(body);
  Value block = body->getArgument(0);
  Value buffer =
      loadField(builder, block, offsetof(HetHostBlock, arguments), pointer);
  SmallVector<Value> arguments{block, body->getArgument(1)};
  for (auto [number, offset] :
       llvm::enumerate(target::packedParameters(kernel, firstArgument).offsets)) {
    const unsigned i = firstArgument + number;
    if (kernel.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()))
      arguments.push_back(LLVM::GEPOp::create(
          builder, pointer, builder.getI8Type(), buffer,
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)}));
    else
      arguments.push_back(
          loadField(builder, buffer, offset, kernel.getArgument(i).getType()));
  }
  auto call = LLVM::CallOp::create(builder, kernel, arguments);
  LLVM::ReturnOp::create(builder, call.getResults());
}

/// The entries give addresses of the packed buffer.
void passByAddress(LLVM::LLVMFuncOp kernel) {
  for (unsigned i = 0, e = kernel.getNumArguments(); i < e; ++i)
    kernel.removeArgAttr(i, LLVM::LLVMDialect::getByValAttrName());
}

} // namespace

void flattenAddressSpaces(ModuleOp module) {
  for (auto global : module.getOps<LLVM::GlobalOp>())
    global.setAddrSpace(0);
  AttrTypeReplacer replacer;
  replacer.addReplacement([](LLVM::LLVMPointerType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  // The data layout speaks of address spaces; there is only one left.
  module->removeAttr(DLTIDialect::kDataLayoutAttrName);
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module.walk([](LLVM::AddrSpaceCastOp cast) {
    cast.replaceAllUsesWith(cast.getArg());
    cast.erase();
  });
}

FailureOr<KernelLayout> convertToHost(ModuleOp module, StringRef kernelName) {
  auto kernel = module.lookupSymbol<LLVM::LLVMFuncOp>(kernelName);
  if (!kernel || !ir::isKernel(kernel))
    return module.emitError("there is no kernel '") << kernelName << "' here";
  KernelLayout result;
  auto frame = kernel->getAttrOfType<DictionaryAttr>(ir::frameAttrName);
  auto bytes = [&](StringRef which) {
    return cast<IntegerAttr>(frame.get(which)).getInt();
  };
  result.frameBytesPerThread = bytes("thread_bytes");
  result.frameBytesPerBlock = bytes("block_bytes");
  LLVM::LLVMFuncOp resume;
  if (auto name = kernel->getAttrOfType<FlatSymbolRefAttr>(ir::resumeAttrName)) {
    resume = module.lookupSymbol<LLVM::LLVMFuncOp>(name.getValue());
    result.stateBytes = bytes("state_bytes");
    result.hash = kernel->getAttrOfType<IntegerAttr>(ir::layoutAttrName).getInt();
  }

  const target::KernelObjects objects(module);
  result.staticSharedBytes = objects.shared.bytes;
  SmallVector<LLVM::LLVMFuncOp> functions;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      functions.push_back(function);
  for (LLVM::LLVMFuncOp function : functions)
    target::takeFirst(function, pointerType(module.getContext()));
  convertSpaces(module, kernel);
  for (LLVM::LLVMFuncOp function : functions)
    if (failed(FunctionConverter(function, objects).run()))
      return failure();
  createEntry(module, entryName, kernel);
  if (resume)
    createEntry(module, resumeName, resume);
  passByAddress(kernel);
  if (resume)
    passByAddress(resume);
  for (LLVM::LLVMFuncOp function : functions)
    function.setLinkage(LLVM::Linkage::Internal);
  objects.erase(module);
  flattenAddressSpaces(module);
  return result;
}

} // namespace het::host
