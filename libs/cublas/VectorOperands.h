// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices as the functions of level 2 are given them.

#ifndef HET_LIBS_CUBLAS_VECTOROPERANDS_H
#define HET_LIBS_CUBLAS_VECTOROPERANDS_H

#include "Library.h"

namespace het::blas {

inline VectorOperand fullOperand(const void *a, Index leading) {
  VectorOperand operand;
  static_cast<Operand &>(operand) = operandOf(a, leading);
  return operand;
}

inline VectorOperand bandOperand(const void *a, Index leading, Index below, Index above) {
  VectorOperand operand = fullOperand(a, leading);
  operand.storage = Storage::Band;
  operand.below = below;
  operand.above = above;
  return operand;
}

inline VectorOperand packedOperand(const void *a, Index size) {
  VectorOperand operand = fullOperand(a, 0);
  operand.storage = Storage::Packed;
  operand.size = size;
  return operand;
}

/// Of a band, only the part that is stored counts.
inline VectorOperand withPart(VectorOperand operand, Shape shape, cublasFillMode_t part) {
  operand.shape = shape;
  operand.part = partOf(part);
  if (operand.storage == Storage::Band)
    (operand.part == Part::Upper ? operand.below : operand.above) = 0;
  return operand;
}

inline void apply(cublasOperation_t operation, VectorOperand &a) {
  if (a.storage == Storage::Full) {
    apply(operation, static_cast<Operand &>(a));
    return;
  }
  a.transposed = operation != CUBLAS_OP_N;
  a.conjugated = operation == CUBLAS_OP_C;
}

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_VECTOROPERANDS_H
