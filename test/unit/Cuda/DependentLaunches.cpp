// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that need not wait for the one before them (programmatic dependent launch).

#include "Support.h"

static void increment(void *counter) { ++*static_cast<int *>(counter); }

// A kernel that need not wait for the one before it has such an edge from that: from one
// kernel, not from anything else.
TEST(DependentLaunches, HaveProgrammaticEdges) {
  registerPackage();
  Stream stream;
  int *pointer = nullptr, value = 0, counter = 0;
  void *arguments[] = {&pointer, &value};
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  cudaLaunchConfig_t config = {1, 1, 0, stream, &attribute, 1};
  const auto launch = [&](int isAllowed) {
    attribute.val.programmaticStreamSerializationAllowed = isAllowed;
    CUDA_OK(cudaLaunchKernelExC(&config, &plainStub, arguments));
  };
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch(1);
  launch(1);
  launch(0);
  CUDA_OK(cudaLaunchHostFunc(stream, increment, &counter));
  launch(1);
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t from[8], to[8];
  cudaGraphEdgeData edges[8];
  size_t count = 8;
  CUDA_OK(cudaGraphGetEdges_v2(graph, from, to, edges, &count));
  ASSERT_EQ(count, 4u);
  for (size_t index = 0; index < count; ++index) {
    EXPECT_EQ(edges[index].type, index == 0 ? cudaGraphDependencyTypeProgrammatic
                                            : cudaGraphDependencyTypeDefault);
    EXPECT_EQ(edges[index].from_port, index == 0 ? cudaGraphKernelNodePortProgrammatic
                                                 : cudaGraphKernelNodePortDefault);
  }
  cudaGraphExec_t exec = nullptr;
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
}
