// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse matrices as dense ones, and pivots that are too small.

#include "Block.cuh"

namespace het::solver {

/// A row for each thread: an element that stands there twice is added twice.
template <class T> __global__ void addRowsKernel(CompressedRows<T> from, Matrices<T> a) {
  for (Index row = threadNumber(); row < from.rows; row += threadCount())
    for (Index at = from.offsets[row] - from.base; at < from.offsets[row + 1] - from.base;
         ++at)
      a.base[row + (from.columns[at] - from.base) * a.leading] += from.values[at];
}
template <class T>
cudaError_t addRows(const CompressedRows<T> &from, Matrices<T> a, cudaStream_t stream) {
  if (from.rows > 0)
    addRowsKernel<T><<<blocksFor(from.rows), blockThreads, 0, stream>>>(from, a);
  return cudaGetLastError();
}

template <class T>
__global__ void __launch_bounds__(blockThreads)
    findSmallPivotKernel(Index n, Matrices<T> a, Real<T> tolerance, int *info) {
  Index first = n;
  for (Index i = threadIdx.x; i < n && first == n; i += blockThreads)
    if (!(absoluteOf(a.base[i + i * a.leading]) > tolerance))
      first = i;
  first = -greatest(-first);
  if (threadIdx.x == 0)
    *info = first < n ? static_cast<int>(first + 1) : 0;
}
template <class T>
cudaError_t findSmallPivot(Index n, Matrices<T> a, Real<T> tolerance, int *info,
                           cudaStream_t stream) {
  findSmallPivotKernel<T><<<1, blockThreads, 0, stream>>>(n, a, tolerance, info);
  return cudaGetLastError();
}

#define HET_MAKE(T)                                                                      \
  template cudaError_t addRows<T>(const CompressedRows<T> &, Matrices<T>, cudaStream_t); \
  template cudaError_t findSmallPivot<T>(Index, Matrices<T>, Real<T>, int *,             \
                                         cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)

} // namespace het::solver
