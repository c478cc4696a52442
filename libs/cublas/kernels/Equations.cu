// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Systems of equations: triangles of a few rows, LU factors of many small matrices.

#include "Launch.cuh"

namespace het::blas {

/// A block has a warp, and each of its lanes one column of B.
template <class T>
__global__ void __launch_bounds__(solveRows) solveColumns(SmallSolve<T> s) {
  __shared__ T a[solveRows][solveRows + 1], x[solveRows][solveRows + 1];
  const int lane = threadIdx.x, rows = static_cast<int>(s.rows);
  const Index column = static_cast<Index>(blockIdx.x) * solveRows + lane;
  const bool forward = s.a.part == Part::Lower;
  const T alpha = valueOf(s.alpha);
  for (Index batch = blockIdx.y; batch < s.batch; batch += gridDim.y) {
    const void *baseA = baseOf<T>(s.a, batch);
    T *b = reinterpret_cast<T *>(baseOf<T>(s.b, batch));
    for (int j = 0; j < rows; ++j)
      if (lane < rows)
        a[lane][j] = elementOf<T>(s.a, baseA, lane, j);
    __syncthreads();
    for (int step = 0; step < rows && column < s.columns; ++step) {
      const int i = forward ? step : rows - 1 - step;
      T sum = alpha == T(0) ? T(0) : alpha * b[i * s.b.rowStep + column * s.b.columnStep];
      for (int k = 0; k < step; ++k) {
        const int known = forward ? k : rows - 1 - k;
        sum -= a[i][known] * x[known][lane];
      }
      x[i][lane] = s.a.unit || alpha == T(0) ? sum : sum / a[i][i];
      b[i * s.b.rowStep + column * s.b.columnStep] = x[i][lane];
    }
    __syncthreads();
  }
}

template <class T> cudaError_t solveSmall(const SmallSolve<T> &s, cudaStream_t stream) {
  if (!s.rows || !s.columns || !s.batch)
    return cudaSuccess;
  const dim3 grid(atMost((s.columns + solveRows - 1) / solveRows, INT32_MAX),
                  atMost(s.batch));
  solveColumns<T><<<grid, solveRows, 0, stream>>>(s);
  return cudaGetLastError();
}

/// The row at or below `column` whose element there is greatest; the first of equals.
template <class T> __device__ int findPivot(const T *a, Index step, int n, int column) {
  __shared__ Real<T> values[blockThreads];
  __shared__ int rows[blockThreads];
  Real<T> greatest = Real<T>(-1);
  int best = column;
  for (int row = column + threadIdx.x; row < n; row += blockThreads) {
    const Real<T> value = absolute(a[row + column * step]);
    if (value > greatest)
      greatest = value, best = row;
  }
  values[threadIdx.x] = greatest;
  rows[threadIdx.x] = best;
  __syncthreads();
  for (int half = blockThreads / 2; half; half /= 2) {
    if (threadIdx.x < half) {
      const Real<T> other = values[threadIdx.x + half];
      const int row = rows[threadIdx.x + half];
      if (other > values[threadIdx.x] ||
          (other == values[threadIdx.x] && row < rows[threadIdx.x]))
        values[threadIdx.x] = other, rows[threadIdx.x] = row;
    }
    __syncthreads();
  }
  const int found = rows[0];
  __syncthreads();
  return found;
}

template <class T>
__device__ void swapRows(T *a, Index step, int columns, int one, int other) {
  for (int j = threadIdx.x; j < columns && one != other; j += blockThreads) {
    const T value = a[one + j * step];
    a[one + j * step] = a[other + j * step];
    a[other + j * step] = value;
  }
}

template <class T>
__global__ void __launch_bounds__(blockThreads)
    factorMatrices(int n, T *const *matrices, Index step, int *pivots, int *info,
                   Index batches) {
  for (Index batch = blockIdx.x; batch < batches; batch += gridDim.x) {
    T *a = matrices[batch];
    int zero = 0;
    for (int k = 0; k < n; ++k) {
      if (pivots) {
        const int pivot = findPivot(a, step, n, k);
        swapRows(a, step, n, k, pivot);
        if (threadIdx.x == 0)
          pivots[batch * n + k] = pivot + 1;
        __syncthreads();
      }
      const T diagonal = a[k + k * step];
      if (diagonal == T(0)) {
        zero = zero ? zero : k + 1;
        continue;
      }
      for (int i = k + 1 + threadIdx.x; i < n; i += blockThreads)
        a[i + k * step] = a[i + k * step] / diagonal;
      __syncthreads();
      const int rest = n - k - 1;
      for (Index e = threadIdx.x; e < static_cast<Index>(rest) * rest;
           e += blockThreads) {
        const Index i = k + 1 + e % rest, j = k + 1 + e / rest;
        a[i + j * step] -= a[i + k * step] * a[k + j * step];
      }
      __syncthreads();
    }
    if (threadIdx.x == 0)
      info[batch] = zero;
  }
}

template <class T>
cudaError_t factor(int n, T *const *a, Index step, int *pivots, int *info, Index batch,
                   cudaStream_t stream) {
  if (!batch)
    return cudaSuccess;
  factorMatrices<T><<<atMost(batch, INT32_MAX), blockThreads, 0, stream>>>(
      n, a, step, pivots, info, batch);
  return cudaGetLastError();
}

template <class T>
__global__ void __launch_bounds__(blockThreads)
    exchange(int n, int columns, T *const *matrices, Index step, const int *pivots,
             bool undo, Index batches) {
  for (Index batch = blockIdx.y; batch < batches; batch += gridDim.y)
    for (Index j = threadNumber(); j < columns; j += threadCount())
      for (int k = 0; k < n; ++k) {
        const int one = undo ? n - 1 - k : k, other = pivots[batch * n + one] - 1;
        T *column = matrices[batch] + j * step;
        const T value = column[one];
        column[one] = column[other];
        column[other] = value;
      }
}

template <class T>
cudaError_t exchangeRows(int n, int columns, T *const *b, Index step, const int *pivots,
                         bool undo, Index batch, cudaStream_t stream) {
  if (!columns || !batch)
    return cudaSuccess;
  const dim3 grid(blocksFor(columns), atMost(batch));
  exchange<T>
      <<<grid, blockThreads, 0, stream>>>(n, columns, b, step, pivots, undo, batch);
  return cudaGetLastError();
}

template <class T>
__global__ void fillIdentity(int n, T *const *b, Index step, const T *const *a,
                             Index stepA, int *info, Index batches) {
  for (Index batch = blockIdx.y; batch < batches; batch += gridDim.y) {
    for (Index e = threadNumber(); e < static_cast<Index>(n) * n; e += threadCount())
      b[batch][e % n + e / n * step] = e % n == e / n ? T(1) : T(0);
    if (threadNumber() == 0) {
      int zero = 0;
      for (int i = n - 1; i >= 0; --i)
        zero = a[batch][i + i * stepA] == T(0) ? i + 1 : zero;
      info[batch] = zero;
    }
  }
}

template <class T>
cudaError_t setIdentity(int n, T *const *b, Index step, const T *const *a, Index stepA,
                        int *info, Index batch, cudaStream_t stream) {
  if (!batch)
    return cudaSuccess;
  const dim3 grid(blocksFor(static_cast<Index>(n) * n + 1), atMost(batch));
  fillIdentity<T><<<grid, blockThreads, 0, stream>>>(n, b, step, a, stepA, info, batch);
  return cudaGetLastError();
}

template <class T>
__global__ void copyAll(int rows, int columns, const T *const *a, Index step, T *to,
                        T **places, Index batches) {
  const Index size = static_cast<Index>(rows) * columns;
  for (Index batch = blockIdx.y; batch < batches; batch += gridDim.y) {
    for (Index e = threadNumber(); e < size; e += threadCount())
      to[batch * size + e] = a[batch][e % rows + e / rows * step];
    if (threadNumber() == 0)
      places[batch] = to + batch * size;
  }
}

template <class T>
cudaError_t copyMatrices(int rows, int columns, const T *const *a, Index step, T *to,
                         T **places, Index batch, cudaStream_t stream) {
  if (!batch)
    return cudaSuccess;
  const dim3 grid(blocksFor(static_cast<Index>(rows) * columns + 1), atMost(batch));
  copyAll<T>
      <<<grid, blockThreads, 0, stream>>>(rows, columns, a, step, to, places, batch);
  return cudaGetLastError();
}

#define HET_MAKE(T)                                                                      \
  template cudaError_t solveSmall<T>(const SmallSolve<T> &, cudaStream_t);               \
  template cudaError_t factor<T>(int, T *const *, Index, int *, int *, Index,            \
                                 cudaStream_t);                                          \
  template cudaError_t exchangeRows<T>(int, int, T *const *, Index, const int *, bool,   \
                                       Index, cudaStream_t);                             \
  template cudaError_t setIdentity<T>(int, T *const *, Index, const T *const *, Index,   \
                                      int *, Index, cudaStream_t);                       \
  template cudaError_t copyMatrices<T>(int, int, const T *const *, Index, T *, T **,     \
                                       Index, cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)

} // namespace het::blas
