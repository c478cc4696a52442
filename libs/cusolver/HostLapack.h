// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's back end: LAPACK, as OpenBLAS has it, by its Fortran interface. T is float,
// double, Complex32 or Complex64. The lengths of letters come last.

#ifndef HET_LIBS_CUSOLVER_HOSTLAPACK_H
#define HET_LIBS_CUSOLVER_HOSTLAPACK_H

#include "Library.h"

#include <climits>
#include <memory>
#include <optional>

namespace het::solver {

/// The functions for a type; real and complex ones differ in the room that they want.
template <class T> struct HostLapack {
  using R = Real<T>;
  using Letter = const char *;
  using Size = const int *;

  void (*potrf)(Letter uplo, Size n, T *a, Size lda, int *info, size_t);
  void (*potrs)(Letter uplo, Size n, Size nrhs, const T *a, Size lda, T *b, Size ldb,
                int *info, size_t);
  void (*potri)(Letter uplo, Size n, T *a, Size lda, int *info, size_t);
  void (*trtri)(Letter uplo, Letter diagonal, Size n, T *a, Size lda, int *info, size_t,
                size_t);
  void (*getrf)(Size m, Size n, T *a, Size lda, int *pivots, int *info);
  void (*getrs)(Letter trans, Size n, Size nrhs, const T *a, Size lda, const int *pivots,
                T *b, Size ldb, int *info, size_t);
  void (*geqrf)(Size m, Size n, T *a, Size lda, T *tau, T *work, Size lwork, int *info);
  void (*orgqr)(Size m, Size n, Size k, T *a, Size lda, const T *tau, T *work, Size lwork,
                int *info);
  void (*ormqr)(Letter side, Letter trans, Size m, Size n, Size k, const T *a, Size lda,
                const T *tau, T *c, Size ldc, T *work, Size lwork, int *info, size_t,
                size_t);
  // One of each pair, by whether T is complex.
  void (*syevd)(Letter jobz, Letter uplo, Size n, T *a, Size lda, R *w, T *work,
                Size lwork, int *iwork, Size liwork, int *info, size_t, size_t);
  void (*heevd)(Letter jobz, Letter uplo, Size n, T *a, Size lda, R *w, T *work,
                Size lwork, R *rwork, Size lrwork, int *iwork, Size liwork, int *info,
                size_t, size_t);
  void (*sygvd)(Size type, Letter jobz, Letter uplo, Size n, T *a, Size lda, T *b,
                Size ldb, R *w, T *work, Size lwork, int *iwork, Size liwork, int *info,
                size_t, size_t);
  void (*hegvd)(Size type, Letter jobz, Letter uplo, Size n, T *a, Size lda, T *b,
                Size ldb, R *w, T *work, Size lwork, R *rwork, Size lrwork, int *iwork,
                Size liwork, int *info, size_t, size_t);
  void (*gesddReal)(Letter jobz, Size m, Size n, T *a, Size lda, R *s, T *u, Size ldu,
                    T *vt, Size ldvt, T *work, Size lwork, int *iwork, int *info, size_t);
  void (*gesddComplex)(Letter jobz, Size m, Size n, T *a, Size lda, R *s, T *u, Size ldu,
                       T *vt, Size ldvt, T *work, Size lwork, R *rwork, int *iwork,
                       int *info, size_t);
  void (*gesvdReal)(Letter jobu, Letter jobvt, Size m, Size n, T *a, Size lda, R *s, T *u,
                    Size ldu, T *vt, Size ldvt, T *work, Size lwork, int *info, size_t,
                    size_t);
  void (*gesvdComplex)(Letter jobu, Letter jobvt, Size m, Size n, T *a, Size lda, R *s,
                       T *u, Size ldu, T *vt, Size ldvt, T *work, Size lwork, R *rwork,
                       int *info, size_t, size_t);
};

/// Opens OpenBLAS, the first time; a failure says what to install.
Status openHostLapack();

/// After that.
template <class T> const HostLapack<T> &hostLapack();

inline const char *letterOf(cublasFillMode_t part) {
  return part == CUBLAS_FILL_MODE_UPPER ? "U" : "L";
}
inline const char *letterOf(cusolverEigMode_t mode) {
  return mode == CUSOLVER_EIG_MODE_VECTOR ? "V" : "N";
}
template <class T> const char *letterOf(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N                    ? "N"
         : operation == CUBLAS_OP_T || !isComplex<T> ? "T"
                                                     : "C";
}

/// What LAPACK has as int.
inline int hostSize(Index number) { return static_cast<int>(number); }
/// Whether the numbers are such.
template <class... Indices> bool fitHost(Indices... numbers) {
  return ((numbers <= INT_MAX && numbers >= INT_MIN) && ...);
}
/// LAPACK wants leading dimensions of at least 1, as checked, and places that are none
/// where nothing is read.
template <class T> T *hostMatrix(const Matrices<T> &a, Index number) {
  return a.array ? a.array[number] : a.base + number * a.stride;
}

/// Room for work, kept by the call that uses it when its turn comes.
template <class V> std::shared_ptr<V[]> roomFor(Index count) {
  return std::shared_ptr<V[]>(new V[static_cast<size_t>(count > 0 ? count : 1)]);
}
/// A size that LAPACK has answered with a number of its type.
template <class T> int answered(T number) {
  // Floats round sizes, maybe down.
  return static_cast<int>(std::ceil(static_cast<double>(blas::partOf(number)) *
                                    (1 + (sizeof(Real<T>) == 4 ? 0x1p-22 : 0))));
}

/// Enqueues what `prepare` returns on the handle's stream, if the host is its back end.
/// Nothing where kernels are to do it.
template <class Prepare>
std::optional<cusolverStatus_t> callHost(cusolverDnHandle_t handle,
                                         const Prepare &prepare) {
  if (handle->backEnd != libs::BackEnd::Host)
    return std::nullopt;
  try {
    int error = cudaSuccess;
    switch (libs::giveToHost(handle->stream, prepare(), error)) {
    case libs::Given::Yes:
      return CUSOLVER_STATUS_SUCCESS;
    case libs::Given::UseKernels:
      return std::nullopt;
    case libs::Given::Failed:
      break;
    }
    return convert(static_cast<cudaError_t>(error));
  } catch (const std::bad_alloc &) {
    return CUSOLVER_STATUS_ALLOC_FAILED;
  }
}

} // namespace het::solver

#endif // HET_LIBS_CUSOLVER_HOSTLAPACK_H
