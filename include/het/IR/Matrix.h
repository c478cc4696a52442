// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shapes of matrix multiplications, how many registers of a lane a matrix takes, and
// how the device library's functions on matrices are called.

#ifndef HET_IR_MATRIX_H
#define HET_IR_MATRIX_H

#include "het/IR/HetIR.h"

namespace het::ir {

/// One line of MatrixForms.def.
struct MatrixForm {
  llvm::StringLiteral elements; ///< "f16", "i8"
  unsigned m, n, k;
  unsigned bits;                ///< Of an element of A or B.
  unsigned capability, version; ///< Of NVIDIA's instruction.

  unsigned registerBits() const { return bits == 64 ? 64 : 32; }
  unsigned perRegister() const { return registerBits() / bits; }
  unsigned registersOfA() const { return m / 8 * registersOfB(); }
  unsigned registersOfB() const { return k / (4 * perRegister()); }
  /// Of C or D, whose elements are of `type`.
  unsigned registersOfSum(MatrixType type) const;
};

/// All lines, in their order.
llvm::ArrayRef<MatrixForm> matrixForms();

/// What MatrixForms.def calls elements of a type; empty: A and B have none such.
llvm::StringRef matrixElements(MatrixType type);

/// The line of matrices of these types and sizes, or null.
const MatrixForm *findMatrixForm(MatrixType a, MatrixType b, unsigned m, unsigned n,
                                 unsigned k);

/// Whether elements of `form` may be added up to ones of a type.
bool isMatrixSum(const MatrixForm &form, MatrixType type);

/// The line of an operation that has been verified.
const MatrixForm &matrixForm(MatrixMultiplyOp op);

bool isMatrixOperation(mlir::Operation *op);

/// The device library's function behind `__het_team_`, `__het_block_` or `__het_lane_`:
/// "matrix_f16_16_8_16", "matrix_load".
std::string matrixFunction(mlir::Operation *op);

/// What the function is told beside registers: the numbers of runtime/devicelib/matrix.h.
unsigned matrixFlags(mlir::Operation *op);

} // namespace het::ir

#endif // HET_IR_MATRIX_H
