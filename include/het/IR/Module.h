// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by all who read or write hetIR, beyond the operations: names of attributes,
// questions about kernels and sync points, versions, reading and writing.

#ifndef HET_IR_MODULE_H
#define HET_IR_MODULE_H

#include "het/IR/HetIR.h"
#include "mlir/IR/BuiltinOps.h"

namespace het::ir {

/// Names of attributes (docs/spec/hetir.md, Attributes).
constexpr llvm::StringLiteral kernelAttrName = "hetir.kernel";
constexpr llvm::StringLiteral infoAttrName = "hetir.info";
constexpr llvm::StringLiteral variableAttrName = "hetir.variable";
constexpr llvm::StringLiteral gridConstantAttrName = "hetir.grid_constant";
constexpr llvm::StringLiteral versionAttrName = "hetir.version";
constexpr llvm::StringLiteral lineInfoAttrName = "hetir.line_info";
constexpr llvm::StringLiteral nativeMathAttrName = "hetir.native_math";
constexpr llvm::StringLiteral uniformAttrName = "hetir.uniform";
constexpr llvm::StringLiteral alignedAttrName = "hetir.aligned";
constexpr llvm::StringLiteral copyAttrName = "hetir.copy";
constexpr llvm::StringLiteral slotsAttrName = "hetir.slots";
constexpr llvm::StringLiteral frameAttrName = "hetir.frame";
constexpr llvm::StringLiteral runtimeAttrName = "hetir.runtime";
constexpr llvm::StringLiteral layoutAttrName = "hetir.layout";
constexpr llvm::StringLiteral resumeAttrName = "hetir.resume";
/// On a function that runs a segment (parallel region): the id of its safe point.
constexpr llvm::StringLiteral segmentAttrName = "hetir.segment";
/// On a function that runs a segment for some lanes of one team: its last two arguments.
constexpr llvm::StringLiteral segmentOfTeamAttrName = "hetir.segment_of_team";
/// On a kernel: where its blocks are to be suspended, if not also in loops.
constexpr llvm::StringLiteral safePointsAttrName = "hetir.safe_points";
constexpr llvm::StringLiteral noSafePoints = "none", safePointsAtBarriers = "barriers";
constexpr llvm::StringLiteral unparkableAttrName = "hetir.unparkable";
/// On a kernel that has the one before: the location of the place that is to blame.
constexpr llvm::StringLiteral unparkableAtAttrName = "hetir.unparkable_at";
/// Blocks are suspended before they begin and at polls only, where all threads stand
/// together.
constexpr llvm::StringLiteral parksAtPollsAttrName = "hetir.parks_at_polls";
/// On an operation that strip-mines a loop with per-thread polls: which of its operands,
/// or of a branch's successors, a loop without strips has instead.
constexpr llvm::StringLiteral stripAttrName = "hetir.strip";
/// On a barrier at which threads vote whether any goes on with a polled loop (convergent
/// exit).
constexpr llvm::StringLiteral voteAttrName = "hetir.vote";

/// Address spaces of pointers.
enum AddressSpace : unsigned {
  genericSpace = 0,
  globalSpace = 1,
  sharedSpace = 3,
  constantSpace = 4,
  localSpace = 5,
};

constexpr unsigned teamSize = 32;

/// The dialect's version; a reader takes any version up to its own.
constexpr unsigned dialectMajor = 0, dialectMinor = 7;

bool isKernel(mlir::LLVM::LLVMFuncOp function);

/// Questions to any operation about SyncPointOpInterface.
SyncScope syncScope(mlir::Operation *op);
bool isSyncPoint(mlir::Operation *op);
/// Whether a mask is a constant that names all lanes of a team.
bool namesAllLanes(mlir::Value mask);
bool isWholeBarrier(mlir::Operation *op);
/// Whether an operation is about the cluster of its block.
bool usesCluster(mlir::Operation *op);

/// The device library's function for a math operation, e.g. `__het_sin_f32`.
std::string deviceLibraryName(MathOp op);

/// Sets hetIR's one data layout: little-endian, 64-bit pointers in every space.
void setDataLayout(mlir::ModuleOp module);

/// Checks that a module is hetIR: nothing of a vendor's, no inline assembly,
/// nothing undefined. Emits an error for each thing that is not.
mlir::LogicalResult verifyHetIR(mlir::ModuleOp module);

/// hetIR, the LLVM dialect and what they build on.
void registerAllHetDialects(mlir::DialectRegistry &registry);

/// MLIR bytecode with the dialect's version.
mlir::LogicalResult writeBytecode(mlir::ModuleOp module, llvm::raw_ostream &out);
/// Null, with a diagnostic, where the bytes are not hetIR of a version known here.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(llvm::StringRef bytes,
                                              mlir::MLIRContext &context);

} // namespace het::ir

#endif // HET_IR_MODULE_H
