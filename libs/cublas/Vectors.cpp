// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS's functions on vectors (level 1).

#include "HostBlas.h"
#include "Results.h"
#include "Rotations.h"
#include "Vendor.h"

using namespace het::blas;

namespace {

/// Those two steps that the host's library is faster at.
template <class K>
std::optional<cublasStatus_t> changeOnHost(cublasHandle_t handle, VectorStep step,
                                           Index n, const Scalar<K> &alpha, const K *x,
                                           Index incx, K *y, Index incy) {
  const bool adds = step == VectorStep::AddScaled;
  if ((!adds && step != VectorStep::Scale) || alpha.real || !fitHost(n, incx, incy))
    return std::nullopt;
  return callHost(handle, [=] {
    const K factor = read(alpha);
    if (adds)
      hostBlas<K>().axpy(hostSize(n), het::blas::factor(factor), x, hostSize(incx), y,
                         hostSize(incy));
    else if (factor != K(0))
      hostBlas<K>().scal(hostSize(n), het::blas::factor(factor), y, hostSize(incy));
    else // where it writes zeros, not products
      for (Index i = 0; i < n; ++i)
        y[i * incy] = y[i * incy] * factor;
  });
}

template <class K, class R>
void sumOnHost(Reduction how, int n, const K *x, int incx, const K *y, int incy,
               R *result) {
  const HostBlas<K> &blas = hostBlas<K>();
  if constexpr (std::is_same_v<R, Real<K>>)
    if (how == Reduction::Sum || how == Reduction::Norm) {
      *result = (how == Reduction::Sum ? blas.asum : blas.nrm2)(n, x, incx);
      return;
    }
  if constexpr (!isComplex<K>)
    *result = blas.dot(n, x, incx, y, incy);
  else if constexpr (std::is_same_v<R, K>)
    (how == Reduction::Dot ? blas.dotu : blas.dotc)(n, x, incx, y, incy, result);
}

template <class K, class R>
std::optional<cublasStatus_t> sumOnHost(cublasHandle_t handle, Reduction how, Index n,
                                        const K *x, Index incx, const K *y, Index incy,
                                        R *result) {
  if (!handle || !result || !fitHost(n, incx, incy))
    return std::nullopt;
  const auto status = callHost(handle, [=] {
    sumOnHost(how, hostSize(n), x, hostSize(incx), y, hostSize(incy), result);
  });
  return status == CUBLAS_STATUS_SUCCESS &&
                 handle->pointerMode == CUBLAS_POINTER_MODE_HOST
             ? convert(cudaStreamSynchronize(handle->stream))
             : status;
}

/// A T, or null where the operation has no factor.
template <class T, class S>
cublasStatus_t change(cublasHandle_t handle, VectorStep step, Index n, const S *alpha,
                      const T *x, Index incx, const T *y, Index incy) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool scaled = step == VectorStep::Scale || step == VectorStep::AddScaled;
  if (scaled && !alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n <= 0 || (step == VectorStep::Scale && incx <= 0))
    return CUBLAS_STATUS_SUCCESS;
  const Scalar<Kernel<T>> factor =
      scaled ? scalarOf<T>(handle, alpha) : Scalar<Kernel<T>>();
  if (const auto status = changeOnHost(handle, step, n, factor, hostPlace(x), incx,
                                       const_cast<Kernel<T> *>(hostPlace(y)), incy))
    return *status;
  return convert(changeVectors(step, n, factor, vectorOf(x, incx), vectorOf(y, incy),
                               handle->stream));
}

template <class T, class R>
cublasStatus_t sum(cublasHandle_t handle, Reduction how, Index n, const T *x, Index incx,
                   const T *y, Index incy, R *result) {
  if (const auto status = sumOnHost(handle, how, n, hostPlace(x), incx, hostPlace(y),
                                    incy, reinterpret_cast<Kernel<R> *>(result)))
    return *status;
  return deliver(handle, result, [&](void *partials, void *place) {
    return reduce<Kernel<T>>(how, n, vectorOf(x, incx), vectorOf(y, incy), partials,
                             place, CUDA_R_32F, handle->stream);
  });
}

template <class T, class I>
cublasStatus_t find(cublasHandle_t handle, bool greatest, Index n, const T *x, Index incx,
                    I *result) {
  return deliver(handle, result, [&](void *partials, void *place) {
    return findExtreme<Kernel<T>>(greatest, incx > 0 ? n : 0, vectorOf(x, incx), partials,
                                  place, sizeof(I) == 8, handle->stream);
  });
}

template <class T, class R, class S>
cublasStatus_t turn(cublasHandle_t handle, Index n, const T *x, Index incx, const T *y,
                    Index incy, const R *c, const S *s) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!c || !s)
    return CUBLAS_STATUS_INVALID_VALUE;
  return convert(rotate(n, vectorOf(x, incx), vectorOf(y, incy), scalarOf<T>(handle, c),
                        scalarOf<T>(handle, s), handle->stream));
}

