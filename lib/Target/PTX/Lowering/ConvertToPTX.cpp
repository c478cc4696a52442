// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX's part of the conversion: special registers, barriers, isspacep, and the functions
// that NVIDIA's driver provides to every kernel.
//
// Source: CUDA C++ Programming Guide; PTX ISA, "isspacep"; PTX Writer's Guide to
// Interoperability, "System Calls".

#include "ConvertToPTX.h"
#include "../../Support/Lowering/FunctionConverter.h"
#include "../../Support/Lowering/SpaceMerging.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "../PTXArtifact.h"
#include "het/DeviceABI/SuspendRecord.h"

using namespace mlir;

namespace het::ptx {

Value callIntrinsic(ImplicitLocOpBuilder &builder, StringRef name, Type result,
                    ValueRange operands) {
  auto attribute = builder.getStringAttr(name);
  if (!result) {
    LLVM::CallIntrinsicOp::create(builder, attribute, operands);
    return {};
  }
  return LLVM::CallIntrinsicOp::create(builder, result, attribute, operands).getResult(0);
}

namespace {

constexpr llvm::StringLiteral dynamicSharedName = "het$dynamic_shared";

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

class Converter : public target::FunctionConverter {
public:
  Converter(LLVM::LLVMFuncOp function, const target::KernelObjects &objects,
            const target::KernelInfo &info, const Machine &machine, Heap heap)
      : FunctionConverter(function, /*recordCount=*/0), objects(objects), info(info),
        machine(machine), heap(heap) {}

protected:
  StringRef targetName() override { return "PTX"; }
  Value position(target::Position which, ir::Dim dim) override;
  Value laneId() override { return readRegister(builder, "laneid"); }
  Value teamId() override { return ptx::teamId(builder); }
  Value isCooperative() override;
  Value isClusterGiven() override;
  Value dynamicShared() override;
  Value addressOf(LLVM::AddressOfOp address) override;

  StringRef fenceScope(ir::FenceScope scope) override {
    return scope == ir::FenceScope::System   ? ""
           : scope == ir::FenceScope::Device ? "device"
                                             : "block";
  }
  /// NVPTX has no scope of a team.
  StringRef accessScope(StringRef scope) override {
    return scope == "team" ? "block" : scope;
  }
  LogicalResult convertBarrier() override;
  void arriveAtCluster() override {
    callIntrinsic(builder, "llvm.nvvm.barrier.cluster.arrive", {}, {});
  }
  Value mapToCluster(Value pointer, Value rank) override;
  Value rankInCluster(Value pointer) override;
  Value clusterAddress(Value pointer) override;
  Value clusterPointer(Value address) override;
  LogicalResult convertTeamOperation() override {
    return ptx::convertTeamOperation(op, machine);
  }
  void convertMath(ir::MathOp math) override { ptx::convertMath(math, machine); }

  Value callService(target::Service service, Type result,
                    ArrayRef<Value> operands) override;
  Value allocate(ir::MallocOp op) override;
  void release(ir::FreeOp op) override;
  void sleep(Value nanoseconds) override {
    // To sleep for no time is allowed, and all that older machines have.
    if (machine.capability >= 70 && machine.version >= 63)
      callIntrinsic(builder, "llvm.nvvm.nanosleep", {}, nanoseconds);
  }
  Value clock(ir::ClockKind kind) override;
  Value fetchTexture(ir::TextureFetchOp op) override;

  Value isShared(Value pointer) override { return ask("shared", pointer); }
  Value isLocal(Value pointer) override { return ask("local", pointer); }
  Value isGridConstant(Value pointer) override;
  Value isGlobal(Value pointer) override;

private:
  Value ask(const Twine &space, Value pointer) {
    return callIntrinsic(builder, ("llvm.nvvm.isspacep." + space).str(),
                         builder.getI1Type(), pointer);
  }
  Value sync(const Twine &what, StringRef form, Type result, ValueRange operands);
  void trapUnless(Value condition);

