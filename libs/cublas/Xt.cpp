// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLASXt: matrices in the program's memory are copied to the first of the devices that
// the program has chosen, and the result back. A call returns when it is done.

#include "Library.h"
#include "het/Base/Log.h"

#include <memory>
#include <new>

#pragma GCC visibility push(default)
#include <cublasXt.h>
#pragma GCC visibility pop

using namespace het::blas;

struct cublasXtContext {
  int device = 0;
  int blockDim = 2048;
  cublasXtPinnedMemMode_t pinning = CUBLASXT_PINNING_DISABLED;
  cublasHandle_t handle = nullptr;
};

namespace {

cublasStatus_t refuse(const char *name, const char *why) {
  static const het::Status logging = het::setUpLog("het");
  het::log(het::Level::Info, "%s: %s: not supported", name, why);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

/// Makes the handle's device the thread's own for the length of a call.
class OnDevice {
public:
  explicit OnDevice(int device) {
    status = cudaGetDevice(&before);
    if (status == cudaSuccess && before != device)
      status = cudaSetDevice(device);
  }
  ~OnDevice() { (void)cudaSetDevice(before); }
  cudaError_t status;

private:
  int before = 0;
};

bool isOnDevice(const void *place) {
  cudaPointerAttributes attributes{};
  return cudaPointerGetAttributes(&attributes, place) == cudaSuccess &&
         (attributes.type == cudaMemoryTypeDevice ||
          attributes.type == cudaMemoryTypeManaged);
}

/// A matrix of the program's, where the device can have it.
template <class T> class Staged {
public:
  Staged(const T *given, size_t rows, size_t columns, size_t leading)
      : given(given), rows(rows), columns(columns), leading(leading) {
    if (!given || !rows || !columns || leading < rows || isOnDevice(given))
      return; // the call itself says what is wrong
    error = cudaMalloc(reinterpret_cast<void **>(&memory), leading * columns * sizeof(T));
    if (error == cudaSuccess)
      error = cudaMemcpy2D(memory, leading * sizeof(T), given, leading * sizeof(T),
                           rows * sizeof(T), columns, cudaMemcpyHostToDevice);
  }
  Staged(const Staged &) = delete;
  ~Staged() {
    if (memory)
      (void)cudaFree(memory);
  }
  T *place() const { return const_cast<T *>(memory ? memory : given); }
  cudaError_t status() const { return error; }
  cudaError_t putBack() const {
    return memory ? cudaMemcpy2D(const_cast<T *>(given), leading * sizeof(T), memory,
                                 leading * sizeof(T), rows * sizeof(T), columns,
                                 cudaMemcpyDeviceToHost)
                  : cudaDeviceSynchronize();
  }

private:
  const T *given;
  size_t rows, columns, leading;
  T *memory = nullptr;
  cudaError_t error = cudaSuccess;
};

/// Runs `compute` with the matrices on the device, and fetches the result.
template <class Result, class Compute, class... Operands>
cublasStatus_t run(const Result &result, Compute compute, const Operands &...operands) {
  for (const cudaError_t error : {result.status(), operands.status()...})
    if (error != cudaSuccess)
      return convert(error);
  const cublasStatus_t status = compute();
  return status == CUBLAS_STATUS_SUCCESS ? convert(result.putBack()) : status;
}

} // namespace

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new (std::nothrow) cublasXtContext;
  return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const cublasStatus_t status =
      handle->handle ? cublasDestroy(handle->handle) : CUBLAS_STATUS_SUCCESS;
  delete handle;
  return status;
}

cublasStatus_t cublasXtGetNumBoards(int count, int *, int *boards) {
  if (!boards || count < 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  *boards = count;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtMaxBoards(int *boards) {
  return boards ? convert(cudaGetDeviceCount(boards)) : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int *devices) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  int known = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&known); error != cudaSuccess)
    return convert(error);
  if (count < 1 || !devices)
    return CUBLAS_STATUS_INVALID_VALUE;
  for (int i = 0; i < count; ++i)
    if (devices[i] < 0 || devices[i] >= known)
      return CUBLAS_STATUS_INVALID_VALUE;
  const OnDevice device(devices[0]);
  if (device.status != cudaSuccess)
    return convert(device.status);
  if (handle->handle)
    (void)cublasDestroy(handle->handle);
  handle->handle = nullptr;
  handle->device = devices[0];
  return cublasCreate(&handle->handle);
}

cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (blockDim <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  handle->blockDim = blockDim;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *blockDim) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!blockDim)
    return CUBLAS_STATUS_INVALID_VALUE;
  *blockDim = handle->blockDim;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle,
                                         cublasXtPinnedMemMode_t mode) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->pinning = mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle,
                                         cublasXtPinnedMemMode_t *mode) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!mode)
    return CUBLAS_STATUS_INVALID_VALUE;
  *mode = handle->pinning;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t, cublasXtBlasOp_t, cublasXtOpType_t,
                                     void *) {
  return refuse(__func__, "all work is the device's");
}
cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t, cublasXtBlasOp_t, cublasXtOpType_t,
                                   float) {
  return refuse(__func__, "all work is the device's");
}

// A handle has a device once one was chosen.
#define HET_XT_BEGIN                                                                     \
  if (!handle || !handle->handle)                                                        \
    return CUBLAS_STATUS_NOT_INITIALIZED;                                                \
  const OnDevice device(handle->device);                                                 \
  if (device.status != cudaSuccess)                                                      \
    return convert(device.status);
#define HET_SIZE(value) static_cast<int64_t>(value)

#define HET_XT_GEMM(S, T)                                                                \
  HET_CUBLASXT_GEMM(cublasXt##S##gemm, T) {                                              \
    HET_XT_BEGIN                                                                         \
    const bool plainA = transa == CUBLAS_OP_N, plainB = transb == CUBLAS_OP_N;           \
    const Staged<T> a(A, plainA ? m : k, plainA ? k : m, lda);                           \
    const Staged<T> b(B, plainB ? k : n, plainB ? n : k, ldb);                           \
    const Staged<T> c(C, m, n, ldc);                                                     \
    return run(                                                                          \
        c,                                                                               \
        [&] {                                                                            \
          return cublas##S##gemm_v2_64(handle->handle, transa, transb, HET_SIZE(m),      \
                                       HET_SIZE(n), HET_SIZE(k), alpha, a.place(),       \
                                       HET_SIZE(lda), b.place(), HET_SIZE(ldb), beta,    \
                                       c.place(), HET_SIZE(ldc));                        \
        },                                                                               \
        a, b);                                                                           \
  }
HET_XT_GEMM(S, float)
HET_XT_GEMM(D, double)
HET_XT_GEMM(C, cuComplex)
HET_XT_GEMM(Z, cuDoubleComplex)

#define HET_XT_SYMM(op, T)                                                               \
  HET_CUBLASXT_SYMM(cublasXt##op, T) {                                                   \
    HET_XT_BEGIN                                                                         \
    const size_t order = side == CUBLAS_SIDE_LEFT ? m : n;                               \
    const Staged<T> a(A, order, order, lda), b(B, m, n, ldb), c(C, m, n, ldc);           \
    return run(                                                                          \
        c,                                                                               \
        [&] {                                                                            \
          return cublas##op##_v2_64(                                                     \
              handle->handle, side, uplo, HET_SIZE(m), HET_SIZE(n), alpha, a.place(),    \
              HET_SIZE(lda), b.place(), HET_SIZE(ldb), beta, c.place(), HET_SIZE(ldc));  \
        },                                                                               \
        a, b);                                                                           \
  }
HET_XT_SYMM(Ssymm, float)
HET_XT_SYMM(Dsymm, double)
HET_XT_SYMM(Csymm, cuComplex)
HET_XT_SYMM(Zsymm, cuDoubleComplex)
HET_XT_SYMM(Chemm, cuComplex)
HET_XT_SYMM(Zhemm, cuDoubleComplex)

#define HET_XT_SYRK(op, T, S)                                                            \
  HET_CUBLASXT_SYRK(cublasXt##op, T, S) {                                                \
    HET_XT_BEGIN                                                                         \
    const bool plain = trans == CUBLAS_OP_N;                                             \
    const Staged<T> a(A, plain ? n : k, plain ? k : n, lda), c(C, n, n, ldc);            \
    return run(                                                                          \
        c,                                                                               \
        [&] {                                                                            \
          return cublas##op##_v2_64(handle->handle, uplo, trans, HET_SIZE(n),            \
                                    HET_SIZE(k), alpha, a.place(), HET_SIZE(lda), beta,  \
                                    c.place(), HET_SIZE(ldc));                           \
        },                                                                               \
        a);                                                                              \
  }
