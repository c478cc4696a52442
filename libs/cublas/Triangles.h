// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triangles of equations with many right-hand sides.

#ifndef HET_LIBS_CUBLAS_TRIANGLES_H
#define HET_LIBS_CUBLAS_TRIANGLES_H

#include "Library.h"

namespace het::blas {

/// Solves A X = alpha B in place: `a` is a triangle of `rows` rows.
template <class T>
cudaError_t solveTriangle(Index rows, Index columns, Index batch, const Scalar<T> &alpha,
                          const Operand &a, const Operand &b, cudaStream_t stream);

/// The triangle that a function is given, as stored.
inline Operand triangleOf(Operand a, cublasFillMode_t part, cublasOperation_t trans,
                          cublasDiagType_t diagonal) {
  a.shape = Shape::Triangle;
  a.part = partOf(part);
  a.unit = diagonal == CUBLAS_DIAG_UNIT;
  apply(trans, a);
  return a;
}

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_TRIANGLES_H
