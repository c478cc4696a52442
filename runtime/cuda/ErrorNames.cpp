// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaGetErrorName, cudaGetErrorString, cuGetErrorName, cuGetErrorString: look-
// ups in the table Errors.def. The static assertions hold the table's numbers
// against the headers'.

#include "ErrorNames.h"
#include "Api.h"
#include "Errors.h"

#include <algorithm>
#include <iterator>

namespace het::cuda {

#define HET_ERROR(value, runtimeName, driverName, text)                                  \
  static_assert(int(runtimeName) == value && int(driverName) == value, text);
#define HET_RUNTIME_ERROR(value, runtimeName, text)                                      \
  static_assert(int(runtimeName) == value, text);
#define HET_DRIVER_ERROR(value, driverName, text)                                        \
  static_assert(int(driverName) == value, text);
#include "Errors.def"

static constexpr ErrorText table[] = {
#define HET_ERROR(value, runtimeName, driverName, text)                                  \
  {value, #runtimeName, #driverName, text},
#define HET_RUNTIME_ERROR(value, runtimeName, text) {value, #runtimeName, nullptr, text},
#define HET_DRIVER_ERROR(value, driverName, text) {value, nullptr, #driverName, text},
#include "Errors.def"
};

const ErrorText *findErrorText(int value) {
  const ErrorText *found = std::lower_bound(
      std::begin(table), std::end(table), value,
      [](const ErrorText &entry, int wanted) { return entry.value < wanted; });
  return found != std::end(table) && found->value == value ? found : nullptr;
}

} // namespace het::cuda

using het::cuda::ErrorText;
using het::cuda::findErrorText;

const char *cudaGetErrorName(cudaError_t error) {
  const ErrorText *entry = findErrorText(error);
  return entry && entry->runtimeName ? entry->runtimeName : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  const ErrorText *entry = findErrorText(error);
  return entry && entry->runtimeName ? entry->text : "unrecognized error code";
}

CUresult cuGetErrorName(CUresult error, const char **name) try {
  const ErrorText *entry = findErrorText(error);
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  *name = entry ? entry->driverName : nullptr;
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
HET_CATCH

CUresult cuGetErrorString(CUresult error, const char **text) try {
  const ErrorText *entry = findErrorText(error);
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = entry && entry->driverName ? entry->text : nullptr;
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
HET_CATCH
