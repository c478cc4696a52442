// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The occupancy functions that take any kernel, and the search for the block
// size that fills a multiprocessor best. Included by runtime_templates.h.

template <class T>
HET_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T func,
                                                      int blockSize,
                                                      size_t dynamicSMemSize) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void *)func,
                                                         blockSize, dynamicSMemSize);
}
template <class T>
HET_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, T func,
                                                               int blockSize,
                                                               size_t dynamicSMemSize,
                                                               unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      numBlocks, (const void *)func, blockSize, dynamicSMemSize, flags);
}
template <class T>
HET_API cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, T *func,
                                                  int numBlocks, int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, (const void *)func,
                                                     numBlocks, blockSize);
}
template <class T>
HET_API cudaOccupancyMaxPotentialClusterSize(int *clusterSize, T *func,
                                             const cudaLaunchConfig_t *config) {
  return ::cudaOccupancyMaxPotentialClusterSize(clusterSize, (const void *)func, config);
}
template <class T>
HET_API cudaOccupancyMaxActiveClusters(int *numClusters, T *func,
                                       const cudaLaunchConfig_t *config) {
  return ::cudaOccupancyMaxActiveClusters(numClusters, (const void *)func, config);
}

// Tries every multiple of a team from the largest block down and keeps the
// first that keeps the most threads of a multiprocessor busy.
template <typename UnaryFunction, class T>
static __inline__ __host__ cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *minGridSize, int *blockSize, T func, UnaryFunction blockSizeToDynamicSMemSize,
    int blockSizeLimit = 0, unsigned int flags = 0) {
  if (!minGridSize || !blockSize || !func)
    return cudaErrorInvalidValue;
  int device, threadsPerMultiprocessor, threadsPerBlock, multiprocessors, team;
  cudaFuncAttributes attributes;
  cudaError_t status = ::cudaGetDevice(&device);
  if (status == cudaSuccess)
    status = ::cudaDeviceGetAttribute(&threadsPerMultiprocessor,
                                      cudaDevAttrMaxThreadsPerMultiProcessor, device);
  if (status == cudaSuccess)
    status =
        ::cudaDeviceGetAttribute(&threadsPerBlock, cudaDevAttrMaxThreadsPerBlock, device);
  if (status == cudaSuccess)
    status = ::cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                                      device);
  if (status == cudaSuccess)
    status = ::cudaDeviceGetAttribute(&team, cudaDevAttrWarpSize, device);
  if (status == cudaSuccess)
    status = ::cudaFuncGetAttributes(&attributes, (const void *)func);
  if (status != cudaSuccess)
    return status;

  int limit = threadsPerBlock < attributes.maxThreadsPerBlock
                  ? threadsPerBlock
                  : attributes.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < limit)
    limit = blockSizeLimit;
  int bestThreads = 0, bestBlocks = 0, bestSize = 0;
  for (int rounded = (limit + team - 1) / team * team; rounded > 0; rounded -= team) {
    int size = limit < rounded ? limit : rounded;
    int blocks;
    status = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, (const void *)func, size, blockSizeToDynamicSMemSize(size), flags);
    if (status != cudaSuccess)
      return status;
    if (size * blocks > bestThreads) {
      bestThreads = size * blocks;
      bestBlocks = blocks;
      bestSize = size;
    }
    if (bestThreads == threadsPerMultiprocessor)
      break;
  }
  *minGridSize = bestBlocks * multiprocessors;
  *blockSize = bestSize;
  return cudaSuccess;
}

template <typename UnaryFunction, class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int *minGridSize, int *blockSize, T func, UnaryFunction blockSizeToDynamicSMemSize,
    int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, func, blockSizeToDynamicSMemSize, blockSizeLimit,
      cudaOccupancyDefault);
}

struct __het_constant_size {
  size_t size;
  __host__ size_t operator()(int) const { return size; }
};

template <class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(
    int *minGridSize, int *blockSize, T func, size_t dynamicSMemSize = 0,
    int blockSizeLimit = 0, unsigned int flags = 0) {
  __het_constant_size size = {dynamicSMemSize};
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, func, size, blockSizeLimit, flags);
}

template <class T>
static __inline__ __host__ cudaError_t
cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T func,
                                   size_t dynamicSMemSize = 0, int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func,
                                                     dynamicSMemSize, blockSizeLimit,
                                                     cudaOccupancyDefault);
}
