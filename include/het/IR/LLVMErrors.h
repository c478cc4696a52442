// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Silences the warnings and remarks of LLVM's passes; errors are printed.

#ifndef HET_IR_LLVMERRORS_H
#define HET_IR_LLVMERRORS_H

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"

#include <memory>

namespace het {

/// Warnings and remarks of LLVM's passes are not printed: that a loop was not unrolled as
/// the source asks is none of nvcc's warnings, and nothing to those who run the program.
inline void printErrorsOnly(llvm::LLVMContext &context) {
  class ErrorsOnly : public llvm::DiagnosticHandler {
    bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
      return info.getSeverity() != llvm::DS_Error;
    }
  };
  context.setDiagnosticHandler(std::make_unique<ErrorsOnly>());
}

} // namespace het

#endif // HET_IR_LLVMERRORS_H
