// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes of a graph that depend on a condition which kernels set: if, while, switch, one
// inside of another; and memory that a captured graph allocates and frees. CUDA
// Programming Guide: Conditional Graph Nodes, Graph Memory Nodes.

#include "Inputs/check.h"

__global__ void decide(cudaGraphConditionalHandle handle, unsigned value) {
  cudaGraphSetConditional(handle, value);
}

__global__ void countDown(cudaGraphConditionalHandle handle, int *left, int *rounds) {
  ++*rounds;
  cudaGraphSetConditional(handle, --*left > 0);
}

__global__ void store(int *to, int value) { *to = value; }
__global__ void addTo(int *to, const int *what) { *to += *what; }

static cudaGraphNode_t addConditional(cudaGraph_t graph, cudaGraphConditionalHandle handle,
                                      cudaGraphConditionalNodeType type, unsigned size,
                                      const cudaGraphNode_t *after, cudaGraph_t *bodies) {
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = size;
  cudaGraphNode_t node;
  CUDA(cudaGraphAddNode(&node, graph, after, after ? 1 : 0, &params));
  for (unsigned body = 0; body < size; ++body)
    bodies[body] = params.conditional.phGraph_out[body];
  return node;
}

static cudaGraphNode_t addKernel(cudaGraph_t graph, const cudaGraphNode_t *after,
                                 void *kernel, void **arguments) {
  cudaKernelNodeParams params = {kernel, 1, 1, 0, arguments, nullptr};
  cudaGraphNode_t node;
  CUDA(cudaGraphAddKernelNode(&node, graph, after, after ? 1 : 0, &params));
  return node;
}

static void run(cudaGraph_t graph, int times) {
  cudaGraphExec_t exec;
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  for (int launch = 0; launch < times; ++launch)
    CUDA(cudaGraphLaunch(exec, 0));
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaGraphExecDestroy(exec));
  CUDA(cudaGraphDestroy(graph));
}

static void testSwitch(int *cell) {
  for (unsigned value = 0; value < 4; ++value) {
    cudaGraph_t graph, bodies[3];
    cudaGraphConditionalHandle handle;
    CUDA(cudaGraphCreate(&graph, 0));
    CUDA(cudaGraphConditionalHandleCreate(&handle, graph));
    void *decision[] = {&handle, &value};
    cudaGraphNode_t first = addKernel(graph, nullptr, (void *)decide, decision);
    addConditional(graph, handle, cudaGraphCondTypeSwitch, 3, &first, bodies);
    for (int body = 0; body < 3; ++body) {
      int result = 10 + body;
      void *arguments[] = {&cell, &result};
      addKernel(bodies[body], nullptr, (void *)store, arguments);
    }
    *cell = 0;
    run(graph, 1);
    CHECK_EQ(*cell, value < 3 ? 10 + (int)value : 0);
  }
}

// A loop with a choice in it.
static void testWhile(int *cell) {
  cudaGraph_t graph, body, choices[2];
  cudaGraphConditionalHandle loop, choice;
  int *left = cell, *rounds = cell + 1, *chosen = cell + 2;
  *left = 5;
  *rounds = *chosen = 0;
  CUDA(cudaGraphCreate(&graph, 0));
  CUDA(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNode_t node =
      addConditional(graph, loop, cudaGraphCondTypeWhile, 1, nullptr, &body);
  void *arguments[] = {&loop, &left, &rounds};
  node = addKernel(body, nullptr, (void *)countDown, arguments);
  CUDA(cudaGraphConditionalHandleCreate(&choice, body, 1, cudaGraphCondAssignDefault));
  addConditional(body, choice, cudaGraphCondTypeIf, 2, &node, choices);
  int one = 1;
  void *storing[] = {&chosen, &one};
  addKernel(choices[0], nullptr, (void *)store, storing);
  run(graph, 1);
  CHECK_EQ(*left, 0);
  CHECK_EQ(*rounds, 5);
  CHECK_EQ(*chosen, 1);
}

// The body of a condition is captured.
static void testCapture(int *cell) {
  cudaGraph_t graph, body;
  cudaGraphConditionalHandle handle;
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  CUDA(cudaGraphCreate(&graph, 0));
  CUDA(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  addConditional(graph, handle, cudaGraphCondTypeIf, 1, nullptr, &body);
  CUDA(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                     cudaStreamCaptureModeGlobal));
  store<<<1, 1, 0, stream>>>(cell, 21);
  CUDA(cudaStreamEndCapture(stream, nullptr));
  *cell = 0;
  run(graph, 2);
  CHECK_EQ(*cell, 21);
  CUDA(cudaStreamDestroy(stream));
}

static void testMemory(int *cell) {
  cudaStream_t stream;
  cudaGraph_t graph;
  int *memory;
  CUDA(cudaStreamCreate(&stream));
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CUDA(cudaMallocAsync(&memory, 1000, stream));
  store<<<1, 1, 0, stream>>>(memory, 7);
  addTo<<<1, 1, 0, stream>>>(cell, memory);
  CUDA(cudaFreeAsync(memory, stream));
  CUDA(cudaStreamEndCapture(stream, &graph));
  *cell = 0;
  run(graph, 3);
  CHECK_EQ(*cell, 21);
  CUDA(cudaStreamDestroy(stream));
}

int main() {
  int *cell;
  CUDA(cudaMallocManaged(&cell, 4 * sizeof(int)));
  testSwitch(cell);
  testWhile(cell);
  testCapture(cell);
  testMemory(cell);
  CUDA(cudaFree(cell));
  return check::finish("graph_conditions");
}
