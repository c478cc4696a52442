// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of clusters: what the source, attributes of the kernel and the launch say, and
// whether they fit each other.

#ifndef HET_RUNTIME_CUDA_CLUSTERS_H
#define HET_RUNTIME_CUDA_CLUSTERS_H

#include "Launch.h"

namespace het::cuda {

/// The cluster of a launch with this grid. `given`: the launch's attribute, 0 in all
/// dimensions if there is none. cudaErrorInvalidClusterSize where it can not be.
cudaError_t chooseCluster(const LoadedKernel &kernel, const Device &device,
                          const dim3 &grid, const dim3 &given, Cluster &cluster);

/// The attribute among those of a launch; 0 in all dimensions if there is none.
dim3 clusterIn(const LaunchAttributes &attributes);

/// Chooses the cluster of a graph's kernel anew, after its attributes have changed.
cudaError_t updateCluster(KernelOperation &kernel);

/// The size that the kernel has by itself; 0 in all dimensions if it has none.
dim3 requiredCluster(const LoadedKernel &kernel);

/// Of blocks in a cluster, on this device.
unsigned mostClusterBlocks(const LoadedKernel &kernel, const Device &device);

/// Sets one of the kernel's attributes about clusters.
cudaError_t setClusterAttribute(LoadedKernel &kernel, cudaFuncAttribute attribute,
                                int value);
/// Fills in those of cudaFuncGetAttributes.
void describeClusters(const LoadedKernel &kernel, cudaFuncAttributes &attributes);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_CLUSTERS_H
