// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From hetIR to the LLVM dialect with NVVM's intrinsics: what the steps of the
// conversion offer each other.

#ifndef HET_LIB_TARGET_PTX_LOWERING_CONVERTTOPTX_H
#define HET_LIB_TARGET_PTX_LOWERING_CONVERTTOPTX_H

#include "../../Support/Lowering/BuilderPieces.h"
#include "../../Support/Lowering/KernelInfo.h"
#include "het/DeviceABI/SuspendRecord.h"
#include "het/IR/Module.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace het::ptx {

/// The machine that code is generated for; from a device's `arch`.
struct Machine {
  unsigned capability = 0; ///< 90: compute capability 9.0.
  unsigned version = 0;    ///< 88: PTX ISA version 8.8.

  /// "sm_90;ptx88;…"
  static llvm::Expected<Machine> parse(llvm::StringRef arch);
};

/// The one spelling of a GPU's name, "sm_80;ptx80", with the least version of PTX that
/// all drivers have which know it; of no name, that of the least GPU.
llvm::Expected<std::string> findArch(llvm::StringRef name);

/// Where kernels allocate.
enum class Heap { Drivers, Runtimes };

/// Makes the module one that LLVM's NVPTX back end takes. Fails with an error at what
/// the machine can not do.
mlir::FailureOr<target::KernelInfo> convertToPTX(mlir::LLVM::LLVMFuncOp kernel,
                                                 const Machine &machine, Heap heap);

/// The kernel, and its form for any launch, which there is of some.
inline std::array<std::string, 2> entryNames(llvm::StringRef kernel) {
  return {kernel.str(), (kernel + HET_SUSPEND_RESUME).str()};
}

// Parts of convertToPTX.

/// A call of an intrinsic of LLVM, by name.
mlir::Value callIntrinsic(mlir::ImplicitLocOpBuilder &builder, llvm::StringRef name,
                          mlir::Type result, mlir::ValueRange operands);
using target::constantI32;

/// Replaces votes, shuffles, matches, reductions.
mlir::LogicalResult convertTeamOperation(mlir::Operation *op, const Machine &machine);
/// Likewise the operations on matrices.
void convertMatrixOperation(mlir::Operation *op, const Machine &machine);
/// Whether the machine has ldmatrix.
bool hasMatrixLoads(const Machine &machine);
/// Makes asynchronous copies the machine's, which has them.
void convertCopies(mlir::ModuleOp module);
/// Makes waits for other grids and leaves for them the machine's griddepcontrol.
void convertGridDependencies(mlir::ModuleOp module);
/// Replaces mathematical functions: the machine's instructions where they have the same
/// bits or approximations are asked for, the device library's functions otherwise.
void convertMath(ir::MathOp op, const Machine &machine);
/// In a module with `hetir.native_math`: the value by the special-function unit, where
/// it is within CUDA's documented error; else null.
mlir::Value convertNativeMath(ir::MathOp op);
/// 1/sqrt(x) of float, rounded to nearest (InverseRoot.cpp).
mlir::Value nearestInverseRoot(mlir::ImplicitLocOpBuilder &builder, mlir::Value x);
/// Small floats, where the machine has an instruction with the same bits; else null.
mlir::Value convertSmallFloats(ir::MathOp op, const Machine &machine);
/// Makes a function on the bytes of words the device library's that stays within the
/// word; false where it is none.
bool convertBytes(ir::MathOp op);
/// The barrier of all blocks.
void convertGridBarrier(ir::GridBarrierOp op);

} // namespace het::ptx

#endif // HET_LIB_TARGET_PTX_LOWERING_CONVERTTOPTX_H
