// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positions, objects, order, and the entry, which takes the kernel's arguments off the
// packed ones.

#include "ConvertToTensix.h"
#include "../../Support/Lowering/KernelObjects.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "LowerKernel.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cstddef>

using namespace mlir;

namespace het::tensix {

Type pointerTo(ImplicitLocOpBuilder &builder, unsigned space) {
  return LLVM::LLVMPointerType::get(builder.getContext(), space);
}

static Value fieldOf(ImplicitLocOpBuilder &builder, Value base, uint64_t offset) {
  return LLVM::GEPOp::create(builder, base.getType(), builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value loadPointer(ImplicitLocOpBuilder &builder, Value block, uint64_t offset,
                  unsigned space) {
  Value address = loadField(builder, block, offset, builder.getI32Type());
  return LLVM::IntToPtrOp::create(builder, pointerTo(builder, space), address);
}

Value mailboxField(ImplicitLocOpBuilder &builder, uint64_t offset) {
  Value address = LLVM::ConstantOp::create(
      builder, builder.getI32Type(),
      builder.getI32IntegerAttr(static_cast<int32_t>(HET_TENSIX_MAILBOX + offset)));
  return LLVM::IntToPtrOp::create(builder, pointerTo(builder, ir::localSpace), address);
}

Value callFunction(ImplicitLocOpBuilder &builder, StringRef name, Type result,
                   ValueRange operands) {
  auto module =
      builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    Type returned = result ? result : LLVM::LLVMVoidType::get(builder.getContext());
    callee = LLVM::LLVMFuncOp::create(
        builder, name,
        LLVM::LLVMFunctionType::get(returned, SmallVector<Type>(operands.getTypes())));
    callee.setNoUnwind(true);
  }
  auto call = LLVM::CallOp::create(builder, callee, operands);
  return result ? call.getResult() : Value();
}

namespace {

class FunctionConverter {
public:
  FunctionConverter(LLVM::LLVMFuncOp function, const target::KernelObjects &objects)
      : function(function), objects(objects),
        block(function.getBody().front().getArgument(0)) {}

  LogicalResult run() {
    SmallVector<Operation *> operations;
    function.walk([&](Operation *op) { operations.push_back(op); });
    for (Operation *op : operations)
      if (failed(convert(op)))
        return failure();
    return success();
  }

private:
  LogicalResult convert(Operation *op);
  Value replacement(ImplicitLocOpBuilder &builder, Operation *op);
  Value addressOf(ImplicitLocOpBuilder &builder, LLVM::AddressOfOp op);
  Value sharedAt(ImplicitLocOpBuilder &builder, Value offset);
  Value dimension(ImplicitLocOpBuilder &builder, uint64_t offset, ir::Dim dim) {
    return loadField(builder, block, offset + 4 * static_cast<unsigned>(dim),
                     builder.getI32Type());
  }
  void convertFence(ImplicitLocOpBuilder &builder, ir::FenceOp fence);

  LLVM::LLVMFuncOp function;
  const target::KernelObjects &objects;
  Value block;
};

Value FunctionConverter::sharedAt(ImplicitLocOpBuilder &builder, Value offset) {
  Value base =
      loadPointer(builder, block, offsetof(HetTensixBlock, shared), ir::sharedSpace);
  return LLVM::GEPOp::create(builder, base.getType(), builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{offset});
}

Value FunctionConverter::addressOf(ImplicitLocOpBuilder &builder, LLVM::AddressOfOp op) {
  auto i64 = [&](uint64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, builder.getI64Type(),
                                    builder.getI64IntegerAttr(value));
  };
  Value address;
  if (auto it = objects.shared.offsets.find(op.getGlobalName());
      it != objects.shared.offsets.end()) {
    address = sharedAt(builder, i64(it->second));
  } else if (auto it = objects.variables.find(op.getGlobalName());
             it != objects.variables.end()) {
    Value table = loadPointer(builder, block, offsetof(HetTensixBlock, variables),
                              ir::localSpace);
    Value flat = loadField(builder, table, it->second * 8, builder.getI64Type());
    address = LLVM::IntToPtrOp::create(builder, pointerTo(builder, ir::globalSpace), flat);
  } else {
    return nullptr;
  }
  return address.getType() == op.getType()
             ? address
             : LLVM::AddrSpaceCastOp::create(builder, op.getType(), address);
}

Value FunctionConverter::replacement(ImplicitLocOpBuilder &builder, Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](ir::BlockIdOp id) {
        return dimension(builder, offsetof(HetTensixBlock, blockId), id.getDimension());
      })
      .Case([&](ir::BlockDimOp size) {
        return dimension(builder, offsetof(HetTensixBlock, blockDim),
                         size.getDimension());
      })
      .Case([&](ir::GridDimOp size) {
        return dimension(builder, offsetof(HetTensixBlock, gridDim),
                         size.getDimension());
      })
      .Case([&](ir::TeamSizeOp) -> Value {
        return LLVM::ConstantOp::create(builder, builder.getI32Type(),
                                        builder.getI32IntegerAttr(32));
      })
      .Case([&](ir::ParkingOp) -> Value {
        return callFunction(builder, "het_core_parking", builder.getI32Type(), {});
      })
      .Case([&](ir::PollIntervalOp) -> Value {
        return callFunction(builder, "het_core_poll_interval", builder.getI32Type(), {});
      })
      .Case([&](ir::FrameOp frame) -> Value {
        Value local = loadPointer(builder, block, offsetof(HetTensixBlock, frame),
                                  ir::localSpace);
        return LLVM::AddrSpaceCastOp::create(builder, frame.getType(), local);
      })
      .Case([&](ir::DynamicSharedOp) -> Value {
        Value offset = loadField(builder, block,
                                 offsetof(HetTensixBlock, dynamicSharedOffset),
                                 builder.getI32Type());
        return sharedAt(builder,
                        LLVM::ZExtOp::create(builder, builder.getI64Type(), offset));
      })
      .Case([&](LLVM::AddressOfOp address) { return addressOf(builder, address); })
      .Default([](Operation *) { return Value(); });
}

