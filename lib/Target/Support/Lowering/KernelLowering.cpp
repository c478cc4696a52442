// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver, and what its hooks do by default.

#include "KernelLowering.h"
#include "PassTimes.h"
#include "SmallAtomics.h"
#include "het/Transforms/FlushedArithmetic.h"
#include "het/Transforms/Passes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "llvm/IR/DebugInfo.h"

using namespace mlir;

namespace het::target {

/// A text may hold several kernels; each is lowered alone.
static void dropOtherKernels(ModuleOp module, StringRef kernel) {
  for (auto function : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
    if (ir::isKernel(function) && function.getSymName() != kernel &&
        SymbolTable::symbolKnownUseEmpty(function, module))
      function.erase();
}

llvm::Expected<OwningOpRef<ModuleOp>> parseKernel(LoweringContext &context,
                                                  const LowerRequest &request) {
  OwningOpRef<ModuleOp> module = context.parse(request.code);
  if (!module)
    return context.error();
  auto kernel = module->lookupSymbol<LLVM::LLVMFuncOp>(request.kernel);
  if (!kernel || !ir::isKernel(kernel))
    return llvm::createStringError("there is no kernel '%s' here",
                                   request.kernel.str().c_str());
  dropOtherKernels(*module, request.kernel);
  return module;
}

/// Before the names of what a package defines. No name in C begins so.
static constexpr llvm::StringLiteral packagePrefix = "user.";

llvm::StringRef sourceName(const llvm::GlobalValue &value) {
  llvm::StringRef name = value.getName();
  name.consume_front(packagePrefix);
  return name;
}

/// Renames all that the module defines. Shared objects stay: a target that has them by
/// name must find them, and they are part of the layout of suspended blocks.
static void renameDefinitions(ModuleOp module) {
  MLIRContext *context = module.getContext();
  llvm::DenseMap<StringAttr, FlatSymbolRefAttr> renamed;
  auto rename = [&](SymbolOpInterface symbol) {
    StringAttr name = symbol.getNameAttr();
    auto made = StringAttr::get(context, packagePrefix + name.getValue());
    symbol.setName(made);
    renamed.try_emplace(name, FlatSymbolRefAttr::get(made));
  };
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      rename(function);
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (global.getAddrSpace() != ir::sharedSpace)
      rename(global);
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FlatSymbolRefAttr name) {
    auto found = renamed.find(name.getAttr());
    return found == renamed.end() ? name : found->second;
  });
  replacer.recursivelyReplaceElementsIn(module);
}

LogicalResult formSegments(ModuleOp module, unsigned pollInterval, bool schedule) {
  noteLanes(module);
  PassManager passes(module.getContext());
  timePasses(passes);
  transforms::InsertSafePointsOptions safePoints;
  safePoints.teamOps = true;
  safePoints.uniformLoops = !schedule;
  safePoints.parkable = pollInterval != 0;
  safePoints.pollInterval = pollInterval;
  passes.addPass(transforms::createInsertSafePoints(safePoints));
  transforms::FormSegmentsOptions segments;
  segments.schedule = schedule;
  passes.addPass(transforms::createFormSegments(segments));
  return passes.run(module);
}

LogicalResult KernelLowering::form(LLVM::LLVMFuncOp kernel) {
  return formSegments(kernel->getParentOfType<ModuleOp>(), request.pollInterval);
}

llvm::Error KernelLowering::prepare(llvm::Module &module) {
  if (machine) {
    module.setTargetTriple(machine->getTargetTriple());
    module.setDataLayout(machine->createDataLayout());
  }
  return llvm::Error::success();
}

void KernelLowering::linked(llvm::Module &module) { defineDivisions(module); }

void KernelLowering::optimise(llvm::Module &module) {
  optimizeForSpeed(module, machine.get(), CLibrary::Absent);
}

llvm::Expected<Artifact> KernelLowering::emit(llvm::Module &module) {
  if (machine)
    return emitCode(module, *machine, llvm::CodeGenFileType::ObjectFile);
  Artifact text;
  llvm::raw_svector_ostream out(text);
  module.print(out, nullptr);
  return text;
}

/// hetIR → LLVM IR.
llvm::Expected<std::unique_ptr<llvm::Module>>
KernelLowering::translate(llvm::LLVMContext &llvmContext) {
  StepTimer timer("translate");
  LoweringContext context;
  auto parsed = parseKernel(context, request);
  if (!parsed)
    return parsed.takeError();
  ModuleOp module = **parsed;
  auto kernel = [&] { return module.lookupSymbol<LLVM::LLVMFuncOp>(request.kernel); };
  if (!copiesLater())
    copyAtOnce(module);
  if (!beginsEarly())
    dropGridDependencies(module);
  loadMatrixRows(module, loadsMatrices());
  answerTextureUnits(module, hasTextureUnits());
  if (failed(form(kernel())))
    return context.error();
  // The form may have made another function of the kernel.
  LLVM::LLVMFuncOp formed = kernel();
  if (!keepsNames())
    renameDefinitions(module);
  if (!flushesItself()) // after the form: safe points are the same on all targets
    transforms::expandFlushed(module);
  FailureOr<KernelInfo> converted = convert(formed);
  if (failed(converted) || failed(mlir::verify(module)))
    return context.error();
  info = std::move(*converted);
  hasLines = keepsLines() && attachLineInfo(module);
  std::unique_ptr<llvm::Module> translated =
      context.translate(module, llvmContext, request.kernel);
  if (!translated)
    return context.error();
  if (!hasLines)
    llvm::StripDebugInfo(*translated);
  return translated;
}

llvm::Error KernelLowering::link(llvm::Module &module) {
  StepTimer timer("link");
  if (llvm::Error error = prepare(module))
    return error;
  if (!deviceCode().empty())
    if (llvm::Error error = linkDeviceCode(module, deviceCode()))
      return error;
  if (!hasWideIntegers()) {
    defineDivisions(module, 128); // while they are divisions
    legalizeWideIntegers(module);
  }
  expandSmallAdditions(module, [this](llvm::Type *type) { return addsAtomically(type); });
  if (llvm::Error error = linkDeviceLibrary(module, request.devicelibPath))
    return error;
  linked(module);
  return llvm::Error::success();
}

/// LLVM IR of the whole kernel → code.
llvm::Expected<Artifact> KernelLowering::generate(llvm::Module &module) {
  {
    StepTimer timer("optimise");
    optimise(module);
  }
  {
    StepTimer timer("legalise");
    if (llvm::Error error = legalise(module))
      return error;
  }
  StepTimer timer("emit");
  return emit(module);
}

llvm::Expected<Artifact> KernelLowering::run() {
  PassTimes times(request.isTimed);
  llvm::LLVMContext llvmContext;
  auto module = translate(llvmContext);
  if (!module)
    return module.takeError();
  auto created = createMachine();
  if (!created)
    return created.takeError();
  machine = std::move(*created);
  if (llvm::Error error = link(**module))
    return error;
  auto code = generate(**module);
  if (!code)
    return code.takeError();
  return artifact(*code);
}

} // namespace het::target
