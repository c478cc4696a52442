// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects, positions and order.

#include "ConvertToSPIRV.h"
#include "../../Support/Lowering/KernelObjects.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cstddef>

using namespace mlir;

namespace het::spirv {
namespace {

/// Scopes and memory semantics (SPIR-V specification, 3.27 and 3.25).
enum : uint32_t {
  scopeCrossDevice = 0,
  scopeDevice = 1,
  scopeWorkgroup = 2,
  scopeInvocation = 4,
  semanticsOfAllMemory = 0x10 | 0x100 | 0x200, // sequentially consistent
};

class FunctionConverter {
public:
  FunctionConverter(LLVM::LLVMFuncOp function, const target::KernelObjects &objects,
                    const Context &context)
      : function(function), objects(objects), context(context) {}

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
  Value threadId(ImplicitLocOpBuilder &builder, ir::Dim dim);
  Value addressOf(ImplicitLocOpBuilder &builder, LLVM::AddressOfOp op);
  Value launchField(ImplicitLocOpBuilder &builder, uint64_t offset, ir::Dim dim) {
    return loadField(builder, context.launch, offset + 4 * static_cast<unsigned>(dim),
                     builder.getI32Type());
  }
  Value sharedAt(ImplicitLocOpBuilder &builder, Value offset) {
    Value base = sharedBase(builder, context);
    return LLVM::GEPOp::create(builder, base.getType(), builder.getI8Type(), base,
                               ArrayRef<LLVM::GEPArg>{offset});
  }
  void emitBarrier(ImplicitLocOpBuilder &builder);
  void convertBarrierReduce(ImplicitLocOpBuilder &builder, ir::BarrierReduceOp barrier);
  void convertFence(ImplicitLocOpBuilder &builder, ir::FenceOp fence);
  void convertScope(Operation *op);

  LLVM::LLVMFuncOp function;
  const target::KernelObjects &objects;
  const Context &context;
};

/// Of a flat group: the parts of the linear index.
Value FunctionConverter::threadId(ImplicitLocOpBuilder &builder, ir::Dim dim) {
  if (context.form == Form::Native)
    return readPosition(builder, "get_local_id", dim);
  Value index = readPosition(builder, "get_local_id", ir::Dim::X);
  uint64_t sizes = offsetof(HetSpirvLaunch, blockDim);
  Value width = launchField(builder, sizes, ir::Dim::X);
  if (dim == ir::Dim::X)
    return LLVM::URemOp::create(builder, index, width);
  Value row = LLVM::UDivOp::create(builder, index, width);
  Value height = launchField(builder, sizes, ir::Dim::Y);
  if (dim == ir::Dim::Y)
    return LLVM::URemOp::create(builder, row, height);
  return LLVM::UDivOp::create(builder, row, height);
}

Value FunctionConverter::addressOf(ImplicitLocOpBuilder &builder,
                                   LLVM::AddressOfOp op) {
  if (auto it = objects.shared.offsets.find(op.getGlobalName());
      it != objects.shared.offsets.end())
    return sharedAt(builder, constantI64(builder, it->second));
  auto it = objects.variables.find(op.getGlobalName());
  if (it == objects.variables.end())
    return nullptr;
  Type i64 = builder.getI64Type();
  Value table = globalPointer(
      builder, loadField(builder, context.launch, offsetof(HetSpirvLaunch, variables),
                         i64));
  return globalPointer(builder, loadField(builder, table, it->second * 8, i64));
}

Value FunctionConverter::replacement(ImplicitLocOpBuilder &builder, Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](ir::ThreadIdOp id) { return threadId(builder, id.getDimension()); })
      .Case([&](ir::BlockIdOp id) {
        return blockId(builder, context, id.getDimension());
      })
      .Case([&](ir::BlockDimOp size) {
        return launchField(builder, offsetof(HetSpirvLaunch, blockDim),
                           size.getDimension());
      })
      .Case([&](ir::GridDimOp size) {
        return launchField(builder, offsetof(HetSpirvLaunch, gridDim),
                           size.getDimension());
      })
      .Case([&](ir::LaneIdOp) {
        return LLVM::AndOp::create(builder, linearThread(builder, context),
                                   constantI32(builder, ir::teamSize - 1));
      })
      .Case([&](ir::TeamIdOp) {
        return LLVM::LShrOp::create(builder, linearThread(builder, context),
                                    constantI32(builder, 5));
      })
      .Case([&](ir::TeamSizeOp) { return constantI32(builder, ir::teamSize); })
      .Case([&](ir::FrameOp) {
        Value frame = globalPointer(
            builder, loadField(builder, context.block, offsetof(HetSpirvBlock, frame),
                               builder.getI64Type()));
        return LLVM::AddrSpaceCastOp::create(
            builder, pointerTo(builder, ir::genericSpace), frame);
      })
      .Case([&](ir::ParkingOp) {
        Value flag = globalPointer(
            builder, loadField(builder, context.launch, offsetof(HetSpirvLaunch, parking),
                               builder.getI64Type()));
        auto load = LLVM::LoadOp::create(builder, builder.getI32Type(), flag);
        load.setVolatile_(true);
        return load;
      })
      .Case([&](ir::PollIntervalOp) {
        return loadField(builder, context.launch, offsetof(HetSpirvLaunch, pollInterval),
                         builder.getI32Type());
      })
      .Case([&](ir::DynamicSharedOp) {
        Value offset = loadField(builder, context.launch,
                                 offsetof(HetSpirvLaunch, dynamicSharedOffset),
                                 builder.getI32Type());
        return sharedAt(builder, LLVM::ZExtOp::create(builder, builder.getI64Type(),
                                                      offset));
      })
      .Case([&](LLVM::AddressOfOp address) { return addressOf(builder, address); })
      .Default([](Operation *) { return Value(); });
}

