// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles, statuses, and how kernels see descriptors.

#include "Vendor.h"

#include "het/Base/Log.h"

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <new>

namespace het::dnn {

cudnnStatus_t fail(cudnnStatus_t status, const char *function, const std::string &what) {
  static const Status logging = setUpLog("het");
  log(Level::Warn, "cuDNN: %s: %s (%s)", function, what.c_str(),
      cudnnGetErrorString(status));
  return status;
}

cudnnStatus_t launched(const char *function, cudaError_t error) {
  return error == cudaSuccess
             ? CUDNN_STATUS_SUCCESS
             : fail(CUDNN_STATUS_EXECUTION_FAILED, function, cudaGetErrorString(error));
}

bool findType(cudnnDataType_t type, Type &found) {
  switch (type) {
  case CUDNN_DATA_FLOAT:
    found = Type::Float;
    return true;
  case CUDNN_DATA_DOUBLE:
    found = Type::Double;
    return true;
  case CUDNN_DATA_HALF:
    found = Type::Half;
    return true;
  case CUDNN_DATA_BFLOAT16:
    found = Type::Bfloat;
    return true;
  default:
    return false;
  }
}

size_t sizeOf(cudnnDataType_t type) {
  constexpr unsigned char sizes[] = {4, 8, 2, 1, 4, 4, 1, 4, 32, 2, 8, 1, 1, 1, 1};
  return type >= 0 && type < sizeof(sizes) ? sizes[type] : 0;
}

double factor(const void *place, Type type, double otherwise) {
  if (!place)
    return otherwise;
  return type == Type::Double ? *static_cast<const double *>(place)
                              : *static_cast<const float *>(place);
}

Extent extentOf(const cudnnTensorStruct &tensor) {
  Extent extent;
  extent.dimensions = tensor.dimensions;
  for (int k = 0; k < tensor.dimensions; ++k)
    extent.sizes[k] = tensor.sizes[k];
  extent.count = tensor.count();
  return extent;
}

Operand operandOf(const cudnnTensorStruct &tensor, const void *data) {
  Operand operand;
  operand.data = data;
  for (int k = 0; k < tensor.dimensions; ++k)
    operand.strides[k] = tensor.sizes[k] == 1 ? 0 : tensor.strides[k];
  return operand;
}

/// With two dimensions before the window, which is the last of three.
Operand operandOf(const cudnnFilterStruct &filter, const void *data) {
  int64_t strides[CUDNN_DIM_MAX];
  const int last = filter.dimensions - 1;
  int64_t next = 1;
  const bool isChannelLast = filter.format == CUDNN_TENSOR_NHWC;
  if (isChannelLast) {
    strides[1] = 1;
    next = filter.sizes[1];
  }
  for (int k = last; k >= 0; --k) {
    if (k == 1 && isChannelLast)
      continue;
    strides[k] = next;
    next *= filter.sizes[k];
  }
  Operand operand;
  operand.data = data;
  operand.strides[0] = strides[0];
  operand.strides[1] = strides[1];
  for (int k = 2; k <= last; ++k)
    operand.strides[k + 5 - filter.dimensions] = strides[k];
  return operand;
}

Operand imagesOf(const cudnnTensorStruct &tensor, const void *data) {
  Operand operand;
  operand.data = data;
  operand.strides[0] = tensor.strides[0];
  operand.strides[1] = tensor.strides[1];
  for (int k = 2; k < tensor.dimensions; ++k)
    operand.strides[k + 5 - tensor.dimensions] = tensor.strides[k];
  return operand;
}

bool haveSameSizes(const cudnnTensorStruct &a, const cudnnTensorStruct &b) {
  bool same = a.dimensions == b.dimensions;
  for (int k = 0; same && k < a.dimensions; ++k)
    same = a.sizes[k] == b.sizes[k];
  return same;
}

Arguments &Arguments::wrong(const char *what) {
  if (ok())
    status = bad(function, what);
  return *this;
}

Arguments &Arguments::handle(const void *handle) {
  if (!handle && ok())
    status = fail(CUDNN_STATUS_NOT_INITIALIZED, function, "found no handle");
  return *this;
}

Arguments &Arguments::typed(cudnnDataType_t type) {
  if (!ok())
    return *this;
  if (!hasType) {
    hasType = true;
    first = type;
    if (!findType(type, found))
      status = unsupported(function, "found type " + std::to_string(type) +
                                         ", expected float, double, half or bfloat16");
  } else if (type != first) {
    status = unsupported(function, "found tensors of types " + std::to_string(first) +
                                       " and " + std::to_string(type));
  }
  return *this;
}

} // namespace het::dnn

