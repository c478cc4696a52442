// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's answers to the lowering driver (KernelLowering.h).

#ifndef HET_LIB_TARGET_HOST_LOWERING_LOWERKERNEL_H
#define HET_LIB_TARGET_HOST_LOWERING_LOWERKERNEL_H

#include "../../Support/Lowering/KernelLowering.h"
#include "ConvertToHost.h"
#include "Machine.h"

namespace het::host {

/// From a kernel to an ELF shared object (HostABI.h).
class HostLowering : public target::KernelLowering {
public:
  HostLowering(const target::LowerRequest &request, const Machine &processor)
      : KernelLowering(request), processor(processor) {}

protected:
  mlir::LogicalResult form(mlir::LLVM::LLVMFuncOp kernel) override;
  mlir::FailureOr<target::KernelInfo> convert(mlir::LLVM::LLVMFuncOp kernel) override {
    return convertToHost(kernel);
  }
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine() override;
  bool hasWideIntegers() override { return true; }
  llvm::Error prepare(llvm::Module &module) override;
  void linked(llvm::Module &module) override;
  void optimise(llvm::Module &module) override;
  llvm::Expected<target::Artifact> emit(llvm::Module &module) override;
  target::Artifact artifact(llvm::ArrayRef<char> code) override {
    return target::Artifact(code);
  }

private:
  const Machine &processor;
};

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_LOWERKERNEL_H
