// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holding a kernel in its middle, on the host, whose devices' memory a program reaches by
// itself: what is tried with a kernel under way does not depend on how long it runs.
#include <thread>

struct Hold {
  unsigned begun, released; // in the device's memory
};

/// The thread that waits for the program; its block waits for it at a barrier.
__device__ void holdHere(volatile Hold *hold) {
  atomicAdd(const_cast<unsigned *>(&hold->begun), 1);
  while (!hold->released)
    ;
}

static Hold *makeHold(bool isReleased) {
  Hold *hold;
  const Hold contents = {0, isReleased};
  cudaMalloc(&hold, sizeof(Hold));
  cudaMemcpy(hold, &contents, sizeof(Hold), cudaMemcpyHostToDevice);
  return hold;
}

static void awaitBegun(const volatile Hold *hold) {
  while (!hold->begun)
    std::this_thread::yield();
}
