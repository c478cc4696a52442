// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch is complete when all that its kernel has launched is: for its stream, for other
// streams by events, for host functions, in graphs and captures.
// CUDA C++ Programming Guide: CUDA Dynamic Parallelism, Parent and Child Grids.
// FLAGS: -rdc=true

#include "Inputs/check.h"

__global__ void add(int *out, int value, int rounds) {
  for (volatile int i = 0; i < rounds; ++i)
    ;
  atomicAdd(out, value);
}

__global__ void parent(int *out, int rounds) {
  add<<<1, 1>>>(out, 1, rounds);
  add<<<2, 1, 0, cudaStreamFireAndForget>>>(out, 10, rounds);
  add<<<1, 1, 0, cudaStreamTailLaunch>>>(out, 100, rounds);
}

__global__ void copy(int *to, const int *from) { *to = *from; }

static void see(void *data) {
  auto **pair = static_cast<int **>(data);
  *pair[0] = *pair[1];
}

int main() {
  const int rounds = 20000;
  check::Array<int> out(1), seen(4);
  cudaStream_t first, second;
  cudaEvent_t event;
  CUDA(cudaStreamCreate(&first));
  CUDA(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CUDA(cudaEventCreate(&event));

  parent<<<1, 1, 0, first>>>(out, rounds);
  copy<<<1, 1, 0, first>>>(seen, out);
  parent<<<1, 1, 0, first>>>(out, rounds);
  CUDA(cudaEventRecord(event, first));
  CUDA(cudaStreamWaitEvent(second, event, 0));
  copy<<<1, 1, 0, second>>>(seen + 1, out);
  CUDA(cudaStreamSynchronize(second));
  seen.get();
  CHECK_EQ(seen.host[0], 121);
  CHECK_EQ(seen.host[1], 242);

  int *mapped = nullptr, found = 0;
  CUDA(cudaHostAlloc(&mapped, sizeof(int), cudaHostAllocMapped));
  *mapped = 0;
  int *pair[2] = {&found, mapped};
  parent<<<1, 1, 0, second>>>(mapped, rounds);
  CUDA(cudaLaunchHostFunc(second, see, pair));
  CUDA(cudaStreamSynchronize(second));
  CHECK_EQ(found, 121);

  // As a captured launch, and again with other arguments.
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CUDA(cudaMemset(out, 0, sizeof(int)));
  CUDA(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  parent<<<1, 1, 0, first>>>(out, rounds);
  copy<<<1, 1, 0, first>>>(seen + 2, out);
  CUDA(cudaStreamEndCapture(first, &graph));
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 1; i <= 3; ++i) {
    CUDA(cudaGraphLaunch(exec, first));
    CUDA(cudaStreamSynchronize(first));
    CHECK_EQ(seen.get()[2], i * 121);
  }
  CUDA(cudaGraphExecDestroy(exec));
  CUDA(cudaGraphDestroy(graph));

  // Two streams whose kernels launch.
  CUDA(cudaMemset(out, 0, sizeof(int)));
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 3; ++i) {
    parent<<<1, 1, 0, first>>>(out, 0);
    parent<<<1, 1, 0, second>>>(out, 0);
  }
  CHECK_EQ(out.get()[0], 6 * 121);
  CUDA(cudaFreeHost(mapped));
  CUDA(cudaEventDestroy(event));
  CUDA(cudaStreamDestroy(first));
  CUDA(cudaStreamDestroy(second));
  return check::finish("dynamic/completion");
}
