// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX's answers to the lowering driver of all targets (KernelLowering.h).

#ifndef HET_LIB_TARGET_PTX_LOWERING_LOWERKERNEL_H
#define HET_LIB_TARGET_PTX_LOWERING_LOWERKERNEL_H

#include "../../Support/Lowering/KernelLowering.h"
#include "../../Support/Lowering/LaunchConstants.h"
#include "ConvertToPTX.h"
#include "Passes.h"

namespace het::ptx {

/// From a kernel to an artifact with PTX text (PTXArtifact.h), for launches with these
/// constants.
class PTXLowering : public target::KernelLowering {
public:
  PTXLowering(const target::LowerRequest &request, const Machine &device,
              const target::LaunchConstants &constants)
      : KernelLowering(request), device(device), constants(constants) {}

protected:
  mlir::LogicalResult form(mlir::LLVM::LLVMFuncOp kernel) override;
  mlir::FailureOr<target::KernelInfo> convert(mlir::LLVM::LLVMFuncOp kernel) override {
    return convertToPTX(kernel, device,
                        request.pollInterval ? Heap::Runtimes : Heap::Drivers);
  }
  bool copiesLater() override { return device.capability >= 80 && device.version >= 70; }
  /// Code that may be suspended follows its predecessor in any case.
  bool beginsEarly() override {
    return !request.pollInterval && device.capability >= 90 && device.version >= 78;
  }
  bool loadsMatrices() override { return hasMatrixLoads(device); }
  bool flushesItself() override { return true; }
  /// A process that may move has no handles of the driver's, and the same bits anywhere.
  bool hasTextureUnits() override { return !request.pollInterval; }
  bool addsAtomically(llvm::Type *type) override;
  bool keepsNames() override { return true; } ///< For profilers and debuggers.
  bool keepsLines() override { return true; }
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine() override {
    return ptx::createMachine(device);
  }
  llvm::Error prepare(llvm::Module &module) override;
  void linked(llvm::Module &module) override;
  void optimise(llvm::Module &module) override;
  llvm::Error legalise(llvm::Module &module) override {
    return ptx::legalise(module, device);
  }
  llvm::Expected<target::Artifact> emit(llvm::Module &module) override;
  target::Artifact artifact(llvm::ArrayRef<char> code) override;

private:
  const Machine &device;
  const target::LaunchConstants &constants;
  llvm::SmallVector<std::string, 2> entries; ///< The kernel, and its form for any launch.
  uint32_t sharedBytes = 0;
};

} // namespace het::ptx

#endif // HET_LIB_TARGET_PTX_LOWERING_LOWERKERNEL_H
