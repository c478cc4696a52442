// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices, as the functions of all kinds describe them.

#ifndef HET_LIBS_CUBLAS_PRODUCTS_H
#define HET_LIBS_CUBLAS_PRODUCTS_H

#include "Library.h"

namespace het::blas {

/// One of the two factors or the result: a place or an array of places, as cuBLAS is
/// given them.
struct Given {
  const void *base = nullptr;
  const void *const *array = nullptr;
  Index leading = 0, stride = 0;
  cudaDataType type = CUDA_R_32F;

  Operand operand() const {
    Operand operand = array ? operandsOf(array, leading) : operandOf(base, leading);
    operand.stride = stride;
    operand.type = type;
    return operand;
  }
};

/// What cublas<t>gemm and its kin are asked for.
struct GemmCall {
  cublasHandle_t handle;
  cublasOperation_t transA, transB;
  Index m, n, k;
  const void *alpha;
  Given a, b;
  const void *beta;
  Given c;
  Index batch = 1;
};

/// What is wrong with the sizes and operations of a call.
cublasStatus_t check(const GemmCall &call);

/// Computes in T; factors are of type `scalars` where T is float.
template <class T>
cublasStatus_t gemm(const GemmCall &call, cudaDataType scalars = CUDA_R_32F);

/// Chooses how to compute by the types.
cublasStatus_t gemm(const GemmCall &call, cublasComputeType_t compute);

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_PRODUCTS_H
