// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the API where there is no memory for the runtime's own data: no exception
// comes out of them, since programs may be in C, the same calls succeed later, and what
// they had made before they failed is not lost.

#include "Allocations.h"
#include "Support.h"

#include <cuda.h>

#include <functional>
#include <utility>
#include <vector>

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
      allocationsLeft = 0;
      try {
        error = one.call();
      } catch (...) {
        error = -2;
      }
      allocationsLeft = -1;
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

/// A call that makes something, and the one that destroys it.
struct Pair {
  const char *name;
  std::function<int()> make, destroy;
};

/// Makes it with room for 0, 1, 2, … allocations until that is enough. It is destroyed
/// with little room, too, and may have to be once more.
void makeWithLittleMemory(const Pair &pair) {
  long left = 0;
  for (long room = 0; left == 0 || room < 8; ++room) {
    allocationsLeft = room;
    const int error = pair.make();
    left = std::exchange(allocationsLeft, -1);
    if (error) {
      EXPECT_EQ(left, 0) << pair.name;
    } else {
      allocationsLeft = room % 4;
      const int refused = pair.destroy();
      allocationsLeft = -1;
      if (refused)
        EXPECT_EQ(pair.destroy(), cudaSuccess) << pair.name;
    }
    cudaGetLastError();
  }
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

size_t freeMemory() {
  size_t free = 0, total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  return free;
}

#define PAIR(make, ...)                                                                  \
  {#make, [&] { return int(make); }, [&] { return int(__VA_ARGS__); }}

TEST_F(OutOfMemory, LosesNothing) {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  cudaArray_t array = nullptr;
  cudaGraph_t other = nullptr;
  cudaGraphExec_t exec = nullptr;
  CUmodule module = nullptr;
  CUcontext context = nullptr;
  void *pointer = nullptr;
  alignas(4096) static char buffer[8192];
  const auto format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  cudaMipmappedArray_t mipmap = nullptr;
  cudaTextureObject_t texture = 0;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = 4096;
  const cudaTextureDesc sampling = {};
  const het::Bytes package = makePackage();
  const Pair pairs[] = {
      PAIR(cudaStreamCreate(&stream), cudaStreamDestroy(stream)),
      PAIR(cudaEventCreate(&event), cudaEventDestroy(event)),
      PAIR(cudaMalloc(&pointer, 100), cudaFree(pointer)),
      PAIR(cudaMalloc(&pointer, 5 << 20), cudaFree(pointer)),
      PAIR(cudaMallocHost(&pointer, 100), cudaFreeHost(pointer)),
      PAIR(cudaHostRegister(buffer, 8192, 0), cudaHostUnregister(buffer)),
      PAIR(cudaMallocManaged(&pointer, 5 << 20, cudaMemAttachGlobal), cudaFree(pointer)),
      PAIR(cudaMallocAsync(&pointer, 5 << 20, nullptr), cudaFree(pointer)),
      PAIR(cudaMallocArray(&array, &format, 8, 8), cudaFreeArray(array)),
      PAIR(cudaMallocArray(&array, &format, 1 << 10, 1 << 10), cudaFreeArray(array)),
      PAIR(cudaMallocMipmappedArray(&mipmap, &format, {64, 64, 0}, 5, 0),
           cudaFreeMipmappedArray(mipmap)),
      PAIR(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr),
           cudaDestroyTextureObject(texture)),
      PAIR(cudaGraphClone(&other, graph), cudaGraphDestroy(other)),
      PAIR(cudaGraphInstantiate(&exec, graph, 0), cudaGraphExecDestroy(exec)),
      PAIR(cuModuleLoadData(&module, package.data()), cuModuleUnload(module)),
      PAIR(cuCtxCreate(&context, 0, 0), cuCtxDestroy(context)),
  };
  for (const Pair &pair : pairs) {
    makeWithLittleMemory(pair); // what stays for ever is made
    const long alive = allocationsAlive();
    const size_t free = freeMemory();
    makeWithLittleMemory(pair);
    EXPECT_EQ(allocationsAlive(), alive) << pair.name;
    EXPECT_EQ(freeMemory(), free) << pair.name;
  }
}

} // namespace