/// Barriers of a native kernel are reached by all threads of the block together
/// (ChooseForm.cpp).
void FunctionConverter::emitBarrier(ImplicitLocOpBuilder &builder) {
  callFunction(builder, "_Z22__spirv_ControlBarrierjjj", nullptr,
               {constantI32(builder, scopeWorkgroup), constantI32(builder, scopeWorkgroup),
                constantI32(builder, semanticsOfAllMemory)});
}

/// By a word of the block's memory. Intel's work_group_any and its like give, for CPUs,
/// results that depend on nothing known where a group is not a multiple of its vectors.
void FunctionConverter::convertBarrierReduce(ImplicitLocOpBuilder &builder,
                                             ir::BarrierReduceOp barrier) {
  Value offset = loadField(builder, context.launch,
                           offsetof(HetSpirvLaunch, scratchOffset), builder.getI32Type());
  Value word =
      sharedAt(builder, LLVM::ZExtOp::create(builder, builder.getI64Type(), offset));
  Value zero = constantI32(builder, 0);
  Value predicate = barrier.getPredicate();
  bool isAnd = barrier.getKind() == ir::BarrierReduceKind::And;
  if (isAnd) // those that are false are counted
    predicate = LLVM::XOrOp::create(
        builder, predicate,
        LLVM::ConstantOp::create(builder, builder.getI1Type(), builder.getBoolAttr(true)));
  emitBarrier(builder); // of the word's last use
  LLVM::StoreOp::create(builder, zero, word);
  emitBarrier(builder);
  LLVM::AtomicRMWOp::create(
      builder, LLVM::AtomicBinOp::add, word,
      LLVM::ZExtOp::create(builder, builder.getI32Type(), predicate),
      LLVM::AtomicOrdering::monotonic, "workgroup");
  emitBarrier(builder);
  Value result = LLVM::LoadOp::create(builder, builder.getI32Type(), word);
  if (barrier.getKind() != ir::BarrierReduceKind::Count) {
    auto test = isAnd ? LLVM::ICmpPredicate::eq : LLVM::ICmpPredicate::ne;
    result = LLVM::ZExtOp::create(builder, builder.getI32Type(),
                                  LLVM::ICmpOp::create(builder, test, result, zero));
  }
  barrier.replaceAllUsesWith(result);
  barrier.erase();
}

