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

/// Threads that have a column together.
constexpr int lanes = 32;

template <class R> __device__ R fromLane(R value, int distance) {
  return __shfl_xor_sync(0xffffffff, value, distance);
}
template <class R> __device__ libs::Complex<R> fromLane(libs::Complex<R> value, int distance) {
  return {fromLane(value.re, distance), fromLane(value.im, distance)};
}
/// The sum of a number of each lane, for all of them, in a fixed order.
template <class T> __device__ T addLanes(T value) {
  for (int distance = lanes / 2; distance; distance /= 2)
    value = value + fromLane(value, distance);
  return value;
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
    const T factor = conjugate(reflector.tau);
    for (Index j = k + 1 + threadIdx.x / lanes; j < n; j += blockThreads / lanes) {
      T *column = a + j * leading;
      T product = T(0);
      for (Index i = k + threadIdx.x % lanes; i < m; i += lanes)
        product += (i == k ? T(1) : conjugate(v[i])) * column[i];
      product = factor * addLanes(product);
      for (Index i = k + threadIdx.x % lanes; i < m; i += lanes)
        column[i] -= product * (i == k ? T(1) : v[i]);
    }
    __syncthreads();
  }
}
template <class T>
cudaError_t factorQR(Index m, Index n, Matrices<T> a, T *tau, cudaStream_t stream) {
  return libs::launch(qrKernel<T>, 1, blockThreads, stream, m, n, a, tau);
}

template <class T> __global__ void takeReflectorsKernel(Index m, Index n, Matrices<T> a, T *v) {
  for (Index at = threadNumber(); at < m * n; at += threadCount()) {
    const Index i = at % m, j = at / m;
    v[at] = i > j ? a.base[i + j * a.leading] : T(i == j ? 1 : 0);
  }
}
template <class T>
cudaError_t takeReflectors(Index m, Index n, Matrices<T> a, T *v, cudaStream_t stream) {
  return libs::launch(takeReflectorsKernel<T>, blocksFor(m * n), blockThreads, stream, m,
                      n, a, v);
}

/// A column of F after the other, each from those before it.
template <class T>
__global__ void __launch_bounds__(blockThreads)
    joinReflectorsKernel(Index n, const T *tau, const T *products, T *f) {
  for (Index j = 0; j < n; ++j) {
    for (Index i = threadIdx.x; i < n; i += blockThreads) {
      T sum = T(0);
      for (Index k = i; k < j; ++k)
        sum += f[i + k * n] * products[k + j * n];
      f[i + j * n] = i < j ? -tau[j] * sum : i == j ? tau[j] : T(0);
    }
    __syncthreads();
  }
}
template <class T>
cudaError_t joinReflectors(Index n, const T *tau, const T *products, T *f,
                           cudaStream_t stream) {
  return libs::launch(joinReflectorsKernel<T>, 1, blockThreads, stream, n, tau, products,
                      f);
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
  return lines > 0 ? libs::launch(applyReflectorsKernel<T>, blocksFor(lines), blockThreads,
                                  stream, r)
                   : cudaSuccess;
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
    else if (how == Fill::CopyInside && inside && i != j)
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
  return m * n * batch > 0
             ? libs::launch(fillKernel<T>, blocksFor(m * n * batch), blockThreads, stream,
                            how, upper, m, n, a, from, batch)
             : cudaSuccess;
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
  return m * n * batch > 0
             ? libs::launch(copyKernel<T>, blocksFor(m * n * batch), blockThreads, stream,
                            conjugateTransposed, m, n, from, to, batch)
             : cudaSuccess;
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
  return m * n * batch > 0
             ? libs::launch(signColumnsKernel<T>, blocksFor(m * n * batch), blockThreads,
                            stream, m, n, a, r, batch)
             : cudaSuccess;
}

__global__ void setInfoKernel(int *info, int value, Index count) {
  for (Index i = threadNumber(); i < count; i += threadCount())
    info[i] = value;
}
cudaError_t setInfo(int *info, int value, Index count, cudaStream_t stream) {
  return count > 0 ? libs::launch(setInfoKernel, blocksFor(count), blockThreads, stream,
                                  info, value, count)
                   : cudaSuccess;
}

__global__ void joinInfoKernel(int *info, const int *other, Index n) {
  if (*other != 0)
    *info = static_cast<int>(n) + *other;
}
cudaError_t joinInfo(int *info, const int *other, Index n, cudaStream_t stream) {
  return libs::launch(joinInfoKernel, 1, 1, stream, info, other, n);
}

template <class T>
__global__ void __launch_bounds__(blockThreads)
    findZeroKernel(Index n, Matrices<T> a, int *info) {
  __shared__ int first;
  if (threadIdx.x == 0)
    first = 0x7fffffff;
  __syncthreads();
  for (Index i = threadIdx.x; i < n; i += blockThreads)
    if (a.base[i + i * a.leading] == T(0))
      atomicMin(&first, static_cast<int>(i + 1));
  __syncthreads();
  if (threadIdx.x == 0)
    *info = first == 0x7fffffff ? 0 : first;
}
template <class T>
cudaError_t findZero(Index n, Matrices<T> a, int *info, cudaStream_t stream) {
  return libs::launch(findZeroKernel<T>, 1, blockThreads, stream, n, a, info);
}

#define HET_MAKE(T)                                                                      \
  template cudaError_t factorQR<T>(Index, Index, Matrices<T>, T *, cudaStream_t);        \
  template cudaError_t applyReflectors<T>(const Reflectors<T> &, cudaStream_t);          \
  template cudaError_t findZero<T>(Index, Matrices<T>, int *, cudaStream_t);             \
  template cudaError_t takeReflectors<T>(Index, Index, Matrices<T>, T *, cudaStream_t);  \
  template cudaError_t joinReflectors<T>(Index, const T *, const T *, T *, cudaStream_t);\
  template cudaError_t fill<T>(Fill, bool, Index, Index, Matrices<T>, Matrices<T>,       \
                               Index, cudaStream_t);                                     \
  template cudaError_t copy<T>(bool, Index, Index, Matrices<T>, Matrices<T>, Index,      \
                               cudaStream_t);                                            \
  template cudaError_t signColumns<T>(Index, Index, Matrices<T>, Matrices<T>, Index,     \
                                      cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)

} // namespace het::solver
