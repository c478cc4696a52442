// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pinned memory of the host's that an operation in a graph works in. It is the graph's,
// which may go where none of CUDA's functions may be called, so that it is not freed then
// but kept for the next graph.

#ifndef HET_LIBS_NCCL_GRAPHSTAGE_H
#define HET_LIBS_NCCL_GRAPHSTAGE_H

#include <cstddef>
#include <cuda_runtime_api.h>

namespace het::nccl {

class GraphStage {
public:
  GraphStage() = default;
  GraphStage(const GraphStage &) = delete;
  GraphStage &operator=(const GraphStage &) = delete;
  /// Calls nothing of CUDA's.
  ~GraphStage();

  /// Takes memory that no graph has, or makes some and frees all other.
  cudaError_t take(size_t size);
  char *get() const { return memory; }

private:
  char *memory = nullptr;
  size_t room = 0;
};

} // namespace het::nccl

#endif // HET_LIBS_NCCL_GRAPHSTAGE_H
