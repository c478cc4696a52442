// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects of a graphics API that a program has registered. Mapping one copies its content
// to memory of the device, and unmapping copies it back, in the order of a stream: so it
// works on every device, whoever draws.

#ifndef HET_RUNTIME_CUDA_GRAPHICS_RESOURCE_H
#define HET_RUNTIME_CUDA_GRAPHICS_RESOURCE_H

#include "../Api.h"

#include <memory>

namespace het::cuda {
struct Device;
} // namespace het::cuda

struct cudaGraphicsResource : std::enable_shared_from_this<cudaGraphicsResource> {
  cudaGraphicsResource(het::cuda::Device &device, unsigned flags)
      : device(device), flags(flags) {}
  virtual ~cudaGraphicsResource() = default; ///< Frees the device's memory.

  het::cuda::Device &device; ///< Current when it was registered.
  unsigned flags;            ///< cudaGraphicsMapFlags…
  bool isMapped = false;

  /// Copies the content to the device, if a kernel may read it; back, if one may write.
  virtual cudaError_t map(cudaStream_t stream) = 0;
  virtual cudaError_t unmap(cudaStream_t stream) = 0;

  // Of one that is mapped.
  virtual cudaError_t pointer(void *&, size_t &) const {
    return cudaErrorNotMappedAsPointer;
  }
  virtual cudaError_t array(unsigned /*plane*/, unsigned /*level*/, cudaArray_t &) const {
    return cudaErrorNotMappedAsArray;
  }
  virtual cudaError_t mipmap(cudaMipmappedArray_t &) { return cudaErrorNotMappedAsArray; }

protected:
  bool isRead() const { return flags != cudaGraphicsMapFlagsWriteDiscard; }
  bool isWritten() const { return flags != cudaGraphicsMapFlagsReadOnly; }
};

namespace het::cuda {

/// Makes a handle of a resource.
cudaGraphicsResource_t registerResource(std::unique_ptr<cudaGraphicsResource> resource);

/// A device is reset: the resources are unregistered.
void forgetResources(const Device &device);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_GRAPHICS_RESOURCE_H
