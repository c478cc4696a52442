// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps straight line strength reduction from functions whose sums are large: it compares
// sums by their terms, and its time grows with the cube of their number.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_LARGESUMS_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_LARGESUMS_H

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"

namespace het::target {

/// Keeps the pass from a module whose sums are large, as long as this object lives.
class KeepLargeSums : llvm::OptPassGate {
public:
  explicit KeepLargeSums(const llvm::Module &module);
  ~KeepLargeSums() override;
  KeepLargeSums(const KeepLargeSums &) = delete;
  KeepLargeSums &operator=(const KeepLargeSums &) = delete;

private:
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef unit) const override;
  bool isEnabled() const override { return hasLargeSums || before.isEnabled(); }

  llvm::LLVMContext &context;
  llvm::OptPassGate &before;
  bool hasLargeSums;
};

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_LARGESUMS_H
