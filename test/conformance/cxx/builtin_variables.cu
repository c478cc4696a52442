// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS:
// FLAGS: -G
//
// threadIdx, blockIdx, blockDim and gridDim as whole objects: of type uint3 and dim3,
// copied, bound to references, passed on, also where -G inlines nothing.
// CUDA C++ Programming Guide: Built-in Variables.

#include "Inputs/check.h"

template <class T> __device__ __noinline__ unsigned total(const T &of) {
  return of.x + of.y * 10 + of.z * 100;
}

__device__ __noinline__ dim3 sizeOf(dim3 size) { return dim3(size.y, size.x); }

static_assert(std::is_same<decltype(threadIdx), const uint3>::value, "");
static_assert(std::is_same<decltype(blockIdx), const uint3>::value, "");
static_assert(std::is_same<decltype(blockDim), const dim3>::value, "");
static_assert(std::is_same<decltype(gridDim), const dim3>::value, "");

__device__ unsigned ofUint3(uint3 of) { return total(of); }
__device__ __noinline__ unsigned ofDim3Reference(const dim3 &of) { return total(of); }
template <class T> __device__ __noinline__ unsigned ofValue(T of) {
  static_assert(std::is_same<T, uint3>::value || std::is_same<T, dim3>::value, "");
  return total(of);
}
template <class T> __device__ unsigned ofForwarded(T &&of) { return ofValue(of); }

struct Place {
  uint3 thread;
  dim3 size;
};

// Each sum has every component of the two once, by its place.
__global__ void forms(unsigned *out, bool first) {
  auto thread = threadIdx;
  static_assert(std::is_same<decltype(thread), uint3>::value, "");
  auto size = blockDim;
  static_assert(std::is_same<decltype(size), dim3>::value, "");
  const auto &reference = threadIdx;
  const uint3 *const address = &reference;
  uint3 fromDim3 = blockDim;
  dim3 fromUint3 = threadIdx;
  Place place{threadIdx, blockDim};
  uint3 places[] = {threadIdx, blockIdx};
  thread.x += 1;
  fromUint3.y += 1;
  const unsigned sums[] = {
      total(thread) - 1,
      total(size),
      total(*address),
      total(fromDim3),
      total(fromUint3) - 10,
      total(place.thread),
      total(place.size),
      total(places[!first]),
      ofUint3(threadIdx),
      ofUint3(blockDim),
      ofDim3Reference(threadIdx),
      ofDim3Reference(blockDim),
      ofValue(threadIdx),
      ofValue(blockDim),
      ofForwarded(threadIdx),
      total(first ? threadIdx : blockIdx),
      [] { return total(threadIdx); }(),
  };
  const unsigned at = (threadIdx.y * blockDim.x + threadIdx.x) * 2;
  for (unsigned sum : sums) {
    if (sum == threadIdx.x + threadIdx.y * 10)
      ++out[at];
    if (sum == blockDim.x + blockDim.y * 10 + 100)
      ++out[at + 1];
  }
}

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
  check::Array<unsigned> counts(width * height * 2);
  forms<<<1, dim3(width, height)>>>(counts, true);
  counts.get();
  for (unsigned i = 0; i < counts.size(); ++i)
    CHECK_AT(i, counts.host[i], i % 2 ? 6u : 11u);
  return check::finish("builtin_variables");
}
