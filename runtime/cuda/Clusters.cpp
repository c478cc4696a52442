// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Clusters.h"
#include "Context.h"
#include "Errors.h"
#include "LaunchAttributes.h"
#include "Module.h"

#include <algorithm>

namespace het::cuda {

/// The most blocks that every device with clusters takes.
static constexpr unsigned portableBlocks = 8;

static uint64_t blocksIn(const dim3 &size) { return uint64_t(size.x) * size.y * size.z; }

static bool isGiven(const dim3 &size) { return size.x || size.y || size.z; }

static bool same(const dim3 &a, const dim3 &b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

dim3 requiredCluster(const LoadedKernel &kernel) {
  if (auto size = kernel.info().clusterSize())
    return {(*size)[0], (*size)[1], (*size)[2]};
  return {static_cast<unsigned>(kernel.requiredCluster[0].load()),
          static_cast<unsigned>(kernel.requiredCluster[1].load()),
          static_cast<unsigned>(kernel.requiredCluster[2].load())};
}

static bool mustBeGiven(const LoadedKernel &kernel) {
  auto size = kernel.info().clusterSize();
  return kernel.clusterMustBeGiven || (size && !(*size)[0]);
}

unsigned mostClusterBlocks(const LoadedKernel &kernel, const Device &device) {
  const unsigned most = device.device.properties().mostClusterBlocks;
  return kernel.takesLargeClusters ? most : std::min(most, portableBlocks);
}

cudaError_t chooseCluster(const LoadedKernel &kernel, const Device &device,
                          const dim3 &grid, const dim3 &given, Cluster &cluster) {
  const dim3 required = requiredCluster(kernel);
  const bool isRequired = isGiven(required);
  if (isRequired && isGiven(given) && !same(given, required))
    return cudaErrorInvalidClusterSize;
  dim3 size = isGiven(given) ? given : required;
  cluster = {};
  if (!isGiven(size)) {
    if (mustBeGiven(kernel))
      return cudaErrorInvalidClusterSize;
    if (kernel.info().usesClusters())
      cluster.size = {1, 1, 1};
    return cudaSuccess;
  }
  const uint64_t blocks = blocksIn(size);
  if (blocks > 1 && !device.properties.clusterLaunch)
    HET_NOT_SUPPORTED("a cluster of more than one block on this device");
  if (!blocks || size.x > grid.x || size.y > grid.y || size.z > grid.z ||
      blocks > std::max(mostClusterBlocks(kernel, device), 1u) || grid.x % size.x ||
      grid.y % size.y || grid.z % size.z)
    return cudaErrorInvalidClusterSize;
  // Blocks of others need not be together.
  if (kernel.info().usesClusters())
    cluster = {size, true};
  return cudaSuccess;
}

dim3 clusterIn(const LaunchAttributes &attributes) {
  auto found = attributes.find(cudaLaunchAttributeClusterDimension);
  if (found == attributes.end())
    return {0, 0, 0};
  const auto &size = found->second.clusterDim;
  return {size.x, size.y, size.z};
}

cudaError_t updateCluster(KernelOperation &kernel) {
  Device *device = nullptr;
  if (cudaError_t error = useCurrentDevice(device))
    return error;
  LoadedKernel *loaded = nullptr;
  if (cudaError_t error = load(*kernel.function, *device, loaded))
    return error;
  return chooseCluster(*loaded, *device, kernel.grid, clusterIn(kernel.attributes),
                       kernel.cluster);
}

cudaError_t setClusterAttribute(LoadedKernel &kernel, cudaFuncAttribute attribute,
                                int value) {
  if (value < 0)
    return cudaErrorInvalidValue;
  switch (attribute) {
  case cudaFuncAttributeClusterDimMustBeSet:
    kernel.clusterMustBeGiven = value != 0;
    return cudaSuccess;
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
    kernel.takesLargeClusters = value != 0;
    return cudaSuccess;
  case cudaFuncAttributeClusterSchedulingPolicyPreference: // a hint
    if (value > cudaClusterSchedulingPolicyLoadBalancing)
      return cudaErrorInvalidValue;
    kernel.clusterPolicy = value;
    return cudaSuccess;
  default:
    if (kernel.info().clusterSize())
      return cudaErrorNotPermitted;
    kernel.requiredCluster[attribute - cudaFuncAttributeRequiredClusterWidth] = value;
    return cudaSuccess;
  }
}

void describeClusters(const LoadedKernel &kernel, cudaFuncAttributes &attributes) {
  const dim3 size = requiredCluster(kernel);
  attributes.clusterDimMustBeSet = mustBeGiven(kernel);
  attributes.requiredClusterWidth = static_cast<int>(size.x);
  attributes.requiredClusterHeight = static_cast<int>(size.y);
  attributes.requiredClusterDepth = static_cast<int>(size.z);
  attributes.clusterSchedulingPolicyPreference = kernel.clusterPolicy;
  attributes.nonPortableClusterSizeAllowed = kernel.takesLargeClusters;
}

} // namespace het::cuda