  const target::KernelObjects &objects;
  const target::KernelInfo &info;
  const Machine &machine;
  Heap heap;
};

Value Converter::position(target::Position which, ir::Dim dim) {
  StringRef name = which == target::Position::Thread        ? "tid."
                   : which == target::Position::Block       ? "ctaid."
                   : which == target::Position::BlockSize   ? "ntid."
                   : which == target::Position::ClusterSize ? "cluster.nctaid."
                                                            : "nctaid.";
  return readRegister(builder, name + ir::stringifyDim(dim));
}

/// Whether there is a workspace for the grid, whose address the driver puts into two
/// registers, as cooperative_groups.h of CUDA asks.
Value Converter::isCooperative() {
  Value address = LLVM::OrOp::create(builder, readRegister(builder, "envreg1"),
                                     readRegister(builder, "envreg2"));
  Value isThere = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne, address,
                                       constantI32(builder, 0));
  return LLVM::ZExtOp::create(builder, builder.getI32Type(), isThere);
}

Value Converter::isClusterGiven() {
  Value isGiven =
      callIntrinsic(builder, "llvm.nvvm.is_explicit_cluster", builder.getI1Type(), {});
  return LLVM::ZExtOp::create(builder, builder.getI32Type(), isGiven);
}

/// LLVM's intrinsic says that nobody reaches the object by the result.
Value Converter::mapToCluster(Value pointer, Value rank) {
  auto map = LLVM::InlineAsmOp::create(
      builder, pointer.getType(), ValueRange{pointer, rank}, "mapa.u64 $0, $1, $2;",
      "=l,l,r", /*has_side_effects=*/false, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  return map.getResult(0);
}

Value Converter::rankInCluster(Value pointer) {
  Value rank =
      callIntrinsic(builder, "llvm.nvvm.getctarank", builder.getI32Type(), pointer);
  return LLVM::SelectOp::create(builder, ask("shared.cluster", pointer), rank,
                                constantI32(builder, ~0u));
}

/// LLVM's address space for the shared memory of a cluster.
static constexpr unsigned clusterSpace = 7;

Value Converter::clusterAddress(Value pointer) {
  Value there = LLVM::AddrSpaceCastOp::create(
      builder, target::pointerTo(builder, clusterSpace), pointer);
  return LLVM::PtrToIntOp::create(builder, builder.getI32Type(), there);
}

Value Converter::clusterPointer(Value address) {
  Value there = LLVM::IntToPtrOp::create(
      builder, target::pointerTo(builder, clusterSpace), address);
  return generic(there);
}

/// An array without a size behind the static shared memory.
Value Converter::dynamicShared() {
  auto module = function->getParentOfType<ModuleOp>();
  auto object = module.lookupSymbol<LLVM::GlobalOp>(dynamicSharedName);
  if (!object) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    object = LLVM::GlobalOp::create(
        builder, LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
        /*isConstant=*/false, LLVM::Linkage::External, dynamicSharedName, Attribute(),
        /*alignment=*/16, ir::sharedSpace);
  }
  return LLVM::AddressOfOp::create(builder, object);
}

/// Package variables lie where the runtime has put them: their addresses are in a table.
Value Converter::addressOf(LLVM::AddressOfOp address) {
  auto it = objects.variables.find(address.getGlobalName());
  if (it == objects.variables.end())
    return {};
  auto table = function->getParentOfType<ModuleOp>().lookupSymbol<LLVM::GlobalOp>(
      HET_PTX_VARIABLES);
  Value entries = LLVM::AddressOfOp::create(builder, table);
  Value entry =
      LLVM::GEPOp::create(builder, entries.getType(), builder.getI64Type(), entries,
                          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(it->second)},
                          LLVM::GEPNoWrapFlags::inbounds);
  auto load = LLVM::LoadOp::create(builder, builder.getI64Type(), entry);
  load.setInvariant(true);
  return LLVM::IntToPtrOp::create(builder, target::pointerTo(builder, ir::globalSpace),
                                  load.getResult());
}

/// `llvm.nvvm.barrier.cta.<what>[.aligned]<form>`: threads of a team that may come
/// apart must not be said to be aligned.
Value Converter::sync(const Twine &what, StringRef form, Type result,
                      ValueRange operands) {
  StringRef aligned = op->hasAttr(ir::alignedAttrName) ? ".aligned" : "";
  return callIntrinsic(builder, ("llvm.nvvm.barrier.cta." + what + aligned + form).str(),
                       result, operands);
}

LogicalResult Converter::convertBarrier() {
  auto meet = [&](StringRef what, Value id, Value count) {
    SmallVector<Value> operands{id};
    if (count)
      operands.push_back(count);
    sync(what, count ? ".count" : ".all", {}, operands);
    op->erase();
  };
  if (auto barrier = dyn_cast<ir::GridBarrierOp>(op); barrier && barrier.getCluster()) {
    callIntrinsic(builder, "llvm.nvvm.barrier.cluster.wait", {}, {});
    op->erase();
  } else if (barrier)
    convertGridBarrier(barrier);
  else if (auto barrier = dyn_cast<ir::BarrierOp>(op))
    meet("sync", constantI32(builder, barrier.getId()), barrier.getCount());
  else if (auto barrier = dyn_cast<ir::NamedBarrierOp>(op))
    meet("sync", barrier.getId(), barrier.getCount());
  else if (auto barrier = dyn_cast<ir::BarrierArriveOp>(op))
    meet("arrive", barrier.getId(), barrier.getCount());
  else {
    auto reduce = cast<ir::BarrierReduceOp>(op);
    const bool counts = reduce.getKind() == ir::BarrierReduceKind::Count;
    StringRef name = counts ? "popc" : stringifyBarrierReduceKind(reduce.getKind());
    Value result =
        sync("red." + name, ".all", counts ? builder.getI32Type() : builder.getI1Type(),
             {constantI32(builder, 0), reduce.getPredicate()});
    if (!counts)
      result = LLVM::ZExtOp::create(builder, builder.getI32Type(), result);
    reduce.replaceAllUsesWith(result);
    reduce.erase();
  }
  return success();
}

