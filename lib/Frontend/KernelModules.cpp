// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes over each kernel's module, and the package of all of them.

#include "KernelModules.h"
#include "Locations.h"
#include "ModuleInfo.h"

#include "het/IR/Module.h"
#include "het/Package/PackageWriter.h"
#include "het/Transforms/Frame.h"
#include "het/Transforms/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Threading.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace het;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Notes the option where lowerings look for it.
static void noteSafePoints(ModuleOp module, SafePointMode mode) {
  if (mode == SafePointMode::Loops)
    return;
  auto where = StringAttr::get(module.getContext(), mode == SafePointMode::None
                                                        ? ir::noSafePoints
                                                        : ir::safePointsAtBarriers);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (ir::isKernel(function))
      function->setAttr(ir::safePointsAttrName, where);
}

static LogicalResult runPasses(ModuleOp module, const CompileOptions &options) {
  noteSafePoints(module, options.safePoints);
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.enableVerifier(false); // Once, at the end.
  manager.addPass(createCSEPass());
  manager.addPass(transforms::createFuseMultiplyAdd());
  if (options.flushToZero) {
    manager.addPass(transforms::createFlushSubnormals());
    manager.addPass(createCSEPass());
  }
  manager.addPass(transforms::createAnnotateUniformity());
  if (options.safePoints != SafePointMode::None)
    manager.addPass(transforms::createInsertSafePoints());
  if (failed(manager.run(module)))
    return failure();
  return success(succeeded(verify(module)) && succeeded(ir::verifyHetIR(module)));
}

/// Obstacle that the pass which makes suspendable kernels, when they are lowered, will
/// find.
static std::string findParkingObstacle(const KernelModule &kernel) {
  ModuleOp module = kernel.module.get();
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(copy->getContext(), ModuleOp::getOperationName());
  manager.enableVerifier(false);
  transforms::InsertSafePointsOptions points;
  points.parkable = true;
  manager.addPass(transforms::createInsertSafePoints(points));
  if (failed(manager.run(*copy)))
    return "its safe points can not be found";
  Operation *function = SymbolTable::lookupSymbolIn(*copy, kernel.kernel);
  auto reason = function->getAttrOfType<StringAttr>(ir::unparkableAttrName);
  if (!reason)
    return "";
  auto at = function->getAttrOfType<LocationAttr>(ir::unparkableAtAttrName);
  const std::string place = at ? describeLocation(at) : "";
  return reason.str() + (place.empty() ? "" : " (" + place + ")");
}

bool het::finishKernels(std::vector<KernelModule> &kernels, const CompileOptions &options,
                        MLIRContext &context, Messages &messages) {
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
    showAt(messages, isError ? Severity::Error : Severity::Warning,
           diagnostic.getLocation(), diagnostic.str());
    return success();
  });
  LogicalResult result =
      failableParallelForEach(&context, kernels, [&](KernelModule &kernel) {
        if (failed(runPasses(*kernel.module, options)))
          return failure();
        kernel.unparkable = findParkingObstacle(kernel);
        return success();
      });
  return succeeded(result);
}

//===----------------------------------------------------------------------===//
// The package
//===----------------------------------------------------------------------===//

static uint64_t alignTo(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// Shared objects and variables, as the module declares them.
static void describeGlobals(ModuleOp module, const ModuleInfo &info, KernelInfo &kernel) {
  DataLayout layout(module);
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (global->hasAttr(ir::variableAttrName)) {
      kernel.variables.push_back(info.variableIndex.lookup(global.getSymName()));
    } else if (global.getAddrSpace() == ir::sharedSpace) {
      Type type = global.getGlobalType();
      uint64_t alignment = std::max<uint64_t>(global.getAlignment().value_or(1),
                                              layout.getTypeABIAlignment(type));
      kernel.staticSharedBytes =
          alignTo(kernel.staticSharedBytes, alignment) + layout.getTypeSize(type);
    }
  }
}

