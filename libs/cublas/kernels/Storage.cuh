// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements in memory. Kernels that compute in float read and write all narrow types,
// which is decided as they run, alike for all threads: one kernel serves them all.

#ifndef HET_LIBS_CUBLAS_STORAGE_CUH
#define HET_LIBS_CUBLAS_STORAGE_CUH

#include "../Kernels.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

namespace het::blas {

/// Of a type that is always stored as it is.
template <class T> struct Elements {
  static __device__ T load(const void *base, Index index, cudaDataType) {
    return static_cast<const T *>(base)[index];
  }
  static __device__ void store(void *base, Index index, cudaDataType, T value) {
    static_cast<T *>(base)[index] = value;
  }
};

template <> struct Elements<float> {
  static __device__ float loadNarrow(const void *base, Index index, cudaDataType type) {
    switch (type) {
    case CUDA_R_16F:
      return __half2float(static_cast<const __half *>(base)[index]);
    case CUDA_R_16BF:
      return __bfloat162float(static_cast<const __nv_bfloat16 *>(base)[index]);
    case CUDA_R_8F_E4M3:
      return static_cast<float>(static_cast<const __nv_fp8_e4m3 *>(base)[index]);
    case CUDA_R_8F_E5M2:
      return static_cast<float>(static_cast<const __nv_fp8_e5m2 *>(base)[index]);
    default:
      return static_cast<float>(static_cast<const int8_t *>(base)[index]);
    }
  }
  static __device__ float load(const void *base, Index index, cudaDataType type) {
    return type == CUDA_R_32F ? static_cast<const float *>(base)[index]
                              : loadNarrow(base, index, type);
  }
  static __device__ void store(void *base, Index index, cudaDataType type, float value) {
    switch (type) {
    case CUDA_R_32F:
      static_cast<float *>(base)[index] = value;
      break;
    case CUDA_R_16F:
      static_cast<__half *>(base)[index] = __float2half_rn(value);
      break;
    case CUDA_R_16BF:
      static_cast<__nv_bfloat16 *>(base)[index] = __float2bfloat16_rn(value);
      break;
    case CUDA_R_8F_E4M3:
      static_cast<__nv_fp8_e4m3 *>(base)[index] = __nv_fp8_e4m3(value);
      break;
    case CUDA_R_8F_E5M2:
      static_cast<__nv_fp8_e5m2 *>(base)[index] = __nv_fp8_e5m2(value);
      break;
    default:
      static_cast<int8_t *>(base)[index] =
          static_cast<int8_t>(rintf(fminf(fmaxf(value, -128.0f), 127.0f)));
    }
  }
};

template <> struct Elements<int> {
  static __device__ int load(const void *base, Index index, cudaDataType type) {
    return type == CUDA_R_8I ? static_cast<const int8_t *>(base)[index]
                             : static_cast<const int *>(base)[index];
  }
  static __device__ void store(void *base, Index index, cudaDataType, int value) {
    static_cast<int *>(base)[index] = value;
  }
};

template <class T>
__device__ T load(const void *base, Index index, cudaDataType type = CUDA_R_32F) {
  return Elements<T>::load(base, index, type);
}
template <class T>
__device__ void store(void *base, Index index, cudaDataType type, T value) {
  Elements<T>::store(base, index, type, value);
}

template <class T> __device__ T valueOf(const Scalar<T> &scalar) {
  if constexpr (isComplex<T>)
    if (scalar.place && scalar.real)
      return T(load<Real<T>>(scalar.place, 0));
  const T value = scalar.place ? load<T>(scalar.place, 0, scalar.type) : scalar.value;
  return scalar.conjugated ? conjugate(value) : value;
}

/// Bytes of an element where T computes.
template <class T> __host__ __device__ Index bytesOf(cudaDataType type) {
  if constexpr (!std::is_same_v<T, float> && !std::is_same_v<T, int>)
    return sizeof(T);
  else
    switch (type) {
    case CUDA_R_32F:
    case CUDA_R_32I:
      return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    default:
      return 1;
    }
}

/// Where the first element of one of many lies.
template <class T>
__device__ char *baseOf(void *base, void *const *array, Index offset, Index stride,
                        Index batch, cudaDataType type) {
  char *start = static_cast<char *>(array ? array[batch] : base);
  return start + (offset + (array ? 0 : batch * stride)) * bytesOf<T>(type);
}
template <class T> __device__ char *baseOf(const Matrix &a, Index batch) {
  return baseOf<T>(a.base, a.array, a.offset, a.stride, batch, a.type);
}

/// The place of element `index` of a vector of `n`.
__device__ inline Index placeOf(const Vector &x, Index index, Index n) {
  return (x.increment < 0 ? index - (n - 1) : index) * x.increment;
}

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_STORAGE_CUH
