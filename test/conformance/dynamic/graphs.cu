// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs that kernels launch: behind the running one, at once, as siblings; the running one
// again; in their order with launches of the kernels; with other arguments later.
// CUDA C++ Programming Guide: Device Graph Launch.
// FLAGS: -rdc=true

#include "Inputs/check.h"

__device__ int count;
__device__ int order[64];

__device__ void note(int what) { order[atomicAdd(&count, 1)] = what; }

__global__ void leaf(int what) { note(what); }

struct Graphs {
  cudaGraphExec_t tail, forgotten, sibling;
};

__global__ void launchThem(Graphs graphs, int *errors) {
  note(1);
  *errors += cudaGraphLaunch(graphs.tail, cudaStreamGraphTailLaunch);
  *errors += cudaGraphLaunch(graphs.forgotten, cudaStreamGraphFireAndForget);
  leaf<<<1, 1>>>(3);
  leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(4);
  // What is none, and what is no way to launch it.
  *errors += cudaGraphLaunch(nullptr, cudaStreamGraphTailLaunch) != cudaErrorInvalidValue;
  *errors += cudaGraphLaunch(graphs.tail, 0) != cudaErrorInvalidValue;
  *errors += cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphFireAndForget) !=
             cudaErrorInvalidValue;
  *errors += cudaGetLastError() != cudaErrorInvalidValue;
}

__global__ void again(int *rounds, int *sum) {
  *sum = *sum * 10 + *rounds;
  if (--*rounds)
    cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

__global__ void outside(cudaGraphExec_t graph, int *out) {
  out[0] = cudaGetCurrentGraphExec() == nullptr;
  out[1] = cudaGraphLaunch(graph, cudaStreamGraphTailLaunch) == cudaErrorInvalidValue;
}

// What is captured of a stream, as a graph that kernels may launch.
template <class Work> cudaGraphExec_t make(cudaStream_t stream, Work work) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  work();
  CUDA(cudaStreamEndCapture(stream, &graph));
  CUDA(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
  CUDA(cudaGraphUpload(exec, stream));
  CUDA(cudaStreamSynchronize(stream));
  CUDA(cudaGraphDestroy(graph));
  return exec;
}

int main() {
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  check::Array<int> errors(1), data(8);
  Graphs graphs = {};
  graphs.tail = make(stream, [&] {
    leaf<<<1, 1, 0, stream>>>(6);
    cudaMemsetAsync(data, 1, sizeof(int), stream);
    cudaMemcpyAsync(data + 1, data, sizeof(int), cudaMemcpyDeviceToDevice, stream);
  });
  graphs.forgotten = make(stream, [&] { leaf<<<1, 1, 0, stream>>>(2); });
  cudaGraphExec_t first = make(stream, [&] {
    launchThem<<<1, 1, 0, stream>>>(graphs, errors);
    leaf<<<1, 1, 0, stream>>>(5);
  });
  CUDA(cudaGraphLaunch(first, stream));
  CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(errors.get()[0], 0);
  int found = 0, list[64] = {};
  CUDA(cudaMemcpyFromSymbol(&found, count, sizeof found));
  CUDA(cudaMemcpyFromSymbol(list, order, sizeof list));
  CHECK_EQ(found, 6);
  for (int i = 0; i < 6; ++i)
    CHECK_AT(i, list[i], i + 1);
  data.get();
  CHECK_EQ(data.host[0], 0x01010101);
  CHECK_EQ(data.host[1], 0x01010101);

  data.host[2] = 5;
  data.host[3] = 0;
  data.put();
  cudaGraphExec_t loop =
      make(stream, [&] { again<<<1, 1, 0, stream>>>(data + 2, data + 3); });
  CUDA(cudaGraphLaunch(loop, stream));
  CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(data.get()[3], 54321);

  outside<<<1, 1>>>(loop, data + 4);
  data.get();
  CHECK_EQ(data.host[4], 1);
  CHECK_EQ(data.host[5], 1);
  for (cudaGraphExec_t exec : {graphs.tail, graphs.forgotten, first, loop})
    CUDA(cudaGraphExecDestroy(exec));
  CUDA(cudaStreamDestroy(stream));
  return check::finish("dynamic/graphs");
}
