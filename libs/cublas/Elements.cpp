// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS's functions that work on matrices element by element: geam, dgmm, and triangles
// between their packed and their full form.

#include "Library.h"
#include "Vendor.h"

using namespace het::blas;

namespace {

template <class T> struct AddCall {
  cublasHandle_t handle;
  cublasOperation_t transA, transB;
  Index m, n;
  const T *alpha, *a;
  Index lda;
  const T *beta, *b;
  Index ldb;
  T *c;
  Index ldc;
};

template <class T> cublasStatus_t add(const AddCall<T> &call) {
  if (!call.handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const auto fits = [&](cublasOperation_t trans, Index leading) {
    return isOperation(trans) && holds(leading, trans == CUBLAS_OP_N ? call.m : call.n);
  };
  // What changes while it is read must lie as the result does.
  const bool inPlace =
      (call.a != call.c || (call.transA == CUBLAS_OP_N && call.lda == call.ldc)) &&
      (call.b != call.c || (call.transB == CUBLAS_OP_N && call.ldb == call.ldc));
  if (call.m < 0 || call.n < 0 || !call.alpha || !call.beta ||
      !fits(call.transA, call.lda) || !fits(call.transB, call.ldb) ||
      !holds(call.ldc, call.m) || !inPlace)
    return CUBLAS_STATUS_INVALID_VALUE;
  Operand a = operandOf(call.a, call.lda), b = operandOf(call.b, call.ldb);
  apply(call.transA, a);
  apply(call.transB, b);
  return convert(addMatrices(call.m, call.n, scalarOf<T>(call.handle, call.alpha), a,
                             scalarOf<T>(call.handle, call.beta), b,
                             operandOf(call.c, call.ldc), call.handle->stream));
}

template <class T>
cublasStatus_t scale(cublasHandle_t handle, cublasSideMode_t side, Index m, Index n,
                     const T *a, Index lda, const T *x, Index incx, T *c, Index ldc) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!isSide(side) || m < 0 || n < 0 || !holds(lda, m) || !holds(ldc, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  return convert(scaleByDiagonal<Kernel<T>>(side == CUBLAS_SIDE_LEFT, m, n,
                                            operandOf(a, lda), vectorOf(x, incx),
                                            operandOf(c, ldc), handle->stream));
}

template <class T>
cublasStatus_t pack(cublasHandle_t handle, bool toPacked, cublasFillMode_t part, Index n,
                    const T *packed, const T *full, Index lda) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!isPart(part) || n < 0 || !holds(lda, n))
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto changeable = [](const T *place) {
    return reinterpret_cast<Kernel<T> *>(const_cast<T *>(place));
  };
  return convert(repack<Kernel<T>>(toPacked, part == CUBLAS_FILL_MODE_UPPER, n,
                                   changeable(packed), changeable(full), lda,
                                   handle->stream));
}

} // namespace

#define HET_GEAM(name, I, T)                                                             \
  HET_CUBLAS_GEAM(name, I, T) {                                                          \
    HET_VENDOR(name, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);         \
    return add<T>({handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc});  \
  }
#define HET_DGMM(name, I, T)                                                             \
  HET_CUBLAS_DGMM(name, I, T) {                                                          \
    HET_VENDOR(name, mode, m, n, A, lda, x, incx, C, ldc);                               \
    return scale(handle, mode, m, n, A, lda, x, incx, C, ldc);                           \
  }
#define HET_ELEMENTS(S, T)                                                               \
  HET_GEAM(cublas##S##geam, int, T)                                                      \
  HET_GEAM(cublas##S##geam_64, int64_t, T)                                               \
  HET_DGMM(cublas##S##dgmm, int, T)                                                      \
  HET_DGMM(cublas##S##dgmm_64, int64_t, T)                                               \
  HET_CUBLAS_TPTTR(cublas##S##tpttr, T) {                                                \
    HET_VENDOR(cublas##S##tpttr, uplo, n, AP, A, lda);                                   \
    return pack(handle, false, uplo, n, AP, A, lda);                                     \
  }                                                                                      \
  HET_CUBLAS_TRTTP(cublas##S##trttp, T) {                                                \
    HET_VENDOR(cublas##S##trttp, uplo, n, A, lda, AP);                                   \
    return pack(handle, true, uplo, n, AP, A, lda);                                      \
  }
HET_ELEMENTS(S, float)
HET_ELEMENTS(D, double)
HET_ELEMENTS(C, cuComplex)
HET_ELEMENTS(Z, cuDoubleComplex)
