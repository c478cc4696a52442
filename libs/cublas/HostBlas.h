// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's back end: OpenBLAS, by its C interface (CBLAS). T is float, double,
// Complex32 or Complex64; a factor is a number or, where T is complex, a place.

#ifndef HET_LIBS_CUBLAS_HOSTBLAS_H
#define HET_LIBS_CUBLAS_HOSTBLAS_H

#include "Library.h"

#include <climits>
#include <type_traits>

namespace het::blas {

// CBLAS's enumerators.
constexpr int hostColumns = 102;
constexpr int hostNone = 111, hostTransposed = 112, hostConjugated = 113;
constexpr int hostUpper = 121, hostLower = 122;
constexpr int hostNonUnit = 131, hostUnit = 132;
constexpr int hostLeft = 141, hostRight = 142;

/// The functions for a type.
template <class T> struct HostBlas {
  using Factor = std::conditional_t<isComplex<T>, const T *, T>;
  using R = Real<T>;

  void (*gemm)(int order, int transA, int transB, int m, int n, int k, Factor alpha,
               const T *a, int lda, const T *b, int ldb, Factor beta, T *c, int ldc);
  void (*symm)(int order, int side, int part, int m, int n, Factor alpha, const T *a,
               int lda, const T *b, int ldb, Factor beta, T *c, int ldc);
  void (*hemm)(int order, int side, int part, int m, int n, Factor alpha, const T *a,
               int lda, const T *b, int ldb, Factor beta, T *c, int ldc);
  void (*syrk)(int order, int part, int trans, int n, int k, Factor alpha, const T *a,
               int lda, Factor beta, T *c, int ldc);
  void (*herk)(int order, int part, int trans, int n, int k, R alpha, const T *a, int lda,
               R beta, T *c, int ldc);
  void (*syr2k)(int order, int part, int trans, int n, int k, Factor alpha, const T *a,
                int lda, const T *b, int ldb, Factor beta, T *c, int ldc);
  void (*her2k)(int order, int part, int trans, int n, int k, Factor alpha, const T *a,
                int lda, const T *b, int ldb, R beta, T *c, int ldc);
  void (*trmm)(int order, int side, int part, int trans, int diagonal, int m, int n,
               Factor alpha, const T *a, int lda, T *b, int ldb);
  void (*trsm)(int order, int side, int part, int trans, int diagonal, int m, int n,
               Factor alpha, const T *a, int lda, T *b, int ldb);
  void (*gemv)(int order, int trans, int m, int n, Factor alpha, const T *a, int lda,
               const T *x, int incx, Factor beta, T *y, int incy);
  /// With y as it is, and conjugated: the same where T is real.
  void (*ger)(int order, int m, int n, Factor alpha, const T *x, int incx, const T *y,
              int incy, T *a, int lda);
  void (*gerc)(int order, int m, int n, Factor alpha, const T *x, int incx, const T *y,
               int incy, T *a, int lda);
  void (*axpy)(int n, Factor alpha, const T *x, int incx, T *y, int incy);
  void (*scal)(int n, Factor alpha, T *x, int incx);
  R (*nrm2)(int n, const T *x, int incx);
  R (*asum)(int n, const T *x, int incx);
  // One of the two pairs, by whether T is complex.
  T (*dot)(int n, const T *x, int incx, const T *y, int incy);
  void (*dotu)(int n, const T *x, int incx, const T *y, int incy, T *result);
  void (*dotc)(int n, const T *x, int incx, const T *y, int incy, T *result);
};

/// Opens OpenBLAS, the first time; a failure says what to install.
Status openHostBlas();

/// After that.
template <class T> const HostBlas<T> &hostBlas();

/// A factor when it is its turn: one on the device is read then.
template <class T> T read(const Scalar<T> &scalar) {
  T value = scalar.value;
  if (scalar.place) {
    if (scalar.real)
      value = T(*static_cast<const Real<T> *>(scalar.place));
    else
      value = *static_cast<const T *>(scalar.place);
  }
  return scalar.conjugated ? conjugate(value) : value;
}

/// As the functions take it.
template <class T> typename HostBlas<T>::Factor factor(const T &value) {
  if constexpr (isComplex<T>)
    return &value;
  else
    return value;
}

/// Whether the numbers are such as the functions take: int.
template <class... Indices> bool fitHost(Indices... numbers) {
  return ((numbers <= INT_MAX && numbers >= INT_MIN) && ...);
}

template <class T> int hostOperation(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N                    ? hostNone
         : operation == CUBLAS_OP_T || !isComplex<T> ? hostTransposed
                                                     : hostConjugated;
}
inline int hostPart(cublasFillMode_t part) {
  return part == CUBLAS_FILL_MODE_UPPER ? hostUpper : hostLower;
}
inline int hostSide(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT ? hostLeft : hostRight;
}
inline int hostDiagonal(cublasDiagType_t diagonal) {
  return diagonal == CUBLAS_DIAG_UNIT ? hostUnit : hostNonUnit;
}

/// What the library's functions have as int.
inline int hostSize(Index number) { return static_cast<int>(number); }

/// Numbers of the interface as numbers that are computed with.
template <class T> const Kernel<T> *hostPlace(const T *place) {
  return reinterpret_cast<const Kernel<T> *>(place);
}
template <class T> Kernel<T> *hostPlace(T *place) {
  return reinterpret_cast<Kernel<T> *>(place);
}

/// Enqueues `work` on the handle's stream, if the host is its back end. Nothing
/// where kernels are to do it.
template <class Work>
std::optional<cublasStatus_t> callHost(cublasHandle_t handle, Work work) {
  if (handle->backEnd != libs::BackEnd::Host)
    return std::nullopt;
  int error = cudaSuccess;
  const libs::Given given = libs::giveToHost(handle->stream, std::move(work), error);
  return libs::resultOf(given, CUBLAS_STATUS_SUCCESS, error, convert);
}

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_HOSTBLAS_H
