// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of cuSOLVER share: the handle and its back end, memory for the
// length of a call, the results of launches.

#ifndef HET_LIBS_CUSOLVER_LIBRARY_H
#define HET_LIBS_CUSOLVER_LIBRARY_H

#include "../StreamMemory.h"
#include "Kernels.h"
#include "common/Aside.h"

#include <cuda_runtime_api.h>
#include <initializer_list>
#include <memory>
#include <new>
#include <vector>

#pragma GCC visibility push(default)
#include <cusolverDn.h>
#include <cusolverSp.h>
#pragma GCC visibility pop

namespace het::solver {
class VendorHandle;
}

/// A device, and how functions are to work. One thread uses a handle at a time.
struct cusolverDnContext {
  int device = 0;
  cudaStream_t stream = nullptr;
  cusolverDeterministicMode_t mode = CUSOLVER_DETERMINISTIC_RESULTS;

  het::libs::BackEnd backEnd = het::libs::BackEnd::Portable;
  std::unique_ptr<het::solver::VendorHandle> vendor; ///< Where that is the back end.
  cublasHandle_t blas = nullptr; ///< For blocks of large matrices; made when needed.

  cusolverDnContext();
  ~cusolverDnContext();
};

struct cusolverSpContext {
  cudaStream_t stream = nullptr;
};

struct cusolverDnParams {
  cusolverAlgMode_t algorithms[2] = {CUSOLVER_ALG_0, CUSOLVER_ALG_0};
  cusolverDnParams_t vendors = nullptr; ///< NVIDIA's, when they were needed.
  ~cusolverDnParams();
};

namespace het::solver {

/// How Jacobi's method is to end, and did.
struct JacobiInfo {
  Iteration iteration;
  Progress *progress = nullptr; ///< On the device.
  void *vendors = nullptr;      ///< NVIDIA's, when it was needed.
  bool isVendors = false;       ///< The last call was NVIDIA's, which knows its progress.
  ~JacobiInfo() {
    const libs::RelaxedCapture relaxed;
    (void)cudaFree(progress);
  }
};
/// Whether Jacobi's method ends by its tolerance, so that a direct one does the same. Who
/// allows fewer sweeps wants what they leave.
inline bool endsByTolerance(const Iteration &how) { return how.maxSweeps >= 15; }

} // namespace het::solver

struct syevjInfo : het::solver::JacobiInfo {
  ~syevjInfo();
};
struct gesvdjInfo : het::solver::JacobiInfo {
  ~gesvdjInfo();
};

namespace het::solver {

/// A failed call of the runtime, as cuSOLVER says it.
cusolverStatus_t convert(cudaError_t error);
/// Says that what a function was asked for is not there.
cusolverStatus_t refuse(const char *function, const char *what);

/// cuBLAS in the handle's stream, as `handle->blas`.
cudaError_t openBlas(cusolverDnHandle_t handle);

/// Kernels take their memory in the stream's order, so programs need none for work.
constexpr int smallBuffer = 16;

using Memory = libs::StreamMemory;

/// Whether a leading dimension holds columns of that many rows.
inline bool holds(Index leading, Index rows) { return leading >= (rows > 1 ? rows : 1); }
inline bool isPart(cublasFillMode_t part) {
  return part == CUBLAS_FILL_MODE_LOWER || part == CUBLAS_FILL_MODE_UPPER;
}
inline bool isMode(cusolverEigMode_t mode) {
  return mode == CUSOLVER_EIG_MODE_NOVECTOR || mode == CUSOLVER_EIG_MODE_VECTOR;
}

/// A matrix of the interface as kernels take it.
template <class T>
Matrices<Kernel<T>> matrixOf(const T *a, Index leading, Index stride = 0) {
  return {reinterpret_cast<Kernel<T> *>(const_cast<T *>(a)), nullptr, leading, stride};
}
template <class T> Matrices<Kernel<T>> matricesOf(T *const *array, Index leading) {
  return {nullptr, reinterpret_cast<Kernel<T> *const *>(array), leading, 0};
}
template <class T> Kernel<T> *plain(const T *place) {
  return reinterpret_cast<Kernel<T> *>(const_cast<T *>(place));
}

/// The status of arguments.
template <class Handle> cusolverStatus_t check(Handle handle, bool valid) {
  return !handle  ? CUSOLVER_STATUS_NOT_INITIALIZED
         : !valid ? CUSOLVER_STATUS_INVALID_VALUE
                  : CUSOLVER_STATUS_SUCCESS;
}
template <class Size>
cusolverStatus_t tellSize(cusolverDnHandle_t handle, bool valid, Size *size) {
  const cusolverStatus_t status = check(handle, valid && size);
  if (status == CUSOLVER_STATUS_SUCCESS)
    *size = smallBuffer;
  return status;
}

/// Launches one after another, up to the first that fails.
class Steps {
public:
  template <class Launch> Steps &then(const Launch &launch) {
    if (error == cudaSuccess)
      error = launch();
    return *this;
  }
  cusolverStatus_t status() const { return convert(error); }
  cudaError_t failure() const { return error; }

private:
  cudaError_t error = cudaSuccess;
};

// The functions of all types, with sizes of 64 bits.
template <class T>
cusolverStatus_t potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n, T *a,
                       Index lda, int *info);
