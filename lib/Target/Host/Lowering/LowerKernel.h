// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's answers to the lowering driver (KernelLowering.h).

#ifndef HET_LIB_TARGET_HOST_LOWERING_LOWERKERNEL_H
#define HET_LIB_TARGET_HOST_LOWERING_LOWERKERNEL_H

#include "../../Support/Lowering/KernelLowering.h"
#include "ConvertToHost.h"
#include "Machine.h"

namespace het::host {

/// How float arithmetic flushes: by the processor's mode where that can be, or by code.
enum class Flushing : uint8_t { ByMode, WrittenOut };

/// From a kernel to an ELF shared object (HostABI.h).
class HostLowering : public target::KernelLowering {
public:
  HostLowering(const target::LowerRequest &request, const Machine &processor,
               Flushing allowed)
      : KernelLowering(request), processor(processor), flushing(allowed) {}

  /// After `run`: whether it failed, and flushing has to be written out.
  bool mustWriteOut() const { return hasFalseMarks; }

protected:
  mlir::LogicalResult form(mlir::LLVM::LLVMFuncOp kernel) override;
  bool flushesItself() override { return flushing == Flushing::ByMode; }
  mlir::FailureOr<target::KernelInfo> convert(mlir::LLVM::LLVMFuncOp kernel) override;
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine() override;
  bool hasWideIntegers() override { return true; }
  llvm::Error prepare(llvm::Module &module) override;
  void linked(llvm::Module &module) override;
  void optimise(llvm::Module &module) override;
  llvm::Error legalise(llvm::Module &module) override;
  llvm::Expected<target::Artifact> emit(llvm::Module &module) override;
  target::Artifact artifact(llvm::ArrayRef<char> code) override {
    return target::Artifact(code);
  }

private:
  bool canFlush(mlir::ModuleOp module);

  const Machine &processor;
  Flushing flushing;
  bool hasFalseMarks = false;
};

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_LOWERKERNEL_H