Value Converter::callService(target::Service service, Type result,
                             ArrayRef<Value> operands) {
  SmallVector<Value> all(operands);
  switch (service) {
  case target::Service::Printf:
    return target::callFunction(builder, "vprintf", result, all);
  case target::Service::Assert:
    all.push_back(target::constantI64(builder, 1)); // bytes of a character
    return target::callFunction(builder, "__assertfail", result, all);
  case target::Service::Trap:
    return callIntrinsic(builder, "llvm.trap", {}, {});
  case target::Service::NoteFree:
    trapUnless(operands[0]);
    return {};
  case target::Service::Clock: // see `clock`
    break;
  }
  llvm_unreachable("a service of no kind");
}

void Converter::trapUnless(Value condition) {
  Value isWrong = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, condition,
                                       constantI32(builder, 0));
  Block *before = op->getBlock(), *rest = before->splitBlock(op);
  Block *wrong = builder.createBlock(rest);
  callIntrinsic(builder, "llvm.trap", {}, {});
  LLVM::BrOp::create(builder, ValueRange(), rest);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, isWrong, wrong, rest);
}

/// Memory of the driver's heap can not move, so suspendable code has the runtime's.
Value Converter::allocate(ir::MallocOp op) {
  Type pointer = target::pointerTo(builder, ir::genericSpace);
  if (heap == Heap::Drivers)
    return target::callFunction(builder, "malloc", pointer, op.getSize());
  return LLVM::IntToPtrOp::create(builder, pointer, target::callMalloc(builder, op));
}

void Converter::release(ir::FreeOp op) {
  if (heap == Heap::Drivers)
    target::callFunction(builder, "free", {}, op.getPointer());
  else
    FunctionConverter::release(op);
}

Value Converter::clock(ir::ClockKind kind) {
  StringRef name = kind == ir::ClockKind::Cycles32   ? "clock"
                   : kind == ir::ClockKind::Cycles64 ? "clock64"
                                                     : "globaltimer";
  return callIntrinsic(builder, ("llvm.nvvm.read.ptx.sreg." + name).str(),
                       op->getResult(0).getType(), {});
}

/// The instructions have four results.
Value Converter::fetchTexture(ir::TextureFetchOp fetch) {
  const bool isLine = fetch.getCoordinates().size() == 1;
  SmallVector<Value> operands{fetch.getTexture()};
  llvm::append_range(operands, fetch.getCoordinates());
  const SmallVector<Type> words(4, builder.getI32Type());
  Value words4 = callIntrinsic(
      builder,
      isLine ? "llvm.nvvm.tex.unified.1d.v4u32.s32"
             : "llvm.nvvm.tex.unified.2d.v4u32.f32",
      LLVM::LLVMStructType::getLiteral(builder.getContext(), words), operands);
  Value channels = LLVM::PoisonOp::create(builder, fetch.getType());
  for (int32_t i = 0; i < 4; ++i)
    channels = LLVM::InsertElementOp::create(
        builder, channels, LLVM::ExtractValueOp::create(builder, words4, i),
        constantI32(builder, i));
  return channels;
}

/// Parameters that no thread has a copy of are the only ones with an address in the
/// space of parameters. LLVM has no intrinsic for it.
Value Converter::isGridConstant(Value pointer) {
  if (info.gridConstants.empty())
    return target::constantI1(builder, false);
  auto query = LLVM::InlineAsmOp::create(
      builder, builder.getI32Type(), ValueRange{pointer},
      "{\n\t.reg .pred p;\n\tisspacep.param p, $1;\n\tselp.u32 $0, 1, 0, p;\n\t}", "=r,l",
      /*has_side_effects=*/false, /*is_align_stack=*/false, LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
  return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne, query.getResult(0),
                              constantI32(builder, 0));
}

