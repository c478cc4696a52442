// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions with a type in their names share.

#ifndef HET_LIBS_CUSPARSE_LEGACY_H
#define HET_LIBS_CUSPARSE_LEGACY_H

#include "Library.h"

namespace het::sparse {

inline bool isDirection(cusparseDirection_t direction) {
  return direction == CUSPARSE_DIRECTION_ROW || direction == CUSPARSE_DIRECTION_COLUMN;
}

/// The size of a buffer that is not needed.
template <class Size> cusparseStatus_t tellSize(cusparseHandle_t handle, Size *size) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!size)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *size = smallBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}

/// A matrix of blocks; rows, columns and their number in blocks.
template <class T>
Sparse blocksOf(cusparseDirection_t direction, Index rows, Index columns, Index blocks,
                const cusparseMatDescr *descr, const T *values, const int *offsets,
                const int *indices, Index blockRows, Index blockColumns) {
  Sparse a =
      sparseOf<T>(rows * blockRows, columns * blockColumns,
                  blocks * blockRows * blockColumns, descr, values, offsets, indices);
  a.layout = Layout::Blocks;
  a.blockRows = blockRows;
  a.blockColumns = blockColumns;
  a.blocksByColumns = direction == CUSPARSE_DIRECTION_COLUMN;
  return a;
}

/// Puts a number where the program wants it, by the pointer mode; it waits for it where
/// that is the program's memory.
cusparseStatus_t deliver(cusparseHandle_t handle, const Index *from, int *to);

/// Counts of rows as offsets of C, whose sum goes where the program wants it.
cusparseStatus_t deliverOffsets(cusparseHandle_t handle, Memory &memory, Index *counts,
                                Index rows, int base, int *offsets, int *total);

} // namespace het::sparse

#define HET_LEGACY_TYPES(make)                                                           \
  make(cusparseS, float) make(cusparseD, double) make(cusparseC, cuComplex)              \
      make(cusparseZ, cuDoubleComplex)

#endif // HET_LIBS_CUSPARSE_LEGACY_H
