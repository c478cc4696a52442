// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How products are checked, and put into a stream.

#include "Products.h"
#include "HostBlas.h"

#include <cuda_bf16.h>

using namespace het::blas;

namespace {

/// A factor in the program's memory as a number that kernels compute with.
template <class T> T read(const void *scalar, cudaDataType type) {
  if constexpr (std::is_same_v<T, float>)
    if (type == CUDA_R_16F)
      return __half2float(*static_cast<const __half *>(scalar));
  return *static_cast<const T *>(scalar);
}

template <class T>
Scalar<T> scalarOf(const GemmCall &call, const void *scalar, cudaDataType type) {
  Scalar<T> result;
  if (call.handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE) {
    result.place = scalar;
    result.type = type;
  } else {
    result.value = read<T>(scalar, type);
  }
  return result;
}

bool isNarrow(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF || type == CUDA_R_8I;
}

/// What A, B and C may be where sums are of 32 bits.
bool isOf32(cudaDataType a, cudaDataType b, cudaDataType c) {
  if (a != b)
    return false;
  if (a == CUDA_R_32F)
    return c == CUDA_R_32F;
  return isNarrow(a) && (c == CUDA_R_32F || (c == a && a != CUDA_R_8I));
}

/// As the host's library does it, one product after the other.
template <class T>
std::optional<cublasStatus_t> onHost(const GemmCall &call, const Scalar<T> &alpha,
                                     const Scalar<T> &beta) {
  if (!fitHost(call.m, call.n, call.k, call.a.leading, call.b.leading, call.c.leading))
    return std::nullopt;
  return callHost(call.handle, [call, alpha, beta] {
    const T first = read(alpha), second = read(beta);
    const Index k = first == T(0) ? 0 : call.k; // not all its kernels leave A unread then
    const auto at = [](const Given &given, Index number) {
      return given.array ? static_cast<const T *>(given.array[number])
                         : static_cast<const T *>(given.base) + number * given.stride;
    };
    for (Index number = 0; number < call.batch; ++number)
      hostBlas<T>().gemm(hostColumns, hostOperation<T>(call.transA),
                         hostOperation<T>(call.transB), hostSize(call.m),
                         hostSize(call.n), hostSize(k), factor(first), at(call.a, number),
                         hostSize(call.a.leading), at(call.b, number),
                         hostSize(call.b.leading), factor(second),
                         const_cast<T *>(at(call.c, number)), hostSize(call.c.leading));
  });
}

/// Whether the matrices are of the type that is computed in.
template <class T> bool isPlain(const GemmCall &call) {
  if constexpr (std::is_same_v<T, float>)
    return call.a.type == CUDA_R_32F && call.b.type == CUDA_R_32F &&
           call.c.type == CUDA_R_32F;
  else
    return true;
}

} // namespace

cublasStatus_t het::blas::check(const GemmCall &call) {
  if (!call.handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!isOperation(call.transA) || !isOperation(call.transB) || call.m < 0 ||
      call.n < 0 || call.k < 0 || call.batch < 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  const bool plainA = call.transA == CUBLAS_OP_N, plainB = call.transB == CUBLAS_OP_N;
  if (!holds(call.a.leading, plainA ? call.m : call.k) ||
      !holds(call.b.leading, plainB ? call.k : call.n) || !holds(call.c.leading, call.m))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!call.alpha || !call.beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t het::blas::gemm(const GemmCall &call, cudaDataType scalars) {
  if (const cublasStatus_t status = check(call); status != CUBLAS_STATUS_SUCCESS)
    return status;
  Product<T> product;
  product.m = call.m;
  product.n = call.n;
  product.k = call.k;
  product.batch = call.batch;
  product.alpha = ::scalarOf<T>(call, call.alpha, scalars);
  product.beta = ::scalarOf<T>(call, call.beta, scalars);
  if constexpr (!std::is_same_v<T, int>)
    if (isPlain<T>(call))
      if (const auto status = onHost<T>(call, product.alpha, product.beta))
        return *status;
  product.a = call.a.operand();
  product.b = call.b.operand();
  apply(call.transA, product.a);
  apply(call.transB, product.b);
  product.c = product.d = call.c.operand();
  return convert(multiply(product, call.handle->stream));
}
template cublasStatus_t het::blas::gemm<float>(const GemmCall &, cudaDataType);
template cublasStatus_t het::blas::gemm<double>(const GemmCall &, cudaDataType);
template cublasStatus_t het::blas::gemm<Complex32>(const GemmCall &, cudaDataType);
template cublasStatus_t het::blas::gemm<Complex64>(const GemmCall &, cudaDataType);
template cublasStatus_t het::blas::gemm<int>(const GemmCall &, cudaDataType);

cublasStatus_t het::blas::gemm(const GemmCall &call, cublasComputeType_t compute) {
  if (!call.handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const cudaDataType a = call.a.type, b = call.b.type, c = call.c.type;
  const auto all = [&](cudaDataType type) { return a == type && b == type && c == type; };
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return all(CUDA_R_16F) ? gemm<float>(call, CUDA_R_16F) : CUBLAS_STATUS_NOT_SUPPORTED;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return a == CUDA_R_8I && b == CUDA_R_8I && c == CUDA_R_32I
               ? gemm<int>(call)
               : CUBLAS_STATUS_NOT_SUPPORTED;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    return all(CUDA_R_64F)   ? gemm<double>(call)
           : all(CUDA_C_64F) ? gemm<Complex64>(call)
                             : CUBLAS_STATUS_NOT_SUPPORTED;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
  case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
    return all(CUDA_C_32F)   ? gemm<Complex32>(call)
           : isOf32(a, b, c) ? gemm<float>(call)
                             : CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}
