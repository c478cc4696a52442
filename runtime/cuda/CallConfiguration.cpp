// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch configuration between `<<<…>>>` and the kernel's stub: the
// compiler pushes it, evaluates the arguments, calls the stub, and the stub
// pops it. Arguments may themselves launch kernels, so it is a stack; each
// thread has its own. It is trivially destructible: a launch during static
// destruction works.

#include "Errors.h"
#include "Registration.h"

namespace {

struct Configuration {
  dim3 grid, block;
  size_t sharedBytes;
  cudaStream_t stream;
};

constexpr unsigned deepest = 64;

struct Stack {
  alignas(Configuration) unsigned char storage[deepest * sizeof(Configuration)];
  unsigned depth;

  Configuration *at(unsigned index) {
    return reinterpret_cast<Configuration *>(storage) + index;
  }
};

thread_local Stack stack;

} // namespace

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes,
                                     CUstream_st *stream) {
  if (stack.depth == deepest) {
    het::cuda::remember(cudaErrorLaunchMaxDepthExceeded);
    return 1;
  }
  *stack.at(stack.depth++) = {grid, block, sharedBytes, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *sharedBytes,
                                       void *stream) try {
  if (stack.depth == 0)
    return het::cuda::remember(cudaErrorMissingConfiguration);
  const Configuration &top = *stack.at(--stack.depth);
  *grid = top.grid;
  *block = top.block;
  *sharedBytes = top.sharedBytes;
  *static_cast<cudaStream_t *>(stream) = top.stream;
  return cudaSuccess;
}
HET_CATCH
