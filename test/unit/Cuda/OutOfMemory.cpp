// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the API where there is no memory for the runtime's own data: no exception
// comes out of them, since programs may be in C, and the same calls succeed later. A
// program of its own, whose operator new fails on demand.

#include "Support.h"

#include <cuda.h>

#include <cstdlib>
#include <functional>
#include <new>
#include <utility>
#include <vector>

static thread_local bool hasNoMemory = false;

void *operator new(size_t size) {
  void *memory = hasNoMemory ? nullptr : std::malloc(size);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

namespace {

struct Call {
  const char *name;
  std::function<int()> call;
};

struct OutOfMemory : testing::Test {
  void SetUp() override {
    registerPackage();
    ASSERT_EQ(cudaFree(nullptr), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&memory, 4096), cudaSuccess);
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  }

  /// Each may succeed without memory; it must with.
  static void check(const std::vector<Call> &calls) {
    for (const Call &one : calls) {
      int error = -1;
      hasNoMemory = true;
      try {
        error = one.call();
      } catch (...) {
        error = -2;
      }
      hasNoMemory = false;
      EXPECT_TRUE(error == cudaSuccess || error == cudaErrorMemoryAllocation)
          << one.name << ": " << error;
      cudaGetLastError();
      EXPECT_EQ(one.call(), cudaSuccess) << one.name;
    }
  }

  void *memory = nullptr;
  cudaGraph_t graph = nullptr;
};

#define CALL(...) {#__VA_ARGS__, [&] { return int(__VA_ARGS__); }}

TEST_F(OutOfMemory, IsAnErrorOfTheRuntimeAPI) {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  cudaGraph_t other = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaArray_t array = nullptr;
  void *pointer = nullptr, *another = nullptr;
  int host[64] = {}, value = 0;
  size_t size = 0;
  const auto format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  const cudaHostNodeParams params = {[](void *) {}, nullptr};
  auto nothing = [](void *) {};
  ASSERT_EQ(cudaMallocAsync(&another, 100, nullptr), cudaSuccess);
  check({
      CALL(cudaStreamCreate(&stream)),
      CALL(cudaEventCreate(&event)),
      CALL(cudaMalloc(&pointer, 100)),
      CALL(cudaMalloc(&pointer, 1 << 20)),
      CALL(cudaMallocHost(&pointer, 100)),
      CALL(cudaMallocManaged(&pointer, 100, cudaMemAttachGlobal)),
      CALL(cudaMallocAsync(&pointer, 100, stream)),
      CALL(cudaFreeAsync(std::exchange(pointer, another), stream)),
      CALL(cudaMallocArray(&array, &format, 8, 8)),
      CALL(cudaMemcpyAsync(memory, host, 256, cudaMemcpyHostToDevice, stream)),
      CALL(cudaMemcpy(host, memory, 256, cudaMemcpyDeviceToHost)),
      CALL(cudaMemsetAsync(memory, 0, 256, stream)),
      CALL(cudaLaunchHostFunc(stream, nothing, nullptr)),
      CALL(cudaEventRecord(event, stream)),
      CALL(cudaStreamWaitEvent(stream, event, 0)),
      CALL(cudaStreamSynchronize(stream)),
      CALL(cudaStreamSynchronize(nullptr)),
      CALL(cudaStreamSynchronize(cudaStreamPerThread)),
      CALL(cudaDeviceSynchronize()),
      CALL(cudaGetSymbolSize(&size, counterShadow)),
      CALL(cudaMemcpyFromSymbol(&value, counterShadow, 4)),
      CALL(cudaGraphCreate(&other, 0)),
      CALL(cudaGraphAddEmptyNode(&node, graph, nullptr, 0)),
      CALL(cudaGraphAddHostNode(&node, graph, &node, 1, &params)),
      CALL(cudaGraphClone(&other, graph)),
      CALL(cudaGraphInstantiate(&exec, graph, 0)),
      CALL(cudaGraphLaunch(exec, stream)),
      CALL(cudaStreamSynchronize(stream)),
  });
}

TEST_F(OutOfMemory, IsAnErrorOfTheDriverAPI) {
  const het::Bytes package = makePackage();
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr address = 0;
  CUcontext context = nullptr;
  CUstream stream = nullptr;
  check({
      CALL(cuCtxCreate(&context, 0, 1)),
      CALL(cuModuleLoadData(&module, package.data())),
      CALL(cuModuleGetFunction(&function, module, "bounded")),
      CALL(cuModuleGetGlobal(&address, nullptr, module, "counter")),
      CALL(cuStreamCreate(&stream, 0)),
      CALL(cuMemAlloc(&address, 64)),
      CALL(cuMemsetD8(address, 0, 64)),
  });
}

} // namespace
