// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launching kernels. The plain path takes one hash look-up on the stub's
// address; arguments are packed on the stack, and the queue copies them.

#include "Capture.h"
#include "Clusters.h"
#include "Context.h"
#include "Errors.h"
#include "Launch.h"
#include "Module.h"
#include "Registration.h"
#include "Stream.h"

#include <algorithm>
#include <cstring>

using namespace het;
using namespace het::cuda;

/// The most that CUDA lets a kernel's parameters take.
static constexpr size_t largestArguments = 32764;
/// Larger ones go through the heap.
static constexpr size_t argumentsOnStack = 4096;

static bool within(const dim3 &size, const int (&limits)[3]) {
  return size.x && size.y && size.z && size.x <= static_cast<unsigned>(limits[0]) &&
         size.y <= static_cast<unsigned>(limits[1]) &&
         size.z <= static_cast<unsigned>(limits[2]);
}

/// The blocks of a cooperative grid must all be resident at once.
static cudaError_t checkCooperative(const LoadedKernel &kernel, const Device &device,
                                    const dim3 &grid, size_t threads,
                                    size_t sharedBytes) {
  if (!device.properties.cooperativeLaunch)
    HET_NOT_SUPPORTED("cooperative launch on this device");
  uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  uint64_t room = uint64_t(residentBlocks(kernel, device, threads, sharedBytes)) *
                  static_cast<unsigned>(device.properties.multiProcessorCount);
  return blocks <= room ? cudaSuccess : cudaErrorCooperativeLaunchTooLarge;
}

/// Holds the shape of a launch against the device and the kernel.
static cudaError_t checkShape(const LoadedKernel &kernel, const Device &device,
                              const dim3 &grid, const dim3 &block, size_t sharedBytes,
                              const Together &together, Cluster &cluster) {
  const cudaDeviceProp &limits = device.properties;
  if (!within(grid, limits.maxGridSize) || !within(block, limits.maxThreadsDim))
    return cudaErrorInvalidConfiguration;
  size_t threads = size_t(block.x) * block.y * block.z;
  if (threads > maxThreadsOf(kernel, device))
    return cudaErrorInvalidConfiguration;
  if (sharedBytes > maxDynamicSharedOf(kernel, device))
    return cudaErrorInvalidValue; // CUDA's answer, in version 12 as in 13
  if (cudaError_t error = chooseCluster(kernel, device, grid, together.cluster, cluster))
    return error;
  if (together.cooperative)
    return checkCooperative(kernel, device, grid, threads, sharedBytes);
  return cudaSuccess;
}

/// The size of the packed arguments; fails if there are parameters and no
/// arguments, or too few, or more than CUDA allows.
static cudaError_t sizeArguments(const LoadedKernel &kernel, const Arguments &arguments,
                                 size_t &size) {
  size = kernel.kernel->argumentBytes();
  if (size && !arguments.pointers && arguments.packed.size < size)
    return cudaErrorInvalidValue;
  return size <= largestArguments ? cudaSuccess : cudaErrorLaunchOutOfResources;
}

static void packArguments(const KernelInfo &info, const Arguments &arguments,
                          uint8_t *packed, size_t size) {
  if (!arguments.pointers) {
    std::copy_n(arguments.packed.data, size, packed);
    return;
  }
  for (size_t index = 0; index < info.parameters.size(); ++index)
    std::memcpy(packed + info.parameters[index].offset, arguments.pointers[index],
                info.parameters[index].size);
}

namespace het::cuda {

bool readExtra(void **extra, ByteView &packed) {
  const void *buffer = nullptr;
  size_t size = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      size = *static_cast<size_t *>(extra[1]);
    else
      return false;
  }
  packed = ByteView(static_cast<const uint8_t *>(buffer), buffer ? size : 0);
  return true;
}

cudaError_t prepareKernel(Function *function, dim3 grid, dim3 block,
                          const Arguments &arguments, size_t sharedBytes,
                          const Together &together, KernelOperation &operation) {
  Device *device = nullptr;
  if (cudaError_t error = useCurrentDevice(device))
    return error;
  if (!function)
    return cudaErrorInvalidDeviceFunction;
  LoadedKernel *kernel = nullptr;
  if (cudaError_t error = load(*function, *device, kernel))
    return error;
  if (cudaError_t error = checkShape(*kernel, *device, grid, block, sharedBytes, together,
                                     operation.cluster))
    return error;
  size_t size = 0;
  if (cudaError_t error = sizeArguments(*kernel, arguments, size))
    return error;
  operation.arguments.resize(size);
  packArguments(kernel->info(), arguments, operation.arguments.data(), size);
  operation.function = keep(function);
  operation.grid = grid;
  operation.block = block;
  operation.sharedBytes = sharedBytes;
  operation.cooperative = together.cooperative;
  return cudaSuccess;
}

