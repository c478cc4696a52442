// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS:
// FLAGS: -G
//
// threadIdx, blockIdx, blockDim and gridDim as whole objects: copied to uint3 and dim3,
// bound to references, passed on, also where -G inlines nothing.
// CUDA C++ Programming Guide: Built-in Variables.

#include "Inputs/check.h"

template <class T> __device__ __noinline__ unsigned total(const T &of) {
  return of.x + of.y * 10 + of.z * 100;
}

__device__ __noinline__ dim3 sizeOf(dim3 size) { return dim3(size.y, size.x); }

__global__ void kernel(unsigned *out) {
  dim3 thread = threadIdx;
  uint3 block = blockIdx;
  const auto &size = blockDim;
  unsigned at = (block.x * size.y + thread.y) * size.x + thread.x;
  unsigned *to = out + at * 5;
  to[0] = total(threadIdx);
  to[1] = total(blockIdx);
  to[2] = total(size);
  to[3] = total<dim3>(gridDim);
  to[4] = total(sizeOf(blockDim));
}

int main() {
  const unsigned blocks = 3, width = 4, height = 5;
  check::Array<unsigned> out(blocks * width * height * 5);
  kernel<<<blocks, dim3(width, height)>>>(out);
  out.get();
  for (unsigned i = 0; i < blocks * width * height; ++i) {
    const unsigned want[5] = {i % width + i / width % height * 10, i / width / height,
                              width + height * 10 + 100, blocks + 110,
                              height + width * 10 + 100};
    for (unsigned k = 0; k < 5; ++k)
      CHECK_AT(i * 10 + k, out.host[i * 5 + k], want[k]);
  }
  return check::finish("builtin_variables");
}