/// A block's threads are one work-item where it is segmented.
void FunctionConverter::convertFence(ImplicitLocOpBuilder &builder, ir::FenceOp fence) {
  uint32_t scope = fence.getScope() == ir::FenceScope::System   ? scopeCrossDevice
                   : fence.getScope() == ir::FenceScope::Device ? scopeDevice
                   : context.isSegmented()                      ? scopeInvocation
                                                                : scopeWorkgroup;
  callFunction(builder, "_Z21__spirv_MemoryBarrierjj", nullptr,
               {constantI32(builder, scope), constantI32(builder, semanticsOfAllMemory)});
  fence.erase();
}

/// Scopes by LLVM's names for SPIR-V. The work-item of a segmented block stands for its
/// threads.
void FunctionConverter::convertScope(Operation *op) {
  auto scope = op->getAttrOfType<StringAttr>("syncscope");
  if (!scope)
    return;
  StringRef name = scope.getValue();
  if (name == "team" || name == "block")
    name = context.isSegmented() ? "singlethread" : "workgroup";
  op->setAttr("syncscope", StringAttr::get(op->getContext(), name));
}

LogicalResult FunctionConverter::convert(Operation *op) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  if (Value value = replacement(builder, op)) {
    op->replaceAllUsesWith(ValueRange{value});
    op->erase();
    return success();
  }
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ir::BarrierOp barrier) {
        emitBarrier(builder);
        barrier.erase();
        return success();
      })
      .Case([&](ir::BarrierReduceOp barrier) {
        convertBarrierReduce(builder, barrier);
        return success();
      })
      .Case([&](ir::FenceOp fence) {
        convertFence(builder, fence);
        return success();
      })
      .Case([&](LLVM::CallOp call) {
        target::giveFirst(call, {context.launch, context.block});
        return success();
      })
      .Case([&](ir::MathOp math) {
        target::callDeviceLibrary(math);
        return success();
      })
      .Case([&](ir::IsSpaceOp query) { return convertIsSpace(query, context); })
      .Case<LLVM::LoadOp, LLVM::StoreOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp,
            LLVM::FenceOp>([&](Operation *access) {
        convertScope(access);
        return success();
      })
      .Case<ir::BallotOp, ir::VoteOp, ir::ActiveMaskOp, ir::MatchOp, ir::ShuffleOp,
            ir::TeamReduceOp, ir::TeamSyncOp>(
          [&](Operation *team) { return convertTeamOperation(team, context); })
      .Default([&](Operation *rest) {
        return rest->getName().getDialectNamespace() ==
                       ir::HetIRDialect::getDialectNamespace()
                   ? convertService(rest, context)
                   : success();
      });
}

/// Every function takes the launch and the block first.
void takeContext(LLVM::LLVMFuncOp function, bool isSegmented) {
  Builder builder(function.getContext());
  Type launch = LLVM::LLVMPointerType::get(builder.getContext(), ir::globalSpace);
  Type block = LLVM::LLVMPointerType::get(
      builder.getContext(), isSegmented ? ir::globalSpace : ir::sharedSpace);
  target::takeFirst(function, {launch, block});
}

