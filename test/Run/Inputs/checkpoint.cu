// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// checkpoint [END [GO]]: one kernel, then a checkpoint END of what is left of it, unless END
// is "-". With GO the kernel waits in its middle until that file is there: GO.begun says
// that it waits, GO.released that it has been told to go on; and the program ends when
// GO.end is there. A variable of the package, shared memory, local arrays, lanes apart.
#include <cstdio>
#include <cstring>
#include <het/migrate.h>
#include <string>
#include <unistd.h>

#include "hold.h"

constexpr int blocks = 48, threads = 128;
__device__ unsigned seeds[4] = {17, 99, 5, 1234567};

__global__ void run(unsigned *out, int steps, Hold *hold) {
  __shared__ unsigned shared[threads];
  unsigned t = threadIdx.x, x = blockIdx.x * 7919 + t, last[4] = {x, 1, 2, 3};
  for (int i = 0; i < steps; ++i) {
    if (i == steps / 2 && t == 0)
      holdHere(hold);
    shared[t] = x;
    __syncthreads();
    x = x * 1664525u + (shared[(t + i) % threads] ^ (x >> 7)) + seeds[i & 3];
    last[x & 3] += x;
    if (x % 5 == 0)
      for (unsigned j = x % 17; j; --j)
        x ^= x << (j & 7);
    __syncthreads();
  }
  out[blockIdx.x * threads + t] = x + last[t & 3];
}

static void say(const std::string &file) { std::fclose(std::fopen(file.c_str(), "w")); }

static void await(const std::string &file) {
  while (access(file.c_str(), F_OK))
    std::this_thread::yield();
}

int main(int count, char **arguments) {
  const std::string go = count > 2 ? arguments[2] : "";
  unsigned *out, host[blocks * threads], sum = 0;
  cudaMalloc(&out, sizeof(host));
  cudaMemset(out, 0, sizeof(host));
  Hold *hold = makeHold(go.empty());
  run<<<blocks, threads>>>(out, 1000, hold);
  if (!go.empty()) {
    awaitBegun(hold);
    say(go + ".begun");
    await(go);
    hold->released = 1;
    say(go + ".released");
  }
  if (cudaError_t error = cudaDeviceSynchronize()) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  for (unsigned value : host)
    sum = sum * 31 + value;
  std::printf("%08x\n", sum);
  if (count > 1 && std::strcmp(arguments[1], "-") && hetSaveCheckpoint(0, arguments[1])) {
    std::printf("%s\n", hetMigrateError());
    return 1;
  }
  if (!go.empty())
    await(go + ".end");
}
