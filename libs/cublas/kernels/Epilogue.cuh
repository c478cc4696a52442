// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cublasLt does to a product before it is stored.

#ifndef HET_LIBS_CUBLAS_EPILOGUE_CUH
#define HET_LIBS_CUBLAS_EPILOGUE_CUH

#include "Storage.cuh"

namespace het::blas {

/// GELU by its approximation with tanh.
__device__ inline float gelu(float x) {
  return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

__device__ inline float geluSlope(float x) {
  const float inner = 0.7978845608f * (x + 0.044715f * x * x * x), t = tanhf(inner);
  const float slope = 0.7978845608f * (1.0f + 3.0f * 0.044715f * x * x);
  return 0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * slope;
}

/// Whether an element was positive: bit row % 8 of byte row / 8 of its column.
__device__ inline void noteSign(const Epilogue &e, Index at, bool positive) {
  unsigned *word = static_cast<unsigned *>(e.aux) + at / 32;
  const unsigned bit = 1u << (at % 32);
  if (positive)
    atomicOr(word, bit);
  else
    atomicAnd(word, ~bit);
}

__device__ inline float applyEpilogue(const Epilogue &e, float value, Index batch,
                                      Index row, Index column) {
  if (e.steps & AddBias)
    value += load<float>(e.bias, batch * e.biasStride + (e.biasOfColumns ? column : row),
                         e.biasType);
  const Index at = batch * e.auxStride + column * e.auxStep + row;
  if (e.steps & ReluGradient)
    return static_cast<const unsigned char *>(e.aux)[at / 8] >> (at % 8) & 1 ? value
                                                                             : 0.0f;
  if (e.steps & GeluGradient)
    return value * geluSlope(load<float>(e.aux, at, e.auxType));
  if (e.steps & Relu) {
    if (e.steps & StoreAux)
      noteSign(e, at, value > 0.0f);
    return fmaxf(value, 0.0f);
  }
  if (e.steps & Gelu) {
    if (e.steps & StoreAux)
      store<float>(e.aux, at, e.auxType, value);
    return gelu(value);
  }
  return value;
}

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_EPILOGUE_CUH