/// CUDA's constants lie in global memory here, so the addresses of the module's constants
/// tell it.
Value Converter::isGlobal(Value pointer) {
  Value other = LLVM::OrOp::create(builder, isConstant(pointer), isGridConstant(pointer));
  return LLVM::AndOp::create(
      builder, ask("global", pointer),
      LLVM::XOrOp::create(builder, other, target::constantI1(builder, true)));
}

/// Where variables lie: the device fills it in before the kernel runs.
void createVariableTable(ModuleOp module, unsigned count) {
  ImplicitLocOpBuilder builder(module.getLoc(), module.getBody(),
                               module.getBody()->begin());
  auto type = LLVM::LLVMArrayType::get(builder.getI64Type(), count);
  auto table = LLVM::GlobalOp::create(builder, type, /*isConstant=*/true,
                                      LLVM::Linkage::External, HET_PTX_VARIABLES,
                                      Attribute(), /*alignment=*/8, ir::constantSpace);
  table.setExternallyInitializedAttr(builder.getUnitAttr());
  builder.createBlock(&table.getInitializerRegion());
  LLVM::ReturnOp::create(builder, LLVM::ZeroOp::create(builder, type).getResult());
}

/// Memory that CUDA calls constant is global memory that no kernel writes. The table is
/// not.
void moveConstants(ModuleOp module, unsigned variableCount) {
  target::markConstantLoads(module);
  target::mergeSpaces(module, [](unsigned space) -> unsigned {
    return space == ir::constantSpace ? unsigned(ir::globalSpace) : space;
  });
  if (variableCount)
    createVariableTable(module, variableCount);
}

void eraseVariables(ModuleOp module, const target::KernelObjects &objects) {
  for (auto global : llvm::make_early_inc_range(module.getOps<LLVM::GlobalOp>()))
    if (objects.variables.contains(global.getSymName()))
      global.erase();
}

/// "maxntid" and its like from the source's launch bounds.
void setLaunchBounds(LLVM::LLVMFuncOp kernel) {
  auto info = kernel->getAttrOfType<DictionaryAttr>(ir::infoAttrName);
  if (!info)
    return;
  SmallVector<Attribute> attributes;
  Builder builder(kernel.getContext());
  auto pass = [&](StringRef from, StringRef to) {
    if (auto value = info.getAs<IntegerAttr>(from); value && value.getInt() > 0)
      attributes.push_back(
          builder.getArrayAttr({builder.getStringAttr(to),
                                builder.getStringAttr(std::to_string(value.getInt()))}));
  };
  pass("max_threads", "nvvm.maxntid");
  pass("min_blocks", "nvvm.minctasm");
  if (!attributes.empty())
    kernel.setPassthroughAttr(builder.getArrayAttr(attributes));
}

/// Machines without clusters have none of their operations.
LogicalResult checkClusters(ModuleOp module, const Machine &machine) {
  constexpr unsigned leastCapability = 90, leastVersion = 78;
  if (machine.capability >= leastCapability && machine.version >= leastVersion)
    return success();
  Operation *found = nullptr;
  module.walk([&](Operation *op) { found = ir::usesCluster(op) ? op : found; });
  if (!found)
    return success();
  return found->emitError() << "clusters of blocks: found compute capability "
                            << machine.capability / 10 << "." << machine.capability % 10
                            << " and PTX " << machine.version / 10 << "."
                            << machine.version % 10
                            << ", expected at least 9.0 and PTX 7.8";
}

} // namespace

FailureOr<target::KernelInfo> convertToPTX(LLVM::LLVMFuncOp kernel,
                                           const Machine &machine, Heap heap) {
  auto module = kernel->getParentOfType<ModuleOp>();
  const target::KernelObjects objects(module);
  target::KernelInfo info = target::describeKernel(kernel, objects, /*firstArgument=*/0);
  target::dropSafePoints(module);
  convertCopies(module);
  convertGridDependencies(module);
  if (failed(checkClusters(module, machine)))
    return failure();
  if (failed(target::convertFunctions(
          module, {},
          [&](LLVM::LLVMFuncOp function) {
            return std::make_unique<Converter>(function, objects, info, machine, heap);
          },
          [&] { moveConstants(module, info.variableCount); })))
    return failure();
  eraseVariables(module, objects);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    function.setConvergent(true); // LLVM finds out where it is not needed
  for (const std::string &name : entryNames(kernel.getSymName()))
    if (auto entry = module.lookupSymbol<LLVM::LLVMFuncOp>(name)) {
      entry.setLinkage(LLVM::Linkage::External);
      entry.setCConv(LLVM::CConv::PTX_Kernel);
      setLaunchBounds(entry);
    }
  return info;
}

} // namespace het::ptx
