// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checking and packing a kernel launch, and the limits that it is held against.

#ifndef HET_RUNTIME_CUDA_LAUNCH_H
#define HET_RUNTIME_CUDA_LAUNCH_H

#include "Operation.h"

#include "core/Stream.h"

namespace het::cuda {

struct Device;
struct LoadedKernel;

/// A kernel's arguments: a pointer to each, or all of them packed in the layout
/// that the package states.
struct Arguments {
  void **pointers = nullptr;
  ByteView packed;
};

/// Reads packed arguments out of the list of the driver API's `extra`. False if that is
/// none.
bool readExtra(void **extra, ByteView &packed);

/// Of a Launch or a KernelOperation.
template <typename Launched> core::LaunchShape shapeOf(const Launched &launched) {
  const Cluster &cluster = launched.cluster;
  return {{launched.grid.x, launched.grid.y, launched.grid.z},
          {launched.block.x, launched.block.y, launched.block.z},
          static_cast<uint32_t>(launched.sharedBytes),
          launched.cooperative,
          {cluster.size.x, cluster.size.y, cluster.size.z},
          cluster.isGiven};
}

/// Which blocks of a launch run at once: all of it, or the blocks of a cluster; and
/// whether the launch in front of it may be under way, too.
struct Together {
  // NOLINTNEXTLINE(google-explicit-constructor): a launch without clusters
  Together(bool cooperative, const dim3 &cluster = {0, 0, 0}, bool programmatic = false)
      : cooperative(cooperative), cluster(cluster), programmatic(programmatic) {}
  bool cooperative;
  dim3 cluster; ///< As the launch says it; 0: it does not.
  bool programmatic;
};

/// Checks the shape against the current device and the kernel, and packs the
/// arguments. A null function is cudaErrorInvalidDeviceFunction, here and
/// below.
cudaError_t prepareKernel(Function *function, dim3 grid, dim3 block,
                          const Arguments &arguments, size_t sharedBytes,
                          const Together &together, KernelOperation &kernel);

/// Launches on a stream of the current device, or records it in a capture.
cudaError_t launchKernel(Function *function, const dim3 &grid, const dim3 &block,
                         const Arguments &arguments, size_t sharedBytes,
                         cudaStream_t stream, const Together &together);

/// Launches a prepared kernel on a stream that is not capturing.
cudaError_t runKernel(CUstream_st &stream, const KernelOperation &operation);

/// The most threads of a block, and the most bytes of dynamic shared memory,
/// that this kernel may be launched with.
size_t maxThreadsOf(const LoadedKernel &kernel, const Device &device);
size_t maxDynamicSharedOf(const LoadedKernel &kernel, const Device &device);

/// How many blocks of this shape one multiprocessor holds at once; 0: none.
int residentBlocks(const LoadedKernel &kernel, const Device &device, size_t threads,
                   size_t sharedBytes);

/// The same for a program that asks; why the kernel can not be launched at all.
cudaError_t findOccupancy(LoadedKernel &kernel, const Device &device, size_t threads,
                          size_t sharedBytes, int &blocks);

/// cudaFuncGetAttributes and cudaFuncSetAttribute on one device.
cudaError_t describe(LoadedKernel &kernel, const Device &device,
                     cudaFuncAttributes &attributes);
cudaError_t setAttribute(LoadedKernel &kernel, const Device &device,
                         cudaFuncAttribute attribute, int value);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_LAUNCH_H