/// A block's threads are one thread of its core.
void FunctionConverter::convertFence(ImplicitLocOpBuilder &builder, ir::FenceOp fence) {
  const ir::FenceScope scope = fence.getScope();
  LLVM::FenceOp::create(builder, LLVM::AtomicOrdering::seq_cst,
                        scope <= ir::FenceScope::Block     ? "singlethread"
                        : scope == ir::FenceScope::System ? systemScopeName
                                                           : "");
  fence.erase();
}

LogicalResult FunctionConverter::convert(Operation *op) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  if (Value value = replacement(builder, op)) {
    op->replaceAllUsesWith(ValueRange{value});
    op->erase();
    return success();
  }
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ir::FenceOp fence) {
        convertFence(builder, fence);
        return success();
      })
      .Case([&](LLVM::CallOp call) {
        target::giveFirst(call, block);
        return success();
      })
      .Case([&](ir::MathOp math) {
        target::callDeviceLibrary(math);
        return success();
      })
      .Case<LLVM::LoadOp, LLVM::StoreOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(
          [&](Operation *access) {
            access->removeAttr("syncscope");
            return success();
          })
      .Default([&](Operation *rest) {
        return rest->getName().getDialectNamespace() ==
                       ir::HetIRDialect::getDialectNamespace()
                   ? convertService(rest, block)
                   : success();
      });
}

/// One of the kernel's own arguments. A pointer that the host gives leads to global
/// memory, whatever its type says.
Value loadArgument(ImplicitLocOpBuilder &builder, LLVM::LLVMFuncOp kernel,
                   unsigned number, Value packed, uint32_t offset) {
  Type type = kernel.getArgument(number).getType();
  bool isPointer = isa<LLVM::LLVMPointerType>(type);
  Value value;
  if (kernel.getArgAttr(number, LLVM::LLVMDialect::getByValAttrName())) {
    value = fieldOf(builder, packed, offset);
  } else if (isPointer) {
    Value address = loadField(builder, packed, offset, builder.getI64Type());
    value = LLVM::IntToPtrOp::create(builder, pointerTo(builder, ir::globalSpace),
                                     address);
  } else {
    return loadField(builder, packed, offset, type);
  }
  return value.getType() == type
             ? value
             : LLVM::AddrSpaceCastOp::create(builder, type, value);
}

