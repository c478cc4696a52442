// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS's functions on vectors whose types of numbers are arguments. Vectors of one call
// are of one type; narrow ones are computed in float.

#include "Results.h"
#include "Vendor.h"

using namespace het::blas;

namespace {

bool isNarrow(cudaDataType type) { return type == CUDA_R_16F || type == CUDA_R_16BF; }

/// Calls `use` with a number of the type that kernels compute in for vectors of `type`.
template <class Use>
cublasStatus_t withType(cublasHandle_t handle, cudaDataType type, cudaDataType execution,
                        Use use) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (execution != (isNarrow(type) ? CUDA_R_32F : type))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  switch (type) {
  case CUDA_R_16F:
  case CUDA_R_16BF:
  case CUDA_R_32F:
    return use(float());
  case CUDA_R_64F:
    return use(double());
  case CUDA_C_32F:
    return use(Complex32());
  case CUDA_C_64F:
    return use(Complex64());
  default:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

Vector typed(const void *x, Index increment, cudaDataType type) {
  return {const_cast<void *>(x), increment, type};
}

/// A factor of the type that is computed in, or, for narrow vectors, of theirs.
template <class T>
cublasStatus_t readFactor(cublasHandle_t handle, const void *alpha, cudaDataType type,
                          cudaDataType vectors, cudaDataType execution,
                          Scalar<T> &scalar) {
  if (!alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (type != execution && type != vectors)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE) {
    scalar.place = alpha;
    scalar.type = type;
  } else if constexpr (std::is_same_v<T, float>) {
    scalar.value = type == CUDA_R_16F ? __half2float(*static_cast<const __half *>(alpha))
                   : type == CUDA_R_16BF
                       ? __bfloat162float(*static_cast<const __nv_bfloat16 *>(alpha))
                       : *static_cast<const float *>(alpha);
  } else {
    scalar.value = *static_cast<const T *>(alpha);
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t move(cublasHandle_t handle, VectorStep step, Index n, const void *x,
                    cudaDataType xType, Index incx, const void *y, cudaDataType yType,
                    Index incy) {
  if (handle && xType != yType)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return withType(handle, xType, isNarrow(xType) ? CUDA_R_32F : xType, [&](auto zero) {
    using T = decltype(zero);
    return convert(changeVectors<T>(step, n, {}, typed(x, incx, xType),
                                    typed(y, incy, yType), handle->stream));
  });
}

cublasStatus_t scaleOrAdd(cublasHandle_t handle, VectorStep step, Index n,
                          const void *alpha, cudaDataType alphaType, const Vector &x,
                          const Vector &y, cudaDataType execution) {
  if (handle && x.type != y.type)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return withType(handle, x.type, execution, [&](auto zero) {
    Scalar<decltype(zero)> factor;
    const cublasStatus_t status =
        readFactor(handle, alpha, alphaType, x.type, execution, factor);
    if (status != CUBLAS_STATUS_SUCCESS ||
        (step == VectorStep::Scale && x.increment <= 0))
      return status;
    return convert(changeVectors(step, n, factor, x, y, handle->stream));
  });
}

Index bytesOf(cudaDataType type) {
  return isNarrow(type) ? 2 : type == CUDA_R_32F ? 4 : type == CUDA_C_64F ? 16 : 8;
}

cudaDataType realOf(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

cublasStatus_t sum(cublasHandle_t handle, Reduction how, Index n, const Vector &x,
                   const Vector &y, void *result, cudaDataType resultType,
                   cudaDataType execution) {
  const bool isDot = how == Reduction::Dot || how == Reduction::DotConjugated;
  if (handle && (x.type != y.type || resultType != (isDot ? x.type : realOf(x.type))))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return withType(handle, x.type, execution, [&](auto zero) {
    using T = decltype(zero);
    return deliver(handle, result, static_cast<size_t>(bytesOf(resultType)),
                   [&](void *partials, void *place) {
                     return reduce<T>(how, isDot || x.increment > 0 ? n : 0, x, y,
                                      partials, place, resultType, handle->stream);
                   });
  });
}

template <class I>
cublasStatus_t find(cublasHandle_t handle, bool greatest, Index n, const Vector &x,
                    I *result) {
  const cudaDataType execution = isNarrow(x.type) ? CUDA_R_32F : x.type;
  return withType(handle, x.type, execution, [&](auto zero) {
    using T = decltype(zero);
    return deliver(handle, result, [&](void *partials, void *place) {
      return findExtreme<T>(greatest, x.increment > 0 ? n : 0, x, partials, place,
                            sizeof(I) == 8, handle->stream);
    });
  });
}

cublasStatus_t turn(cublasHandle_t handle, Index n, const Vector &x, const Vector &y,
                    const void *c, const void *s, cudaDataType csType,
                    cudaDataType execution) {
  if (handle && x.type != y.type)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return withType(handle, x.type, execution, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (isComplex<T>) // with c of another type than s
      return CUBLAS_STATUS_NOT_SUPPORTED;
    else {
      Scalar<T> cosine, sine;
      cublasStatus_t status = readFactor(handle, c, csType, x.type, execution, cosine);
      if (status == CUBLAS_STATUS_SUCCESS)
        status = readFactor(handle, s, csType, x.type, execution, sine);
      if (status != CUBLAS_STATUS_SUCCESS)
        return status;
      return convert(rotate<T>(n, x, y, cosine, sine, handle->stream));
    }
  });
}

} // namespace

#define HET_MIXED(suffix, I)                                                             \
  HET_CUBLAS_COPY_EX(cublasCopyEx##suffix, I) {                                          \
    HET_VENDOR(cublasCopyEx##suffix, n, x, xType, incx, y, yType, incy);                 \
    return move(handle, VectorStep::Copy, n, x, xType, incx, y, yType, incy);            \
  }                                                                                      \
  HET_CUBLAS_SWAP_EX(cublasSwapEx##suffix, I) {                                          \
    HET_VENDOR(cublasSwapEx##suffix, n, x, xType, incx, y, yType, incy);                 \
    return move(handle, VectorStep::Swap, n, x, xType, incx, y, yType, incy);            \
  }                                                                                      \
  HET_CUBLAS_SCAL_EX(cublasScalEx##suffix, I) {                                          \
    HET_VENDOR(cublasScalEx##suffix, n, alpha, alphaType, x, xType, incx,                \
               executionType);                                                           \
    const Vector only = typed(x, incx, xType);                                           \
    return scaleOrAdd(handle, VectorStep::Scale, n, alpha, alphaType, only, only,        \
                      executionType);                                                    \
  }                                                                                      \
  HET_CUBLAS_AXPY_EX(cublasAxpyEx##suffix, I) {                                          \
    HET_VENDOR(cublasAxpyEx##suffix, n, alpha, alphaType, x, xType, incx, y, yType,      \
               incy, executionType);                                                     \
    return scaleOrAdd(handle, VectorStep::AddScaled, n, alpha, alphaType,                \
                      typed(x, incx, xType), typed(y, incy, yType), executionType);      \
  }                                                                                      \
  HET_CUBLAS_DOT_EX(cublasDotEx##suffix, I) {                                            \
    HET_VENDOR(cublasDotEx##suffix, n, x, xType, incx, y, yType, incy, result,           \
               resultType, executionType);                                               \
    return sum(handle, Reduction::Dot, n, typed(x, incx, xType), typed(y, incy, yType),  \
               result, resultType, executionType);                                       \
  }                                                                                      \
  HET_CUBLAS_DOT_EX(cublasDotcEx##suffix, I) {                                           \
    HET_VENDOR(cublasDotcEx##suffix, n, x, xType, incx, y, yType, incy, result,          \
               resultType, executionType);                                               \
    return sum(handle, Reduction::DotConjugated, n, typed(x, incx, xType),               \
               typed(y, incy, yType), result, resultType, executionType);                \
  }                                                                                      \
  HET_CUBLAS_NORM_EX(cublasNrm2Ex##suffix, I) {                                          \
    HET_VENDOR(cublasNrm2Ex##suffix, n, x, xType, incx, result, resultType,              \
               executionType);                                                           \
    const Vector only = typed(x, incx, xType);                                           \
    return sum(handle, Reduction::Norm, n, only, only, result, resultType,               \
               executionType);                                                           \
  }                                                                                      \
  HET_CUBLAS_NORM_EX(cublasAsumEx##suffix, I) {                                          \
    HET_VENDOR(cublasAsumEx##suffix, n, x, xType, incx, result, resultType,              \
               executionType);                                                           \
    const Vector only = typed(x, incx, xType);                                           \
    return sum(handle, Reduction::Sum, n, only, only, result, resultType,                \
               executionType);                                                           \
  }                                                                                      \
  HET_CUBLAS_INDEX_EX(cublasIamaxEx##suffix, I) {                                        \
    HET_VENDOR(cublasIamaxEx##suffix, n, x, xType, incx, result);                        \
    return find(handle, true, n, typed(x, incx, xType), result);                         \
  }                                                                                      \
  HET_CUBLAS_INDEX_EX(cublasIaminEx##suffix, I) {                                        \
    HET_VENDOR(cublasIaminEx##suffix, n, x, xType, incx, result);                        \
    return find(handle, false, n, typed(x, incx, xType), result);                        \
  }                                                                                      \
  HET_CUBLAS_ROT_EX(cublasRotEx##suffix, I) {                                            \
    HET_VENDOR(cublasRotEx##suffix, n, x, xType, incx, y, yType, incy, c, s, csType,     \
               executionType);                                                           \
    return turn(handle, n, typed(x, incx, xType), typed(y, incy, yType), c, s, csType,   \
                executionType);                                                          \
  }
HET_MIXED(, int)
HET_MIXED(_64, int64_t)