/// What CUDA calls constant is global memory that no kernel writes; and a segmented
/// block's shared memory is global.
void mergeSpaces(ModuleOp module, bool isSegmented) {
  auto spaceOf = [=](unsigned space) -> unsigned {
    bool isGlobal = space == ir::constantSpace ||
                    (space == ir::sharedSpace && isSegmented);
    return isGlobal ? unsigned(ir::globalSpace) : space;
  };
  module.walk([](LLVM::LoadOp load) {
    auto type = cast<LLVM::LLVMPointerType>(load.getAddr().getType());
    if (type.getAddressSpace() == ir::constantSpace && !load.getVolatile_())
      load.setInvariant(true);
  });
  for (auto global : module.getOps<LLVM::GlobalOp>())
    global.setAddrSpace(spaceOf(global.getAddrSpace()));
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](LLVM::LLVMPointerType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(),
                                      spaceOf(type.getAddressSpace()));
  });
  module->removeAttr(DLTIDialect::kDataLayoutAttrName);
  module->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                  StringAttr::get(module.getContext(), plainLayout));
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false, /*replaceTypes=*/true);
  module.walk([](LLVM::AddrSpaceCastOp cast) {
    if (cast.getType() != cast.getArg().getType())
      return;
    cast.replaceAllUsesWith(cast.getArg());
    cast.erase();
  });
}

KernelFacts collectFacts(LLVM::LLVMFuncOp kernel, const target::KernelObjects &objects, Form form) {
  KernelFacts facts;
  facts.form = form;
  facts.variableCount = objects.variables.size();
  facts.staticSharedBytes = objects.shared.bytes;
  kernel->getParentOfType<ModuleOp>().walk([&](ir::ClockOp) { facts.readsClock = true; });
  if (auto info = kernel->getAttrOfType<DictionaryAttr>(ir::infoAttrName))
    if (auto most = info.getAs<IntegerAttr>("max_threads"))
      facts.maxThreads = most.getInt();
  if (auto frame = kernel->getAttrOfType<DictionaryAttr>(ir::frameAttrName)) {
    facts.frameBytesPerThread = cast<IntegerAttr>(frame.get("thread_bytes")).getInt();
    facts.frameBytesPerBlock = cast<IntegerAttr>(frame.get("block_bytes")).getInt();
    if (auto layout = kernel->getAttrOfType<IntegerAttr>(ir::layoutAttrName)) {
      facts.layout = layout.getInt();
      facts.stateBytes = cast<IntegerAttr>(frame.get("state_bytes")).getInt();
    }
  }
  return facts;
}

} // namespace

FailureOr<KernelFacts> convertToSPIRV(ModuleOp module, StringRef kernelName, Form form,
                                      unsigned lanes) {
  auto kernel = module.lookupSymbol<LLVM::LLVMFuncOp>(kernelName);
  bool isSegmented = form == Form::Segmented;
  const target::KernelObjects objects(module);
  KernelFacts facts = collectFacts(kernel, objects, form);
  // A segmented kernel's pc comes before its own arguments.
  const target::PackedParameters packed = target::packedParameters(kernel, isSegmented);
  facts.argumentBytes = packed.bytes;
  if (!isSegmented) {
    target::dropSafePoints(module);
    copyArguments(kernel);
  }
  SmallVector<LLVM::LLVMFuncOp> functions;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      functions.push_back(function);
  for (LLVM::LLVMFuncOp function : functions)
    takeContext(function, isSegmented);
  for (LLVM::LLVMFuncOp function : functions) {
    Context context = {form, kernel, function.getArgument(0), function.getArgument(1),
                       lanes};
    if (failed(FunctionConverter(function, objects, context).run()))
      return failure();
  }
  LLVM::LLVMFuncOp resume;
  if (auto name = kernel->getAttrOfType<FlatSymbolRefAttr>(ir::resumeAttrName))
    resume = module.lookupSymbol<LLVM::LLVMFuncOp>(name.getValue());
  createEntry(module, kernel, resume, form, packed.offsets);
  for (LLVM::LLVMFuncOp function : functions)
    function.setLinkage(LLVM::Linkage::Internal);
  objects.erase(module);
  mergeSpaces(module, isSegmented);
  return facts;
}

} // namespace het::spirv
