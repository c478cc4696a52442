// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values and indices in memory. Their types are decided as kernels run, alike for all
// threads: one kernel serves them all.

#ifndef HET_LIBS_CUSPARSE_ELEMENTS_CUH
#define HET_LIBS_CUSPARSE_ELEMENTS_CUH

#include "../Kernels.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace het::sparse {

constexpr int blockThreads = 256;

/// One thread for each of `count`, up to where threads take several.
inline unsigned blocksFor(Index count, Index most = 1 << 16) {
  const Index blocks = (count + blockThreads - 1) / blockThreads;
  return static_cast<unsigned>(blocks < most ? blocks : most);
}
__device__ inline Index threadNumber() {
  return static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline Index threadCount() {
  return static_cast<Index>(gridDim.x) * blockDim.x;
}

/// Of double, float, or what is computed with in float.
template <class R> __device__ R loadReal(const void *base, Index at, cudaDataType type) {
  switch (type) {
  case CUDA_R_64F:
  case CUDA_C_64F:
    return static_cast<R>(static_cast<const double *>(base)[at]);
  case CUDA_R_32F:
  case CUDA_C_32F:
    return static_cast<R>(static_cast<const float *>(base)[at]);
  case CUDA_R_16F:
  case CUDA_C_16F:
    return static_cast<R>(__half2float(static_cast<const __half *>(base)[at]));
  case CUDA_R_16BF:
  case CUDA_C_16BF:
    return static_cast<R>(__bfloat162float(static_cast<const __nv_bfloat16 *>(base)[at]));
  default:
    return static_cast<R>(static_cast<const int8_t *>(base)[at]);
  }
}
template <class R>
__device__ void storeReal(void *base, Index at, cudaDataType type, R value) {
  switch (type) {
  case CUDA_R_64F:
  case CUDA_C_64F:
    static_cast<double *>(base)[at] = static_cast<double>(value);
    break;
  case CUDA_R_32F:
  case CUDA_C_32F:
    static_cast<float *>(base)[at] = static_cast<float>(value);
    break;
  case CUDA_R_16F:
  case CUDA_C_16F:
    static_cast<__half *>(base)[at] = __float2half_rn(static_cast<float>(value));
    break;
  default:
    static_cast<__nv_bfloat16 *>(base)[at] =
        __float2bfloat16_rn(static_cast<float>(value));
    break;
  }
}

__host__ __device__ inline bool isComplexType(cudaDataType type) {
  return type == CUDA_C_32F || type == CUDA_C_64F || type == CUDA_C_16F ||
         type == CUDA_C_16BF;
}

/// The common types first, without a switch.
template <class T> struct Elements {
  static constexpr cudaDataType own = sizeof(T) == 8 ? CUDA_R_64F : CUDA_R_32F;
  static __device__ T load(const void *base, Index at, cudaDataType type) {
    return type == own ? static_cast<const T *>(base)[at] : loadReal<T>(base, at, type);
  }
  static __device__ void store(void *base, Index at, cudaDataType type, T value) {
    if (type == own)
      static_cast<T *>(base)[at] = value;
    else
      storeReal<T>(base, at, type, value);
  }
};
template <class R> struct Elements<libs::Complex<R>> {
  using T = libs::Complex<R>;
  static constexpr cudaDataType own = sizeof(R) == 8 ? CUDA_C_64F : CUDA_C_32F;
  static __device__ T load(const void *base, Index at, cudaDataType type) {
    if (type == own)
      return static_cast<const T *>(base)[at];
    if (!isComplexType(type))
      return T(loadReal<R>(base, at, type));
    return {loadReal<R>(base, 2 * at, type), loadReal<R>(base, 2 * at + 1, type)};
  }
  static __device__ void store(void *base, Index at, cudaDataType type, T value) {
    if (type == own) {
      static_cast<T *>(base)[at] = value;
      return;
    }
    storeReal<R>(base, 2 * at, type, value.re);
    storeReal<R>(base, 2 * at + 1, type, value.im);
  }
};
template <> struct Elements<int> {
  static __device__ int load(const void *base, Index at, cudaDataType type) {
    return type == CUDA_R_8I ? static_cast<const int8_t *>(base)[at]
                             : static_cast<const int *>(base)[at];
  }
  static __device__ void store(void *base, Index at, cudaDataType type, int value) {
    if (type == CUDA_R_8I)
      static_cast<int8_t *>(base)[at] = static_cast<int8_t>(value);
    else
      static_cast<int *>(base)[at] = value;
  }
};

template <class T> __device__ T load(const Values &values, Index at) {
  return Elements<T>::load(values.base, at, values.type);
}
template <class T> __device__ void store(const Values &values, Index at, T value) {
  Elements<T>::store(values.base, at, values.type, value);
}
template <class T> __device__ T load(const Dense &a, Index row, Index column) {
  const T value = load<T>(a.values, row * a.rowStep + column * a.columnStep);
  return a.conjugated ? conjugate(value) : value;
}
template <class T>
__device__ void store(const Dense &a, Index row, Index column, T value) {
  store<T>(a.values, row * a.rowStep + column * a.columnStep, value);
}

template <class T> __device__ T valueOf(const Scalar<T> &scalar) {
  if (!scalar.place)
    return scalar.value;
  return scalar.type == CUDA_R_32F ? *scalar.place
                                   : Elements<T>::load(scalar.place, 0, scalar.type);
}
template <class T> __device__ bool isZero(T a) { return a == T(0); }
/// The absolute value.
template <class T> __device__ double magnitude(T a) {
  if constexpr (isComplex<T>)
    return hypot(static_cast<double>(a.re), static_cast<double>(a.im));
  else
    return fabs(static_cast<double>(a));
}
template <class T> __device__ Real<T> realOf(T a) {
  if constexpr (isComplex<T>)
    return a.re;
  else
    return a;
}

__device__ inline Index get(const Indices &indices, Index at) {
  return indices.wide ? static_cast<const Index *>(indices.base)[at]
                      : static_cast<const int *>(indices.base)[at];
}
__device__ inline void put(const Indices &indices, Index at, Index value) {
  if (indices.wide)
    static_cast<Index *>(indices.base)[at] = value;
  else
    static_cast<int *>(indices.base)[at] = static_cast<int>(value);
}
/// How many of the first `count` sorted numbers are less than `value`.
__device__ inline Index lowerBound(const Indices &sorted, Index count, Index value) {
  Index first = 0, last = count;
  while (first < last) {
    const Index middle = first + (last - first) / 2;
    if (get(sorted, middle) < value)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

/// Where entries of a row are: `blocks` of `width` columns each.
struct Row {
  Index first, count, step;
  Index inBlock; ///< The row in its block.
};
struct Entry {
  Index column; ///< Negative: there is none.
  Index place;  ///< Of its value.
};

__device__ inline Row rowOf(const Sparse &a, Index row) {
  switch (a.layout) {
  case Layout::Triplets: {
    const Index first = lowerBound(a.rowIndices, a.entries, row + a.base);
    return {first, lowerBound(a.rowIndices, a.entries, row + a.base + 1) - first, 1, 0};
  }
  case Layout::Blocks: {
    const Index block = row / a.blockRows, first = get(a.offsets, block) - a.base;
    return {first, (get(a.offsets, block + 1) - a.base - first) * a.blockColumns, 1,
            row % a.blockRows};
  }
  case Layout::Slices: {
    const Index slice = row / a.sliceRows, first = get(a.offsets, slice) - a.base;
    return {first + row % a.sliceRows,
            (get(a.offsets, slice + 1) - a.base - first) / a.sliceRows, a.sliceRows, 0};
  }
  case Layout::Ell:
    return {row / a.blockRows * a.ellBlocks, a.ellBlocks * a.blockColumns, 1,
            row % a.blockRows};
  default: {
    const Index first = get(a.offsets, row) - a.base;
    return {first, get(a.offsets, row + 1) - a.base - first, 1, 0};
  }
  }
}

__device__ inline Entry entryOf(const Sparse &a, const Row &row, Index number) {
  if (a.layout != Layout::Blocks && a.layout != Layout::Ell) {
    const Index at = row.first + number * row.step;
    return {get(a.indices, at) - a.base, a.places ? a.places[at] : at};
  }
  const Index block = row.first + number / a.blockColumns,
              inBlock = number % a.blockColumns, column = get(a.indices, block) - a.base;
  if (column < 0)
    return {-1, 0};
  Index place = 0;
  if (a.layout == Layout::Ell) // rows are as long as all of their blocks
    place = (row.first * a.blockRows + row.inBlock * a.ellBlocks) * a.blockColumns + number;
  else if (a.blocksByColumns)
    place = (block * a.blockColumns + inBlock) * a.blockRows + row.inBlock;
  else
    place = (block * a.blockRows + row.inBlock) * a.blockColumns + inBlock;
  return {column * a.blockColumns + inBlock, place};
}

template <class T> __device__ T valueAt(const Sparse &a, Index place) {
  const T value = load<T>(a.values, place);
  return a.conjugated ? conjugate(value) : value;
}

__host__ __device__ inline Index bytesOf(cudaDataType type) {
  switch (type) {
  case CUDA_C_64F:
    return 16;
  case CUDA_R_64F:
  case CUDA_C_32F:
    return 8;
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_8I:
    return 1;
  default:
    return 4;
  }
}
__device__ inline void advance(Values &values, Index count) {
  values.base = static_cast<char *>(values.base) + count * bytesOf(values.type);
}
__device__ inline void advance(Indices &indices, Index count) {
  if (indices.base)
    indices.base = static_cast<char *>(indices.base) + count * (indices.wide ? 8 : 4);
}
/// One matrix of several.
__device__ inline Sparse numbered(Sparse a, Index number) {
  advance(a.offsets, number * a.offsetStride);
  advance(a.rowIndices, number * a.indexStride);
  advance(a.indices, number * a.indexStride);
  advance(a.values, number * a.valueStride);
  return a;
}
__device__ inline Dense numbered(Dense a, Index number) {
  advance(a.values, number * a.batchStride);
  return a;
}

#define HET_FOR_EACH_TYPE(make) make(float) make(double) make(Complex32) make(Complex64)

} // namespace het::sparse

#endif // HET_LIBS_CUSPARSE_ELEMENTS_CUH
