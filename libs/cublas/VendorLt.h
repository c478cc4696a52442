// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vendor's back end of cuBLASLt. Descriptions are ours, so NVIDIA's are made of them
// for each call; its algorithms are passed on as they are.

#ifndef HET_LIBS_CUBLAS_VENDORLT_H
#define HET_LIBS_CUBLAS_VENDORLT_H

#include "Descriptions.h"

#include <functional>

namespace het::blas {

/// The functions of NVIDIA's library that are called.
struct VendorLtFunctions {
#define HET_VENDOR_LT(name, symbol) decltype(symbol) *name;
#include "VendorLt.def"
};

/// One device's.
class VendorLt {
public:
  /// The calling thread's device's; null where kernels are its back end, or where it can
  /// have none: then `status` says so.
  static VendorLt *get(cublasStatus_t &status);

  /// A product as cublasLtMatmul has it; nothing where kernels are to do it.
  struct Matmul {
    cublasLtMatmulDesc_t description;
    const void *alpha, *a;
    cublasLtMatrixLayout_t layoutA;
    const void *b;
    cublasLtMatrixLayout_t layoutB;
    const void *beta, *c;
    cublasLtMatrixLayout_t layoutC;
    void *d;
    cublasLtMatrixLayout_t layoutD;
    const cublasLtMatmulAlgo_t *algorithm;
    void *workspace;
    size_t workspaceSize;
    cudaStream_t stream;
  };
  std::optional<cublasStatus_t> multiply(const Matmul &call);

  cublasStatus_t findAlgorithms(const Matmul &call, cublasLtMatmulPreference_t preference,
                                int requested, cublasLtMatmulHeuristicResult_t *results,
                                int *returned);
  cublasStatus_t checkAlgorithm(const Matmul &call,
                                cublasLtMatmulHeuristicResult_t *result);

  /// Calls a function that puts nothing into a stream, in the device's context.
  cublasStatus_t call(const std::function<cublasStatus_t(const VendorLtFunctions &,
                                                         cublasLtHandle_t)> &function);

private:
  friend struct VendorLtDevices;
  Status open();

  int device = 0;
  cublasLtHandle_t handle = nullptr;
};

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_VENDORLT_H