static SafePointReason reasonOf(ir::SafePointReason reason) {
  switch (reason) {
  case ir::SafePointReason::Entry:
    return SafePointReason::Entry;
  case ir::SafePointReason::Loop:
  case ir::SafePointReason::Yield:
  case ir::SafePointReason::Poll:
    return SafePointReason::Loop;
  case ir::SafePointReason::Barrier:
  case ir::SafePointReason::Team:
    return SafePointReason::Barrier;
  }
  llvm_unreachable("unknown reason");
}

/// How far a live value is the same: what the analysis wrote at its definition.
static SlotLevel levelOf(Value value) {
  Operation *definition = value.getDefiningOp();
  auto level = definition ? definition->getAttrOfType<ir::LevelAttr>(ir::uniformAttrName)
                          : ir::LevelAttr();
  return level ? static_cast<SlotLevel>(level.getValue()) : SlotLevel::Lane;
}

static void describeSafePoints(LLVM::LLVMFuncOp function, KernelInfo &kernel) {
  DataLayout layout(function->getParentOfType<ModuleOp>());
  std::map<uint32_t, Slot> slots;
  function.walk([&](ir::SafePointOp point) {
    kernel.safePoints.push_back({point.getId(), reasonOf(point.getReason()),
                                 static_cast<uint32_t>(point.getLive().size()),
                                 describeLocation(point.getLoc())});
    auto numbers = point->getAttrOfType<DenseI32ArrayAttr>(ir::slotsAttrName);
    if (!numbers)
      return;
    for (auto [number, value] : llvm::zip(numbers.asArrayRef(), point.getLive())) {
      Slot slot;
      slot.id = number;
      slot.size = layout.getTypeSize(value.getType());
      slot.alignment = layout.getTypeABIAlignment(value.getType());
      slot.level = levelOf(value);
      auto [entry, inserted] = slots.try_emplace(slot.id, slot);
      if (!inserted) // One slot for several values: the widest level of them.
        entry->second.level = std::max(entry->second.level, slot.level);
    }
  });
  for (const auto &[id, slot] : slots)
    kernel.slots.push_back(slot);
  transforms::FrameLayout frame(function);
  kernel.localBytes = frame.bytesOfLocals();
}

static KernelInfo describe(const KernelModule &kernel, const ModuleInfo &info) {
  KernelInfo described = info.kernels.lookup(kernel.kernel);
  ModuleOp module = *kernel.module;
  describeGlobals(module, info, described);
  bool usesClusters = false;
  module->walk([&](Operation *op) {
    usesClusters |= ir::usesCluster(op);
    if (isa<ir::DynamicSharedOp>(op))
      described.dynamicShared = true;
    else if (isa<ir::GridBarrierOp>(op) && !ir::usesCluster(op))
      described.cooperative = true;
  });
  if (usesClusters)
    described.capabilities.emplace_back(clusterCapability);
  auto function =
      cast<LLVM::LLVMFuncOp>(SymbolTable::lookupSymbolIn(module, kernel.kernel));
  describeSafePoints(function, described);
  described.unparkable = kernel.unparkable;
  return described;
}

static llvm::Error toError(const Status &status) {
  return llvm::createStringError("package: %s", status.message.c_str());
}

llvm::Expected<Bytes> het::buildPackage(std::vector<KernelModule> &kernels,
                                        const ModuleInfo &info,
                                        const RelocatableCode *relocatable) {
  PackageWriter writer("hetcc " HET_VERSION);
  if (!relocatable)
    writer.reserveSignatures(); // in a program there is no room to add it later
  for (const VariableInfo &variable : info.variables) {
    Result<uint32_t> added = writer.addVariable(variable);
    if (!added.ok())
      return toError(added.status());
  }
  for (KernelModule &kernel : kernels) {
    std::string code;
    llvm::raw_string_ostream stream(code);
    if (failed(ir::writeBytecode(*kernel.module, stream)))
      return llvm::createStringError("kernel '" + kernel.kernel + "' cannot be written");
    Status status =
        writer.addKernel(describe(kernel, info), ByteView(std::string_view(code)));
    if (!status.ok())
      return toError(status);
  }
  if (relocatable)
    writer.setRelocatableCode(*relocatable);
  Result<Bytes> package = writer.finish();
  if (!package.ok())
    return toError(package.status());
  return package.take();
}
