// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in parts, as programs for CUDA 1 to 3 make them: shape and arguments are set
// in a kernel one by one, then it is launched.

#include "Driver.h"

#include "../Launch.h"

#include <cstring>

using namespace het;
using namespace het::cuda;
using namespace het::cuda::driver;

/// The most that CUDA lets a kernel's parameters take.
static constexpr size_t largestArguments = 32764;

/// Hands the parts of a kernel to `use`, with their lock.
template <typename Use> static CUresult with(CUfunction function, Use use) {
  if (CUresult error = requireContext())
    return error;
  if (!function)
    return CUDA_ERROR_INVALID_HANDLE;
  std::lock_guard<std::mutex> lock(function->mutex);
  return use(function->parts);
}

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) try {
  if (x <= 0 || y <= 0 || z <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  return with(function, [&](LaunchInParts &parts) {
    parts.block = {static_cast<unsigned>(x), static_cast<unsigned>(y),
                   static_cast<unsigned>(z)};
    return CUDA_SUCCESS;
  });
}
HET_CATCH

CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes) try {
  return with(function, [&](LaunchInParts &parts) {
    parts.sharedBytes = bytes;
    return CUDA_SUCCESS;
  });
}
HET_CATCH

CUresult cuParamSetSize(CUfunction function, unsigned bytes) try {
  if (bytes > largestArguments)
    return CUDA_ERROR_INVALID_VALUE;
  return with(function, [&](LaunchInParts &parts) {
    parts.argumentBytes = bytes;
    return CUDA_SUCCESS;
  });
}
HET_CATCH

CUresult cuParamSetv(CUfunction function, int offset, void *from, unsigned bytes) try {
  if (offset < 0 || (bytes && !from) || bytes > largestArguments ||
      static_cast<size_t>(offset) > largestArguments - bytes)
    return CUDA_ERROR_INVALID_VALUE;
  return with(function, [&](LaunchInParts &parts) {
    const auto begin = static_cast<size_t>(offset);
    if (parts.arguments.size() < begin + bytes)
      parts.arguments.resize(begin + bytes);
    if (bytes)
      std::memcpy(parts.arguments.data() + begin, from, bytes);
    return CUDA_SUCCESS;
  });
}
HET_CATCH

CUresult cuParamSeti(CUfunction function, int offset, unsigned value) try {
  return cuParamSetv(function, offset, &value, sizeof(value));
}
HET_CATCH

CUresult cuParamSetf(CUfunction function, int offset, float value) try {
  return cuParamSetv(function, offset, &value, sizeof(value));
}
HET_CATCH

CUresult cuLaunchGridAsync(CUfunction function, int width, int height,
                           CUstream stream) try {
  if (width <= 0 || height <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  LaunchInParts parts;
  if (CUresult error = with(function, [&](const LaunchInParts &set) {
        parts = set;
        return CUDA_SUCCESS;
      }))
    return error;
  if (parts.argumentBytes)
    parts.arguments.resize(parts.argumentBytes);
  return through([&] {
    return launchKernel(function->function,
                        {static_cast<unsigned>(width), static_cast<unsigned>(height), 1},
                        parts.block, {nullptr, parts.arguments}, parts.sharedBytes,
                        stream, false);
  });
}
HET_CATCH

CUresult cuLaunchGrid(CUfunction function, int width, int height) try {
  return cuLaunchGridAsync(function, width, height, nullptr);
}
HET_CATCH

CUresult cuLaunch(CUfunction function) try {
  return cuLaunchGridAsync(function, 1, 1, nullptr);
}
HET_CATCH
