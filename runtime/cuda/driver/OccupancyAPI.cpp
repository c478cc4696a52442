// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: how many blocks and clusters of a kernel fit.

#include "Driver.h"

#include "../Launch.h"

#include <algorithm>

using namespace het;
using namespace het::cuda;
using namespace het::cuda::driver;

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                     int threads,
                                                     size_t sharedBytes) try {
  if (!blocks || threads <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  return withKernel(function, [&](LoadedKernel &kernel, Device &device) {
    return convert(findOccupancy(kernel, device, static_cast<size_t>(threads),
                                 sharedBytes, *blocks));
  });
}
HET_CATCH

/// The block size with the most resident threads; the larger one of equals.
static CUresult potential(int *grid, int *threads, CUfunction function,
                          CUoccupancyB2DSize shared, size_t sharedBytes, int limit) {
  return withKernel(function, [&](LoadedKernel &kernel, Device &device) {
    int warp = device.properties.warpSize;
    int most = static_cast<int>(maxThreadsOf(kernel, device));
    int best = 0;
    for (int size = limit > 0 ? std::min(limit, most) : most; size > 0;
         size = (size - 1) / warp * warp) {
      size_t bytes = shared ? shared(size) : sharedBytes;
      int blocks = 0;
      if (cudaError_t error = findOccupancy(kernel, device, size_t(size), bytes, blocks))
        return convert(error);
      if (blocks * size > best) {
        best = blocks * size;
        *threads = size;
        *grid = blocks * device.properties.multiProcessorCount;
      }
    }
    return best ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *threads,
                                                   CUfunction function,
                                                   CUoccupancyB2DSize shared,
                                                   size_t sharedBytes, int limit,
                                                   unsigned flags) try {
  if (!grid || !threads || (flags & ~CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE))
    return CUDA_ERROR_INVALID_VALUE;
  return potential(grid, threads, function, shared, sharedBytes, limit);
}
HET_CATCH

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *threads, CUfunction function,
                                          CUoccupancyB2DSize shared, size_t sharedBytes,
                                          int limit) try {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(
      grid, threads, function, shared, sharedBytes, limit, CU_OCCUPANCY_DEFAULT);
}
HET_CATCH

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                              CUfunction function,
                                                              int threads,
                                                              size_t sharedBytes,
                                                              unsigned flags) try {
  if (flags & ~CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
    return CUDA_ERROR_INVALID_VALUE;
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads,
                                                     sharedBytes);
}
HET_CATCH

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function,
                                                 int blocks, int threads) try {
  return through([&] {
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, threads);
  });
}
HET_CATCH

CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction function,
                                            const CUlaunchConfig *config) try {
  cudaLaunchConfig_t converted;
  return through([&] {
    return cudaOccupancyMaxPotentialClusterSize(size, function,
                                                configOf(config, converted));
  });
}
HET_CATCH

CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction function,
                                      const CUlaunchConfig *config) try {
  cudaLaunchConfig_t converted;
  return through([&] {
    return cudaOccupancyMaxActiveClusters(clusters, function,
                                          configOf(config, converted));
  });
}
HET_CATCH
