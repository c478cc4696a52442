// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The portable kernels, and what they are given. A launch only puts work into a stream.
// T is what is computed with: float (for narrow types, too), double, Complex32,
// Complex64 or int (for 8 bits). Values are read and written by their type, an argument.

#ifndef HET_LIBS_CUSPARSE_KERNELS_H
#define HET_LIBS_CUSPARSE_KERNELS_H

#include "../cublas/Numbers.h"

#include <cstddef>
#include <driver_types.h>
#include <library_types.h>

namespace het::sparse {

using blas::Complex32;
using blas::Complex64;
using blas::conjugate;
using blas::isComplex;
using blas::Kernel;
using blas::Real;
using libs::Index;

/// A factor: a value, or where on the device it lies.
template <class T> struct Scalar {
  T value = T(0);
  const T *place = nullptr;
  cudaDataType type = CUDA_R_32F; ///< Of what lies there, if that is narrow.
};

struct Values {
  void *base = nullptr;
  cudaDataType type = CUDA_R_32F;
};

/// Integers of 32 or 64 bits.
struct Indices {
  void *base = nullptr;
  bool wide = false;
};

/// How elements of rows are found.
enum class Layout : int {
  Compressed, ///< By `offsets` of rows.
  Triplets,   ///< By `rowIndices`, which are sorted.
  Blocks,     ///< As Compressed, by blocks.
  Slices,     ///< Slices of rows, each as long as its longest.
  Ell,        ///< The same number of blocks in all rows of blocks.
};

/// A sparse matrix. One of compressed columns is the transposed one of compressed rows.
struct Sparse {
  Layout layout = Layout::Compressed;
  Index rows = 0, columns = 0;
  Index entries = 0; ///< As many as are stored, padding included.
  int base = 0;      ///< What the first index is: 0 or 1.
  Indices offsets, rowIndices, indices;
  Values values;
  const Index *places = nullptr; ///< Where values lie, if not in the order of indices.
  bool conjugated = false;
  Index blockRows = 1, blockColumns = 1;
  bool blocksByColumns = false;
  Index sliceRows = 1;
  Index ellBlocks = 0; ///< In a row of blocks.
  Index batch = 1, offsetStride = 0, indexStride = 0, valueStride = 0;
};

struct Dense {
  Values values;
  Index rowStep = 1, columnStep = 1, batchStride = 0;
  bool conjugated = false;
};

/// C = alpha A B + beta C for dense B and C of `columns`.
template <class T> struct Product {
  Sparse a;
  Dense b, c;
  Index columns = 1, batch = 1;
  Scalar<T> alpha, beta;
};
template <class T> cudaError_t multiply(const Product<T> &product, cudaStream_t stream);

/// C = alpha (A B) + beta C where the sparse C has elements; `inner` terms each.
template <class T> struct Sampling {
  Sparse c;
  Dense a, b;
  Index inner = 0, batch = 1;
  Scalar<T> alpha, beta;
};
template <class T> cudaError_t sample(const Sampling<T> &sampling, cudaStream_t stream);

/// A sparse vector.
struct SparseVector {
  Index count = 0;
  int base = 0;
  Indices indices;
  Values values;
};
enum class VectorStep : int {
  AddScaled, ///< y = alpha x + beta y
  Gather,    ///< x = y
  Scatter,   ///< y = x
  Rotate,    ///< (x, y) = (alpha x + beta y, alpha y - beta x)
};
template <class T>
cudaError_t changeVectors(VectorStep step, const SparseVector &x, Values y, Index size,
                          Scalar<T> alpha, Scalar<T> beta, cudaStream_t stream);
/// The product of both, into `result` of `type`.
template <class T>
cudaError_t dot(const SparseVector &x, bool conjugated, Values y, Values result,
                cudaStream_t stream);

/// Where a triangle's elements are. Those across the diagonal are not looked at.
struct Triangle {
  Sparse a;
  bool lower = true, unit = false;
};
/// Rows in an order in which each depends on such of earlier levels.
struct Levels {
  const Index *order = nullptr;   ///< On the device.
  const Index *offsets = nullptr; ///< Of levels in it, on the device.
};
/// Solves A X = alpha B for the rows of the levels from `first` up to `last`.
template <class T> struct Solve {
  Triangle triangle;
  Levels levels;
  Index first = 0, last = 0, rows = 0, columns = 1;
  Scalar<T> alpha;
  Dense b, x;
};
template <class T> cudaError_t solve(const Solve<T> &solve, cudaStream_t stream);

/// Factors in place of the pattern of a square matrix, for the same levels. `zeroPivot`:
/// the first row whose pivot is zero or missing, from 0, if less than it was.
template <class T> struct Factors {
  Sparse a;
  Levels levels;
  Index first = 0, last = 0, rows = 0;
  bool cholesky = false;
  bool boost = false;
  double tolerance = 0;
  Scalar<T> boostValue;
  Index *zeroPivot = nullptr;
};
template <class T> cudaError_t factor(const Factors<T> &factors, cudaStream_t stream);
/// `zeroPivot`: the first row without an element on the diagonal, if less than it was.
cudaError_t findStructuralZero(const Sparse &a, Index *zeroPivot, cudaStream_t stream);
/// Of each row the level, from 0.
cudaError_t findLevels(const Triangle &triangle, Index *levels, cudaStream_t stream);

/// B = A, zero where A has no elements.
template <class T>
cudaError_t toDense(const Sparse &a, const Dense &b, cudaStream_t stream);
/// How many elements of each of `rows` of A are to be stored: those beyond `threshold`.
template <class T>
cudaError_t countDense(Index rows, Index columns, const Dense &a, Scalar<T> threshold,
                       Index *counts, cudaStream_t stream);
/// Stores them behind the rows' offsets.
template <class T>
cudaError_t fillFromDense(Index columns, const Dense &a, Scalar<T> threshold,
                          const Sparse &b, cudaStream_t stream);
/// Fills in the values of the pattern of B.
template <class T>
cudaError_t readPattern(const Dense &a, const Sparse &b, cudaStream_t stream);
/// The same of a sparse A: elements whose magnitude is larger than the tolerance's real
/// part.
template <class T>
cudaError_t countLarger(const Sparse &a, Scalar<T> tolerance, Index *counts,
                        cudaStream_t stream);
template <class T>
cudaError_t copyLarger(const Sparse &a, Scalar<T> tolerance, const Sparse &c,
                       cudaStream_t stream);

/// C = A B in two steps: columns of C's rows, and values. Rows of C are sorted.
cudaError_t countProducts(const Sparse &a, const Sparse &b, Index *counts,
                          cudaStream_t stream);
/// `room` has the rows' products, from `offsets`; distinct columns come first.
cudaError_t findColumns(const Sparse &a, const Sparse &b, const Index *offsets,
                        Index *room, Index *counts, cudaStream_t stream);
template <class T> struct SparseProduct {
  Sparse a, b, c;
  Scalar<T> alpha, beta;
  Values sums; ///< C's, or others as many where C's type is too narrow to add up in.
};
template <class T>
cudaError_t multiplySparse(const SparseProduct<T> &product, cudaStream_t stream);
/// C = alpha A + beta B: elements of the rows of C, then columns and values.
cudaError_t countSum(const Sparse &a, const Sparse &b, Index *counts,
                     cudaStream_t stream);
template <class T>
cudaError_t addSparse(const SparseProduct<T> &sum, cudaStream_t stream);

/// Blocks of C that elements of A are in, for each row of blocks: how many, and from
/// where in `room`, which has one for each element of A.
cudaError_t findBlocks(const Sparse &a, Index blockRows, Index blockColumns,
                       Index rowsOfBlocks, Index *room, Index *counts, Index *starts,
                       cudaStream_t stream);
/// All entries of A into a C of compressed rows, of which nothing is known.
template <class T>
cudaError_t spread(const Sparse &a, const Sparse &c, cudaStream_t stream);
/// Puts A's elements into C, which has them all and is zero.
template <class T>
cudaError_t putElements(const Sparse &a, const Sparse &c, cudaStream_t stream);

/// Systems of three or five diagonals, one for each thread; element i of system s is at
/// s * system + i * element.
template <class T> struct Band {
  Index rows = 0, systems = 1, system = 0, element = 1;
  const T *lower = nullptr, *middle = nullptr, *upper = nullptr;
  const T *lowest = nullptr, *uppermost = nullptr; ///< Where there are five.
  bool pivots = true;
  T *work = nullptr; ///< `bandWork` numbers for each row.
  T *x = nullptr;
  Index rightSides = 1, leading = 0; ///< Of one system.
};
constexpr Index bandWork = 8;
template <class T> cudaError_t solveBand(const Band<T> &band, cudaStream_t stream);

// What does not depend on the type of numbers.

/// The exclusive sums of `count` numbers, in place; their sum is behind them. `sums` has
/// room for `scanRoom` numbers.
constexpr Index scanRoom = 16384;
cudaError_t scan(Index *numbers, Index count, Index *sums, cudaStream_t stream);

/// The order in which `count` keys are sorted: stable, least digits first.
struct Sorting {
  Index count = 0, limit = 0;                        ///< Keys are less than `limit`.
  Index *keys = nullptr, *order = nullptr;           ///< The input, and the output.
  Index *otherKeys = nullptr, *otherOrder = nullptr; ///< Room for as many.
  Index *digits = nullptr;                           ///< Room for `digitRoom(count)`.
};
Index digitRoom(Index count);
cudaError_t sort(const Sorting &sorting, cudaStream_t stream);

/// to[i] = i + first
cudaError_t fillOrder(Indices to, Index first, Index count, cudaStream_t stream);
/// Of each entry the row, column (the number of columns for padding) and place.
cudaError_t listEntries(const Sparse &a, Index *rows, Index *columns, Index *places,
                        cudaStream_t stream);
/// to[i] = from[order[i]] + shift
cudaError_t permute(Indices from, const Index *order, Indices to, Index shift,
                    Index count, cudaStream_t stream);
cudaError_t permuteValues(const void *from, const Index *order, void *to, Index bytes,
                          Index count, cudaStream_t stream);
/// offsets[r] = shift + how many of the sorted keys are less than r + keyBase, for r up
/// to `rows`.
cudaError_t findOffsets(Indices keys, Index keyBase, Index count, Indices offsets,
                        Index rows, Index shift, cudaStream_t stream);
/// The row of each entry.
cudaError_t findRows(Indices offsets, Index rows, int base, Indices to,
                     cudaStream_t stream);
/// Pieces of rows to where they are one behind the other: to[offsets[r] + k] =
/// from[starts[r] + k] + shift.
cudaError_t compact(Index rows, const Index *starts, const Index *from,
                    const Index *offsets, Indices to, Index shift, cudaStream_t stream);
/// to[i] = from[i] + shift
cudaError_t convertIndices(Indices from, Indices to, Index shift, Index count,
                           cudaStream_t stream);

} // namespace het::sparse

#endif // HET_LIBS_CUSPARSE_KERNELS_H
