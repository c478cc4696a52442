// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's side of a lowering: dialects, errors, translation.

#include "TargetLowering.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

using namespace mlir;

namespace het::target {

DialectRegistry LoweringContext::dialects() {
  DialectRegistry registry;
  ir::registerAllHetDialects(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  return registry;
}

LoweringContext::LoweringContext()
    : context(dialects(), MLIRContext::Threading::DISABLED),
      handler(&context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return;
        llvm::raw_string_ostream out(text);
        if (!text.empty())
          out << '\n';
        if (!isa<UnknownLoc>(diagnostic.getLocation()))
          out << diagnostic.getLocation() << ": ";
        out << diagnostic;
      }) {
  context.loadAllAvailableDialects();
}

llvm::Error LoweringContext::error() const {
  return llvm::createStringError(text.empty() ? "lowering failed" : text);
}

std::unique_ptr<llvm::Module>
LoweringContext::translate(ModuleOp module, llvm::LLVMContext &llvmContext,
                           StringRef name) {
  return translateModuleToLLVMIR(module, llvmContext, name,
                                 /*disableVerification=*/true);
}

} // namespace het::target
