// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels, variables, positions and order.

#include "ConvertToPTX.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "../PTXArtifact.h"
#include "het/Base/ParkingRecord.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace het::ptx {

Value callIntrinsic(ImplicitLocOpBuilder &builder, StringRef name, Type result,
                    ValueRange operands) {
  auto attribute = builder.getStringAttr(name);
  if (!result) {
    LLVM::CallIntrinsicOp::create(builder, attribute, operands);
    return {};
  }
  return LLVM::CallIntrinsicOp::create(builder, result, attribute, operands)
      .getResult(0);
}

Value constantI32(ImplicitLocOpBuilder &builder, uint32_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI32Type(),
                                  builder.getI32IntegerAttr(value));
}

namespace {

constexpr llvm::StringLiteral dynamicSharedName = "het_dynamic_shared";

Value readRegister(ImplicitLocOpBuilder &builder, const Twine &name) {
  return callIntrinsic(builder, ("llvm.nvvm.read.ptx.sreg." + name).str(),
                       builder.getI32Type(), {});
}

/// The linear index of the thread in its block, by 32.
Value teamId(ImplicitLocOpBuilder &builder) {
  Value linear;
  for (const char *axis : {"z", "y", "x"}) {
    Value thread = readRegister(builder, Twine("tid.") + axis);
    if (linear) {
      Value size = readRegister(builder, Twine("ntid.") + axis);
      linear = LLVM::MulOp::create(builder, linear, size);
      thread = LLVM::AddOp::create(builder, linear, thread);
    }
    linear = thread;
  }
  return LLVM::LShrOp::create(builder, linear, constantI32(builder, 5));
}

/// Dynamic shared memory is an array without a size behind the static one.
Value dynamicShared(ImplicitLocOpBuilder &builder, Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  auto object = module.lookupSymbol<LLVM::GlobalOp>(dynamicSharedName);
  if (!object) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    object = LLVM::GlobalOp::create(
        builder, LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
        /*isConstant=*/false, LLVM::Linkage::External, dynamicSharedName,
        Attribute(), /*alignment=*/16, ir::sharedSpace);
  }
  return LLVM::AddressOfOp::create(builder, object);
}

/// The value that a position or an address stands for; null: it is none.
Value replacement(ImplicitLocOpBuilder &builder, Operation *op) {
  auto axis = [](auto position) { return stringifyDim(position.getDimension()); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](ir::ThreadIdOp id) {
        return readRegister(builder, "tid." + axis(id));
      })
      .Case([&](ir::BlockIdOp id) {
        return readRegister(builder, "ctaid." + axis(id));
      })
      .Case([&](ir::BlockDimOp size) {
        return readRegister(builder, "ntid." + axis(size));
      })
      .Case([&](ir::GridDimOp size) {
        return readRegister(builder, "nctaid." + axis(size));
      })
      .Case([&](ir::LaneIdOp) { return readRegister(builder, "laneid"); })
      .Case([&](ir::TeamIdOp) { return teamId(builder); })
      .Case([&](ir::TeamSizeOp) { return constantI32(builder, ir::teamSize); })
      .Case([&](ir::DynamicSharedOp) { return dynamicShared(builder, op); })
      .Default([](Operation *) { return Value(); });
}

/// `llvm.nvvm.barrier.cta.<what>[.aligned]<form>`: threads of a team that may come
/// apart must not be said to be aligned.
std::string barrierName(Operation *barrier, const Twine &what, StringRef form) {
  StringRef aligned = barrier->hasAttr(ir::alignedAttrName) ? ".aligned" : "";
  return ("llvm.nvvm.barrier.cta." + what + aligned + form).str();
}

void convertBarrier(ImplicitLocOpBuilder &builder, Operation *barrier, Value id,
                    Value count) {
  SmallVector<Value> operands{id};
  if (count)
    operands.push_back(count);
  StringRef what = isa<ir::BarrierArriveOp>(barrier) ? "arrive" : "sync";
  callIntrinsic(builder, barrierName(barrier, what, count ? ".count" : ".all"), {},
                operands);
  barrier->erase();
}

void convertBarrierReduce(ImplicitLocOpBuilder &builder, ir::BarrierReduceOp barrier) {
  bool counts = barrier.getKind() == ir::BarrierReduceKind::Count;
  StringRef name = counts ? "popc"
                          : stringifyBarrierReduceKind(barrier.getKind());
  Value result = callIntrinsic(
      builder, barrierName(barrier, "red." + name, ".all"),
      counts ? Type(builder.getI32Type()) : Type(builder.getI1Type()),
      {constantI32(builder, 0), barrier.getPredicate()});
  if (!counts)
    result = LLVM::ZExtOp::create(builder, builder.getI32Type(), result);
  barrier.replaceAllUsesWith(result);
  barrier.erase();
}

