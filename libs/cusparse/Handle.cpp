// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles, names of statuses, and the logger, which has nothing to say of its own: the
// library reports by statuses, and by the runtime's log (HET_LOG).

#include "Vendor.h"
#include "het/Base/Log.h"

#include <iterator>

using namespace het;

static void startLog() {
  static const Status started = setUpLog("het");
  (void)started;
}

cusparseStatus_t het::sparse::convert(cudaError_t error) {
  switch (error) {
  case cudaSuccess:
    return CUSPARSE_STATUS_SUCCESS;
  case cudaErrorMemoryAllocation:
    return CUSPARSE_STATUS_ALLOC_FAILED;
  case cudaErrorNotSupported:
  case cudaErrorStreamCaptureUnsupported:
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  case cudaErrorNoDevice:
  case cudaErrorInitializationError:
  case cudaErrorInsufficientDriver:
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  default:
    startLog();
    log(Level::Info, "cuSPARSE: %s", cudaGetErrorString(error));
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  }
}

cusparseStatus_t het::sparse::refuse(const char *function, const char *what) {
  startLog();
  log(Level::Error, "%s: %s", function, what);
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
  if (!handle)
    return CUSPARSE_STATUS_INVALID_VALUE;
  int device = 0;
  if (const cudaError_t error = cudaGetDevice(&device))
    return error == cudaErrorMemoryAllocation ? CUSPARSE_STATUS_ALLOC_FAILED
                                              : CUSPARSE_STATUS_NOT_INITIALIZED;
  std::unique_ptr<cusparseContext> context(new (std::nothrow) cusparseContext);
  if (!context)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  const libs::RelaxedCapture relaxed;
  const Result<libs::BackEnd> chosen = libs::chooseBackEnd(
      "cuSPARSE", device,
      {[&] { return sparse::VendorHandle::create(context->vendor); }, libs::kernelsOnHost,
       /*isVendorOnRequest=*/true});
  if (!chosen.ok()) {
    log(Level::Error, "%s", chosen.status().text().c_str());
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (context->vendor)
    context->vendor->ours = context.get();
  *handle = context.release();
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!version)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value) {
  constexpr int numbers[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *value = numbers[type];
  return CUSPARSE_STATUS_SUCCESS;
}

namespace {
/// By status.
constexpr const char *names[][2] = {
    {"CUSPARSE_STATUS_SUCCESS", "success"},
    {"CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
    {"CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
    {"CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
    {"CUSPARSE_STATUS_ARCH_MISMATCH", "architecture mismatch"},
    {"CUSPARSE_STATUS_MAPPING_ERROR", "memory mapping failed"},
    {"CUSPARSE_STATUS_EXECUTION_FAILED", "kernel launch failure"},
    {"CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
    {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "matrix type not supported"},
    {"CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
    {"CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
    {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"},
};
const char *nameOf(cusparseStatus_t status, int kind) {
  const auto number = static_cast<size_t>(status);
  return number < std::size(names) ? names[number][kind] : "unrecognized error code";
}
} // namespace

const char *cusparseGetErrorName(cusparseStatus_t status) { return nameOf(status, 0); }
const char *cusparseGetErrorString(cusparseStatus_t status) { return nameOf(status, 1); }

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!stream)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *stream = handle->stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle,
                                        cusparsePointerMode_t mode) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (mode != CUSPARSE_POINTER_MODE_HOST && mode != CUSPARSE_POINTER_MODE_DEVICE)
    return CUSPARSE_STATUS_INVALID_VALUE;
  handle->pointerMode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle,
                                        cusparsePointerMode_t *mode) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!mode)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *mode = handle->pointerMode;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerSetCallback(cusparseLoggerCallback_t) {
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseLoggerSetFile(FILE *) { return CUSPARSE_STATUS_SUCCESS; }
cusparseStatus_t cusparseLoggerOpenFile(const char *) { return CUSPARSE_STATUS_SUCCESS; }
cusparseStatus_t cusparseLoggerSetLevel(int) { return CUSPARSE_STATUS_SUCCESS; }
cusparseStatus_t cusparseLoggerSetMask(int) { return CUSPARSE_STATUS_SUCCESS; }
cusparseStatus_t cusparseLoggerForceDisable() { return CUSPARSE_STATUS_SUCCESS; }
