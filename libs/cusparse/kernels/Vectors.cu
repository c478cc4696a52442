// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse vector and a dense one.

#include "Elements.cuh"

namespace het::sparse {

template <class T>
__global__ void changeElements(VectorStep step, SparseVector x, Values y, Scalar<T> alpha,
                               Scalar<T> beta) {
  const T first = valueOf(alpha), second = valueOf(beta);
  for (Index i = threadNumber(); i < x.count; i += threadCount()) {
    const Index at = get(x.indices, i) - x.base;
    switch (step) {
    case VectorStep::AddScaled:
      store<T>(y, at, load<T>(y, at) + first * load<T>(x.values, i));
      break;
    case VectorStep::Gather:
      store<T>(x.values, i, load<T>(y, at));
      break;
    case VectorStep::Scatter:
      store<T>(y, at, load<T>(x.values, i));
      break;
    case VectorStep::Rotate: {
      const T a = load<T>(x.values, i), b = load<T>(y, at);
      store<T>(x.values, i, first * a + second * b);
      store<T>(y, at, first * b - second * a);
      break;
    }
    }
  }
}

/// Elements of y for which x has none are scaled as well.
template <class T> __global__ void scaleElements(Values y, Index size, Scalar<T> beta) {
  const T factor = valueOf(beta);
  for (Index i = threadNumber(); i < size; i += threadCount())
    store<T>(y, i, isZero(factor) ? T(0) : factor * load<T>(y, i));
}

template <class T>
cudaError_t changeVectors(VectorStep step, const SparseVector &x, Values y, Index size,
                          Scalar<T> alpha, Scalar<T> beta, cudaStream_t stream) {
  if (step == VectorStep::AddScaled && size > 0 &&
      (beta.place || !(beta.value == T(1))))
    scaleElements<T><<<blocksFor(size), blockThreads, 0, stream>>>(y, size, beta);
  if (x.count > 0)
    changeElements<T>
        <<<blocksFor(x.count), blockThreads, 0, stream>>>(step, x, y, alpha, beta);
  return cudaGetLastError();
}

/// One block: each thread adds every 256th product, and their sums are added by halves.
template <class T>
__global__ void __launch_bounds__(blockThreads)
    addProducts(SparseVector x, bool conjugated, Values y, Values result) {
  __shared__ T sums[blockThreads];
  T sum = T(0);
  for (Index i = threadIdx.x; i < x.count; i += blockThreads) {
    const T value = load<T>(x.values, i);
    sum += (conjugated ? conjugate(value) : value) *
           load<T>(y, get(x.indices, i) - x.base);
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockThreads / 2; half; half /= 2) {
    if (threadIdx.x < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    store<T>(result, 0, sums[0]);
}

template <class T>
cudaError_t dot(const SparseVector &x, bool conjugated, Values y, Values result,
                cudaStream_t stream) {
  addProducts<T><<<1, blockThreads, 0, stream>>>(x, conjugated, y, result);
  return cudaGetLastError();
}

#define HET_MAKE(T)                                                                      \
  template cudaError_t changeVectors<T>(VectorStep, const SparseVector &, Values, Index, \
                                        Scalar<T>, Scalar<T>, cudaStream_t);             \
  template cudaError_t dot<T>(const SparseVector &, bool, Values, Values, cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)
template cudaError_t dot<int>(const SparseVector &, bool, Values, Values, cudaStream_t);

} // namespace het::sparse