template <class T, class R>
cublasStatus_t makeTurn(cublasHandle_t handle, T *a, T *b, R *c, T *s) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!a || !b || !c || !s)
    return CUBLAS_STATUS_INVALID_VALUE;
  auto *first = reinterpret_cast<Kernel<T> *>(a),
       *second = reinterpret_cast<Kernel<T> *>(b),
       *sine = reinterpret_cast<Kernel<T> *>(s);
  if (handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE)
    return convert(makeRotation(first, second, c, sine, handle->stream));
  computeRotation(*first, *second, *c, *sine);
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t makeModified(cublasHandle_t handle, T *d1, T *d2, T *x1, const T *y1,
                            T *param) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!d1 || !d2 || !x1 || !y1 || !param)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE)
    return convert(makeModifiedRotation(d1, d2, x1, y1, param, handle->stream));
  computeModifiedRotation(*d1, *d2, *x1, *y1, param);
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t turnModified(cublasHandle_t handle, Index n, T *x, Index incx, T *y,
                            Index incy, const T *param) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!param)
    return CUBLAS_STATUS_INVALID_VALUE;
  const bool onDevice = handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE;
  return convert(rotateModified<T>(n, vectorOf(x, incx), vectorOf(y, incy),
                                   onDevice ? nullptr : param, onDevice ? param : nullptr,
                                   handle->stream));
}

} // namespace

