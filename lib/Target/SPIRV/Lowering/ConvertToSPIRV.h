// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From hetIR to the LLVM dialect with the functions that LLVM's SPIR-V back end knows
// by name (OpenCL C's, mangled): what the steps of the conversion offer each other.
// Address spaces keep hetIR's numbers; RenumberSpaces.cpp changes them at the end.

#ifndef HET_LIB_TARGET_SPIRV_LOWERING_CONVERTTOSPIRV_H
#define HET_LIB_TARGET_SPIRV_LOWERING_CONVERTTOSPIRV_H

#include "../../Support/Lowering/BlockArguments.h"
#include "../SPIRVArtifact.h"
#include "het/IR/Module.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringMap.h"
#include <string>

namespace het::spirv {

/// hetIR's data layout in LLVM's words; it holds until RenumberSpaces.cpp.
constexpr llvm::StringLiteral plainLayout = "e-i64:64-i128:128-n8:16:32:64";

/// How a kernel is run (SPIRVArtifact.h).
enum class Form {
  Native,    ///< work-items are threads, in up to three dimensions
  Flat,      ///< in one dimension; sub-groups of 32 are teams
  Split,     ///< in one dimension; a team is two or four sub-groups
  Segmented, ///< a work-item is a block
};

/// A form and, of Form::Segmented, why: part of a sentence.
struct FormChoice {
  Form form;
  std::string reason;
};

/// The fastest form that is right for the kernel, whatever the device makes of
/// divergent control flow. `lanes`: of a sub-group, 8, 16 or 32; 0: the device's
/// sub-groups can not be used.
FormChoice chooseForm(mlir::LLVM::LLVMFuncOp kernel, unsigned lanes);

/// What the artifact's header says of the kernel.
struct KernelFacts {
  Form form = Form::Native;
  uint32_t variableCount = 0;
  uint32_t staticSharedBytes = 0;
  uint32_t argumentBytes = 0;
  uint32_t maxThreads = 0;
  bool readsClock = false;
  uint64_t frameBytesPerThread = 0, frameBytesPerBlock = 0;
  uint64_t layout = 0, stateBytes = 0; ///< Of parked blocks; 0: there are none.
};

/// Cuts a kernel into segments, whose blocks can be parked.
mlir::LogicalResult formSegments(mlir::ModuleOp module, unsigned pollInterval);

/// Makes the module one for LLVM IR. Fails with an error at what SPIR-V can not do.
mlir::FailureOr<KernelFacts> convertToSPIRV(mlir::ModuleOp module,
                                            llvm::StringRef kernel, Form form,
                                            unsigned lanes);

/// What a function's operations are converted by. Every function takes the launch
/// first, and then the block: where its shared memory is (native) or its HetSpirvBlock.
struct Context {
  Form form;
  mlir::LLVM::LLVMFuncOp kernel;
  mlir::Value launch, block;
  unsigned lanes = 0; ///< of a sub-group

  bool isSegmented() const { return form == Form::Segmented; }
  /// Work-items lie in one dimension.
  bool isFlat() const { return form == Form::Flat || form == Form::Split; }
};

// Parts of convertToSPIRV.

mlir::Value constantI32(mlir::ImplicitLocOpBuilder &builder, uint32_t value);
mlir::Value constantI64(mlir::ImplicitLocOpBuilder &builder, uint64_t value);
/// A pointer in one of hetIR's address spaces.
mlir::Type pointerTo(mlir::ImplicitLocOpBuilder &builder, unsigned space);
/// An address as a pointer to global memory.
mlir::Value globalPointer(mlir::ImplicitLocOpBuilder &builder, mlir::Value address);
using target::loadField;
/// A call of a function that is declared on the way.
mlir::Value callFunction(mlir::ImplicitLocOpBuilder &builder, llvm::StringRef name,
                         mlir::Type result, mlir::ValueRange operands);
/// One dimension of a position of OpenCL's ("get_local_id"), as i32.
mlir::Value readPosition(mlir::ImplicitLocOpBuilder &builder, llvm::StringRef name,
                         ir::Dim dim);
/// The linear index of the thread in its block (native forms).
mlir::Value linearThread(mlir::ImplicitLocOpBuilder &builder, const Context &context);
/// Where the block's shared memory begins, as a pointer of the form's space.
mlir::Value sharedBase(mlir::ImplicitLocOpBuilder &builder, const Context &context);
/// The block's place in the grid.
mlir::Value blockId(mlir::ImplicitLocOpBuilder &builder, const Context &context,
                    ir::Dim dim);

/// Each of these replaces an operation of its group, or returns failure with an error.
mlir::LogicalResult convertTeamOperation(mlir::Operation *op, const Context &context);
mlir::LogicalResult convertService(mlir::Operation *op, const Context &context);
mlir::LogicalResult convertIsSpace(ir::IsSpaceOp op, const Context &context);

/// In a native kernel each thread has its own copy of a structure that is passed by
/// value, unless all threads only read it.
void copyArguments(mlir::LLVM::LLVMFuncOp kernel);
/// The module's kernel, which calls the user's; or `resume`, where that is not null, for
/// blocks that were parked.
void createEntry(mlir::ModuleOp module, mlir::LLVM::LLVMFuncOp kernel,
                 mlir::LLVM::LLVMFuncOp resume, Form form,
                 llvm::ArrayRef<uint32_t> offsets);

/// The function, of this file's making, that ends a thread (EndAtFaults.cpp).
constexpr llvm::StringLiteral endThreadName = "__het_spirv_end_thread";

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_LOWERING_CONVERTTOSPIRV_H
