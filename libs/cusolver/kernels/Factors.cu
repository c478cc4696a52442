// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cholesky's and LU factors, and solutions by triangles.

#include "Block.cuh"

namespace het::solver {

/// Element (i, j) of a matrix, or of its conjugate transposed one.
template <class T> struct View {
  T *base;
  Index leading;
  bool turned;
  __device__ T get(Index i, Index j) const {
    return turned ? conjugate(base[j + i * leading]) : base[i + j * leading];
  }
  __device__ void put(Index i, Index j, T value) const {
    if (turned)
      base[j + i * leading] = conjugate(value);
    else
      base[i + j * leading] = value;
  }
};

/// Rows and columns that a thread takes of what is below and right of a pivot.
constexpr int tileRows = 64, tileColumns = blockThreads / tileRows;

/// Whether a matrix has failed in a block before this one, for all threads.
__device__ inline bool hasFailed(Index first, const int *info) {
  __shared__ bool failed;
  if (threadIdx.x == 0)
    failed = first > 0 && *info != 0;
  __syncthreads();
  return failed;
}

template <class T>
__global__ void __launch_bounds__(blockThreads)
    choleskyKernel(bool upper, Index n, Matrices<T> matrices, Index first, int *info) {
  __shared__ Real<T> pivot;
  const View<T> a = {matrixAt(matrices, blockIdx.x), matrices.leading, upper};
  const bool before = hasFailed(first, info + blockIdx.x);
  const Index row = threadIdx.x % tileRows, column = threadIdx.x / tileRows;
  int failed = 0;
  for (Index k = 0; k < n && !before && !failed; ++k) {
    if (threadIdx.x == 0) {
      const Real<T> square = realOf(a.get(k, k));
      pivot = square > Real<T>(0) ? sqrt(square) : Real<T>(0);
      if (pivot > Real<T>(0))
        a.put(k, k, T(pivot));
    }
    __syncthreads();
    const Real<T> divisor = pivot;
    if (!(divisor > Real<T>(0)))
      failed = static_cast<int>(first + k + 1);
    for (Index i = k + 1 + threadIdx.x; i < n && !failed; i += blockThreads)
      a.put(i, k, a.get(i, k) / T(divisor));
    __syncthreads();
    for (Index i = k + 1 + row; i < n && !failed; i += tileRows) {
      const T left = a.get(i, k);
      for (Index j = k + 1 + column; j <= i; j += tileColumns)
        a.put(i, j, a.get(i, j) - left * conjugate(a.get(j, k)));
    }
    __syncthreads();
  }
  if (threadIdx.x == 0 && !before)
    info[blockIdx.x] = failed;
}
template <class T>
cudaError_t factorCholesky(bool upper, Index n, Matrices<T> a, Index first, int *info,
                           Index batch, cudaStream_t stream) {
  return batch > 0 ? libs::launch(choleskyKernel<T>, static_cast<unsigned>(batch),
                                  blockThreads, stream, upper, n, a, first, info)
                   : cudaSuccess;
}

__device__ inline void putPivot(Pivots pivots, Index at, Index row) {
  if (pivots.wide)
    static_cast<Index *>(pivots.base)[at] = row + 1;
  else
    static_cast<int *>(pivots.base)[at] = static_cast<int>(row + 1);
}
__device__ inline Index pivotAt(Pivots pivots, Index at) {
  return (pivots.wide ? static_cast<const Index *>(pivots.base)[at]
                      : static_cast<const int *>(pivots.base)[at]) -
         1;
}

/// The row, from `first` on, of the greatest element of a column; the first of equal ones.
template <class T>
__device__ Index greatestRow(const T *column, Index first, Index rows) {
  __shared__ Real<T> values[blockThreads];
  __shared__ Index places[blockThreads];
  Real<T> value = Real<T>(-1);
  Index place = first;
  for (Index i = first + threadIdx.x; i < rows; i += blockThreads)
    if (const Real<T> size = blas::absolute(column[i]); size > value) {
      value = size;
      place = i;
    }
  __syncthreads();
  values[threadIdx.x] = value;
  places[threadIdx.x] = place;
  __syncthreads();
  for (int half = blockThreads / 2; half; half /= 2) {
    if (threadIdx.x < half) {
      const Real<T> other = values[threadIdx.x + half];
      const Index there = places[threadIdx.x + half];
      if (other > values[threadIdx.x] ||
          (other == values[threadIdx.x] && there < places[threadIdx.x])) {
        values[threadIdx.x] = other;
        places[threadIdx.x] = there;
      }
    }
    __syncthreads();
  }
  return places[0];
}

template <class T>
__global__ void __launch_bounds__(blockThreads)
    luKernel(Index m, Index n, Matrices<T> matrices, Pivots pivots, Index first,
             int *info) {
  __shared__ T shared;
  T *a = matrixAt(matrices, blockIdx.x);
  const Index leading = matrices.leading, steps = m < n ? m : n;
  const bool before = hasFailed(first, info);
  int failed = 0;
  for (Index k = 0; k < steps; ++k) {
    Index row = k;
    if (pivots.base) {
      row = greatestRow(a + k * leading, k, m);
      if (threadIdx.x == 0)
        putPivot(pivots, first + k, first + row);
      for (Index j = threadIdx.x; j < n && row != k; j += blockThreads) {
        const T value = a[k + j * leading];
        a[k + j * leading] = a[row + j * leading];
        a[row + j * leading] = value;
      }
    }
    __syncthreads();
    if (threadIdx.x == 0)
      shared = a[k + k * leading];
    __syncthreads();
    const T pivot = shared;
    const bool isZero = pivot == T(0);
    if (isZero && !failed)
      failed = static_cast<int>(first + k + 1);
    for (Index i = k + 1 + threadIdx.x; i < m && !isZero; i += blockThreads) {
      const T left = a[i + k * leading] / pivot;
      a[i + k * leading] = left;
      for (Index j = k + 1; j < n; ++j)
        a[i + j * leading] -= left * a[k + j * leading];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0 && !before)
    *info = failed;
}
template <class T>
cudaError_t factorLU(Index m, Index n, Matrices<T> a, Pivots pivots, Index first,
                     int *info, cudaStream_t stream) {
  return libs::launch(luKernel<T>, 1, blockThreads, stream, m, n, a, pivots, first, info);
}

/// A column of the right side for each thread.
template <class T>
__global__ void solveTriangleKernel(TriangleKind kind, Index n, Index columns,
                                    Matrices<T> as, Matrices<T> bs, Index batch) {
  const bool forward = kind.upper == kind.transposed;
  for (Index at = threadNumber(); at < columns * batch; at += threadCount()) {
    const T *a = matrixAt(as, at / columns);
    T *x = matrixAt(bs, at / columns) + at % columns * bs.leading;
    for (Index step = 0; step < n; ++step) {
      const Index i = forward ? step : n - 1 - step;
      T sum = x[i];
      for (Index other = 0; other < step; ++other) {
        const Index j = forward ? other : n - 1 - other;
        const T value = kind.transposed ? a[j + i * as.leading] : a[i + j * as.leading];
        sum -= (kind.conjugated ? conjugate(value) : value) * x[j];
      }
      const T diagonal = a[i + i * as.leading];
      x[i] = kind.unit ? sum : sum / (kind.conjugated ? conjugate(diagonal) : diagonal);
    }
  }
}
template <class T>
cudaError_t solveTriangle(TriangleKind kind, Index n, Index columns, Matrices<T> a,
                          Matrices<T> b, Index batch, cudaStream_t stream) {
  return columns * batch > 0
             ? libs::launch(solveTriangleKernel<T>, blocksFor(columns * batch),
                            blockThreads, stream, kind, n, columns, a, b, batch)
             : cudaSuccess;
}

template <class T>
__global__ void exchangeRowsKernel(Index columns, Matrices<T> matrix, Pivots pivots,
                                   Index first, Index last, Index step, bool undo) {
  for (Index j = threadNumber(); j < columns; j += threadCount()) {
    T *column = matrix.base + j * matrix.leading;
    for (Index k = first; k < last; ++k) {
      const Index i = undo ? last - 1 - (k - first) : k;
      const Index row = pivotAt(pivots, first + (i - first) * step);
      const T value = column[i];
      column[i] = column[row];
      column[row] = value;
    }
  }
}
template <class T>
cudaError_t exchangeRows(Index columns, Matrices<T> a, Pivots pivots, Index first,
                         Index last, Index step, bool undo, cudaStream_t stream) {
  return columns > 0 && last > first
             ? libs::launch(exchangeRowsKernel<T>, blocksFor(columns), blockThreads,
                            stream, columns, a, pivots, first, last, step, undo)
             : cudaSuccess;
}

#define HET_MAKE(T)                                                                      \
  template cudaError_t factorCholesky<T>(bool, Index, Matrices<T>, Index, int *, Index,  \
                                         cudaStream_t);                                  \
  template cudaError_t factorLU<T>(Index, Index, Matrices<T>, Pivots, Index, int *,      \
                                   cudaStream_t);                                        \
  template cudaError_t solveTriangle<T>(TriangleKind, Index, Index, Matrices<T>,         \
                                        Matrices<T>, Index, cudaStream_t);               \
  template cudaError_t exchangeRows<T>(Index, Matrices<T>, Pivots, Index, Index, Index,  \
                                       bool, cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)

} // namespace het::solver
