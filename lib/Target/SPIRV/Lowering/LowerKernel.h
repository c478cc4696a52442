// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SPIR-V lowering: a kernel's forms, each by the driver of KernelLowering.h.

#ifndef HET_LIB_TARGET_SPIRV_LOWERING_LOWERKERNEL_H
#define HET_LIB_TARGET_SPIRV_LOWERING_LOWERKERNEL_H

#include "../../Support/Lowering/KernelLowering.h"
#include "Convert/ConvertToSPIRV.h"
#include "Passes.h"

namespace het::spirv {

/// A kernel as an artifact with a SPIR-V module. `choice`: the form that it got.
llvm::Expected<target::Artifact> lowerKernel(const target::LowerRequest &request,
                                             const Machine &machine, FormChoice &choice);

/// In one form.
class SPIRVLowering : public target::KernelLowering {
public:
  SPIRVLowering(const target::LowerRequest &request, const Machine &device, Form kind)
      : KernelLowering(request), device(device), kind(kind) {}

protected:
  mlir::LogicalResult form(mlir::LLVM::LLVMFuncOp kernel) override;
  mlir::FailureOr<target::KernelInfo> convert(mlir::LLVM::LLVMFuncOp kernel) override {
    return convertToSPIRV(kernel, kind, device.lanes);
  }
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine() override {
    return spirv::createMachine(device);
  }
  llvm::Error prepare(llvm::Module &module) override;
  llvm::StringRef deviceCode() override { return deviceCodeBytes(); }
  void linked(llvm::Module &module) override;
  llvm::Error legalise(llvm::Module &module) override;
  llvm::Expected<target::Artifact> emit(llvm::Module &module) override;
  target::Artifact artifact(llvm::ArrayRef<char> code) override;

private:
  llvm::Expected<std::string> emitCode(llvm::Module &module);

  Machine device;
  Form kind;
  std::string constants; ///< Bytes of constants behind the code (Vulkan).
};

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_LOWERING_LOWERKERNEL_H
