// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two streams whose copies are asynchronous, from pinned memory and to it, until a file is
// there. Whether each turn did what the first turn with the same input did. Arguments: the
// file, the device, and how kernels get their input: `copied`, or `mapped`, by an address
// of pinned memory.
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int blocks = 16, threads = 64, words = blocks * threads, inputs = 5;
#ifndef STEPS
#define STEPS 5000
#endif

#include "run.h"
#include "turns.h"

__global__ void add(const unsigned *in, unsigned *out) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  out[i] = out[i] * 2654435761u + in[i];
}

#define CHECK(call)                                                                    \
  if (cudaError_t error = (call)) {                                                    \
    std::printf("%s\n", cudaGetErrorString(error));                                    \
    return 1;                                                                          \
  }

struct Lane {
  cudaStream_t stream;
  unsigned *in, *out, *deviceIn, *deviceOut;
  int input;
};

static std::vector<unsigned> inputOf(int number) {
  std::vector<unsigned> in(words);
  for (int i = 0; i < words; ++i)
    in[i] = i * 2246822519u + number;
  return in;
}

int main(int, char **arguments) {
  CHECK(cudaSetDevice(std::atoi(arguments[2])));
  const bool isMapped = !std::strcmp(arguments[3], "mapped");
  Lane lanes[2];
  for (Lane &lane : lanes) {
    CHECK(cudaStreamCreate(&lane.stream));
    CHECK(cudaMallocHost(&lane.in, words * sizeof(unsigned)));
    CHECK(cudaMalloc(&lane.deviceIn, words * sizeof(unsigned)));
    CHECK(cudaMalloc(&lane.deviceOut, words * sizeof(unsigned)));
    lane.input = -1;
  }
  CHECK(cudaMallocHost(&lanes[0].out, words * sizeof(unsigned)));
  // The other is pinned where it is.
  std::vector<unsigned> memory(words);
  lanes[1].out = memory.data();
  CHECK(cudaHostRegister(lanes[1].out, words * sizeof(unsigned), 0));
  std::vector<unsigned> first[inputs];
  bool same = true;
  Turns turns(arguments[1], std::atoi(arguments[2]));
  for (int turn = 0; turns.next(); ++turn) {
    Lane &lane = lanes[turn % 2];
    CHECK(cudaStreamSynchronize(lane.stream));
    if (lane.input >= 0) {
      std::vector<unsigned> now(lane.out, lane.out + words);
      std::vector<unsigned> &expected = first[lane.input];
      same &= expected.empty() || expected == now;
      expected = now;
    }
    lane.input = turn % inputs;
    std::memcpy(lane.in, inputOf(lane.input).data(), words * sizeof(unsigned));
    std::memset(lane.out, 0x55, words * sizeof(unsigned));
    if (!isMapped)
      CHECK(cudaMemcpyAsync(lane.deviceIn, lane.in, words * sizeof(unsigned),
                            cudaMemcpyHostToDevice, lane.stream));
    run<<<blocks, threads, 0, lane.stream>>>(lane.deviceOut, STEPS);
    add<<<blocks, threads, 0, lane.stream>>>(isMapped ? lane.in : lane.deviceIn,
                                            lane.deviceOut);
    CHECK(cudaMemcpyAsync(lane.out, lane.deviceOut, words * sizeof(unsigned),
                          cudaMemcpyDeviceToHost, lane.stream));
  }
  CHECK(cudaDeviceSynchronize());
  std::printf("same %d\n", same);
}
