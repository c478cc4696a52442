// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of cuSOLVER share: the handle, memory for the length of a call, the
// results of launches.

#ifndef HET_LIBS_CUSOLVER_LIBRARY_H
#define HET_LIBS_CUSOLVER_LIBRARY_H

#include "../StreamMemory.h"
#include "Kernels.h"

#include <cuda_runtime_api.h>
#include <initializer_list>
#include <new>
#include <vector>

#pragma GCC visibility push(default)
#include <cusolverDn.h>
#include <cusolverSp.h>
#pragma GCC visibility pop

/// How functions are to work. One thread uses a handle at a time.
struct cusolverDnContext {
  cudaStream_t stream = nullptr;
  cusolverDeterministicMode_t mode = CUSOLVER_DETERMINISTIC_RESULTS;
};

struct cusolverSpContext {
  cudaStream_t stream = nullptr;
};

struct cusolverDnParams {
  cusolverAlgMode_t algorithms[2] = {CUSOLVER_ALG_0, CUSOLVER_ALG_0};
};

namespace het::solver {

/// How Jacobi's method is to end, and did.
struct JacobiInfo {
  Iteration iteration;
  Progress *progress = nullptr; ///< On the device.
  ~JacobiInfo() { (void)cudaFree(progress); }
};

} // namespace het::solver

struct syevjInfo : het::solver::JacobiInfo {};
struct gesvdjInfo : het::solver::JacobiInfo {};

namespace het::solver {

/// A failed call of the runtime, as cuSOLVER says it.
cusolverStatus_t convert(cudaError_t error);
/// Says that what a function was asked for is not there.
cusolverStatus_t refuse(const char *function, const char *what);

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
cusolverStatus_t gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt,
                       Index m, Index n, T *a, Index lda, R *s, T *u, Index ldu, T *vt,
                       Index ldvt, int *info);

} // namespace het::solver

#define HET_SOLVER_TYPES(make)                                                           \
  make(S, float, float, org, orm, syev) make(D, double, double, org, orm, syev)          \
      make(C, cuComplex, float, ung, unm, heev)                                          \
          make(Z, cuDoubleComplex, double, ung, unm, heev)

#endif // HET_LIBS_CUSOLVER_LIBRARY_H