HET_XT_SYRK(Ssyrk, float, float)
HET_XT_SYRK(Dsyrk, double, double)
HET_XT_SYRK(Csyrk, cuComplex, cuComplex)
HET_XT_SYRK(Zsyrk, cuDoubleComplex, cuDoubleComplex)
HET_XT_SYRK(Cherk, cuComplex, float)
HET_XT_SYRK(Zherk, cuDoubleComplex, double)

#define HET_XT_SYR2K(op, function, T, S)                                                 \
  HET_CUBLASXT_SYR2K(cublasXt##op, T, S) {                                               \
    HET_XT_BEGIN                                                                         \
    const bool plain = trans == CUBLAS_OP_N;                                             \
    const size_t rows = plain ? n : k, columns = plain ? k : n;                          \
    const Staged<T> a(A, rows, columns, lda), b(B, rows, columns, ldb);                  \
    const Staged<T> c(C, n, n, ldc);                                                     \
    return run(                                                                          \
        c,                                                                               \
        [&] {                                                                            \
          return function(handle->handle, uplo, trans, HET_SIZE(n), HET_SIZE(k), alpha,  \
                          a.place(), HET_SIZE(lda), b.place(), HET_SIZE(ldb), beta,      \
                          c.place(), HET_SIZE(ldc));                                     \
        },                                                                               \
        a, b);                                                                           \
  }
HET_XT_SYR2K(Ssyr2k, cublasSsyr2k_v2_64, float, float)
HET_XT_SYR2K(Dsyr2k, cublasDsyr2k_v2_64, double, double)
HET_XT_SYR2K(Csyr2k, cublasCsyr2k_v2_64, cuComplex, cuComplex)
HET_XT_SYR2K(Zsyr2k, cublasZsyr2k_v2_64, cuDoubleComplex, cuDoubleComplex)
HET_XT_SYR2K(Cher2k, cublasCher2k_v2_64, cuComplex, float)
HET_XT_SYR2K(Zher2k, cublasZher2k_v2_64, cuDoubleComplex, double)
HET_XT_SYR2K(Ssyrkx, cublasSsyrkx_64, float, float)
HET_XT_SYR2K(Dsyrkx, cublasDsyrkx_64, double, double)
HET_XT_SYR2K(Csyrkx, cublasCsyrkx_64, cuComplex, cuComplex)
HET_XT_SYR2K(Zsyrkx, cublasZsyrkx_64, cuDoubleComplex, cuDoubleComplex)
HET_XT_SYR2K(Cherkx, cublasCherkx_64, cuComplex, float)
HET_XT_SYR2K(Zherkx, cublasZherkx_64, cuDoubleComplex, double)

#define HET_XT_TRIANGLE(S, T)                                                            \
  HET_CUBLASXT_TRSM(cublasXt##S##trsm, T) {                                              \
    HET_XT_BEGIN                                                                         \
    const size_t order = side == CUBLAS_SIDE_LEFT ? m : n;                               \
    const Staged<T> a(A, order, order, lda), b(B, m, n, ldb);                            \
    return run(                                                                          \
        b,                                                                               \
        [&] {                                                                            \
          return cublas##S##trsm_v2_64(handle->handle, side, uplo, trans, diag,          \
                                       HET_SIZE(m), HET_SIZE(n), alpha, a.place(),       \
                                       HET_SIZE(lda), b.place(), HET_SIZE(ldb));         \
        },                                                                               \
        a);                                                                              \
  }                                                                                      \
  HET_CUBLASXT_TRMM(cublasXt##S##trmm, T) {                                              \
    HET_XT_BEGIN                                                                         \
    const size_t order = side == CUBLAS_SIDE_LEFT ? m : n;                               \
    const Staged<T> a(A, order, order, lda), b(B, m, n, ldb), c(C, m, n, ldc);           \
    return run(                                                                          \
        c,                                                                               \
        [&] {                                                                            \
          return cublas##S##trmm_v2_64(handle->handle, side, uplo, trans, diag,          \
                                       HET_SIZE(m), HET_SIZE(n), alpha, a.place(),       \
                                       HET_SIZE(lda), b.place(), HET_SIZE(ldb),          \
                                       c.place(), HET_SIZE(ldc));                        \
        },                                                                               \
        a, b);                                                                           \
  }                                                                                      \
  HET_CUBLASXT_SPMM(cublasXt##S##spmm, T) { return refuse(__func__, "packed matrices"); }
HET_XT_TRIANGLE(S, float)
HET_XT_TRIANGLE(D, double)
HET_XT_TRIANGLE(C, cuComplex)
HET_XT_TRIANGLE(Z, cuDoubleComplex)
