// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors, element by element.

#include "../Rotations.h"
#include "Launch.cuh"

namespace het::blas {

template <class T>
__global__ void changeElements(VectorStep step, Index n, Scalar<T> alpha, Vector x,
                               Vector y) {
  const T factor = valueOf(alpha);
  for (Index i = threadNumber(); i < n; i += threadCount()) {
    const Index from = placeOf(x, i, n), to = placeOf(y, i, n);
    const T value = load<T>(x.base, from, x.type);
    switch (step) {
    case VectorStep::Copy:
      store<T>(y.base, to, y.type, value);
      break;
    case VectorStep::Swap:
      store<T>(x.base, from, x.type, load<T>(y.base, to, y.type));
      store<T>(y.base, to, y.type, value);
      break;
    case VectorStep::Scale:
      store<T>(x.base, from, x.type,
               alpha.real ? value * partOf(factor) : value * factor);
      break;
    case VectorStep::AddScaled:
      store<T>(y.base, to, y.type, load<T>(y.base, to, y.type) + factor * value);
      break;
    }
  }
}

template <class T>
cudaError_t changeVectors(VectorStep step, Index n, Scalar<T> alpha, Vector x, Vector y,
                          cudaStream_t stream) {
  if (n <= 0)
    return cudaSuccess;
  changeElements<T><<<blocksFor(n), blockThreads, 0, stream>>>(step, n, alpha, x, y);
  return cudaGetLastError();
}

template <class T>
__global__ void rotateElements(Index n, Vector x, Vector y, Scalar<T> c, Scalar<T> s) {
  const Real<T> cosine = partOf(valueOf(c));
  const T sine = valueOf(s);
  for (Index i = threadNumber(); i < n; i += threadCount()) {
    const Index atX = placeOf(x, i, n), atY = placeOf(y, i, n);
    const T a = load<T>(x.base, atX, x.type), b = load<T>(y.base, atY, y.type);
    store<T>(x.base, atX, x.type, a * cosine + sine * b);
    store<T>(y.base, atY, y.type, b * cosine - conjugate(sine) * a);
  }
}

template <class T>
cudaError_t rotate(Index n, Vector x, Vector y, Scalar<T> c, Scalar<T> s,
                   cudaStream_t stream) {
  if (n <= 0)
    return cudaSuccess;
  rotateElements<T><<<blocksFor(n), blockThreads, 0, stream>>>(n, x, y, c, s);
  return cudaGetLastError();
}

template <class T>
__global__ void rotateModifiedElements(Index n, Vector x, Vector y,
                                       ModifiedRotation<T> given, const T *param) {
  const ModifiedRotation<T> rotation = param ? readRotation(param) : given;
  T *xs = static_cast<T *>(x.base), *ys = static_cast<T *>(y.base);
  for (Index i = threadNumber(); i < n; i += threadCount()) {
    T &a = xs[placeOf(x, i, n)], &b = ys[placeOf(y, i, n)];
    const T first = rotation.h11 * a + rotation.h12 * b;
    b = rotation.h21 * a + rotation.h22 * b;
    a = first;
  }
}

template <class T>
cudaError_t rotateModified(Index n, Vector x, Vector y, const T *values, const T *param,
                           cudaStream_t stream) {
  if (n <= 0)
    return cudaSuccess;
  const ModifiedRotation<T> given =
      values ? readRotation(values) : ModifiedRotation<T>{T(1), T(0), T(0), T(1)};
  rotateModifiedElements<T><<<blocksFor(n), blockThreads, 0, stream>>>(
      n, x, y, given, values ? nullptr : param);
  return cudaGetLastError();
}

template <class T> __global__ void makeOneRotation(T *a, T *b, Real<T> *c, T *s) {
  computeRotation(*a, *b, *c, *s);
}
template <class T>
cudaError_t makeRotation(T *a, T *b, Real<T> *c, T *s, cudaStream_t stream) {
  makeOneRotation<<<1, 1, 0, stream>>>(a, b, c, s);
  return cudaGetLastError();
}

template <class T>
__global__ void makeOneModifiedRotation(T *d1, T *d2, T *x1, const T *y1, T *param) {
  computeModifiedRotation(*d1, *d2, *x1, *y1, param);
}
template <class T>
cudaError_t makeModifiedRotation(T *d1, T *d2, T *x1, const T *y1, T *param,
                                 cudaStream_t stream) {
  makeOneModifiedRotation<<<1, 1, 0, stream>>>(d1, d2, x1, y1, param);
  return cudaGetLastError();
}

#define HET_MAKE(T)                                                                      \
  template cudaError_t changeVectors<T>(VectorStep, Index, Scalar<T>, Vector, Vector,    \
                                        cudaStream_t);                                   \
  template cudaError_t rotate<T>(Index, Vector, Vector, Scalar<T>, Scalar<T>,            \
                                 cudaStream_t);                                          \
  template cudaError_t makeRotation<T>(T *, T *, Real<T> *, T *, cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)

#define HET_MAKE_REAL(T)                                                                 \
  template cudaError_t rotateModified<T>(Index, Vector, Vector, const T *, const T *,    \
                                         cudaStream_t);                                  \
  template cudaError_t makeModifiedRotation<T>(T *, T *, T *, const T *, T *,            \
                                               cudaStream_t);
HET_MAKE_REAL(float)
HET_MAKE_REAL(double)

} // namespace het::blas
