// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: launches.

#include "Driver.h"

#include "../LaunchAttributes.h"

using namespace het;
using namespace het::cuda;
using namespace het::cuda::driver;

static CUresult launch(CUfunction function, dim3 grid, dim3 block, unsigned sharedBytes,
                       CUstream stream, void **pointers, void **extra, bool cooperative) {
  if (!function)
    return CUDA_ERROR_INVALID_HANDLE;
  Arguments arguments{pointers, {}};
  if (pointers && extra)
    return CUDA_ERROR_INVALID_VALUE;
  if (extra && !readExtra(extra, arguments.packed))
    return CUDA_ERROR_INVALID_VALUE;
  return through([&] {
    return launchKernel(function->function, grid, block, arguments, sharedBytes, stream,
                        cooperative);
  });
}

CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                        unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                        unsigned sharedBytes, CUstream stream, void **pointers,
                        void **extra) try {
  return launch(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes,
                stream, pointers, extra, false);
}
HET_CATCH

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gridX, unsigned gridY,
                                   unsigned gridZ, unsigned blockX, unsigned blockY,
                                   unsigned blockZ, unsigned sharedBytes, CUstream stream,
                                   void **pointers) try {
  return launch(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes,
                stream, pointers, nullptr, true);
}
HET_CATCH

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                          void **pointers, void **extra) try {
  if (!config)
    return CUDA_ERROR_INVALID_VALUE;
  if (!function)
    return CUDA_ERROR_INVALID_HANDLE;
  Arguments arguments{pointers, {}};
  if (pointers && extra)
    return CUDA_ERROR_INVALID_VALUE;
  if (extra && !readExtra(extra, arguments.packed))
    return CUDA_ERROR_INVALID_VALUE;
  cudaLaunchConfig_t converted;
  return through([&] {
    return launchWithAttributes(function->function, *configOf(config, converted),
                                arguments);
  });
}
HET_CATCH

CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *list, unsigned count,
                                              unsigned flags) try {
  if (!list)
    return CUDA_ERROR_INVALID_VALUE;
  std::vector<cudaLaunchParams> converted;
  for (unsigned index = 0; index < count; ++index) {
    const CUDA_LAUNCH_PARAMS &one = list[index];
    if (!one.function)
      return CUDA_ERROR_INVALID_HANDLE;
    converted.push_back({one.function,
                         {one.gridDimX, one.gridDimY, one.gridDimZ},
                         {one.blockDimX, one.blockDimY, one.blockDimZ},
                         one.kernelParams,
                         one.sharedMemBytes,
                         one.hStream});
  }
  return through([&] {
    return cudaLaunchCooperativeKernelMultiDevice(converted.data(), count, flags);
  });
}
HET_CATCH
