// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes that clusters can and cannot have, as launches, kernels' attributes and the
// source say them, and how many clusters fit. The codes are those of an H100 with the
// driver of CUDA 12.9.

#include "Inputs/check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void plain(unsigned *count) {
  cg::this_cluster().sync();
  if (threadIdx.x == 0)
    atomicAdd(count, cg::this_cluster().num_blocks());
}

__global__ void other(unsigned *count) { atomicAdd(count, 1); }

__global__ void __cluster_dims__(2, 1, 1) required(unsigned *count) {
  cg::this_cluster().sync();
  if (threadIdx.x == 0)
    atomicAdd(count, cg::this_cluster().num_blocks());
}

static unsigned *counter;

template <typename Kernel>
static cudaError_t launch(Kernel kernel, dim3 grid, dim3 size, int *active = nullptr,
                          int *potential = nullptr) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = size.x;
  attribute.val.clusterDim.y = size.y;
  attribute.val.clusterDim.z = size.z;
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = dim3(32);
  config.attrs = &attribute;
  config.numAttrs = 1;
  if (active)
    return cudaOccupancyMaxActiveClusters(active, kernel, &config);
  if (potential)
    return cudaOccupancyMaxPotentialClusterSize(potential, kernel, &config);
  return cudaLaunchKernelEx(&config, kernel, counter);
}

/// What all blocks of a launch that must succeed have counted.
template <typename Kernel> static unsigned counted(Kernel kernel, dim3 grid, dim3 size) {
  unsigned count = 0;
  CUDA(cudaMemset(counter, 0, sizeof(count)));
  CUDA(launch(kernel, grid, size));
  CUDA(cudaMemcpy(&count, counter, sizeof(count), cudaMemcpyDeviceToHost));
  return count;
}

template <typename Kernel> static void fails(Kernel kernel, dim3 grid, dim3 size) {
  CHECK_EQ(launch(kernel, grid, size), cudaErrorInvalidClusterSize);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidClusterSize);
  int clusters = -1;
  CHECK_EQ(launch(kernel, grid, size, &clusters), cudaErrorInvalidClusterSize);
  CHECK_EQ(clusters, -1);
  cudaGetLastError();
}

template <typename Kernel> static void testWrong(Kernel kernel) {
  fails(kernel, 4, dim3(2, 0, 0));
  fails(kernel, 4, dim3(0, 2, 1));
  fails(kernel, 4, 3);
  fails(kernel, 4, 8);
  fails(kernel, dim3(4, 3), dim3(2, 2));
  fails(kernel, 9, 9);
  fails(kernel, 16, 16);
  fails(kernel, 1, 0x80000000u);
  fails(kernel, 0x10000u, dim3(0x10000u, 0x10000u, 0x10000u));
}

static void testRequired() {
  cudaFuncAttributes attributes;
  CUDA(cudaFuncGetAttributes(&attributes, required));
  CHECK_EQ(attributes.requiredClusterWidth, 2);
  CHECK_EQ(attributes.requiredClusterHeight, 1);
  CHECK_EQ(attributes.requiredClusterDepth, 1);
  CHECK_EQ(counted(required, 4, 2), 8u);
  CHECK_EQ(counted(required, 4, dim3(0, 0, 0)), 8u);
  fails(required, 4, 4);
  fails(required, 4, 1);
  fails(required, 3, dim3(0, 0, 0));
  required<<<3, 32>>>(counter);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidClusterSize);
  CHECK_EQ(cudaFuncSetAttribute(required, cudaFuncAttributeRequiredClusterWidth, 4),
           cudaErrorNotPermitted);
  cudaGetLastError();
}

static void testAttributes() {
  CUDA(cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  int size = 0;
  CUDA(launch(plain, 16, 16, nullptr, &size));
  CHECK_EQ(size, 16);
  fails(plain, 32, 32);
  fails(plain, 17, 17);
  CUDA(cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
  fails(plain, 16, 16);
  CHECK_EQ(cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterWidth, -1),
           cudaErrorInvalidValue);
  cudaGetLastError();
}

int main() {
  int device, hasClusters;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaDeviceGetAttribute(&hasClusters, cudaDevAttrClusterLaunch, device));
  if (!hasClusters)
    return check::skip("the device has no clusters");
  CUDA(cudaMalloc(&counter, sizeof(unsigned)));
  testWrong(plain);
  testWrong(other);
  CHECK_EQ(counted(plain, 4, dim3(0, 0, 0)), 4u);
  CHECK_EQ(counted(plain, 4, 1), 4u);
  CHECK_EQ(counted(plain, 4, 2), 8u);
  CHECK_EQ(counted(plain, 6, 3), 18u);
  CHECK_EQ(counted(plain, 8, 8), 64u);
  CHECK_EQ(counted(other, 8, 8), 8u * 32);
  int clusters = -1, single = -1, size = 0;
  CUDA(launch(plain, 4, dim3(0, 0, 0), &clusters));
  CHECK_EQ(clusters, 0);
  CUDA(launch(plain, 4, 1, &single));
  CUDA(launch(plain, 4, 2, &clusters));
  CHECK_EQ(clusters, single / 2);
  CUDA(launch(plain, 4, 2, nullptr, &size));
  CHECK_EQ(size, 8);
  testRequired();
  testAttributes();
  CUDA(cudaFree(counter));
  return check::finish("sizes");
}