using namespace het;
using namespace het::dnn;

const char *cudnnGetErrorString(cudnnStatus_t status) {
  static constexpr const char *names[] = {"CUDNN_STATUS_SUCCESS",
                                          "CUDNN_STATUS_NOT_INITIALIZED",
                                          "CUDNN_STATUS_ALLOC_FAILED",
                                          "CUDNN_STATUS_BAD_PARAM",
                                          "CUDNN_STATUS_INTERNAL_ERROR",
                                          "CUDNN_STATUS_INVALID_VALUE",
                                          "CUDNN_STATUS_ARCH_MISMATCH",
                                          "CUDNN_STATUS_MAPPING_ERROR",
                                          "CUDNN_STATUS_EXECUTION_FAILED",
                                          "CUDNN_STATUS_NOT_SUPPORTED",
                                          "CUDNN_STATUS_LICENSE_ERROR",
                                          "CUDNN_STATUS_RUNTIME_PREREQUISITE_MISSING",
                                          "CUDNN_STATUS_RUNTIME_IN_PROGRESS",
                                          "CUDNN_STATUS_RUNTIME_FP_OVERFLOW",
                                          "CUDNN_STATUS_VERSION_MISMATCH"};
  return status >= 0 && status < std::size(names) ? names[status]
                                                  : "CUDNN_UNKNOWN_STATUS";
}

size_t cudnnGetVersion() { return CUDNN_VERSION; }
size_t cudnnGetMaxDeviceVersion() { return 900; } // of what kernels are compiled for
size_t cudnnGetCudartVersion() { return CUDART_VERSION; }

cudnnStatus_t cudnnGetProperty(libraryPropertyType type, int *value) {
  constexpr int numbers[] = {CUDNN_MAJOR, CUDNN_MINOR, CUDNN_PATCHLEVEL};
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return bad(__func__, "found no place, or no such property");
  *value = numbers[type];
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreate(cudnnHandle_t *handle) {
  if (!handle)
    return bad(__func__, "found no place for the handle");
  int device = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaFree(nullptr);
  if (error != cudaSuccess)
    return fail(CUDNN_STATUS_NOT_INITIALIZED, __func__, cudaGetErrorString(error));
  std::unique_ptr<cudnnContext> made(new (std::nothrow) cudnnContext);
  if (!made)
    return CUDNN_STATUS_ALLOC_FAILED;
  made->device = device;
  const libs::RelaxedCapture relaxed;
  const Result<libs::BackEnd> chosen = libs::chooseBackEnd(
      "cuDNN", device,
      {[&] { return VendorHandle::create(made->vendor); }, libs::kernelsOnHost,
       /*isVendorOnRequest=*/true});
  if (!chosen.ok())
    return fail(CUDNN_STATUS_NOT_INITIALIZED, __func__, chosen.status().text());
  *handle = made.release();
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  if (handle && handle->blas)
    (void)cublasDestroy(handle->blas);
  delete handle;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  if (!handle)
    return bad(__func__, "found no handle");
  handle->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t *stream) {
  if (!handle || !stream)
    return bad(__func__, "found no handle or no place for the stream");
  *stream = handle->stream;
  return CUDNN_STATUS_SUCCESS;
}
