// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds levels on the device and brings their sizes here.

#include "Levels.h"

using namespace het::sparse;

cudaError_t LevelPlan::find(const Triangle &triangle, cudaStream_t stream) {
  found = false;
  starts.clear();
  rows = triangle.a.rows;
  if (!rows) {
    found = true;
    return cudaSuccess;
  }
  Memory memory(stream);
  Index *levels = memory.get<Index>(rows);
  cudaError_t error = memory.status();
  if (error == cudaSuccess)
    error = order.reserve(2 * rows + 1);
  if (error == cudaSuccess)
    error = findLevels(triangle, levels, stream);
  if (error == cudaSuccess)
    error = sortKeys(memory, levels, order.get(), rows, rows, stream);
  Index last = 0;
  if (error == cudaSuccess)
    error = fetch(levels + rows - 1, last, stream);
  if (error != cudaSuccess)
    return error;
  const Index count = last + 1;
  try {
    starts.resize(static_cast<size_t>(count) + 1);
  } catch (const std::bad_alloc &) {
    return cudaErrorMemoryAllocation;
  }
  error = findOffsets(wide(levels), 0, rows, wide(order.get() + rows), count, 0, stream);
  if (error == cudaSuccess)
    error =
        cudaMemcpyAsync(starts.data(), order.get() + rows, starts.size() * sizeof(Index),
                        cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(stream);
  found = error == cudaSuccess;
  return error;
}
