// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls by which LLVM IR says what will be hetIR's operations on matrices: the PTX
// front end makes them, since LLVM has intrinsics for some only, and Raise takes them.

#ifndef HET_LIB_FRONTEND_MATRIXCALLS_H
#define HET_LIB_FRONTEND_MATRIXCALLS_H

#include "het/IR/Matrix.h"

#include <string>

namespace het {

/// A matrix multiplication.
struct MatrixProduct {
  ir::MatrixKind kind = ir::MatrixKind::Multiply;
  unsigned m = 0, n = 0, k = 0;
  ir::MatrixType a = {}, b = {}, c = {}, d = {};
  bool saturates = false;

  const ir::MatrixForm *form() const { return ir::findMatrixForm(a, b, m, n, k); }
  /// The name of the function that is called with the registers of A, B and C.
  std::string callName() const;
};

/// Calls `visit` with each product that there is.
void forEachMatrixProduct(llvm::function_ref<void(const MatrixProduct &)> visit);

/// (address), and for a store the registers.
std::string matrixLoadName(unsigned count, bool isTransposed);
std::string matrixStoreName(unsigned count, bool isTransposed);
inline constexpr llvm::StringLiteral matrixRowsPrefix = "__het_matrix_rows";
inline constexpr llvm::StringLiteral sharedRowsPrefix = "__het_matrix_rows.shared";

/// (address, i64 stride): matrices of 8 rows of 16 bytes, `depth` of them beside each
/// other.
struct MatrixRows {
  unsigned count = 0, depth = 0;
  bool isTransposed = false;
  bool isDownwards = false; ///< Counted down first.
  bool isShared = false;    ///< The address is one of shared memory, else generic.

  std::string callName() const;
};

/// Calls `visit` with each way to load rows that a matrix of `wmma` has.
void forEachMatrixRows(llvm::function_ref<void(const MatrixRows &)> visit);

inline constexpr llvm::StringLiteral matrixTransposeName = "__het_matrix_transpose";

} // namespace het

#endif // HET_LIB_FRONTEND_MATRIXCALLS_H