#define HET_BOTH_SIZES(make, name, ...)                                                  \
  make(name, int, __VA_ARGS__) make(name##_64, int64_t, __VA_ARGS__)

#define HET_COPY(name, I, T)                                                             \
  HET_CUBLAS_COPY(name, I, T) {                                                          \
    HET_VENDOR(name, n, x, incx, y, incy);                                               \
    return change<T, T>(handle, VectorStep::Copy, n, nullptr, x, incx, y, incy);         \
  }
HET_BOTH_SIZES(HET_COPY, cublasScopy_v2, float)
HET_BOTH_SIZES(HET_COPY, cublasDcopy_v2, double)
HET_BOTH_SIZES(HET_COPY, cublasCcopy_v2, cuComplex)
HET_BOTH_SIZES(HET_COPY, cublasZcopy_v2, cuDoubleComplex)

#define HET_SWAP(name, I, T)                                                             \
  HET_CUBLAS_SWAP(name, I, T) {                                                          \
    HET_VENDOR(name, n, x, incx, y, incy);                                               \
    return change<T, T>(handle, VectorStep::Swap, n, nullptr, x, incx, y, incy);         \
  }
HET_BOTH_SIZES(HET_SWAP, cublasSswap_v2, float)
HET_BOTH_SIZES(HET_SWAP, cublasDswap_v2, double)
HET_BOTH_SIZES(HET_SWAP, cublasCswap_v2, cuComplex)
HET_BOTH_SIZES(HET_SWAP, cublasZswap_v2, cuDoubleComplex)

#define HET_SCAL(name, I, T, S)                                                          \
  HET_CUBLAS_SCAL(name, I, T, S) {                                                       \
    HET_VENDOR(name, n, alpha, x, incx);                                                 \
    return change<T, S>(handle, VectorStep::Scale, n, alpha, x, incx, x, incx);          \
  }
HET_BOTH_SIZES(HET_SCAL, cublasSscal_v2, float, float)
HET_BOTH_SIZES(HET_SCAL, cublasDscal_v2, double, double)
HET_BOTH_SIZES(HET_SCAL, cublasCscal_v2, cuComplex, cuComplex)
HET_BOTH_SIZES(HET_SCAL, cublasCsscal_v2, cuComplex, float)
HET_BOTH_SIZES(HET_SCAL, cublasZscal_v2, cuDoubleComplex, cuDoubleComplex)
HET_BOTH_SIZES(HET_SCAL, cublasZdscal_v2, cuDoubleComplex, double)

#define HET_AXPY(name, I, T)                                                             \
  HET_CUBLAS_AXPY(name, I, T) {                                                          \
    HET_VENDOR(name, n, alpha, x, incx, y, incy);                                        \
    return change<T, T>(handle, VectorStep::AddScaled, n, alpha, x, incx, y, incy);      \
  }
HET_BOTH_SIZES(HET_AXPY, cublasSaxpy_v2, float)
HET_BOTH_SIZES(HET_AXPY, cublasDaxpy_v2, double)
HET_BOTH_SIZES(HET_AXPY, cublasCaxpy_v2, cuComplex)
HET_BOTH_SIZES(HET_AXPY, cublasZaxpy_v2, cuDoubleComplex)

#define HET_DOT(name, I, T, how)                                                         \
  HET_CUBLAS_DOT(name, I, T) {                                                           \
    HET_VENDOR(name, n, x, incx, y, incy, result);                                       \
    return sum(handle, Reduction::how, n, x, incx, y, incy, result);                     \
  }
HET_BOTH_SIZES(HET_DOT, cublasSdot_v2, float, Dot)
HET_BOTH_SIZES(HET_DOT, cublasDdot_v2, double, Dot)
HET_BOTH_SIZES(HET_DOT, cublasCdotu_v2, cuComplex, Dot)
HET_BOTH_SIZES(HET_DOT, cublasCdotc_v2, cuComplex, DotConjugated)
HET_BOTH_SIZES(HET_DOT, cublasZdotu_v2, cuDoubleComplex, Dot)
HET_BOTH_SIZES(HET_DOT, cublasZdotc_v2, cuDoubleComplex, DotConjugated)

#define HET_NORM(name, I, T, R, how)                                                     \
  HET_CUBLAS_NORM(name, I, T, R) {                                                       \
    HET_VENDOR(name, n, x, incx, result);                                                \
    return sum(handle, Reduction::how, incx > 0 ? n : 0, x, incx, x, incx, result);      \
  }
HET_BOTH_SIZES(HET_NORM, cublasSnrm2_v2, float, float, Norm)
HET_BOTH_SIZES(HET_NORM, cublasDnrm2_v2, double, double, Norm)
HET_BOTH_SIZES(HET_NORM, cublasScnrm2_v2, cuComplex, float, Norm)
HET_BOTH_SIZES(HET_NORM, cublasDznrm2_v2, cuDoubleComplex, double, Norm)
HET_BOTH_SIZES(HET_NORM, cublasSasum_v2, float, float, Sum)
HET_BOTH_SIZES(HET_NORM, cublasDasum_v2, double, double, Sum)
HET_BOTH_SIZES(HET_NORM, cublasScasum_v2, cuComplex, float, Sum)
HET_BOTH_SIZES(HET_NORM, cublasDzasum_v2, cuDoubleComplex, double, Sum)

#define HET_INDEX(name, I, T, greatest)                                                  \
  HET_CUBLAS_INDEX(name, I, T) {                                                         \
    HET_VENDOR(name, n, x, incx, result);                                                \
    return find(handle, greatest, n, x, incx, result);                                   \
  }
HET_BOTH_SIZES(HET_INDEX, cublasIsamax_v2, float, true)
HET_BOTH_SIZES(HET_INDEX, cublasIdamax_v2, double, true)
HET_BOTH_SIZES(HET_INDEX, cublasIcamax_v2, cuComplex, true)
HET_BOTH_SIZES(HET_INDEX, cublasIzamax_v2, cuDoubleComplex, true)
HET_BOTH_SIZES(HET_INDEX, cublasIsamin_v2, float, false)
HET_BOTH_SIZES(HET_INDEX, cublasIdamin_v2, double, false)
HET_BOTH_SIZES(HET_INDEX, cublasIcamin_v2, cuComplex, false)
HET_BOTH_SIZES(HET_INDEX, cublasIzamin_v2, cuDoubleComplex, false)

#define HET_ROT(name, I, T, R, S)                                                        \
  HET_CUBLAS_ROT(name, I, T, R, S) {                                                     \
    HET_VENDOR(name, n, x, incx, y, incy, c, s);                                         \
    return turn(handle, n, x, incx, y, incy, c, s);                                      \
  }
HET_BOTH_SIZES(HET_ROT, cublasSrot_v2, float, float, float)
HET_BOTH_SIZES(HET_ROT, cublasDrot_v2, double, double, double)
HET_BOTH_SIZES(HET_ROT, cublasCrot_v2, cuComplex, float, cuComplex)
HET_BOTH_SIZES(HET_ROT, cublasCsrot_v2, cuComplex, float, float)
HET_BOTH_SIZES(HET_ROT, cublasZrot_v2, cuDoubleComplex, double, cuDoubleComplex)
HET_BOTH_SIZES(HET_ROT, cublasZdrot_v2, cuDoubleComplex, double, double)

#define HET_ROTM(name, I, T)                                                             \
  HET_CUBLAS_ROTM(name, I, T) {                                                          \
    HET_VENDOR(name, n, x, incx, y, incy, param);                                        \
    return turnModified<T>(handle, n, x, incx, y, incy, param);                          \
  }
HET_BOTH_SIZES(HET_ROTM, cublasSrotm_v2, float)
HET_BOTH_SIZES(HET_ROTM, cublasDrotm_v2, double)

#define HET_ROTG(name, T, R)                                                             \
  HET_CUBLAS_ROTG(name, T, R) {                                                          \
    HET_VENDOR(name, a, b, c, s);                                                        \
    return makeTurn(handle, a, b, c, s);                                                 \
  }
HET_ROTG(cublasSrotg_v2, float, float)
HET_ROTG(cublasDrotg_v2, double, double)
HET_ROTG(cublasCrotg_v2, cuComplex, float)
HET_ROTG(cublasZrotg_v2, cuDoubleComplex, double)

#define HET_ROTMG(name, T)                                                               \
  HET_CUBLAS_ROTMG(name, T) {                                                            \
    HET_VENDOR(name, d1, d2, x1, y1, param);                                             \
    return makeModified(handle, d1, d2, x1, y1, param);                                  \
  }
HET_ROTMG(cublasSrotmg_v2, float)
HET_ROTMG(cublasDrotmg_v2, double)
