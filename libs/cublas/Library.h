// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of cuBLAS share: the handle, factors, the results of launches.

#ifndef HET_LIBS_CUBLAS_LIBRARY_H
#define HET_LIBS_CUBLAS_LIBRARY_H

#include "Kernels.h"
#include "common/BackEnd.h"

#include <cuda_runtime_api.h>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
#include <cublas_api.h>
#pragma GCC visibility pop

namespace het::blas {
class VendorHandle;
}

/// A device, and how functions are to work. One thread uses a handle at a time.
struct cublasContext {
  int device = 0;
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointerMode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomicsMode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t mathMode = CUBLAS_DEFAULT_MATH;
  int smCountTarget = 0;
  void *workspace = nullptr; ///< For NVIDIA's library; kernels need none.
  size_t workspaceSize = 0;

  het::libs::BackEnd backEnd = het::libs::BackEnd::Portable;
  std::unique_ptr<het::blas::VendorHandle> vendor; ///< Where that is the back end.

  cublasContext();
  ~cublasContext();

  /// Device memory for partial sums, and behind them for a result that the program wants
  /// in its own memory: one for each stream, whose calls follow one another.
  cudaError_t partials(void **place);
  cudaError_t freePartials();

private:
  std::vector<std::pair<cudaStream_t, void *>> memory;
};

namespace het::blas {

/// A failed call of the runtime, as cuBLAS says it.
cublasStatus_t convert(cudaError_t error);

/// The factor that a function was given: a T, or a real number for one.
template <class T, class S>
Scalar<Kernel<T>> scalarOf(cublasHandle_t handle, const S *alpha) {
  Scalar<Kernel<T>> scalar;
  scalar.real = isComplex<Kernel<T>> && !isComplex<Kernel<S>>;
  if (handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE)
    scalar.place = alpha;
  else
    scalar.value = Kernel<T>(reinterpret_cast<const Kernel<S> &>(*alpha));
  return scalar;
}

/// A number that is no argument.
template <class T> Scalar<T> constant(T value) {
  Scalar<T> scalar;
  scalar.value = value;
  return scalar;
}

/// Device memory for the length of a call, whose kernels use it in the stream's order.
class Temporary {
public:
  Temporary(cublasHandle_t handle, size_t size) : stream(handle->stream) {
    error = size ? cudaMallocAsync(&memory, size, stream) : cudaSuccess;
  }
  Temporary(const Temporary &) = delete;
  ~Temporary() {
    if (memory)
      (void)cudaFreeAsync(memory, stream);
  }
  template <class T> T *as() const { return static_cast<T *>(memory); }
  cudaError_t status() const { return error; }

private:
  cudaStream_t stream;
  void *memory = nullptr;
  cudaError_t error;
};

template <class T> Vector vectorOf(const T *x, Index increment) {
  return {const_cast<void *>(static_cast<const void *>(x)), increment, CUDA_R_32F};
}

inline bool isOperation(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}
inline bool isPart(cublasFillMode_t part) {
  return part == CUBLAS_FILL_MODE_LOWER || part == CUBLAS_FILL_MODE_UPPER;
}
inline bool isSide(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT;
}
inline bool isDiagonal(cublasDiagType_t diagonal) {
  return diagonal == CUBLAS_DIAG_NON_UNIT || diagonal == CUBLAS_DIAG_UNIT;
}
inline Part partOf(cublasFillMode_t part) {
  return part == CUBLAS_FILL_MODE_LOWER ? Part::Lower : Part::Upper;
}

/// Transposes a matrix that was described as stored, and conjugates it.
inline void apply(cublasOperation_t operation, Operand &a) {
  if (operation == CUBLAS_OP_N)
    return;
  if (operation != CUBLAS_OP_CONJG) {
    std::swap(a.rowStep, a.columnStep);
    a.part = flipped(a.part);
  }
  a.conjugated = operation != CUBLAS_OP_T;
}

/// A matrix by columns, as BLAS has them.
template <class Place> Operand operandOf(const Place *a, Index leading) {
  Operand operand;
  operand.base = const_cast<void *>(static_cast<const void *>(a));
  operand.columnStep = leading;
  return operand;
}

/// Many matrices, whose places lie in an array on the device.
template <class Place> Operand operandsOf(const Place *const *array, Index leading) {
  Operand operand;
  operand.array = const_cast<void *const *>(reinterpret_cast<const void *const *>(array));
  operand.columnStep = leading;
  return operand;
}

/// Whether a leading dimension holds columns of that many rows.
inline bool holds(Index leading, Index rows) { return leading >= (rows > 1 ? rows : 1); }

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_LIBRARY_H
