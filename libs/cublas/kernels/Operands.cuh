// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of matrices of which memory holds a part.

#ifndef HET_LIBS_CUBLAS_OPERANDS_CUH
#define HET_LIBS_CUBLAS_OPERANDS_CUH

#include "Storage.cuh"

namespace het::blas {

__device__ inline bool isIn(Part part, Index row, Index column) {
  return part == Part::All || (part == Part::Lower ? row >= column : row <= column);
}

/// Element (row, column) of an operand that lies at `base`.
template <class T>
__device__ T elementOf(const Operand &a, const void *base, Index row, Index column) {
  bool conjugated = a.conjugated;
  if (a.shape != Shape::General) {
    if (a.unit && row == column)
      return T(1);
    if (!isIn(a.part, row, column)) {
      if (a.shape == Shape::Triangle)
        return T(0);
      const Index other = row;
      row = column;
      column = other;
      if (a.shape == Shape::Hermitian)
        conjugated = !conjugated;
    }
  }
  const T value = load<T>(base, row * a.rowStep + column * a.columnStep, a.type);
  if (a.shape == Shape::Hermitian && row == column)
    return realPart(value);
  return conjugated ? conjugate(value) : value;
}

/// Where the element lies in its storage, which has it.
__device__ inline Index storedAt(const VectorOperand &a, Index row, Index column) {
  switch (a.storage) {
  case Storage::Band:
    return a.above + row - column + column * a.columnStep;
  case Storage::Packed:
    return a.part == Part::Upper ? row + column * (column + 1) / 2
                                 : row + (2 * a.size - column - 1) * column / 2;
  default:
    return row * a.rowStep + column * a.columnStep;
  }
}

/// Element (row, column) of a matrix of any storage.
template <class T>
__device__ T elementOf(const VectorOperand &a, const void *base, Index row,
                       Index column) {
  if (a.storage == Storage::Full)
    return elementOf<T>(static_cast<const Operand &>(a), base, row, column);
  Index i = a.transposed ? column : row, j = a.transposed ? row : column;
  if (a.unit && i == j)
    return T(1);
  bool conjugated = a.conjugated;
  if (!isIn(a.part, i, j)) {
    if (a.shape == Shape::Triangle)
      return T(0);
    const Index other = i;
    i = j;
    j = other;
    if (a.shape == Shape::Hermitian)
      conjugated = !conjugated;
  }
  if (a.storage == Storage::Band && (i - j > a.below || j - i > a.above))
    return T(0);
  const T value = load<T>(base, storedAt(a, i, j), a.type);
  if (a.shape == Shape::Hermitian && i == j)
    return realPart(value);
  return conjugated ? conjugate(value) : value;
}

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_OPERANDS_CUH