void createEntry(ModuleOp module, StringRef name, LLVM::LLVMFuncOp kernel,
                 ArrayRef<uint32_t> offsets) {
  ImplicitLocOpBuilder builder(kernel.getLoc(), module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  Type i32 = builder.getI32Type();
  auto entry = LLVM::LLVMFuncOp::create(
      builder, name,
      LLVM::LLVMFunctionType::get(i32, {pointerTo(builder, ir::localSpace), i32}));
  Block *body = entry.addEntryBlock(builder);
  builder.setInsertionPointToEnd(body);
  Value block = body->getArgument(0);
  Value packed = loadPointer(builder, block, offsetof(HetTensixBlock, arguments),
                             ir::localSpace);
  SmallVector<Value> arguments{block, body->getArgument(1)};
  for (auto [index, offset] : llvm::enumerate(offsets))
    arguments.push_back(
        loadArgument(builder, kernel, firstArgument + index, packed, offset));
  auto call = LLVM::CallOp::create(builder, kernel, arguments);
  LLVM::ReturnOp::create(builder, call.getResults());
}

void passByAddress(LLVM::LLVMFuncOp kernel) {
  for (unsigned i = 0, e = kernel.getNumArguments(); i < e; ++i)
    kernel.removeArgAttr(i, LLVM::LLVMDialect::getByValAttrName());
}

/// Leaves in the mailbox where its block is, for the message about a core that is stuck.
void noteSegment(LLVM::LLVMFuncOp function) {
  auto segment = function->getAttrOfType<IntegerAttr>(ir::segmentAttrName);
  if (!segment)
    return;
  Block &entry = function.getBody().front();
  ImplicitLocOpBuilder builder(function.getLoc(), &entry, entry.begin());
  auto note = [&](uint64_t offset, Value value) {
    LLVM::StoreOp::create(builder, value, mailboxField(builder, offset),
                          /*alignment=*/4, /*isVolatile=*/true);
  };
  auto word = [&](uint32_t value) -> Value {
    return LLVM::ConstantOp::create(
        builder, builder.getI32Type(),
        builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  const bool ofTeam = function->hasAttr(ir::segmentOfTeamAttrName);
  const unsigned count = function.getNumArguments();
  note(offsetof(HetTensixMailbox, segment), word(segment.getInt()));
  note(offsetof(HetTensixMailbox, team),
       ofTeam ? Value(function.getArgument(count - 2)) : word(HET_TENSIX_ALL_TEAMS));
  if (ofTeam)
    note(offsetof(HetTensixMailbox, lanes), function.getArgument(count - 1));
}

} // namespace

FailureOr<KernelFacts> convertToTensix(ModuleOp module, StringRef kernelName) {
  auto kernel = module.lookupSymbol<LLVM::LLVMFuncOp>(kernelName);
  if (!kernel || !ir::isKernel(kernel))
    return module.emitError("there is no kernel '") << kernelName << "' here";
  KernelFacts facts;
  auto frame = kernel->getAttrOfType<DictionaryAttr>(ir::frameAttrName);
  facts.frameBytesPerThread = cast<IntegerAttr>(frame.get("thread_bytes")).getInt();
  facts.frameBytesPerBlock = cast<IntegerAttr>(frame.get("block_bytes")).getInt();
  LLVM::LLVMFuncOp resume;
  if (auto name = kernel->getAttrOfType<FlatSymbolRefAttr>(ir::resumeAttrName)) {
    resume = module.lookupSymbol<LLVM::LLVMFuncOp>(name.getValue());
    facts.stateBytes = cast<IntegerAttr>(frame.get("state_bytes")).getInt();
    facts.layout = kernel->getAttrOfType<IntegerAttr>(ir::layoutAttrName).getInt();
  }
  if (auto info = kernel->getAttrOfType<DictionaryAttr>(ir::infoAttrName))
    if (auto most = info.getAs<IntegerAttr>("max_threads"))
      facts.maxThreads = most.getInt();
  const target::KernelObjects objects(module);
  facts.variableCount = objects.variables.size();
  facts.staticSharedBytes = objects.shared.bytes;
  const target::PackedParameters packed =
      target::packedParameters(kernel, firstArgument - 1); // no block yet
  facts.argumentBytes = packed.bytes;
  SmallVector<LLVM::LLVMFuncOp> functions;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      functions.push_back(function);
  for (LLVM::LLVMFuncOp function : functions)
    target::takeFirst(
        function, LLVM::LLVMPointerType::get(module.getContext(), ir::localSpace));
  SmallVector<ir::IsSpaceOp> queries; // they add addresses of objects
  module.walk([&](ir::IsSpaceOp query) { queries.push_back(query); });
  for (ir::IsSpaceOp query : queries)
    convertSpace(query, query->getParentOfType<LLVM::LLVMFuncOp>().getArgument(0),
                 kernel);
  for (LLVM::LLVMFuncOp function : functions)
    if (failed(FunctionConverter(function, objects).run()))
      return failure();
  for (LLVM::LLVMFuncOp function : functions)
    noteSegment(function);
  createEntry(module, entryName, kernel, packed.offsets);
  if (resume && resume != kernel) {
    createEntry(module, resumeName, resume, packed.offsets);
    passByAddress(resume);
  }
  passByAddress(kernel);
  for (LLVM::LLVMFuncOp function : functions)
    function.setLinkage(LLVM::Linkage::Internal);
  objects.erase(module);
  module->removeAttr(DLTIDialect::kDataLayoutAttrName);
  module->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                  StringAttr::get(module.getContext(), plainLayout));
  return facts;
}

} // namespace het::tensix
