// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From hetIR to the LLVM dialect with the functions that LLVM's SPIR-V back end knows
// by name (OpenCL C's, mangled): what the steps of the conversion offer each other.
// Address spaces keep hetIR's numbers; RenumberSpaces.cpp changes them at the end.

#ifndef HET_LIB_TARGET_SPIRV_LOWERING_CONVERT_CONVERTTOSPIRV_H
#define HET_LIB_TARGET_SPIRV_LOWERING_CONVERT_CONVERTTOSPIRV_H

#include "../../../Support/Lowering/BlockArguments.h"
#include "../../../Support/Lowering/BlockConverter.h"
#include "../../../Support/Lowering/BuilderPieces.h"
#include "../../SPIRVArtifact.h"
#include "../Form.h"
#include "het/IR/Module.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringMap.h"

namespace het::spirv {

/// Makes the module one for LLVM IR. Fails with an error at what SPIR-V can not do.
mlir::FailureOr<target::KernelInfo> convertToSPIRV(mlir::LLVM::LLVMFuncOp kernel,
                                                   Form form, unsigned lanes);

/// Context of the conversion of a function's operations. Every function takes the launch
/// first, and then the block: where its shared memory is (native) or its HetSpirvBlock.
struct Context {
  Form form;
  mlir::Value launch, block;
  unsigned lanes = 0; ///< of a sub-group

  bool isSegmented() const { return form == Form::Segmented; }
  /// Work-items lie in one dimension.
  bool isFlat() const { return form == Form::Flat || form == Form::Split; }
};

// Parts of convertToSPIRV.

using target::constantI32;
using target::constantI64;
using target::pointerTo;
/// An address as a pointer to global memory.
mlir::Value globalPointer(mlir::ImplicitLocOpBuilder &builder, mlir::Value address);
using target::loadField;
/// Adds the attributes of functions that are only declared.
void declared(mlir::LLVM::LLVMFuncOp callee);
/// A call of a function that is declared on the way.
mlir::Value callFunction(mlir::ImplicitLocOpBuilder &builder, llvm::StringRef name,
                         mlir::Type result, mlir::ValueRange operands);
/// One dimension of a position of OpenCL's ("get_local_id"), as i32.
mlir::Value readPosition(mlir::ImplicitLocOpBuilder &builder, llvm::StringRef name,
                         ir::Dim dim);
/// The linear index of the thread in its block (native forms).
mlir::Value linearThread(mlir::ImplicitLocOpBuilder &builder, const Context &context);
/// Replaces a team operation of the flat forms.
mlir::LogicalResult convertTeamOperation(mlir::Operation *op, const Context &context);

/// Where the launch and the block have what code asks for.
extern const target::BlockABI blockABI;

/// In a native kernel each thread has its own copy of a structure that is passed by
/// value, unless all threads only read it.
void copyArguments(mlir::LLVM::LLVMFuncOp kernel);
/// The module's kernel, which calls the user's; or `resume`, where that is not null, for
/// blocks that were suspended.
void createEntry(mlir::ModuleOp module, mlir::LLVM::LLVMFuncOp kernel,
                 mlir::LLVM::LLVMFuncOp resume, Form form,
                 llvm::ArrayRef<uint32_t> offsets);

/// The function, of this file's making, that ends a thread (EndAtFaults.cpp).
constexpr llvm::StringLiteral endThreadName = "__het_spirv_end_thread";
/// Whether a pointer leads to an object of the work-item's own (OwnObjects.cpp).
constexpr llvm::StringLiteral isOwnObjectName = "__het_spirv_is_own_object";

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_LOWERING_CONVERT_CONVERTTOSPIRV_H
