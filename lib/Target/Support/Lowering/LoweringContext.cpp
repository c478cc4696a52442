// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's side of a lowering: dialects, errors, translation.

#include "TargetLowering.h"
#include "het/IR/LLVMErrors.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/LLVMIR/Transforms/InlinerInterfaceImpl.h"
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
  LLVM::registerInlinerInterface(registry);
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

/// Before hetIR 0.3 kernels did not name the heap.
static bool allHeapsAreNamed(ModuleOp module) {
  auto refuse = [](Operation *op) {
    op->emitError(
        "kernels that allocate need a heap in their package, which this one does "
        "not have: it was written before hetIR 0.3; compile the program again");
    return WalkResult::interrupt();
  };
  return !module
              .walk([&](Operation *op) {
                if (auto allocate = dyn_cast<ir::MallocOp>(op))
                  return allocate.getHeap() ? WalkResult::advance() : refuse(op);
                if (auto release = dyn_cast<ir::FreeOp>(op))
                  return release.getHeap() ? WalkResult::advance() : refuse(op);
                return WalkResult::advance();
              })
              .wasInterrupted();
}

OwningOpRef<ModuleOp> LoweringContext::parse(StringRef code) {
  // A package holds bytecode. A parser of text is one more thing to attack.
  if (!isBytecode(llvm::MemoryBufferRef(code, "hetIR"))) {
    emitError(UnknownLoc::get(&context), "hetIR: found no MLIR bytecode");
    return nullptr;
  }
  OwningOpRef<ModuleOp> module = ir::parseModule(code, context);
  return module && allHeapsAreNamed(*module) ? std::move(module) : nullptr;
}

std::unique_ptr<llvm::Module> LoweringContext::translate(ModuleOp module,
                                                         llvm::LLVMContext &llvmContext,
                                                         StringRef name) {
  printErrorsOnly(llvmContext);
  return translateModuleToLLVMIR(module, llvmContext, name,
                                 /*disableVerification=*/true);
}

} // namespace het::target
