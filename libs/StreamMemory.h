// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that kernels of one call use between themselves.

#ifndef HET_LIBS_STREAMMEMORY_H
#define HET_LIBS_STREAMMEMORY_H

#include <cuda_runtime_api.h>

#include <cstdint>
#include <new>
#include <vector>

namespace het::libs {

/// Device memory for the length of a call, whose kernels use it in the stream's order.
class StreamMemory {
public:
  explicit StreamMemory(cudaStream_t stream) : stream(stream) {}
  StreamMemory(const StreamMemory &) = delete;
  ~StreamMemory() {
    for (void *piece : pieces)
      (void)cudaFreeAsync(piece, stream);
  }

  /// Room for so many, at least one. Null where a request before has failed, or this one
  /// does.
  template <class T> T *get(int64_t count) {
    return static_cast<T *>(
        allocate(static_cast<size_t>(count > 0 ? count : 1) * sizeof(T)));
  }
  cudaError_t status() const { return error; }

private:
  void *allocate(size_t size) {
    if (error != cudaSuccess)
      return nullptr;
    void *place = nullptr;
    try {
      pieces.reserve(pieces.size() + 1);
    } catch (const std::bad_alloc &) {
      error = cudaErrorMemoryAllocation;
      return nullptr;
    }
    error = cudaMallocAsync(&place, size, stream);
    if (error == cudaSuccess)
      pieces.push_back(place);
    return place;
  }

  cudaStream_t stream;
  std::vector<void *> pieces;
  cudaError_t error = cudaSuccess;
};

} // namespace het::libs

#endif // HET_LIBS_STREAMMEMORY_H
