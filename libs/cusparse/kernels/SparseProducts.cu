// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products and sums of sparse matrices, a row of the result for each thread.

#include "Elements.cuh"

namespace het::sparse {

__global__ void countProductsKernel(Sparse a, Sparse b, Index *counts) {
  for (Index row = threadNumber(); row < a.rows; row += threadCount()) {
    const Row r = rowOf(a, row);
    Index count = 0;
    for (Index k = 0; k < r.count; ++k)
      count += rowOf(b, entryOf(a, r, k).column).count;
    counts[row] = count;
  }
}
cudaError_t countProducts(const Sparse &a, const Sparse &b, Index *counts,
                          cudaStream_t stream) {
  if (a.rows > 0)
    countProductsKernel<<<blocksFor(a.rows), blockThreads, 0, stream>>>(a, b, counts);
  return cudaGetLastError();
}

/// Sinks the number at `root` to where none below it is greater.
__device__ inline void sink(Index *heap, Index root, Index count) {
  const Index value = heap[root];
  for (Index child = 2 * root + 1; child < count; child = 2 * root + 1) {
    if (child + 1 < count && heap[child + 1] > heap[child])
      ++child;
    if (heap[child] <= value)
      break;
    heap[root] = heap[child];
    root = child;
  }
  heap[root] = value;
}
/// Sorts numbers in place, and puts each that is there first; returns how many.
__device__ inline Index sortDistinct(Index *numbers, Index count) {
  for (Index root = count / 2; root-- > 0;)
    sink(numbers, root, count);
  for (Index last = count - 1; last > 0; --last) {
    const Index greatest = numbers[0];
    numbers[0] = numbers[last];
    numbers[last] = greatest;
    sink(numbers, 0, last);
  }
  Index distinct = 0;
  for (Index i = 0; i < count; ++i)
    if (distinct == 0 || numbers[i] != numbers[distinct - 1])
      numbers[distinct++] = numbers[i];
  return distinct;
}

__global__ void findColumnsKernel(Sparse a, Sparse b, const Index *offsets, Index *room,
                                  Index *counts) {
  for (Index row = threadNumber(); row < a.rows; row += threadCount()) {
    const Row r = rowOf(a, row);
    Index *columns = room + offsets[row];
    Index count = 0;
    for (Index k = 0; k < r.count; ++k) {
      const Row other = rowOf(b, entryOf(a, r, k).column);
      for (Index j = 0; j < other.count; ++j)
        columns[count++] = entryOf(b, other, j).column;
    }
    counts[row] = sortDistinct(columns, count);
  }
}
cudaError_t findColumns(const Sparse &a, const Sparse &b, const Index *offsets,
                        Index *room, Index *counts, cudaStream_t stream) {
  if (a.rows > 0)
    findColumnsKernel<<<blocksFor(a.rows), blockThreads, 0, stream>>>(a, b, offsets, room,
                                                                      counts);
  return cudaGetLastError();
}

template <class T> __global__ void multiplySparseKernel(SparseProduct<T> p) {
  const T alpha = valueOf(p.alpha), beta = valueOf(p.beta);
  for (Index row = threadNumber(); row < p.c.rows; row += threadCount()) {
    const Row c = rowOf(p.c, row), a = rowOf(p.a, row);
    Indices columns = p.c.indices;
    advance(columns, c.first);
    for (Index k = c.first; k < c.first + c.count; ++k)
      store<T>(p.sums, k,
               isZero(beta) ? T(0) : beta * load<T>(p.c.values, k));
    for (Index k = 0; k < a.count; ++k) {
      const Entry left = entryOf(p.a, a, k);
      const T factor = alpha * load<T>(p.a.values, left.place);
      const Row b = rowOf(p.b, left.column);
      for (Index j = 0; j < b.count; ++j) {
        const Entry right = entryOf(p.b, b, j);
        const Index at = lowerBound(columns, c.count, right.column + p.c.base) + c.first;
        store<T>(p.sums, at,
                 load<T>(p.sums, at) + factor * load<T>(p.b.values, right.place));
      }
    }
    if (p.sums.base != p.c.values.base)
      for (Index k = c.first; k < c.first + c.count; ++k)
        store<T>(p.c.values, k, load<T>(p.sums, k));
  }
}
template <class T>
cudaError_t multiplySparse(const SparseProduct<T> &product, cudaStream_t stream) {
  if (product.c.rows > 0)
    multiplySparseKernel<T>
        <<<blocksFor(product.c.rows), blockThreads, 0, stream>>>(product);
  return cudaGetLastError();
}

/// Goes through a row of A and one of B at once, by columns; calls
/// visit(column, place in A or -1, place in B or -1).
template <class Visit>
__device__ void merge(const Sparse &a, const Sparse &b, Index row, Visit visit) {
  const Row left = rowOf(a, row), right = rowOf(b, row);
  Index i = 0, j = 0;
  while (i < left.count || j < right.count) {
    const Entry first = i < left.count ? entryOf(a, left, i) : Entry{a.columns, -1};
    const Entry second = j < right.count ? entryOf(b, right, j) : Entry{a.columns, -1};
    const Index column = first.column < second.column ? first.column : second.column;
    const bool inA = i < left.count && first.column == column,
               inB = j < right.count && second.column == column;
    visit(column, inA ? first.place : -1, inB ? second.place : -1);
    i += inA;
    j += inB;
  }
}

__global__ void countSumKernel(Sparse a, Sparse b, Index *counts) {
  for (Index row = threadNumber(); row < a.rows; row += threadCount()) {
    Index count = 0;
    merge(a, b, row, [&](Index, Index, Index) { ++count; });
    counts[row] = count;
  }
}
cudaError_t countSum(const Sparse &a, const Sparse &b, Index *counts,
                     cudaStream_t stream) {
  if (a.rows > 0)
    countSumKernel<<<blocksFor(a.rows), blockThreads, 0, stream>>>(a, b, counts);
  return cudaGetLastError();
}

template <class T> __global__ void addSparseKernel(SparseProduct<T> p) {
  const T alpha = valueOf(p.alpha), beta = valueOf(p.beta);
  for (Index row = threadNumber(); row < p.c.rows; row += threadCount()) {
    Index at = get(p.c.offsets, row) - p.c.base;
    merge(p.a, p.b, row, [&](Index column, Index inA, Index inB) {
      T sum = T(0);
      if (inA >= 0)
        sum += alpha * load<T>(p.a.values, inA);
      if (inB >= 0)
        sum += beta * load<T>(p.b.values, inB);
      put(p.c.indices, at, column + p.c.base);
      store<T>(p.c.values, at++, sum);
    });
  }
}
template <class T>
cudaError_t addSparse(const SparseProduct<T> &sum, cudaStream_t stream) {
  if (sum.c.rows > 0)
    addSparseKernel<T><<<blocksFor(sum.c.rows), blockThreads, 0, stream>>>(sum);
  return cudaGetLastError();
}

__global__ void findBlocksKernel(Sparse a, Index blockRows, Index blockColumns,
                                 Index rowsOfBlocks, Index *room, Index *counts,
                                 Index *starts) {
  for (Index i = threadNumber(); i < rowsOfBlocks; i += threadCount()) {
    const Index first = i * blockRows,
                last = first + blockRows < a.rows ? first + blockRows : a.rows;
    starts[i] = rowOf(a, first).first;
    Index *columns = room + starts[i];
    Index count = 0;
    for (Index row = first; row < last; ++row) {
      const Row r = rowOf(a, row);
      for (Index k = 0; k < r.count; ++k)
        columns[count++] = entryOf(a, r, k).column / blockColumns;
    }
    counts[i] = sortDistinct(columns, count);
  }
}
cudaError_t findBlocks(const Sparse &a, Index blockRows, Index blockColumns,
                       Index rowsOfBlocks, Index *room, Index *counts, Index *starts,
                       cudaStream_t stream) {
  if (rowsOfBlocks > 0)
    findBlocksKernel<<<blocksFor(rowsOfBlocks), blockThreads, 0, stream>>>(
        a, blockRows, blockColumns, rowsOfBlocks, room, counts, starts);
  return cudaGetLastError();
}

#define HET_MAKE(T)                                                                      \
  template cudaError_t multiplySparse<T>(const SparseProduct<T> &, cudaStream_t);        \
  template cudaError_t addSparse<T>(const SparseProduct<T> &, cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)

} // namespace het::sparse
