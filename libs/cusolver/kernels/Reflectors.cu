// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// QR factors by Householder's reflectors, as LAPACK's geqr2 has them, and their products;
// and elements of matrices one after another.

#include "Block.cuh"

namespace het::solver {

/// The factor of the reflector that turns a column into one with an element at its top,
/// whose length is `tail` below that; what the column below is divided by, and the top.
template <class T> struct Reflector {
  T tau, divisor, top;
};
template <class T> __device__ Reflector<T> reflectorOf(T alpha, Real<T> tail) {
  bool isReal = true;
  if constexpr (isComplex<T>)
    isReal = alpha.im == Real<T>(0);
  if (tail == Real<T>(0) && isReal)
    return {T(0), T(1), alpha};
  const Real<T> length = hypot(absoluteOf(alpha), tail);
  const Real<T> beta = realOf(alpha) > Real<T>(0) ? -length : length;
  return {(T(beta) - alpha) / T(beta), alpha - T(beta), T(beta)};
}

template <class T>
__global__ void __launch_bounds__(blockThreads)
    qrKernel(Index m, Index n, Matrices<T> matrix, T *tau) {
  __shared__ Reflector<T> shared;
  T *a = matrix.base;
  const Index leading = matrix.leading, steps = m < n ? m : n;
  for (Index k = 0; k < steps; ++k) {
    T *v = a + k * leading;
    Real<T> most = Real<T>(0), sum = Real<T>(0);
    for (Index i = k + 1 + threadIdx.x; i < m; i += blockThreads)
      most = fmax(most, absoluteOf(v[i]));
    most = greatest(most); // so that no square overflows
    for (Index i = k + 1 + threadIdx.x; i < m && most > Real<T>(0); i += blockThreads) {
      const Real<T> part = absoluteOf(v[i]) / most;
      sum += part * part;
    }
    sum = addUp(sum);
    if (threadIdx.x == 0) {
      shared = reflectorOf(v[k], most * sqrt(sum));
      tau[k] = shared.tau;
      v[k] = shared.top;
    }
    __syncthreads();
    const Reflector<T> reflector = shared;
    for (Index i = k + 1 + threadIdx.x; i < m; i += blockThreads)
      v[i] = v[i] / reflector.divisor;
    __syncthreads();
    for (Index j = k + 1 + threadIdx.x; j < n; j += blockThreads) {
      T *column = a + j * leading;
      T product = column[k];
      for (Index i = k + 1; i < m; ++i)
        product += conjugate(v[i]) * column[i];
      product = conjugate(reflector.tau) * product;
      column[k] -= product;
      for (Index i = k + 1; i < m; ++i)
        column[i] -= product * v[i];
    }
    __syncthreads();
  }
}
template <class T>
cudaError_t factorQR(Index m, Index n, Matrices<T> a, T *tau, cudaStream_t stream) {
  qrKernel<T><<<1, blockThreads, 0, stream>>>(m, n, a, tau);
  return cudaGetLastError();
}

/// A column of C for each thread, or a row.
template <class T> __global__ void applyReflectorsKernel(Reflectors<T> r) {
  const bool forward = r.left == r.conjugated;
  const Index lines = r.left ? r.n : r.m, length = r.left ? r.m : r.n,
              step = r.left ? 1 : r.leadingC;
  for (Index line = threadNumber(); line < lines; line += threadCount()) {
    T *x = r.c + line * (r.left ? r.leadingC : 1);
    for (Index number = 0; number < r.count; ++number) {
      const Index k = forward ? number : r.count - 1 - number;
      const T *v = r.vectors + k * r.leading;
      const T tau = r.conjugated ? conjugate(r.tau[k]) : r.tau[k];
      T product = x[k * step];
      for (Index i = k + 1; i < length; ++i)
        product += (r.left ? conjugate(v[i]) : v[i]) * x[i * step];
      product = tau * product;
      x[k * step] -= product;
      for (Index i = k + 1; i < length; ++i)
        x[i * step] -= product * (r.left ? v[i] : conjugate(v[i]));
    }
  }
}
template <class T>
cudaError_t applyReflectors(const Reflectors<T> &r, cudaStream_t stream) {
  const Index lines = r.left ? r.n : r.m;
  if (lines > 0)
    applyReflectorsKernel<T><<<blocksFor(lines), blockThreads, 0, stream>>>(r);
  return cudaGetLastError();
}

template <class T>
__global__ void fillKernel(Fill how, bool upper, Index m, Index n, Matrices<T> as,
                           Matrices<T> from, Index batch) {
  for (Index at = threadNumber(); at < m * n * batch; at += threadCount()) {
    const Index number = at / (m * n), i = at % (m * n) % m, j = at % (m * n) / m;
    T *a = matrixAt(as, number);
    T &element = a[i + j * as.leading];
    const bool inside = i == j || (i < j) == upper;
    if (how == Fill::Identity)
      element = T(i == j ? 1 : 0);
    else if (how == Fill::CopyTriangle && inside)
      element = matrixAt(from, number)[i + j * from.leading];
    else if (how == Fill::Mirror && i == j)
      element = T(realOf(element));
    else if (how == Fill::Mirror && !inside)
      element = conjugate(a[j + i * as.leading]);
  }
}
template <class T>
cudaError_t fill(Fill how, bool upper, Index m, Index n, Matrices<T> a, Matrices<T> from,
                 Index batch, cudaStream_t stream) {
  if (m * n * batch > 0)
    fillKernel<T><<<blocksFor(m * n * batch), blockThreads, 0, stream>>>(how, upper, m, n,
                                                                         a, from, batch);
  return cudaGetLastError();
}

template <class T>
__global__ void copyKernel(bool turned, Index m, Index n, Matrices<T> from, Matrices<T> to,
                           Index batch) {
  for (Index at = threadNumber(); at < m * n * batch; at += threadCount()) {
    const Index number = at / (m * n), i = at % (m * n) % m, j = at % (m * n) / m;
    const T value = matrixAt(from, number)[i + j * from.leading];
    T *b = matrixAt(to, number);
    if (turned)
      b[j + i * to.leading] = conjugate(value);
    else
      b[i + j * to.leading] = value;
  }
}
template <class T>
cudaError_t copy(bool conjugateTransposed, Index m, Index n, Matrices<T> from,
                 Matrices<T> to, Index batch, cudaStream_t stream) {
  if (m * n * batch > 0)
    copyKernel<T><<<blocksFor(m * n * batch), blockThreads, 0, stream>>>(
        conjugateTransposed, m, n, from, to, batch);
  return cudaGetLastError();
}

template <class T>
__global__ void signColumnsKernel(Index m, Index n, Matrices<T> as, Matrices<T> rs,
                                  Index batch) {
  for (Index at = threadNumber(); at < m * n * batch; at += threadCount()) {
    const Index number = at / (m * n), i = at % (m * n) % m, j = at % (m * n) / m;
    T &element = matrixAt(as, number)[i + j * as.leading];
    if (realOf(matrixAt(rs, number)[j + j * rs.leading]) < Real<T>(0))
      element = -element;
  }
}
template <class T>
cudaError_t signColumns(Index m, Index n, Matrices<T> a, Matrices<T> r, Index batch,
                        cudaStream_t stream) {
  if (m * n * batch > 0)
    signColumnsKernel<T>
        <<<blocksFor(m * n * batch), blockThreads, 0, stream>>>(m, n, a, r, batch);
  return cudaGetLastError();
}

__global__ void setInfoKernel(int *info, int value, Index count) {
  for (Index i = threadNumber(); i < count; i += threadCount())
    info[i] = value;
}
cudaError_t setInfo(int *info, int value, Index count, cudaStream_t stream) {
  if (count > 0)
    setInfoKernel<<<blocksFor(count), blockThreads, 0, stream>>>(info, value, count);
  return cudaGetLastError();
}

#define HET_MAKE(T)                                                                      \
  template cudaError_t factorQR<T>(Index, Index, Matrices<T>, T *, cudaStream_t);        \
  template cudaError_t applyReflectors<T>(const Reflectors<T> &, cudaStream_t);          \
  template cudaError_t fill<T>(Fill, bool, Index, Index, Matrices<T>, Matrices<T>,       \
                               Index, cudaStream_t);                                     \
  template cudaError_t copy<T>(bool, Index, Index, Matrices<T>, Matrices<T>, Index,      \
                               cudaStream_t);                                            \
  template cudaError_t signColumns<T>(Index, Index, Matrices<T>, Matrices<T>, Index,     \
                                      cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)

} // namespace het::solver
