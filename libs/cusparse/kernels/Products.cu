// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of a sparse matrix and dense ones, and samples of products of dense ones. The
// order in which numbers are added is that of a row's entries, or depends on sizes alone.

#include "Elements.cuh"

namespace het::sparse {

/// Threads that share a row where rows are long and there is one column.
constexpr int rowThreads = 32, longRow = 64;

template <class T>
__device__ void finish(const Product<T> &p, const Dense &c, Index row, Index column,
                       T sum) {
  const T alpha = valueOf(p.alpha), beta = valueOf(p.beta);
  T result = alpha * sum;
  if (!isZero(beta)) // C may be undefined where it is zero
    result += beta * load<T>(c, row, column);
  store<T>(c, row, column, result);
}

template <class T> __global__ void __launch_bounds__(blockThreads) multiplyRows(Product<T> p) {
  const Index each = p.a.rows * p.columns;
  for (Index i = threadNumber(); i < each * p.batch; i += threadCount()) {
    const Index number = i / each, row = i % each / p.columns, column = i % p.columns;
    const Sparse a = numbered(p.a, number);
    const Dense b = numbered(p.b, number), c = numbered(p.c, number);
    const Row r = rowOf(a, row);
    T sum = T(0);
    for (Index k = 0; k < r.count; ++k) {
      const Entry entry = entryOf(a, r, k);
      if (entry.column >= 0)
        sum += valueAt<T>(a, entry.place) * load<T>(b, entry.column, column);
    }
    finish(p, c, row, column, sum);
  }
}

/// Each thread of a group adds every 32nd entry; their sums are added by halves.
template <class T>
__global__ void __launch_bounds__(blockThreads) multiplyLongRows(Product<T> p) {
  __shared__ T sums[blockThreads];
  const int lane = threadIdx.x % rowThreads;
  const Index groups = threadCount() / rowThreads;
  const Index rounds = (p.a.rows + groups - 1) / groups;
  for (Index round = 0; round < rounds; ++round) {
    const Index row = round * groups + threadNumber() / rowThreads;
    T sum = T(0);
    if (row < p.a.rows) {
      const Row r = rowOf(p.a, row);
      for (Index k = lane; k < r.count; k += rowThreads) {
        const Entry entry = entryOf(p.a, r, k);
        if (entry.column >= 0)
          sum += valueAt<T>(p.a, entry.place) * load<T>(p.b, entry.column, 0);
      }
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = rowThreads / 2; half; half /= 2) {
      if (lane < half)
        sums[threadIdx.x] += sums[threadIdx.x + half];
      __syncthreads();
    }
    if (lane == 0 && row < p.a.rows)
      finish(p, p.c, row, Index(0), sums[threadIdx.x]);
  }
}

template <class T> cudaError_t multiply(const Product<T> &product, cudaStream_t stream) {
  const Index rows = product.a.rows, all = rows * product.columns * product.batch;
  if (all <= 0)
    return cudaSuccess;
  if (product.columns == 1 && product.batch == 1 && product.a.entries / rows >= longRow)
    multiplyLongRows<T>
        <<<blocksFor(rows * rowThreads), blockThreads, 0, stream>>>(product);
  else
    multiplyRows<T><<<blocksFor(all), blockThreads, 0, stream>>>(product);
  return cudaGetLastError();
}

template <class T> __global__ void __launch_bounds__(blockThreads) sampleRows(Sampling<T> s) {
  const T alpha = valueOf(s.alpha), beta = valueOf(s.beta);
  for (Index i = threadNumber(); i < s.c.rows * s.batch; i += threadCount()) {
    const Index number = i / s.c.rows, row = i % s.c.rows;
    const Sparse c = numbered(s.c, number);
    const Dense a = numbered(s.a, number), b = numbered(s.b, number);
    const Row r = rowOf(c, row);
    for (Index k = 0; k < r.count; ++k) {
      const Entry entry = entryOf(c, r, k);
      if (entry.column < 0)
        continue;
      T sum = T(0);
      for (Index j = 0; j < s.inner; ++j)
        sum += load<T>(a, row, j) * load<T>(b, j, entry.column);
      T result = alpha * sum;
      if (!isZero(beta))
        result += beta * load<T>(c.values, entry.place);
      store<T>(c.values, entry.place, result);
    }
  }
}

template <class T> cudaError_t sample(const Sampling<T> &sampling, cudaStream_t stream) {
  const Index rows = sampling.c.rows * sampling.batch;
  if (rows <= 0)
    return cudaSuccess;
  sampleRows<T><<<blocksFor(rows), blockThreads, 0, stream>>>(sampling);
  return cudaGetLastError();
}

#define HET_MAKE(T)                                                                      \
  template cudaError_t multiply<T>(const Product<T> &, cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)
HET_MAKE(int)
#undef HET_MAKE
#define HET_MAKE(T) template cudaError_t sample<T>(const Sampling<T> &, cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)

} // namespace het::sparse
