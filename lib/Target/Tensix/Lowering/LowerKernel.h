// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering for Tensix cores: two maps of a kernel onto them, each by the driver of
// KernelLowering.h.

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_LOWERKERNEL_H
#define HET_LIB_TARGET_TENSIX_LOWERING_LOWERKERNEL_H

#include "../../Support/Lowering/KernelLowering.h"
#include "ConvertToTensix.h"
#include "Passes.h"
#include "Vector/VectorKernel.h"

namespace het::tensix {

/// Which map a kernel may take: the one that is chosen for it, or the one asked for.
enum class Map { Chosen, Blocks, Vectors };

/// The chip that code is generated for; from a device's `arch`.
struct Chip {
  std::string arch;
  /// For kernels that can not be suspended; others are map A.
  Map map = Map::Chosen;

  /// "blackhole;blocks": a map that is asked for stands behind the chip.
  static llvm::Expected<Chip> parse(llvm::StringRef arch);
};

/// The one spelling of such a name; there is no usual chip.
llvm::Expected<std::string> findArch(llvm::StringRef name);

/// A kernel as an artifact (TensixABI.h), and `reason`: why it is map A.
struct Mapped {
  target::Artifact artifact;
  std::string reason;
};

llvm::Expected<Mapped> lowerKernel(const target::LowerRequest &request, const Chip &chip);

/// By one of the maps: B if `refused` is given, where what has no place there leaves its
/// reason.
class TensixLowering : public target::KernelLowering {
public:
  TensixLowering(const target::LowerRequest &request, llvm::StringRef arch,
                 llvm::StringRef reason, Reason *refused)
      : KernelLowering(request), arch(arch), reason(reason), refused(refused) {}

protected:
  mlir::LogicalResult form(mlir::LLVM::LLVMFuncOp kernel) override;
  mlir::FailureOr<target::KernelInfo> convert(mlir::LLVM::LLVMFuncOp kernel) override {
    return convertToTensix(kernel);
  }
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine() override {
    return tensix::createMachine(arch);
  }
  llvm::Error prepare(llvm::Module &module) override;
  llvm::StringRef deviceCode() override { return deviceCodeBytes(); }
  void linked(llvm::Module &module) override;
  llvm::Error legalise(llvm::Module &module) override;
  llvm::Expected<target::Artifact> emit(llvm::Module &module) override;
  target::Artifact artifact(llvm::ArrayRef<char> code) override;

private:
  llvm::Error refuse(llvm::StringRef why);
  llvm::Error nearPointers(llvm::Module &module);

  llvm::StringRef arch, reason;
  Reason *refused;
  FarConstants constants;
  uint32_t memoryBytes = 0; ///< Needed by a core for the code and its data.
};

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_LOWERKERNEL_H
