// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA arrays. Here an array is pitched memory of its device in plain order,
// behind a handle. Layers, and a cube's faces, are planes.

#ifndef HET_RUNTIME_CUDA_ARRAYS_H
#define HET_RUNTIME_CUDA_ARRAYS_H

#include "Operation.h"

#include <memory>
#include <vector>

namespace het::cuda {

struct Device;

/// The bytes of an element; 0 if the format is none that an array can have:
/// one, two or four channels of the same 8, 16 or 32 bits.
size_t elementSizeOf(const cudaChannelFormatDesc &format);

/// Makes the levels of an array, in one allocation: the first one's base. What is no
/// mipmapped array has one level.
cudaError_t allocateLevels(const cudaChannelFormatDesc *format, cudaExtent extent,
                           unsigned flags, unsigned count,
                           std::vector<std::unique_ptr<cudaArray>> &levels);

/// Frees their allocation, if they have one, and forgets them.
cudaError_t freeLevels(const std::vector<std::unique_ptr<cudaArray>> &levels);
/// Their handles are those of no array any more.
void forgetLevels(const std::vector<std::unique_ptr<cudaArray>> &levels);

} // namespace het::cuda

struct cudaArray {
  explicit cudaArray(het::cuda::Device &device) : device(device) {}

  het::cuda::Device &device;
  het::cuda::Region region; ///< Without a base once the device was reset.
  size_t elementSize = 0;   ///< Bytes of one element, all channels.
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {}; ///< As the user gave it: 0 where a dimension is unused.
  unsigned flags = 0;
  bool isLevel =
      false; ///< Of a mipmapped array or a graphics resource, with which it goes.

  /// Whether it has memory.
  bool isAlive() const { return region.base; }
  size_t rows() const { return extent.height ? extent.height : 1; }
  size_t planes() const { return extent.depth ? extent.depth : 1; }

  /// The part that begins at a byte of a row, a row and a plane.
  het::cuda::Region at(size_t byte, size_t row, size_t plane) const {
    return {region.base + plane * region.plane + row * region.pitch + byte, region.pitch,
            region.plane};
  }
};

/// Arrays that halve in size from one to the next.
struct cudaMipmappedArray {
  std::vector<std::unique_ptr<cudaArray>> levels;
};

#endif // HET_RUNTIME_CUDA_ARRAYS_H
