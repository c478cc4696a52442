// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of what kernels launch: in one stream, between streams with events, tail
// launches behind everything, fire and forget. A child is done when all that it has launched
// is; a tail launch of a tail launch comes before the next of the first grid.
// CUDA C++ Programming Guide: CUDA Dynamic Parallelism, Streams and Events.
// FLAGS: -rdc=true

#include "Inputs/check.h"

__device__ int count;
__device__ int order[64];

__device__ void note(int what) { order[atomicAdd(&count, 1)] = what; }

__global__ void leaf(int what) { note(what); }

__global__ void branch(int what) {
  note(what);
  leaf<<<1, 1>>>(what + 1);
  leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(what + 3);
  leaf<<<1, 1>>>(what + 2);
}

__global__ void nullStream() {
  branch<<<1, 1>>>(10);
  leaf<<<1, 1>>>(20);
  note(0);
}

__global__ void tails() {
  branch<<<1, 1, 0, cudaStreamTailLaunch>>>(30);
  leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(40);
  leaf<<<1, 1>>>(10);
  leaf<<<1, 1, 0, cudaStreamFireAndForget>>>(10);
  leaf<<<1, 1, 0, cudaStreamFireAndForget>>>(10);
}

// Its child waits for the other stream's by an event.
__global__ void events(int *errors) {
  cudaStream_t first, second;
  cudaEvent_t done;
  *errors += cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  *errors += cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  *errors += cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  *errors += first == second;
  branch<<<1, 1, 0, first>>>(10);
  *errors += cudaEventRecord(done, first);
  *errors += cudaStreamWaitEvent(second, done, 0);
  leaf<<<1, 1, 0, second>>>(20);
  *errors += cudaEventDestroy(done);
  *errors += cudaStreamDestroy(first);
  *errors += cudaStreamDestroy(second);
  *errors += cudaGetLastError();
}

// The block's threads launch into one stream of their own, in the order that they agree on.
__global__ void oneAfterAnother() {
  for (unsigned turn = 0; turn < blockDim.x; ++turn) {
    if (threadIdx.x == turn)
      leaf<<<1, 1>>>(turn);
    __syncthreads();
  }
}

template <class Launch>
void expect(int line, std::vector<int> wanted, Launch launch) {
  int zero = 0;
  CUDA(cudaMemcpyToSymbol(count, &zero, sizeof zero));
  launch();
  CUDA_DONE();
  int found = 0;
  std::vector<int> list(64);
  CUDA(cudaMemcpyFromSymbol(&found, count, sizeof found));
  CUDA(cudaMemcpyFromSymbol(list.data(), order, sizeof(int) * 64));
  CHECK_AT(line, found, (int)wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i)
    CHECK_AT(line * 100 + i, list[i], wanted[i]);
}

int main() {
  expect(1, {0, 10, 11, 12, 13, 20}, [] { nullStream<<<1, 1>>>(); });
  expect(2, {10, 10, 10, 30, 31, 32, 33, 40}, [] { tails<<<1, 1>>>(); });
  check::Array<int> errors(1);
  expect(3, {10, 11, 12, 13, 20}, [&] { events<<<1, 1>>>(errors); });
  CHECK_EQ(errors.get()[0], 0);
  std::vector<int> turns;
  for (int i = 0; i < 20; ++i)
    turns.push_back(i);
  expect(4, turns, [] { oneAfterAnother<<<1, 20>>>(); });
  return check::finish("dynamic/order");
}
