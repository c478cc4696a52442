// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel by its handle instead of its name: cudaGetFuncBySymbol, cudaGetKernel,
// launches of the driver API, in parts and with attributes. CUDA Runtime API: Execution
// Control; CUDA Driver API: Execution Control.

#include "Inputs/check.h"

#include <cuda.h>

__global__ void add(int *cell, int a, float b) { atomicAdd(cell, a + (int)b); }

static void testHandles(int *cell) {
  cudaFunction_t function;
  cudaKernel_t kernel;
  CUDA(cudaGetFuncBySymbol(&function, (const void *)add));
  CUDA(cudaGetKernel(&kernel, (const void *)add));
  int a = 3;
  float b = 4;
  void *arguments[] = {&cell, &a, &b};
  *cell = 0;
  CUDA(cudaLaunchKernel((const void *)kernel, 2, 1, arguments, 0, 0));
  CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*cell, 14);
  CHECK_EQ(cuLaunchKernel(function, 3, 1, 1, 2, 1, 1, 0, 0, arguments, 0), CUDA_SUCCESS);
  CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*cell, 14 + 42);
  CHECK_EQ(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0),
           CUDA_SUCCESS);
  CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*cell, 63);
}

static void testParts(int *cell) {
  cudaFunction_t function;
  CUDA(cudaGetFuncBySymbol(&function, (const void *)add));
  *cell = 0;
  CHECK_EQ(cuFuncSetBlockShape(function, 2, 1, 1), CUDA_SUCCESS);
  CHECK_EQ(cuFuncSetSharedSize(function, 16), CUDA_SUCCESS);
  CHECK_EQ(cuParamSetv(function, 0, &cell, sizeof(cell)), CUDA_SUCCESS);
  CHECK_EQ(cuParamSeti(function, 8, 5), CUDA_SUCCESS);
  CHECK_EQ(cuParamSetf(function, 12, 6), CUDA_SUCCESS);
  CHECK_EQ(cuParamSetSize(function, 16), CUDA_SUCCESS);
  CHECK_EQ(cuLaunch(function), CUDA_SUCCESS);
  CHECK_EQ(cuLaunchGrid(function, 2, 2), CUDA_SUCCESS);
  CHECK_EQ(cuLaunchGridAsync(function, 1, 1, 0), CUDA_SUCCESS);
  CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*cell, 6 * 2 * 11);
}

static void testAttributes(int *cell) {
  cudaEvent_t event;
  CUDA(cudaEventCreate(&event));
  cudaLaunchAttribute attributes[4] = {};
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributeProgrammaticEvent;
  attributes[1].val.programmaticEvent.event = event;
  attributes[2].id = cudaLaunchAttributePriority;
  attributes[2].val.priority = -1;
  attributes[3].id = cudaLaunchAttributeClusterDimension;
  attributes[3].val.clusterDim.x = attributes[3].val.clusterDim.y =
      attributes[3].val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 4;
  config.blockDim = 1;
  config.attrs = attributes;
  config.numAttrs = 4;
  *cell = 0;
  CUDA(cudaLaunchKernelEx(&config, add, cell, 1, 1.0f));
  CUDA(cudaEventSynchronize(event));
  CHECK_EQ(*cell, 8);
  int clusters = 0, size = 0;
  CUDA(cudaOccupancyMaxActiveClusters(&clusters, (const void *)add, &config));
  CHECK_TRUE(clusters > 0);
  CUDA(cudaOccupancyMaxPotentialClusterSize(&size, (const void *)add, &config));
  CHECK_TRUE(size >= 1);

  // The driver's form of the same.
  cudaFunction_t function;
  CUDA(cudaGetFuncBySymbol(&function, (const void *)add));
  CUlaunchAttribute cooperative = {};
  cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  CUlaunchConfig driver = {};
  driver.gridDimX = 2;
  driver.gridDimY = driver.gridDimZ = 1;
  driver.blockDimX = driver.blockDimY = driver.blockDimZ = 1;
  driver.attrs = &cooperative;
  driver.numAttrs = 1;
  int a = 5;
  float b = 5;
  void *arguments[] = {&cell, &a, &b};
  CHECK_EQ(cuLaunchKernelEx(&driver, function, arguments, 0), CUDA_SUCCESS);
  CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*cell, 28);
  CHECK_EQ(cuLaunchKernelEx(&driver, 0, arguments, 0), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQ(cuOccupancyMaxActiveClusters(&clusters, function, &driver), CUDA_SUCCESS);
  CHECK_EQ(cuOccupancyMaxPotentialClusterSize(&size, function, &driver), CUDA_SUCCESS);
  config.numAttrs = 1;
  config.attrs->id = (cudaLaunchAttributeID)99;
  CUDA_ERROR(cudaLaunchKernelExC(&config, (const void *)add, arguments),
             cudaErrorInvalidValue);
  CUDA(cudaEventDestroy(event));
}

// Attributes of a launch become those of its node.
static void testNodeAttributes(int *cell) {
  cudaStream_t stream;
  cudaGraph_t graph;
  CUDA(cudaStreamCreate(&stream));
  cudaLaunchAttribute priority = {};
  priority.id = cudaLaunchAttributePriority;
  priority.val.priority = -2;
  cudaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = 1;
  config.stream = stream;
  config.attrs = &priority;
  config.numAttrs = 1;
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CUDA(cudaLaunchKernelEx(&config, add, cell, 1, 1.0f));
  add<<<1, 1, 0, stream>>>(cell, 1, 2);
  CUDA(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t nodes[2];
  size_t count = 2;
  CUDA(cudaGraphGetNodes(graph, nodes, &count));
  cudaLaunchAttributeValue value;
  CUDA(cudaGraphKernelNodeGetAttribute(nodes[0], cudaLaunchAttributePriority, &value));
  CHECK_EQ(value.priority, -2);
  CUDA(cudaGraphKernelNodeGetAttribute(nodes[1], cudaLaunchAttributePriority, &value));
  CHECK_EQ(value.priority, 0);
  CUDA(cudaGraphKernelNodeCopyAttributes(nodes[1], nodes[0]));
  CUDA(cudaGraphKernelNodeGetAttribute(nodes[1], cudaLaunchAttributePriority, &value));
  CHECK_EQ(value.priority, -2);
  value.cooperative = 1;
  CUDA(cudaGraphKernelNodeSetAttribute(nodes[1], cudaLaunchAttributeCooperative, &value));
  CUDA(cudaGraphKernelNodeGetAttribute(nodes[1], cudaLaunchAttributeCooperative, &value));
  CHECK_EQ(value.cooperative, 1);
  CUDA_ERROR(cudaGraphKernelNodeGetAttribute(
                 nodes[0], cudaLaunchAttributeSynchronizationPolicy, &value),
             cudaErrorInvalidValue);
  CUDA(cudaGraphDestroy(graph));
  CUDA(cudaStreamDestroy(stream));
}

int main() {
  int *cell;
  CUDA(cudaMallocManaged(&cell, sizeof(int)));
  testHandles(cell);
  testParts(cell);
  testAttributes(cell);
  testNodeAttributes(cell);
  CUDA(cudaFree(cell));
  return check::finish("kernel_handles");
}