template <class T>
cusolverStatus_t potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n,
                       Index nrhs, const T *a, Index lda, T *b, Index ldb, int *info);
template <class T>
cusolverStatus_t getrf(cusolverDnHandle_t handle, Index m, Index n, T *a, Index lda,
                       Pivots pivots, int *info);
template <class T>
cusolverStatus_t getrs(cusolverDnHandle_t handle, cublasOperation_t trans, Index n,
                       Index nrhs, const T *a, Index lda, Pivots pivots, T *b, Index ldb,
                       int *info);
template <class T>
cusolverStatus_t geqrf(cusolverDnHandle_t handle, Index m, Index n, T *a, Index lda,
                       T *tau, int *info);
template <class T, class R>
cusolverStatus_t syevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                       cublasFillMode_t uplo, Index n, T *a, Index lda, R *w, int *info);
template <class T, class R>
cusolverStatus_t syevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                       cublasFillMode_t uplo, Index n, T *a, Index lda, R *w, int *info,
                       JacobiInfo *how);
template <class T, class R>
cusolverStatus_t gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt,
                       Index m, Index n, T *a, Index lda, R *s, T *u, Index ldu, T *vt,
                       Index ldvt, int *info);
/// Eigenvalues of A x = w B x, and of the other types.
template <class T, class R>
cusolverStatus_t sygvd(cusolverDnHandle_t handle, cusolverEigType_t type,
                       cusolverEigMode_t jobz, cublasFillMode_t uplo, Index n, T *a,
                       Index lda, T *b, Index ldb, R *w, int *info);
/// Takes those of a range, whose vectors come first; waits for their number.
template <class R> struct Range {
  cusolverEigRange_t kind;
  R lower, upper;
  Index first, last;
};
template <class T, class R>
cusolverStatus_t selectEigenvalues(cusolverDnHandle_t handle, bool vectors,
                                   const Range<R> &range, Index n, T *a, Index lda, R *w,
                                   Index *count);
template <class T, class R>
cusolverStatus_t syevdx(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                        cublasFillMode_t uplo, const Range<R> &range, Index n, T *a,
                        Index lda, R *w, Index *count, int *info);
/// As gesvd, with V as it is.
template <class T, class R>
cusolverStatus_t gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, bool economic,
                        Index m, Index n, const T *a, Index lda, R *s, T *u, Index ldu,
                        T *v, Index ldv, int *info, JacobiInfo *how);
template <class T>
cusolverStatus_t trtri(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                       cublasDiagType_t diagonal, Index n, T *a, Index lda, int *info);

} // namespace het::solver

#define HET_SOLVER_TYPES(make)                                                           \
  make(S, float, float, org, orm, syev, sygv)                                            \
      make(D, double, double, org, orm, syev, sygv)                                      \
          make(C, cuComplex, float, ung, unm, heev, hegv)                                \
              make(Z, cuDoubleComplex, double, ung, unm, heev, hegv)

#endif // HET_LIBS_CUSOLVER_LIBRARY_H
