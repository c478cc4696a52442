// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products and triangles of cuBLAS, as functions of cuSOLVER use them: ours, in the
// handle's stream, which has NVIDIA's or the host's behind it where there is one.

#ifndef HET_LIBS_CUSOLVER_BLAS_H
#define HET_LIBS_CUSOLVER_BLAS_H

#include "Library.h"

namespace het::solver {

/// cuBLAS's functions for a type T of numbers, whose interface has the type C.
template <class T, class C> struct BlasFunctions {
  cublasStatus_t (*gemm)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int64_t,
                         int64_t, int64_t, const C *, const C *, int64_t, const C *,
                         int64_t, const C *, C *, int64_t);
  /// Of Hermitian matrices where T is complex.
  cublasStatus_t (*herk)(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int64_t,
                         int64_t, const Real<T> *, const C *, int64_t, const Real<T> *,
                         C *, int64_t);
  cublasStatus_t (*trsm)(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                         cublasOperation_t, cublasDiagType_t, int64_t, int64_t, const C *,
                         const C *, int64_t, C *, int64_t);
  cublasStatus_t (*trmm)(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,
                         cublasOperation_t, cublasDiagType_t, int64_t, int64_t, const C *,
                         const C *, int64_t, const C *, int64_t, C *, int64_t);
};
template <class T> struct BlasOf;
#define HET_BLAS_OF(T, C, S, herk_)                                                      \
  template <> struct BlasOf<T> {                                                         \
    using Number = C;                                                                    \
    static constexpr BlasFunctions<T, C> functions = {                                   \
        cublas##S##gemm_v2_64, cublas##S##herk_##_v2_64, cublas##S##trsm_v2_64,          \
        cublas##S##trmm_v2_64};                                                          \
  };
HET_BLAS_OF(float, float, S, syrk)
HET_BLAS_OF(double, double, D, syrk)
HET_BLAS_OF(Complex32, cuComplex, C, herk)
HET_BLAS_OF(Complex64, cuDoubleComplex, Z, herk)
#undef HET_BLAS_OF

/// The conjugate transposed matrix, of real numbers the transposed one.
template <class T>
constexpr cublasOperation_t adjoint = isComplex<T> ? CUBLAS_OP_C : CUBLAS_OP_T;

/// For the length of a call.
template <class T> class Blas {
public:
  explicit Blas(cusolverDnHandle_t handle)
      : error(openBlas(handle)), handle(handle->blas) {}

  /// C = alpha op(A) op(B) + beta C.
  cudaError_t gemm(cublasOperation_t opA, cublasOperation_t opB, Index m, Index n,
                   Index k, T alpha, const T *a, Index lda, const T *b, Index ldb, T beta,
                   T *c, Index ldc) const {
    return error || m == 0 || n == 0
               ? error
               : convert(functions.gemm(handle, opA, opB, m, n, k, in(&alpha), in(a), lda,
                                        in(b), ldb, in(&beta), in(c), ldc));
  }
  /// C -= op(A) op(A)^H.
  cudaError_t herk(cublasFillMode_t part, cublasOperation_t op, Index n, Index k,
                   const T *a, Index lda, T *c, Index ldc) const {
    const Real<T> minus = -1, one = 1;
    return error || n == 0 ? error
                           : convert(functions.herk(handle, part, op, n, k, &minus, in(a),
                                                    lda, &one, in(c), ldc));
  }
  /// B = op(A)^-1 B, or B op(A)^-1.
  cudaError_t trsm(cublasSideMode_t side, cublasFillMode_t part, cublasOperation_t op,
                   bool unit, Index m, Index n, const T *a, Index lda, T *b,
                   Index ldb) const {
    const T one = T(1);
    return error || m == 0 || n == 0
               ? error
               : convert(functions.trsm(handle, side, part, op, diagonal(unit), m, n,
                                        in(&one), in(a), lda, in(b), ldb));
  }
  /// B = op(A) B, or B op(A).
  cudaError_t trmm(cublasSideMode_t side, cublasFillMode_t part, cublasOperation_t op,
                   bool unit, Index m, Index n, const T *a, Index lda, T *b,
                   Index ldb) const {
    const T one = T(1);
    return error || m == 0 || n == 0
               ? error
               : convert(functions.trmm(handle, side, part, op, diagonal(unit), m, n,
                                        in(&one), in(a), lda, in(b), ldb, in(b), ldb));
  }

private:
  using Number = typename BlasOf<T>::Number;
  static constexpr const BlasFunctions<T, Number> &functions = BlasOf<T>::functions;

  static const Number *in(const T *place) {
    return reinterpret_cast<const Number *>(place);
  }
  static Number *in(T *place) { return reinterpret_cast<Number *>(place); }
  static cublasDiagType_t diagonal(bool unit) {
    return unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
  }
  static cudaError_t convert(cublasStatus_t status) {
    return status == CUBLAS_STATUS_SUCCESS        ? cudaSuccess
           : status == CUBLAS_STATUS_ALLOC_FAILED ? cudaErrorMemoryAllocation
                                                  : cudaErrorLaunchFailure;
  }

  cudaError_t error;
  cublasHandle_t handle;
};

} // namespace het::solver

#endif // HET_LIBS_CUSOLVER_BLAS_H
