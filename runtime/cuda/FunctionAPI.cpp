// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime API's functions about kernels: attributes, limits and occupancy.

#include "Clusters.h"
#include "Context.h"
#include "Errors.h"
#include "Launch.h"
#include "Module.h"

#include <algorithm>

using namespace het;
using namespace het::cuda;

namespace het::cuda {

size_t maxThreadsOf(const LoadedKernel &kernel, const Device &device) {
  size_t most = static_cast<size_t>(device.properties.maxThreadsPerBlock);
  uint32_t bound = kernel.info().maxThreadsPerBlock;
  return bound ? std::min<size_t>(most, bound) : most;
}

size_t maxDynamicSharedOf(const LoadedKernel &kernel, const Device &device) {
  int chosen = kernel.optInShared.load(std::memory_order_relaxed);
  size_t fixed = kernel.info().staticSharedBytes;
  size_t usual = device.properties.sharedMemPerBlock;
  usual = usual > fixed ? usual - fixed : 0;
  return chosen < 0 ? usual : std::max(usual, static_cast<size_t>(chosen));
}

int residentBlocks(const LoadedKernel &kernel, const Device &device, size_t threads,
                   size_t sharedBytes) {
  const cudaDeviceProp &limits = device.properties;
  const size_t fixed = kernel.info().staticSharedBytes;
  if (threads == 0 || threads > maxThreadsOf(kernel, device) ||
      fixed > limits.sharedMemPerBlockOptin ||
      sharedBytes > maxDynamicSharedOf(kernel, device))
    return 0; // such a launch is refused
  const size_t shared = fixed + sharedBytes;
  size_t warp = static_cast<size_t>(limits.warpSize);
  size_t whole = (threads + warp - 1) / warp * warp;
  size_t blocks = static_cast<size_t>(limits.maxThreadsPerMultiProcessor) / whole;
  if (limits.maxBlocksPerMultiProcessor > 0)
    blocks = std::min(blocks, static_cast<size_t>(limits.maxBlocksPerMultiProcessor));
  if (shared)
    blocks = std::min(blocks, limits.sharedMemPerMultiprocessor / shared);
  // A device may hold more at once; programs that size memory by its properties trust
  // these to be the most.
  if (auto known = kernel.kernel->residentBlocks(static_cast<uint32_t>(threads),
                                                 static_cast<uint32_t>(sharedBytes));
      known.ok() && *known)
    blocks = std::min<size_t>(blocks, **known);
  return static_cast<int>(blocks);
}

cudaError_t findOccupancy(LoadedKernel &kernel, const Device &device, size_t threads,
                          size_t sharedBytes, int &blocks) {
  // Where its code says how many, a kernel that can not be launched has none.
  if (kernel.kernel->knowsResidentBlocks())
    if (cudaError_t error = prepare(kernel))
      return error;
  blocks = residentBlocks(kernel, device, threads, sharedBytes);
  return cudaSuccess;
}

} // namespace het::cuda

/// Loads the kernel of a stub on the current device and hands both to `use`.
template <typename Use> static cudaError_t with(const void *stub, Use use) {
  Device *device = nullptr;
  if (cudaError_t error = useCurrentDevice(device))
    return remember(error);
  Function *function = findFunction(stub);
  if (!function)
    return remember(cudaErrorInvalidDeviceFunction);
  LoadedKernel *kernel = nullptr;
  cudaError_t error = load(*function, *device, kernel);
  return remember(error ? error : use(*kernel, *device));
}

cudaError_t het::cuda::describe(LoadedKernel &kernel, const Device &device,
                                cudaFuncAttributes &attributes) {
  const cudaDeviceProp &limits = device.properties;
  int capability = limits.major * 10 + limits.minor;
  Result<HetArtifactInfo> known = kernel.kernel->describe();
  if (!known.ok()) {
    cudaError_t error = prepare(kernel); // says why
    return error ? error : translate(known.status());
  }
  attributes = {};
  attributes.sharedSizeBytes = kernel.info().staticSharedBytes;
  attributes.localSizeBytes =
      known->localBytes ? known->localBytes : kernel.info().localBytes;
  attributes.maxThreadsPerBlock = static_cast<int>(maxThreadsOf(kernel, device));
  if (known->maxThreadsPerBlock)
    attributes.maxThreadsPerBlock = std::min(attributes.maxThreadsPerBlock,
                                             static_cast<int>(known->maxThreadsPerBlock));
  attributes.numRegs =
      known->registers
          ? static_cast<int>(known->registers)
          : std::min(255, limits.regsPerBlock / attributes.maxThreadsPerBlock);
  attributes.ptxVersion = static_cast<int>(kernel.info().architecture);
  attributes.binaryVersion = capability;
  attributes.maxDynamicSharedSizeBytes =
      static_cast<int>(maxDynamicSharedOf(kernel, device));
  attributes.preferredShmemCarveout = cudaSharedmemCarveoutDefault;
  describeClusters(kernel, attributes);
  return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *stub) try {
  if (!attributes)
    return remember(cudaErrorInvalidValue);
  return with(stub, [&](LoadedKernel &kernel, Device &device) {
    return describe(kernel, device, *attributes);
  });
}
HET_CATCH

