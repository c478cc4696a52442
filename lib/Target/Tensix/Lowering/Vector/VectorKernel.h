// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Map B: a kernel whose blocks run in rows of up to 256 threads, 32 at a time in the
// lanes of the vector unit (docs/design/tensix.md). What is the same for a row is the
// core's, in plain code; the rest is pushed to the unit.
//
// Between its parts a kernel is LLVM IR of one thread, with the thread's place in its
// block by markers: calls of functions that are nowhere.

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORKERNEL_H
#define HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORKERNEL_H

#include "../../TensixABI.h"
#include "het/IR/Module.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace het::tensix {

/// Threads of a row that run together.
constexpr unsigned rowThreads = 256;
/// Markers: i32 of nothing. The first is of the thread, the others of its row.
constexpr llvm::StringLiteral markerNames[] = {"het_vector_x", "het_vector_y",
                                               "het_vector_z"};

/// Why a kernel can not run in the vector unit.
using Reason = std::optional<std::string>;

/// A hetIR kernel as one that convertToTensix takes, with markers. A reason where it has
/// what the vector unit can not do.
Reason formVectorKernel(mlir::ModuleOp module, llvm::StringRef kernel);

/// Makes the entry of an optimised module one for the vector unit, before its pointers
/// are narrowed. Where there is a reason, the module is of no use any more.
Reason vectorizeKernel(llvm::Module &module);

// Parts of vectorizeKernel.

/// Which values differ between the threads of a row.
class Divergence {
public:
  explicit Divergence(llvm::Function &function);
  bool operator()(const llvm::Value *value) const { return values.contains(value); }

private:
  llvm::DenseSet<const llvm::Value *> values;
};

/// A call of the marker for a thread's own place.
bool isThreadMarker(const llvm::Value *value);

/// Branches that differ between threads, and whose sides only compute, become selections.
void convertIfs(llvm::Function &function);

/// The threads that run together are [first, first + count) of a row.
struct RowBounds {
  llvm::Value *first;      ///< i32
  llvm::AllocaInst *count; ///< i32, at least 1; guards make it less
};

/// A value of one thread of the row, computed by the core.
class ThreadValue {
public:
  ThreadValue(const Divergence &divergence, const RowBounds &bounds)
      : divergence(divergence), bounds(bounds) {}
  /// Whether only integers of the thread's place and of the row are in it.
  bool isComputable(llvm::Value *value) const;
  /// By how much it grows from thread to thread, but for overflows.
  std::optional<int64_t> strideOf(llvm::Value *value) const;
  /// For the thread `number`, an i32, of those that run.
  llvm::Value *compute(llvm::IRBuilder<> &builder, llvm::Value *value,
                       llvm::Value *number) const;
  /// Whether no extension of an integer in it meets an overflow among `last` + 1 threads,
  /// an i1: then it grows evenly.
  llvm::Value *isEven(llvm::IRBuilder<> &builder, llvm::Value *value,
                      llvm::Value *last) const;

private:
  using Strides = llvm::DenseMap<llvm::Value *, std::optional<int64_t>>;
  // Values are used several times: those that were seen are not gone through again.
  bool isComputable(llvm::Value *value, llvm::SmallPtrSetImpl<llvm::Value *> &seen) const;
  std::optional<int64_t> strideOf(llvm::Value *value, Strides &known) const;
  std::optional<int64_t> findStride(llvm::Value *value, Strides &known) const;
  void findExtensions(llvm::Value *value, llvm::SmallPtrSetImpl<llvm::Value *> &seen,
                      llvm::SmallVectorImpl<llvm::Instruction *> &found) const;
  const Divergence &divergence;
  const RowBounds &bounds;
};

/// Branches of which one side only ends the thread, where the core knows which threads
/// take it: the row becomes shorter. A reason where another branch differs.
Reason lowerGuards(llvm::Function &function, const RowBounds &bounds);

/// How floats are added and multiplied: by the unit's own instructions, with doubts, or
/// in integers.
enum class Floats { Native, Exact };

/// Result of a row, instead of how many threads are done, if there are doubts: nothing is
/// written.
constexpr uint32_t doubtful = ~0u;

/// Whether all floats are computed before the first is written.
bool canDoubt(llvm::Function &function, const RowBounds &bounds);

/// Pushes the rest: what differs, but for addresses.
Reason emitVectors(llvm::Function &function, const RowBounds &bounds, Floats floats);

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_VECTOR_VECTORKERNEL_H
