// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Braces around arguments of a launch: any of the four, of a kernel or an instance of a
// template, in templates, lambdas, methods and macros.
// CUDA C++ Programming Guide: Execution Configuration.

#include "Inputs/check.h"

template <class T> __device__ void note(T *out) {
  if (threadIdx.x + threadIdx.y + threadIdx.z)
    return;
  atomicAdd(&out[0], T(1));
  out[1] = gridDim.x * 100 + gridDim.y * 10 + gridDim.z;
  out[2] = blockDim.x * 100 + blockDim.y * 10 + blockDim.z;
}

__global__ void kernel(unsigned *out) { note(out); }
template <class T> __global__ void instance(T *out) { note(out); }
__global__ void withShared(unsigned *out, unsigned words) {
  extern __shared__ unsigned shared[];
  shared[words - 1] = 0;
  note(out + shared[words - 1]);
}

static void expect(int line, check::Array<unsigned> &out, unsigned grid, unsigned block) {
  out.get();
  unsigned blocks = grid / 100 * (grid / 10 % 10) * (grid % 10);
  check::equal("blocks", line, -1, out.host[0], blocks);
  check::equal("grid", line, -1, out.host[1], grid);
  check::equal("block", line, -1, out.host[2], block);
  out.fill(0);
}
#define EXPECT(grid, block) expect(__LINE__, out, grid, block)

#define LAUNCH(grid, block) kernel<<<grid, block>>>(out)
#define LAUNCH_PAIRS kernel<<<{2, 2}, {3, 2}>>>(out)

template <class T> void launch(T *out, unsigned n, cudaStream_t stream) {
  instance<T><<<{n, 1}, {n + 1}, {}, {stream}>>>(out);
}

struct Launcher {
  unsigned width;
  void run(unsigned *out) const { // read before `dim3` of this class is
    kernel<<<{width}, {width, dim3}>>>(out);
  }
  unsigned dim3;
};

int main() {
  check::Array<unsigned> out(3);
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  const unsigned one = 1, two = 2;
  const dim3 shape(2, 3);

  kernel<<<{1}, {9}>>>(out);
  EXPECT(111, 911);
  kernel<<<{1, 2, 3}, {4, 1, 2}, 0, stream>>>(out);
  EXPECT(123, 412);
  kernel<<<{}, {}>>>(out);
  EXPECT(111, 111);
  kernel<<<two, {two}>>>(out);
  EXPECT(211, 211);
  kernel<<<{two}, two>>>(out);
  EXPECT(211, 211);
  kernel<<<{shape}, {one, two}, {0}, {0}>>>(out);
  EXPECT(231, 121);
  kernel<<<shape, {uint3{2, 2, 1}}, {}, {}>>>(out);
  EXPECT(231, 221);
  withShared<<<{3}, {two + 1, [] { return 2u; }()}, {4096}, {stream}>>>(out, 1024);
  EXPECT(311, 321);
  LAUNCH({4}, {5});
  EXPECT(411, 511);
  LAUNCH_PAIRS;
  EXPECT(221, 321);
  launch<unsigned>(out, 3, stream);
  EXPECT(311, 411);
  Launcher{3, 2}.run(out);
  EXPECT(311, 321);
  auto inLambda = [&](unsigned n) { instance<unsigned><<<{n, n}, {1, n}>>>(out); };
  inLambda(2);
  EXPECT(221, 121);
  if (kernel<<<{two}, {1}>>>(out), true)
    EXPECT(211, 111);
  CUDA(cudaStreamDestroy(stream));
  return check::finish("launch_braces");
}