static cudaError_t setDynamicShared(LoadedKernel &kernel, const Device &device,
                                    int value) {
  size_t fixed = kernel.info().staticSharedBytes;
  size_t most = device.properties.sharedMemPerBlockOptin;
  if (value < 0 || static_cast<size_t>(value) + fixed > most)
    return cudaErrorInvalidValue;
  kernel.optInShared.store(value, std::memory_order_relaxed);
  return cudaSuccess;
}

cudaError_t het::cuda::setAttribute(LoadedKernel &kernel, const Device &device,
                                    cudaFuncAttribute attribute, int value) {
  switch (attribute) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize:
    return setDynamicShared(kernel, device, value);
  case cudaFuncAttributePreferredSharedMemoryCarveout: // a hint
    return value >= cudaSharedmemCarveoutDefault &&
                   value <= cudaSharedmemCarveoutMaxShared
               ? cudaSuccess
               : cudaErrorInvalidValue;
  case cudaFuncAttributeClusterDimMustBeSet:
  case cudaFuncAttributeRequiredClusterWidth:
  case cudaFuncAttributeRequiredClusterHeight:
  case cudaFuncAttributeRequiredClusterDepth:
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
  case cudaFuncAttributeClusterSchedulingPolicyPreference:
    return setClusterAttribute(kernel, attribute, value);
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t cudaFuncSetAttribute(const void *stub, cudaFuncAttribute attribute,
                                 int value) try {
  return with(stub, [&](LoadedKernel &kernel, Device &device) {
    return setAttribute(kernel, device, attribute, value);
  });
}
HET_CATCH

cudaError_t cudaFuncSetCacheConfig(const void *stub, cudaFuncCache config) try {
  if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual)
    return remember(cudaErrorInvalidValue);
  return with(stub, [](LoadedKernel &, Device &) { return cudaSuccess; });
}
HET_CATCH

cudaError_t cudaFuncSetSharedMemConfig(const void *stub, cudaSharedMemConfig config) try {
  if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte)
    return remember(cudaErrorInvalidValue);
  return with(stub, [](LoadedKernel &, Device &) { return cudaSuccess; });
}
HET_CATCH

cudaError_t cudaFuncGetName(const char **name, const void *stub) try {
  Function *function = findFunction(stub);
  if (!name)
    return remember(cudaErrorInvalidValue);
  if (!function)
    return remember(cudaErrorInvalidDeviceFunction);
  *name = function->name;
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaFuncGetParamInfo(const void *stub, size_t index, size_t *offset,
                                 size_t *size) try {
  if (!offset)
    return remember(cudaErrorInvalidValue);
  return with(stub, [&](LoadedKernel &kernel, Device &) {
    const auto &parameters = kernel.info().parameters;
    if (index >= parameters.size())
      return cudaErrorInvalidValue;
    *offset = parameters[index].offset;
    if (size)
      *size = parameters[index].size;
    return cudaSuccess;
  });
}
HET_CATCH

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *stub, int threads, size_t sharedBytes, unsigned flags) try {
  if (!blocks || threads <= 0 || (flags & ~cudaOccupancyDisableCachingOverride))
    return remember(cudaErrorInvalidValue);
  return with(stub, [&](LoadedKernel &kernel, Device &device) {
    return findOccupancy(kernel, device, static_cast<size_t>(threads), sharedBytes,
                         *blocks);
  });
}
HET_CATCH

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *stub,
                                                          int threads,
                                                          size_t sharedBytes) try {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, stub, threads, sharedBytes, cudaOccupancyDefault);
}
HET_CATCH

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *stub,
                                                      int blocks, int threads) try {
  if (!bytes || blocks <= 0 || threads <= 0)
    return remember(cudaErrorInvalidValue);
  return with(stub, [&](LoadedKernel &kernel, Device &device) {
    size_t each =
        device.properties.sharedMemPerMultiprocessor / static_cast<size_t>(blocks);
    size_t fixed = kernel.info().staticSharedBytes;
    *bytes =
        std::min(each > fixed ? each - fixed : 0, maxDynamicSharedOf(kernel, device));
    return cudaSuccess;
  });
}
HET_CATCH