/// NVPTX has no scope of a team.
StringRef scopeOf(StringRef scope) { return scope == "team" ? "block" : scope; }

void convertFence(ImplicitLocOpBuilder &builder, ir::FenceOp fence) {
  StringRef scope = llvm::StringSwitch<StringRef>(stringifyFenceScope(fence.getScope()))
                        .Case("system", "")
                        .Case("device", "device")
                        .Default("block");
  LLVM::FenceOp::create(builder, LLVM::AtomicOrdering::seq_cst, scope);
  fence.erase();
}

void convertScope(Operation *op) {
  auto scope = op->getAttrOfType<StringAttr>("syncscope");
  if (scope)
    op->setAttr("syncscope",
                StringAttr::get(op->getContext(), scopeOf(scope.getValue())));
}

LogicalResult convert(Operation *op, const Machine &machine, Heap heap) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  if (Value value = replacement(builder, op)) {
    op->replaceAllUsesWith(ValueRange{value});
    op->erase();
    return success();
  }
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ir::BarrierOp barrier) {
        convertBarrier(builder, barrier, constantI32(builder, barrier.getId()),
                       barrier.getCount());
        return success();
      })
      .Case<ir::NamedBarrierOp, ir::BarrierArriveOp>([&](auto barrier) {
        convertBarrier(builder, barrier, barrier.getId(), barrier.getCount());
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
      .Case([&](ir::GridBarrierOp barrier) {
        convertGridBarrier(barrier);
        return success();
      })
      .Case([&](ir::MathOp math) {
        convertMath(math, machine);
        return success();
      })
      .Case<LLVM::LoadOp, LLVM::StoreOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(
          [&](Operation *access) {
            convertScope(access);
            return success();
          })
      .Case<ir::BallotOp, ir::VoteOp, ir::ActiveMaskOp, ir::MatchOp, ir::ShuffleOp,
            ir::TeamReduceOp, ir::TeamSyncOp>([&](Operation *team) {
        return convertTeamOperation(team, machine);
      })
      .Default([&](Operation *rest) {
        return rest->getName().getDialectNamespace() ==
                       ir::HetIRDialect::getDialectNamespace()
                   ? convertService(rest, heap)
                   : success();
      });
}

/// Memory that CUDA calls constant is global memory that no kernel writes.
void mergeConstantSpace(ModuleOp module) {
  module.walk([](LLVM::LoadOp load) {
    auto type = cast<LLVM::LLVMPointerType>(load.getAddr().getType());
    if (type.getAddressSpace() == ir::constantSpace && !load.getVolatile_())
      load.setInvariant(true);
  });
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (global.getAddrSpace() == ir::constantSpace)
      global.setAddrSpace(ir::globalSpace);
  AttrTypeReplacer replacer;
  replacer.addReplacement([](LLVM::LLVMPointerType type) -> Type {
    return type.getAddressSpace() == ir::constantSpace
               ? LLVM::LLVMPointerType::get(type.getContext(), ir::globalSpace)
               : type;
  });
  module->removeAttr(DLTIDialect::kDataLayoutAttrName); // LLVM's NVPTX has its own
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module.walk([](LLVM::AddrSpaceCastOp cast) {
    if (cast.getType() != cast.getArg().getType())
      return;
    cast.replaceAllUsesWith(cast.getArg());
    cast.erase();
  });
}

/// Package variables lie where the runtime has put them: their addresses are in a
/// table in constant memory.
class Variables {
public:
  explicit Variables(ModuleOp module) : module(module) {
    for (auto global : module.getOps<LLVM::GlobalOp>())
      if (global->hasAttr(ir::variableAttrName))
        indices.try_emplace(global.getSymName(), indices.size());
  }
  unsigned count() const { return indices.size(); }

  void convert() {
    if (indices.empty())
      return;
    LLVM::GlobalOp table = createTable();
    SmallVector<LLVM::AddressOfOp> uses;
    module.walk([&](LLVM::AddressOfOp address) {
      if (indices.contains(address.getGlobalName()))
        uses.push_back(address);
    });
    for (LLVM::AddressOfOp use : uses)
      convertUse(use, table);
    for (auto global : llvm::make_early_inc_range(module.getOps<LLVM::GlobalOp>()))
      if (indices.contains(global.getSymName()))
        global.erase();
  }

private:
  /// The device fills it in before the kernel runs.
  LLVM::GlobalOp createTable() {
    ImplicitLocOpBuilder builder(module.getLoc(), module.getBody(),
                                 module.getBody()->begin());
    auto type = LLVM::LLVMArrayType::get(builder.getI64Type(), indices.size());
    auto table = LLVM::GlobalOp::create(
        builder, type, /*isConstant=*/true, LLVM::Linkage::External,
        HET_PTX_VARIABLES, Attribute(), /*alignment=*/8, ir::constantSpace);
    table.setExternallyInitializedAttr(builder.getUnitAttr());
    builder.createBlock(&table.getInitializerRegion());
    LLVM::ReturnOp::create(builder, LLVM::ZeroOp::create(builder, type).getResult());
    return table;
  }
  void convertUse(LLVM::AddressOfOp use, LLVM::GlobalOp table) {
    ImplicitLocOpBuilder builder(use.getLoc(), use);
    Value entries = LLVM::AddressOfOp::create(builder, table);
    Value entry = LLVM::GEPOp::create(
        builder, entries.getType(), builder.getI64Type(), entries,
        ArrayRef<LLVM::GEPArg>{
            static_cast<int32_t>(indices.lookup(use.getGlobalName()))},
        LLVM::GEPNoWrapFlags::inbounds);
    auto load = LLVM::LoadOp::create(builder, builder.getI64Type(), entry);
    load.setInvariant(true);
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), ir::globalSpace);
    Value address = LLVM::IntToPtrOp::create(builder, pointer, load.getResult());
    use.replaceAllUsesWith(address);
    use.erase();
  }

  ModuleOp module;
  llvm::StringMap<unsigned> indices;
};

