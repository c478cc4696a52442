// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the host's back end has. Arguments have been checked. Each returns
// nothing where kernels are to do it.

#ifndef HET_LIBS_CUSOLVER_HOST_H
#define HET_LIBS_CUSOLVER_HOST_H

#include "Library.h"

#include <optional>

namespace het::solver::host {

using Answer = std::optional<cusolverStatus_t>;

template <class T>
Answer potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n, Matrices<T> a,
             int *info, Index batch);
template <class T>
Answer potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n, Index nrhs,
             Matrices<T> a, Matrices<T> b, int *info, Index batch);
template <class T>
Answer potri(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n, Matrices<T> a,
             int *info);
template <class T>
Answer trtri(cusolverDnHandle_t handle, cublasFillMode_t uplo, bool unit, Index n,
             Matrices<T> a, int *info);
/// Not without pivots.
template <class T>
Answer getrf(cusolverDnHandle_t handle, Index m, Index n, Matrices<T> a, Pivots pivots,
             int *info);
template <class T>
Answer getrs(cusolverDnHandle_t handle, cublasOperation_t trans, Index n, Index nrhs,
             Matrices<T> a, Pivots pivots, Matrices<T> b, int *info);
template <class T>
Answer geqrf(cusolverDnHandle_t handle, Index m, Index n, Matrices<T> a, T *tau,
             int *info);
template <class T>
Answer orgqr(cusolverDnHandle_t handle, Index m, Index n, Index k, Matrices<T> a,
             const T *tau, int *info);
template <class T>
Answer ormqr(cusolverDnHandle_t handle, const Reflectors<T> &r, int *info);

/// Eigenvalues, of `batch` matrices one behind the other.
template <class T>
Answer syevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
             Index n, Matrices<T> a, Real<T> *w, int *info, Progress *progress,
             Index batch);
template <class T>
Answer sygvd(cusolverDnHandle_t handle, int type, cusolverEigMode_t jobz,
             cublasFillMode_t uplo, Index n, Matrices<T> a, Matrices<T> b, Real<T> *w,
             int *info);

/// One side of singular vectors: its place, 0 columns where it is not wanted, and
/// whether it is to be the conjugate transposed matrix.
template <class T> struct Side {
  T *place;
  Index leading, columns;
  bool turned;
};
/// A = U diag(s) V^H; A is left as it is.
template <class T>
Answer gesvd(cusolverDnHandle_t handle, Index m, Index n, Matrices<T> a, Real<T> *s,
             Side<T> u, Side<T> v, int *info, Progress *progress);

} // namespace het::solver::host

#endif // HET_LIBS_CUSOLVER_HOST_H
