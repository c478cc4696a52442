// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OLDEST: sm_90
//
// Programmatic dependent launch: a kernel that may begin before the one in front of it has
// ended waits for what that one writes, in streams and in graphs; and what edges of
// captured graphs say of it. CUDA Programming Guide: Programmatic Dependent Launch and
// Synchronization; CUDA Runtime API: cudaGraphEdgeData.

#include "Inputs/check.h"

constexpr int blocks = 16, threads = 128, count = blocks * threads;
static const int rounds = check::isSlow() ? 2 : 20, many = check::isSlow() ? 4 : 1000;

// Lets the next one begin at once, and then writes for a while.
__global__ void produce(int *data, int from, int steps) {
  cudaTriggerProgrammaticLaunchCompletion();
  const int i = blockIdx.x * threads + threadIdx.x;
  int value = from + i;
  for (int step = 0; step < steps; ++step)
    value = (value * 1103515245 + 12345) & 0x7fffffff;
  data[i] = steps ? value : from + i;
}

// Each thread reads what a thread of another block has written. The pointer is one that a
// compiler would like to read early.
__global__ void consume(const int *__restrict__ data, int *__restrict__ out, int *early) {
  const int i = blockIdx.x * threads + threadIdx.x;
  early[i] = i; // is not the earlier kernel's
  cudaGridDependencySynchronize();
  out[i] = __ldg(data + (count - 1 - i)) + early[i];
}

// The same in PTX, without a clobber.
__global__ void consumeByPtx(const int *data, int *out, int *early) {
  const int i = blockIdx.x * threads + threadIdx.x;
  early[i] = i;
  asm volatile("griddepcontrol.wait;");
  out[i] = data[count - 1 - i] + early[i];
  asm volatile("griddepcontrol.launch_dependents;");
}

static int expected(int i, int from, int steps) {
  int value = from + count - 1 - i;
  for (int step = 0; step < steps; ++step)
    value = int((unsigned(value) * 1103515245u + 12345u) & 0x7fffffff);
  return value + i;
}

template <class Kernel, class... Arguments>
static void launch(cudaStream_t stream, bool isProgrammatic, Kernel kernel,
                   Arguments... arguments) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = isProgrammatic;
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA(cudaLaunchKernelEx(&config, kernel, arguments...));
}

struct Memory {
  int *data, *out, *early;
  std::vector<int> found = std::vector<int>(count);

  Memory() {
    for (int **each : {&data, &out, &early})
      CUDA(cudaMalloc(each, count * sizeof(int)));
  }
  ~Memory() {
    for (int *each : {data, out, early})
      CUDA(cudaFree(each));
  }
  void check(cudaStream_t stream, int from, int steps) {
    CUDA(cudaMemcpyAsync(found.data(), out, count * sizeof(int), cudaMemcpyDeviceToHost,
                         stream));
    CUDA(cudaStreamSynchronize(stream));
    for (int i = 0; i < count; ++i)
      CHECK_AT(i, found[i], expected(i, from, steps));
  }
};

static void testStreams(cudaStream_t stream) {
  Memory memory;
  for (int round = 0; round < rounds; ++round) {
    launch(stream, true, produce, memory.data, round, many);
    if (round % 2)
      launch(stream, true, consume, memory.data, memory.out, memory.early);
    else
      launch(stream, true, consumeByPtx, memory.data, memory.out, memory.early);
    memory.check(stream, round, many);
  }
  // Many in a row: each waits for the one before it.
  for (int round = 0; round < rounds; ++round) {
    launch(stream, false, produce, memory.data, round, 100);
    launch(stream, true, consume, memory.data, memory.out, memory.early);
  }
  memory.check(stream, rounds - 1, 100);
}

// Memory of the pool that the earlier kernel still reads is not given to one that begins
// before its end.
static void testPool(cudaStream_t stream) {
  Memory memory;
  for (int round = 0; round < rounds; ++round) {
    int *first = nullptr, *second = nullptr;
    CUDA(cudaMallocAsync(&first, count * sizeof(int), stream));
    launch(stream, false, produce, first, round, 10);
    launch(stream, true, consume, first, memory.out, memory.early);
    CUDA(cudaFreeAsync(first, stream));
    CUDA(cudaMallocAsync(&second, count * sizeof(int), stream));
    launch(stream, true, consume, memory.out, memory.data, second);
    CUDA(cudaFreeAsync(second, stream));
    memory.check(stream, round, 10);
  }
}

static void testGraphs(cudaStream_t stream) {
  Memory memory;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch(stream, false, produce, memory.data, 3, many);
  launch(stream, true, consume, memory.data, memory.out, memory.early);
  CUDA(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t from[2], to[2];
  cudaGraphEdgeData edges[2];
  size_t edgeCount = 2;
  CUDA(cudaGraphGetEdges_v2(graph, from, to, edges, &edgeCount));
  CHECK_EQ(edgeCount, size_t(1));
  CHECK_EQ(edges[0].from_port, (unsigned char)cudaGraphKernelNodePortProgrammatic);
  CHECK_EQ(edges[0].to_port, (unsigned char)0);
  CHECK_EQ(edges[0].type, (unsigned char)cudaGraphDependencyTypeProgrammatic);
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  for (int round = 0; round < rounds; ++round) {
    CUDA(cudaMemsetAsync(memory.data, 0, count * sizeof(int), stream));
    CUDA(cudaGraphLaunch(exec, stream));
    memory.check(stream, 3, many);
  }
  CUDA(cudaGraphExecDestroy(exec));
  CUDA(cudaGraphDestroy(graph));
}

int main() {
  cudaStream_t stream;
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  testStreams(stream);
  testStreams(nullptr);
  testPool(stream);
  testGraphs(stream);
  CUDA(cudaStreamDestroy(stream));
  return check::finish("dependent_launch");
}
