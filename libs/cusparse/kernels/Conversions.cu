// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements from one matrix into another, a row for each thread.

#include "Elements.cuh"

namespace het::sparse {

template <class T> __global__ void toDenseKernel(Sparse a, Dense b) {
  for (Index row = threadNumber(); row < a.rows; row += threadCount()) {
    for (Index column = 0; column < a.columns; ++column)
      store<T>(b, row, column, T(0));
    const Row r = rowOf(a, row);
    for (Index k = 0; k < r.count; ++k) {
      const Entry entry = entryOf(a, r, k);
      if (entry.column >= 0)
        store<T>(b, row, entry.column, valueAt<T>(a, entry.place));
    }
  }
}
template <class T>
cudaError_t toDense(const Sparse &a, const Dense &b, cudaStream_t stream) {
  if (a.rows > 0)
    toDenseKernel<T><<<blocksFor(a.rows), blockThreads, 0, stream>>>(a, b);
  return cudaGetLastError();
}

/// Zeros are never stored; NaNs are.
template <class T> __device__ bool isStored(T value, Real<T> threshold) {
  return !(magnitude(value) <= static_cast<double>(threshold));
}

template <class T>
__global__ void countDenseKernel(Index rows, Index columns, Dense a, Scalar<T> threshold,
                                 Index *counts) {
  const Real<T> bound = realOf(valueOf(threshold));
  for (Index row = threadNumber(); row < rows; row += threadCount()) {
    Index count = 0;
    for (Index column = 0; column < columns; ++column)
      count += isStored(load<T>(a, row, column), bound);
    counts[row] = count;
  }
}
template <class T>
cudaError_t countDense(Index rows, Index columns, const Dense &a, Scalar<T> threshold,
                       Index *counts, cudaStream_t stream) {
  if (rows > 0)
    countDenseKernel<T><<<blocksFor(rows), blockThreads, 0, stream>>>(rows, columns, a,
                                                                      threshold, counts);
  return cudaGetLastError();
}

template <class T>
__global__ void fillFromDenseKernel(Index columns, Dense a, Scalar<T> threshold,
                                    Sparse b) {
  const Real<T> bound = realOf(valueOf(threshold));
  for (Index row = threadNumber(); row < b.rows; row += threadCount()) {
    Index at = get(b.offsets, row) - b.base;
    for (Index column = 0; column < columns; ++column) {
      const T value = load<T>(a, row, column);
      if (!isStored(value, bound))
        continue;
      if (b.rowIndices.base)
        put(b.rowIndices, at, row + b.base);
      put(b.indices, at, column + b.base);
      store<T>(b.values, at++, value);
    }
  }
}
template <class T>
cudaError_t fillFromDense(Index columns, const Dense &a, Scalar<T> threshold,
                          const Sparse &b, cudaStream_t stream) {
  if (b.rows > 0)
    fillFromDenseKernel<T>
        <<<blocksFor(b.rows), blockThreads, 0, stream>>>(columns, a, threshold, b);
  return cudaGetLastError();
}

template <class T> __global__ void readPatternKernel(Dense a, Sparse b) {
  for (Index row = threadNumber(); row < b.rows; row += threadCount()) {
    const Row r = rowOf(b, row);
    for (Index k = 0; k < r.count; ++k) {
      const Entry entry = entryOf(b, r, k);
      if (entry.column >= 0)
        store<T>(b.values, entry.place, load<T>(a, row, entry.column));
    }
  }
}
template <class T>
cudaError_t readPattern(const Dense &a, const Sparse &b, cudaStream_t stream) {
  if (b.rows > 0)
    readPatternKernel<T><<<blocksFor(b.rows), blockThreads, 0, stream>>>(a, b);
  return cudaGetLastError();
}

/// Also true of what is no number.
template <class T> __device__ bool isLarger(T number, const Scalar<T> &tolerance) {
  return !(magnitude(number) <= static_cast<double>(realOf(valueOf(tolerance))));
}

template <class T>
__global__ void countLargerKernel(Sparse a, Scalar<T> tolerance, Index *counts) {
  for (Index row = threadNumber(); row < a.rows; row += threadCount()) {
    const Row r = rowOf(a, row);
    Index count = 0;
    for (Index k = 0; k < r.count; ++k)
      count += isLarger(load<T>(a.values, r.first + k), tolerance);
    counts[row] = count;
  }
}
template <class T>
cudaError_t countLarger(const Sparse &a, Scalar<T> tolerance, Index *counts,
                        cudaStream_t stream) {
  if (a.rows > 0)
    countLargerKernel<T>
        <<<blocksFor(a.rows), blockThreads, 0, stream>>>(a, tolerance, counts);
  return cudaGetLastError();
}

template <class T>
__global__ void copyLargerKernel(Sparse a, Scalar<T> tolerance, Sparse c) {
  for (Index row = threadNumber(); row < a.rows; row += threadCount()) {
    const Row r = rowOf(a, row);
    Index at = get(c.offsets, row) - c.base;
    for (Index k = 0; k < r.count; ++k) {
      const Entry entry = entryOf(a, r, k);
      const T value = load<T>(a.values, entry.place);
      if (!isLarger(value, tolerance))
        continue;
      put(c.indices, at, entry.column + c.base);
      store<T>(c.values, at++, value);
    }
  }
}
template <class T>
cudaError_t copyLarger(const Sparse &a, Scalar<T> tolerance, const Sparse &c,
                       cudaStream_t stream) {
  if (a.rows > 0)
    copyLargerKernel<T><<<blocksFor(a.rows), blockThreads, 0, stream>>>(a, tolerance, c);
  return cudaGetLastError();
}

/// Where an element of C lies; C has it.
__device__ inline Index placeIn(const Sparse &c, Index row, Index column) {
  const Row r = rowOf(c, row);
  Indices indices = c.indices;
  advance(indices, r.first);
  const bool blocks = c.layout == Layout::Blocks;
  const Index inBlock = blocks ? column % c.blockColumns : 0,
              width = blocks ? c.blockColumns : 1;
  const Index at = lowerBound(indices, r.count / width, column / width + c.base);
  return entryOf(c, r, at * width + inBlock).place;
}
template <class T> __global__ void putElementsKernel(Sparse a, Sparse c) {
  for (Index row = threadNumber(); row < a.rows; row += threadCount()) {
    const Row r = rowOf(a, row);
    for (Index k = 0; k < r.count; ++k) {
      const Entry entry = entryOf(a, r, k);
      store<T>(c.values, placeIn(c, row, entry.column), load<T>(a.values, entry.place));
    }
  }
}
template <class T>
cudaError_t putElements(const Sparse &a, const Sparse &c, cudaStream_t stream) {
  if (a.rows > 0)
    putElementsKernel<T><<<blocksFor(a.rows), blockThreads, 0, stream>>>(a, c);
  return cudaGetLastError();
}

/// Rows of blocks are as long as each other, so it is known where each begins.
template <class T> __global__ void spreadKernel(Sparse a, Sparse c) {
  for (Index row = threadNumber(); row < a.rows; row += threadCount()) {
    const Row r = rowOf(a, row);
    const Index first = r.first * a.blockRows * a.blockColumns + r.inBlock * r.count;
    put(c.offsets, row, first + c.base);
    if (row == a.rows - 1)
      put(c.offsets, a.rows, first + r.count + c.base);
    for (Index k = 0; k < r.count; ++k) {
      const Entry entry = entryOf(a, r, k);
      put(c.indices, first + k, entry.column + c.base);
      store<T>(c.values, first + k, load<T>(a.values, entry.place));
    }
  }
}
template <class T>
cudaError_t spread(const Sparse &a, const Sparse &c, cudaStream_t stream) {
  if (a.rows > 0)
    spreadKernel<T><<<blocksFor(a.rows), blockThreads, 0, stream>>>(a, c);
  return cudaGetLastError();
}

#define HET_MAKE(T)                                                                      \
  template cudaError_t toDense<T>(const Sparse &, const Dense &, cudaStream_t);          \
  template cudaError_t countDense<T>(Index, Index, const Dense &, Scalar<T>, Index *,    \
                                     cudaStream_t);                                      \
  template cudaError_t fillFromDense<T>(Index, const Dense &, Scalar<T>, const Sparse &, \
                                        cudaStream_t);                                   \
  template cudaError_t readPattern<T>(const Dense &, const Sparse &, cudaStream_t);      \
  template cudaError_t countLarger<T>(const Sparse &, Scalar<T>, Index *, cudaStream_t); \
  template cudaError_t copyLarger<T>(const Sparse &, Scalar<T>, const Sparse &,          \
                                     cudaStream_t);                                      \
  template cudaError_t spread<T>(const Sparse &, const Sparse &, cudaStream_t);          \
  template cudaError_t putElements<T>(const Sparse &, const Sparse &, cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)

} // namespace het::sparse