cudaError_t runKernel(CUstream_st &stream, const KernelOperation &operation) {
  LoadedKernel *kernel = nullptr;
  if (cudaError_t error = load(*operation.function, stream.device, kernel))
    return error;
  return stream.launch({kernel, operation.grid, operation.block, operation.sharedBytes,
                        operation.arguments, operation.cooperative, operation.cluster});
}

cudaError_t launchKernel(Function *function, const dim3 &grid, const dim3 &block,
                         const Arguments &arguments, size_t sharedBytes,
                         cudaStream_t handle, const Together &together) {
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return error;
  Device &device = stream->device;
  if (device.ordinal != currentOrdinal())
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t error = stream->admit())
    return error;
  if (stream->capturing.load(std::memory_order_acquire)) {
    KernelOperation operation;
    cudaError_t error =
        prepareKernel(function, grid, block, arguments, sharedBytes, together, operation);
    return error ? error : capture(stream, std::move(operation), together.programmatic);
  }
  if (!function)
    return cudaErrorInvalidDeviceFunction;
  LoadedKernel *kernel = nullptr;
  if (cudaError_t error = load(*function, device, kernel))
    return error;
  Cluster cluster;
  if (cudaError_t error =
          checkShape(*kernel, device, grid, block, sharedBytes, together, cluster))
    return error;
  size_t size = 0;
  if (cudaError_t error = sizeArguments(*kernel, arguments, size))
    return error;
  alignas(16) uint8_t stack[argumentsOnStack];
  Bytes heap(size > argumentsOnStack ? size : 0);
  uint8_t *packed = heap.empty() ? stack : heap.data();
  packArguments(kernel->info(), arguments, packed, size);
  return stream->launch({kernel, grid, block, sharedBytes, ByteView(packed, size),
                         together.cooperative, cluster, together.programmatic});
}

} // namespace het::cuda

static cudaError_t launch(const void *stub, const dim3 &grid, const dim3 &block,
                          void **arguments, size_t sharedBytes, cudaStream_t stream,
                          bool cooperative) {
  return launchKernel(findFunction(stub), grid, block, {arguments, {}}, sharedBytes,
                      stream, cooperative);
}

cudaError_t cudaLaunchKernel(const void *stub, dim3 grid, dim3 block, void **arguments,
                             size_t sharedBytes, cudaStream_t stream) try {
  return remember(launch(stub, grid, block, arguments, sharedBytes, stream, false));
}
HET_CATCH

cudaError_t cudaLaunchCooperativeKernel(const void *stub, dim3 grid, dim3 block,
                                        void **arguments, size_t sharedBytes,
                                        cudaStream_t stream) try {
  return remember(launch(stub, grid, block, arguments, sharedBytes, stream, true));
}
HET_CATCH

/// Runs `use` for each launch with its stream's device current.
template <typename Use>
static cudaError_t onEachDevice(cudaLaunchParams *list, unsigned count, Use use) {
  int before = currentOrdinal();
  cudaError_t error = cudaSuccess;
  for (unsigned index = 0; index < count && !error; ++index) {
    setCurrentOrdinal(list[index].stream->ordinal());
    error = use(list[index]);
  }
  setCurrentOrdinal(before);
  return error;
}

cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams *list, unsigned count,
                                                   unsigned flags) try {
  constexpr unsigned known = cudaCooperativeLaunchMultiDeviceNoPreSync |
                             cudaCooperativeLaunchMultiDeviceNoPostSync;
  if (!list || !count || (flags & ~known))
    return remember(cudaErrorInvalidValue);
  if (cudaError_t error = currentDeviceError())
    return remember(error);
  if (count > static_cast<unsigned>(deviceCount()))
    return remember(cudaErrorInvalidDevice);
  for (unsigned index = 0; index < count; ++index) {
    if (builtinStream(list[index].stream))
      return remember(cudaErrorInvalidResourceHandle);
    for (unsigned other = 0; other < index; ++other)
      if (list[index].stream->ordinal() == list[other].stream->ordinal())
        return remember(cudaErrorInvalidDevice);
  }
  // Each grid waits for what stands in all the streams before, and all streams
  // go on after every grid, unless the flags say otherwise.
  auto wait = [](cudaLaunchParams &one) {
    cudaError_t error = one.stream->admit();
    return error ? error : one.stream->synchronize();
  };
  if (!(flags & cudaCooperativeLaunchMultiDeviceNoPreSync))
    if (cudaError_t error = onEachDevice(list, count, wait))
      return remember(error);
  cudaError_t error = onEachDevice(list, count, [](cudaLaunchParams &one) {
    return launch(one.func, one.gridDim, one.blockDim, one.args, one.sharedMem,
                  one.stream, true);
  });
  if (!error && !(flags & cudaCooperativeLaunchMultiDeviceNoPostSync))
    error = onEachDevice(list, count, wait);
  return remember(error);
}
HET_CATCH