/// "maxntid" and its like from the source's launch bounds.
void setLaunchBounds(LLVM::LLVMFuncOp kernel) {
  auto info = kernel->getAttrOfType<DictionaryAttr>(ir::infoAttrName);
  if (!info)
    return;
  SmallVector<Attribute> attributes;
  Builder builder(kernel.getContext());
  auto pass = [&](StringRef from, StringRef to) {
    if (auto value = info.getAs<IntegerAttr>(from); value && value.getInt() > 0)
      attributes.push_back(builder.getArrayAttr(
          {builder.getStringAttr(to),
           builder.getStringAttr(std::to_string(value.getInt()))}));
  };
  pass("max_threads", "nvvm.maxntid");
  pass("min_blocks", "nvvm.minctasm");
  if (!attributes.empty())
    kernel.setPassthroughAttr(builder.getArrayAttr(attributes));
}

} // namespace

FailureOr<KernelFacts> convertToPTX(ModuleOp module, StringRef kernelName,
                                    const Machine &machine, Heap heap) {
  auto kernel = module.lookupSymbol<LLVM::LLVMFuncOp>(kernelName);
  if (!kernel || !ir::isKernel(kernel))
    return module.emitError("there is no kernel '") << kernelName << "' here";
  KernelFacts facts;
  facts.parameterOffsets = target::packedParameters(kernel).offsets;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (kernel.getArgAttr(i, ir::gridConstantAttrName))
      facts.gridConstants.push_back(i);
  target::dropSafePoints(module);
  convertSpaces(module);
  mergeConstantSpace(module);
  Variables variables(module);
  facts.variableCount = variables.count();
  variables.convert();
  SmallVector<Operation *> operations;
  module.walk([&](Operation *op) { operations.push_back(op); });
  for (Operation *op : operations) {
    facts.hasGridBarrier |= isa<ir::GridBarrierOp>(op);
    if (failed(convert(op, machine, heap)))
      return failure();
  }
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    function.setConvergent(true); // LLVM finds out where it is not needed
    if (!function.isExternal())
      function.setLinkage(LLVM::Linkage::Internal);
  }
  for (const std::string &name :
       {kernelName.str(), (kernelName + HET_PARKING_RESUME).str()})
    if (auto entry = module.lookupSymbol<LLVM::LLVMFuncOp>(name)) {
      entry.setLinkage(LLVM::Linkage::External);
      entry.setCConv(LLVM::CConv::PTX_Kernel);
      setLaunchBounds(entry);
      facts.entries.push_back(name);
    }
  return facts;
}

} // namespace het::ptx
