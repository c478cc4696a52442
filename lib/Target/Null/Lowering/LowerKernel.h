// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answers to the lowering driver (KernelLowering.h) that a target can not do without:
// where its code finds a block, and what its artifact looks like. All others are the
// defaults, so the code is LLVM IR for no machine.

#ifndef HET_LIB_TARGET_NULL_LOWERING_LOWERKERNEL_H
#define HET_LIB_TARGET_NULL_LOWERING_LOWERKERNEL_H

#include "../../Support/Lowering/KernelLowering.h"

namespace het::null {

class NullLowering : public target::KernelLowering {
public:
  using KernelLowering::KernelLowering;

protected:
  mlir::FailureOr<target::KernelInfo> convert(mlir::LLVM::LLVMFuncOp kernel) override;
  target::Artifact artifact(llvm::ArrayRef<char> code) override;
};

} // namespace het::null

#endif // HET_LIB_TARGET_NULL_LOWERING_LOWERKERNEL_H
