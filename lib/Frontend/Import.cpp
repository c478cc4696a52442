// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Import by MLIR's own importer. The target's dialect is not registered, so
// that each of its intrinsics arrives under its name, and one table raises them
// all.

#include "Import.h"
#include "Locations.h"
#include "ModuleInfo.h"
#include "Raise.h"

#include "het/Frontend/Frontend.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMIRToLLVMTranslation.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"

using namespace het;
using namespace mlir;

std::string het::resourceDirOf(const CompileOptions &options) {
  return options.resourceDir.empty() ? HET_CLANG_RESOURCE_DIR : options.resourceDir;
}

void het::registerImport(DialectRegistry &registry) {
  ir::registerAllHetDialects(registry);
  registerLLVMDialectImport(registry);
}

static void markVariables(ModuleOp module, const ModuleInfo &info) {
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (info.variableIndex.contains(global.getSymName()))
      global->setAttr(ir::variableAttrName, UnitAttr::get(global.getContext()));
}

/// Arguments that are __grid_constant__, which the importer does not keep.
using GridConstants = SmallVector<std::pair<std::string, unsigned>>;

static GridConstants findGridConstants(const llvm::Module &source) {
  GridConstants found;
  for (const llvm::Function &function : source)
    for (const llvm::Argument &argument : function.args())
      if (argument.hasAttribute("nvvm.grid_constant"))
        found.emplace_back(function.getName().str(), argument.getArgNo());
  return found;
}

static void markGridConstants(ModuleOp module, const GridConstants &arguments) {
  for (const auto &[name, index] : arguments)
    if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
      function.setArgAttr(index, ir::gridConstantAttrName,
                          UnitAttr::get(module.getContext()));
}

/// -G asks for more than lines, but lines are what hetIR can keep of it.
static bool wantsLineInfo(const CompileOptions &options) {
  return options.lineInfo || options.deviceDebug;
}

/// Adds what holds for all kernels of the file.
static void markModule(ModuleOp module, const CompileOptions &options) {
  MLIRContext *context = module.getContext();
  if (wantsLineInfo(options)) {
    llvm::SmallString<128> folder;
    if (llvm::sys::fs::current_path(folder))
      folder.clear();
    module->setAttr(ir::lineInfoAttrName, StringAttr::get(context, folder));
  }
  if (options.math == MathMode::Native)
    module->setAttr(ir::nativeMathAttrName, UnitAttr::get(context));
}

OwningOpRef<ModuleOp> het::importModule(std::unique_ptr<llvm::Module> source,
                                        const ModuleInfo &info,
                                        const CompileOptions &options,
                                        MLIRContext &context, Messages &messages) {
  // Anything that the importer cannot read is an error of ours; its warnings are about
  // metadata that hetIR does not keep.
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      showAt(messages, Severity::Error, diagnostic.getLocation(), diagnostic.str());
    return success();
  });
  GridConstants gridConstants = findGridConstants(*source);
  for (llvm::GlobalVariable &variable : source->globals())
    variable.setAttributes({}); // `info` has what they say
  OwningOpRef<ModuleOp> module = translateLLVMIRToModule(
      std::move(source), &context, /*emitExpensiveWarnings=*/false,
      /*dropDICompositeTypeElements=*/true, /*loadAllDialects=*/false);
  if (!module)
    return nullptr;
  markVariables(*module, info);
  markGridConstants(*module, gridConstants);
  if (failed(raiseModule(*module, messages)))
    return nullptr;
  if (wantsLineInfo(options))
    simplifyLocations(*module, LocationDetail::Calls,
                      {options.headersDir, resourceDirOf(options)});
  else
    simplifyLocations(*module, LocationDetail::Place);
  markModule(*module, options);
  return module;
}
