// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that keep others are used after those were destroyed, in every order.

#include "Support.h"

#include <cuda.h>

#include <algorithm>
#include <functional>
#include <vector>

extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
int __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *,
                           void *, void *, void *, int *);
}

namespace {

/// A graph of a kernel of a module, an event's record and a wait for another event, and
/// all that it was made of.
class Objects {
public:
  Objects() {
    const het::Bytes package = makePackage();
    CUfunction function = nullptr;
    EXPECT_EQ(cuModuleLoadData(&module, package.data()), CUDA_SUCCESS);
    EXPECT_EQ(cuModuleGetFunction(&function, module, "plain"), CUDA_SUCCESS);
    EXPECT_EQ(cudaStreamCreate(&captured), cudaSuccess);
    EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    EXPECT_EQ(cudaEventCreate(&event), cudaSuccess);
    EXPECT_EQ(cudaEventCreate(&other), cudaSuccess);
    EXPECT_EQ(cudaStreamBeginCapture(captured, cudaStreamCaptureModeRelaxed),
              cudaSuccess);
    EXPECT_EQ(cudaEventRecordWithFlags(event, captured, cudaEventRecordExternal),
              cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(captured, other, cudaEventWaitExternal), cudaSuccess);
    launch(function, captured);
    EXPECT_EQ(cudaStreamEndCapture(captured, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  }

  /// Each destroys one of them.
  std::vector<std::function<void()>> destructions() {
    return {[this] { destroyModule(); },
            [this] { EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess); },
            [this] {
              EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
              EXPECT_EQ(cudaEventDestroy(other), cudaSuccess);
            },
            [this] { EXPECT_EQ(cudaStreamDestroy(captured), cudaSuccess); },
            [this] {
              EXPECT_EQ(cudaGraphExecDestroy(std::exchange(exec, nullptr)), cudaSuccess);
            }};
  }

  /// The kernel's code is not hetIR, so a launch fails with that at most.
  void use() {
    if (!exec)
      return;
    cudaError_t expected =
        module ? cudaErrorNoKernelImageForDevice : cudaErrorInvalidResourceHandle;
    const cudaError_t error = cudaGraphLaunch(exec, stream);
    if (module && error == cudaErrorInvalidKernelImage)
      expected = error;
    EXPECT_EQ(error, expected);
    (void)cudaGetLastError();
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  }

  void end() { EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess); }

private:
  static void launch(CUfunction function, cudaStream_t stream) {
    void *memory = nullptr;
    int number = 0;
    void *arguments[] = {&memory, &number};
    EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr),
              CUDA_SUCCESS);
  }

  void destroyModule() {
    EXPECT_EQ(cuModuleUnload(std::exchange(module, nullptr)), CUDA_SUCCESS);
  }

  CUmodule module = nullptr;
  cudaStream_t captured = nullptr, stream = nullptr;
  cudaEvent_t event = nullptr, other = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
};

/// Fills memory that was just given back, so that who still uses it notices.
void disturb() {
  for (size_t size : {64, 128, 192, 256, 384, 512}) {
    std::vector<het::Bytes> blocks;
    for (int count = 0; count < 64; ++count)
      blocks.emplace_back(size, uint8_t(0xdb));
  }
}

} // namespace

TEST(Lifetimes, WhatAGraphWasMadeOfGoesInAnyOrder) {
  ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  ASSERT_EQ(cudaFree(nullptr), cudaSuccess);
  std::vector<size_t> order = {0, 1, 2, 3, 4};
  do {
    Objects objects;
    objects.use();
    const auto destructions = objects.destructions();
    for (size_t next : order) {
      destructions[next]();
      disturb();
      objects.use();
    }
    objects.end();
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Lifetimes, AGraphOutlivesTheLibraryOfItsKernel) {
  static const het::Bytes package = makePackage();
  static const char stub = 0;
  FatBinaryWrapper wrapper;
  wrapper.data = package.data();
  void **handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &stub, nullptr, "plain", -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(handle);
  void *memory = nullptr;
  int number = 0;
  void *arguments[] = {&memory, &number};
  const cudaKernelNodeParams params = {
      const_cast<char *>(&stub), {1, 1, 1}, {1, 1, 1}, 0, arguments, nullptr};
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t exec = nullptr;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  __cudaUnregisterFatBinary(handle);
  disturb();
  cudaKernelNodeParams asked;
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaGraphKernelNodeGetParams(node, &asked));
  testing::internal::CaptureStderr();
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaGraphLaunch(exec, nullptr));
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("kernel plain: its module was unloaded"), std::string::npos) << log;
  // Another kernel takes its place.
  registerPackage();
  cudaKernelNodeParams changed = params;
  changed.func = const_cast<char *>(&boundedStub);
  CUDA_OK(cudaGraphExecKernelNodeSetParams(exec, node, &changed));
  EXPECT_NE(cudaGraphLaunch(exec, nullptr), cudaErrorInvalidResourceHandle);
  (void)cudaGetLastError();
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
}

TEST(Lifetimes, AnEventOfAGraphOutlivesItsHandleAndAReset) {
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  Stream stream;
  cudaEvent_t event = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t exec = nullptr;
  CUDA_OK(cudaEventCreate(&event));
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_OK(cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, event));
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  CUDA_OK(cudaEventDestroy(event));
  disturb();
  CUDA_OK(cudaGraphLaunch(exec, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CUDA_OK(cudaDeviceReset());
  CUDA_FAILS(cudaErrorContextIsDestroyed, cudaGraphLaunch(exec, nullptr));
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

TEST(Lifetimes, ACaptureOutlivesItsGraphAndNodes) {
  for (bool wholeGraph : {false, true}) {
    Stream stream;
    cudaGraph_t graph = nullptr, result = nullptr;
    CUDA_OK(cudaGraphCreate(&graph, 0));
    CUDA_OK(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
                                          cudaStreamCaptureModeRelaxed));
    auto nothing = [](void *) {};
    CUDA_OK(cudaLaunchHostFunc(stream, nothing, nullptr));
    if (wholeGraph) {
      CUDA_OK(cudaGraphDestroy(graph));
    } else {
      cudaGraphNode_t node = nullptr;
      size_t count = 1;
      CUDA_OK(cudaGraphGetNodes(graph, &node, &count));
      CUDA_OK(cudaGraphDestroyNode(node));
    }
    disturb();
    CUDA_FAILS(cudaErrorStreamCaptureInvalidated,
               cudaLaunchHostFunc(stream, nothing, nullptr));
    CUDA_FAILS(cudaErrorStreamCaptureInvalidated,
               cudaStreamUpdateCaptureDependencies(stream, nullptr, 0, 0));
    CUDA_FAILS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &result));
    if (!wholeGraph)
      CUDA_OK(cudaGraphDestroy(graph));
  }
}

TEST(Lifetimes, GraphsOfNodesAndCapturesAreNotThePrograms) {
  cudaGraph_t graph = nullptr, child = nullptr, inner = nullptr, capturing = nullptr;
  cudaGraphNode_t node = nullptr;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_OK(cudaGraphCreate(&child, 0));
  CUDA_OK(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
  CUDA_OK(cudaGraphChildGraphNodeGetGraph(node, &inner));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphDestroy(inner));
  Stream stream;
  cudaStreamCaptureStatus status;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CUDA_OK(cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &capturing, nullptr,
                                      nullptr));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphDestroy(capturing));
  CUDA_OK(cudaStreamEndCapture(stream, &capturing));
  for (cudaGraph_t own : {graph, child, capturing})
    CUDA_OK(cudaGraphDestroy(own));
}
