// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulation in one kernel that moves from device to device while it runs. Each block
// simulates a ring of cells for many steps; the program only waits, and tells where the
// kernel is. What comes out does not depend on the way:
//
//   hetcc migrate.cu -o migrate
//   ./migrate                                   undisturbed
//   hetrun --hop=20ms:host,host ./migrate       two devices of the host in turn
//   hetrun --hop=20ms:ptx:0,host ./migrate      a GPU and the host
//
// An argument is the number of steps.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <het/migrate.h>
#include <vector>

constexpr int blocks = 64, cells = 256;

__global__ void simulate(unsigned *state, int steps) {
  __shared__ unsigned ring[2][cells];
  int t = threadIdx.x;
  ring[0][t] = state[blockIdx.x * cells + t];
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const unsigned *now = ring[step & 1];
    unsigned left = now[(t + cells - 1) % cells], right = now[(t + 1) % cells];
    unsigned mixed = now[t] * 1664525u + (left ^ (right >> 5)) + step;
    ring[~step & 1][t] = mixed ^ (mixed >> 15);
    __syncthreads();
  }
  state[blockIdx.x * cells + t] = ring[steps & 1][t];
}

static std::atomic<int> moves{0};

// Called by the runtime's thread that moves the device.
static void tellMove(int, const char *from, const char *to, int succeeded, void *) {
  moves += succeeded != 0;
  std::fprintf(stderr, "%s -> %s%s\n", from, to, succeeded ? "" : ": not moved");
}

int main(int count, char **arguments) {
  int steps = count > 1 ? std::atoi(arguments[1]) : 100000;
  bool canMove = hetOnMove(nullptr, tellMove, nullptr) == 0; // under hetrun
  std::vector<unsigned> host(blocks * cells);
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = i * 2654435761u;

  unsigned *state = nullptr;
  size_t bytes = host.size() * sizeof(unsigned);
  cudaMalloc(&state, bytes);
  cudaMemcpy(state, host.data(), bytes, cudaMemcpyHostToDevice);
  simulate<<<blocks, cells>>>(state, steps);
  if (cudaError_t error = cudaDeviceSynchronize()) {
    std::fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
    return 1;
  }
  cudaMemcpy(host.data(), state, bytes, cudaMemcpyDeviceToHost);
  cudaFree(state);

  unsigned digest = 0;
  for (unsigned cell : host)
    digest = digest * 31 + cell;
  if (canMove)
    std::fprintf(stderr, "%d moves\n", moves.load());
  std::printf("digest %08x\n", digest);
}
