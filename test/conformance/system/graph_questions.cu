// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a graph's nodes hold, read back and given to another: kernels with their
// arguments, events; and the update of an instantiated graph in its older form.
// CUDA Runtime API: Graph Management.

#include "Inputs/check.h"

__global__ void add(int *cell, int a, short b) { *cell += a * b; }

// A captured graph of one kernel.
static cudaGraph_t capture(int *cell, int a, cudaGraphNode_t *node) {
  cudaStream_t stream;
  cudaGraph_t graph;
  CUDA(cudaStreamCreate(&stream));
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<2, 1, 8, stream>>>(cell, a, 5);
  CUDA(cudaStreamEndCapture(stream, &graph));
  size_t count = 1;
  CUDA(cudaGraphGetNodes(graph, node, &count));
  CHECK_EQ(count, (size_t)1);
  CUDA(cudaStreamDestroy(stream));
  return graph;
}

static void testKernelNode(int *cell) {
  cudaGraphNode_t node, copy;
  cudaGraph_t graph = capture(cell, 7, &node), other;
  cudaKernelNodeParams params;
  CUDA(cudaGraphKernelNodeGetParams(node, &params));
  CHECK_TRUE(params.func == (void *)add);
  CHECK_EQ(params.gridDim.x, 2u);
  CHECK_EQ(params.blockDim.x, 1u);
  CHECK_EQ(params.sharedMemBytes, 8u);
  CHECK_EQ(*(int **)params.kernelParams[0], cell);
  CHECK_EQ(*(int *)params.kernelParams[1], 7);
  CHECK_EQ(*(short *)params.kernelParams[2], (short)5);
  params.gridDim = 1;
  CUDA(cudaGraphCreate(&other, 0));
  CUDA(cudaGraphAddKernelNode(&copy, other, nullptr, 0, &params));

  cudaGraphExec_t exec;
  *cell = 0;
  CUDA(cudaGraphInstantiate(&exec, other, 0));
  CUDA(cudaGraphLaunch(exec, 0));
  CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*cell, 35);

  cudaGraphNode_t failed, again;
  cudaGraphExecUpdateResult result;
  cudaGraph_t third = capture(cell, 1, &again);
  CUDA(cudaGraphExecUpdate(exec, third, &failed, &result));
  CHECK_EQ(result, cudaGraphExecUpdateSuccess);
  CUDA(cudaGraphAddEmptyNode(&again, third, nullptr, 0));
  CUDA_ERROR(cudaGraphExecUpdate(exec, third, &failed, &result),
             cudaErrorGraphExecUpdateFailure);
  CHECK_EQ(result, cudaGraphExecUpdateErrorTopologyChanged);
  CUDA(cudaGraphExecDestroy(exec));
  for (cudaGraph_t one : {graph, other, third})
    CUDA(cudaGraphDestroy(one));
}

static void testEventNodes() {
  cudaEvent_t first, second, found;
  cudaGraph_t graph;
  cudaGraphNode_t record, wait;
  CUDA(cudaEventCreate(&first));
  CUDA(cudaEventCreate(&second));
  CUDA(cudaGraphCreate(&graph, 0));
  CUDA(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, first));
  CUDA(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, first));
  CUDA(cudaGraphEventRecordNodeGetEvent(record, &found));
  CHECK_TRUE(found == first);
  CUDA(cudaGraphEventWaitNodeSetEvent(wait, second));
  CUDA(cudaGraphEventWaitNodeGetEvent(wait, &found));
  CHECK_TRUE(found == second);
  CUDA_ERROR(cudaGraphEventWaitNodeGetEvent(record, &found),
             cudaErrorInvalidValue);
  cudaGraphExec_t exec;
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CUDA(cudaGraphExecEventRecordNodeSetEvent(exec, record, second));
  CUDA(cudaGraphLaunch(exec, 0));
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaEventQuery(second));
  CUDA(cudaGraphExecDestroy(exec));
  CUDA(cudaGraphDestroy(graph));
  CUDA(cudaEventDestroy(first));
  CUDA(cudaEventDestroy(second));
}

__device__ int variable[2];

static void testSymbolNodes() {
  const int first[] = {21, 22}, second[] = {31, 32};
  int back[2] = {};
  cudaGraph_t graph;
  cudaGraphNode_t to, from;
  cudaGraphExec_t exec;
  CUDA(cudaGraphCreate(&graph, 0));
  CUDA(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, variable, first,
                                      sizeof first, 0,
                                      cudaMemcpyHostToDevice));
  CUDA(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, back, variable,
                                        sizeof back, 0,
                                        cudaMemcpyDeviceToHost));
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CUDA(cudaGraphLaunch(exec, 0));
  CUDA(cudaDeviceSynchronize());
  CHECK_EQ(back[0], 21);
  CHECK_EQ(back[1], 22);
  CUDA(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, variable, second, 4,
                                                4, cudaMemcpyHostToDevice));
  CUDA(cudaGraphLaunch(exec, 0));
  CUDA(cudaDeviceSynchronize());
  CHECK_EQ(back[0], 21);
  CHECK_EQ(back[1], 31);
  CUDA_ERROR(cudaGraphMemcpyNodeSetParamsFromSymbol(
                 from, back, variable, 8, 4, cudaMemcpyDeviceToHost),
             cudaErrorInvalidValue);
  CUDA_ERROR(cudaGraphMemcpyNodeSetParamsToSymbol(
                 to, variable, first, 8, 0, cudaMemcpyDeviceToHost),
             cudaErrorInvalidMemcpyDirection);
  CUDA(cudaGraphExecDestroy(exec));
  CUDA(cudaGraphDestroy(graph));
}

int main() {
  int *cell;
  CUDA(cudaMallocManaged(&cell, sizeof *cell));
  testKernelNode(cell);
  testEventNodes();
  testSymbolNodes();
  return check::finish("graph_questions");
}
