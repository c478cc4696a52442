// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a prepared module to a package: optimised, imported, raised, cut into kernels.
// Knows of no Clang, so that PTX text needs none.

#include "Compile.h"
#include "Import.h"
#include "KernelModules.h"
#include "Messages.h"
#include "ModuleInfo.h"
#include "Optimize.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace het;

char Reported::ID;
void Reported::log(llvm::raw_ostream &os) const { os << "already reported"; }
std::error_code Reported::convertToErrorCode() const {
  return std::make_error_code(std::errc::invalid_argument);
}

static llvm::Error reported() { return llvm::make_error<Reported>(); }

/// Threads for the passes pay only for many kernels.
static constexpr size_t manyKernels = 8;

static Bytes toBytes(llvm::StringRef text) {
  return Bytes(text.bytes_begin(), text.bytes_end());
}

static Bytes printKernels(std::vector<KernelModule> &kernels) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::OpPrintingFlags flags;
  for (KernelModule &kernel : kernels) {
    if (&kernel != &kernels.front())
      stream << "// -----\n";
    kernel.module->print(stream, flags);
    stream << '\n';
  }
  return toBytes(text);
}

llvm::Expected<Bytes> het::finishDevice(DeviceProgram program,
                                        const CompileOptions &options, DeviceStage stage,
                                        Messages &messages) {
  std::unique_ptr<llvm::Module> source = std::move(program.module);
  closeModule(*source, program.sharing);
  optimizeModule(*source, options);
  if (stage == DeviceStage::LLVM) {
    std::string text;
    llvm::raw_string_ostream(text) << *source;
    return toBytes(text);
  }

  ModuleInfo info;
  if (!takeModuleInfo(*source, info, messages))
    return reported();
  mlir::DialectRegistry registry;
  registerImport(registry);
  mlir::MLIRContext context(registry, info.kernels.size() >= manyKernels
                                          ? mlir::MLIRContext::Threading::ENABLED
                                          : mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto module = importModule(std::move(source), info, options, context, messages);
  if (!module)
    return reported();
  std::vector<KernelModule> kernels = splitKernels(*module);
  module = nullptr;
  if (!finishKernels(kernels, options, context, messages))
    return reported();
  if (options.verbose)
    for (const KernelModule &kernel : kernels)
      if (!kernel.unparkable.empty())
        llvm::errs() << "#$ kernel '" << info.kernels.lookup(kernel.kernel).displayName
                     << "' is parked only before its blocks begin: " << kernel.unparkable
                     << '\n';
  if (stage == DeviceStage::HetIR)
    return printKernels(kernels);
  return buildPackage(kernels, info, program.relocatable);
}
