// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program makes and destroys again and again leaves nothing behind, in no table of
// the runtime: allocations are counted before and after many times.

#include "Allocations.h"
#include "Support.h"

#include <cuda.h>

#include <functional>
#include <sys/mman.h>
#include <thread>

extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterTexture(void **handle, const textureReference *reference,
                           const void **deviceAddress, const char *deviceName, int type,
                           int mode, int external);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
int __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *,
                           void *, void *, void *, int *);
}

namespace {

/// Does it many times, after some that may make what stays.
void expectNoGrowth(const std::function<void(int)> &cycle) {
  constexpr int first = 300, all = 2000;
  for (int i = 0; i < first; ++i)
    cycle(i);
  CUDA_OK(cudaDeviceSynchronize());
  const long alive = allocationsAlive();
  for (int i = first; i < all && !testing::Test::HasFailure(); ++i)
    cycle(i);
  CUDA_OK(cudaDeviceSynchronize());
  EXPECT_LE(allocationsAlive(), alive);
}

void doNothing(void *) {}

/// A part of a large range for each cycle.
char *placeOf(int cycle) {
  static char *places =
      static_cast<char *>(mmap(nullptr, size_t(1) << 30, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  return places + (size_t(cycle) << 17);
}

} // namespace

TEST(Growth, StreamsAndEvents) {
  expectNoGrowth([](int) {
    Stream stream;
    cudaEvent_t event = nullptr;
    CUDA_OK(cudaEventCreate(&event));
    CUDA_OK(cudaLaunchHostFunc(stream, doNothing, nullptr));
    CUDA_OK(cudaEventRecord(event, stream));
    CUDA_OK(cudaStreamWaitEvent(nullptr, event, 0));
    CUDA_OK(cudaEventDestroy(event));
  });
}

TEST(Growth, StreamsOfThreads) {
  expectNoGrowth([](int) {
    std::thread([] {
      CUDA_OK(cudaLaunchHostFunc(cudaStreamPerThread, doNothing, nullptr));
    }).join();
  });
}

TEST(Growth, Memory) {
  expectNoGrowth([](int cycle) {
    void *device = nullptr, *pinned = nullptr, *ordered = nullptr;
    cudaArray_t array = nullptr;
    const auto format = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindSigned);
    CUDA_OK(cudaMalloc(&device, 1 + cycle % 97 * 64));
    CUDA_OK(cudaMallocHost(&pinned, 1 + cycle % 97));
    CUDA_OK(cudaHostRegister(placeOf(cycle), 4096, 0));
    CUDA_OK(cudaMallocArray(&array, &format, 1 + cycle % 97, 2));
    Stream stream;
    CUDA_OK(cudaMallocAsync(&ordered, 1 + cycle % 97, stream));
    CUDA_OK(cudaFreeAsync(ordered, stream));
    CUDA_OK(cudaFreeArray(array));
    CUDA_OK(cudaHostUnregister(placeOf(cycle)));
    CUDA_OK(cudaFreeHost(pinned));
    CUDA_OK(cudaFree(device));
  });
}

TEST(Growth, Textures) {
  DeviceMemory<float> memory(64);
  const auto format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = 256;
  expectNoGrowth([&](int cycle) {
    const cudaTextureDesc texture = {};
    cudaTextureObject_t object = 0;
    cudaMipmappedArray_t mipmap = nullptr;
    CUDA_OK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
    CUDA_OK(cudaDestroyTextureObject(object));
    const size_t size = 1 + static_cast<size_t>(cycle) % 7;
    CUDA_OK(cudaMallocMipmappedArray(&mipmap, &format, {size, size, 0}, 9, 0));
    CUDA_OK(cudaFreeMipmappedArray(mipmap));
  });
}

/// References of libraries that are opened and closed, each in another place.
TEST(Growth, TextureReferences) {
  const het::Bytes package = makePackage();
  DeviceMemory<float> memory(64);
  const auto format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  static textureReference places[97];
  expectNoGrowth([&](int cycle) {
    FatBinaryWrapper wrapper;
    wrapper.data = package.data();
    const textureReference &reference = places[cycle % 97];
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterTexture(handle, &reference, nullptr, "table", 1, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    CUDA_OK(cudaBindTexture(nullptr, &reference, memory, &format, 256));
    __cudaUnregisterFatBinary(handle);
  });
}

/// Each in another place.
TEST(Growth, Advice) {
  void *kept[4] = {};
  expectNoGrowth([&](int cycle) {
    void *&managed = kept[cycle % 4];
    CUDA_OK(cudaFree(managed));
    CUDA_OK(cudaMallocManaged(&managed, 4096 * (1 + cycle % 97), cudaMemAttachGlobal));
    CUDA_OK(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, 0));
    for (void *&one : kept)
      CUDA_OK(cudaFree(cycle % 100 ? nullptr : std::exchange(one, nullptr)));
  });
  for (void *managed : kept)
    CUDA_OK(cudaFree(managed));
}

/// Each calls with other data.
TEST(Growth, Graphs) {
  DeviceMemory<int> memory(4);
  Stream stream;
  expectNoGrowth([&](int cycle) {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaGraphExec_t exec = nullptr;
    CUDA_OK(cudaGraphCreate(&graph, 0));
    const cudaHostNodeParams call = {doNothing, placeOf(cycle)};
    const cudaMemsetParams fill = {memory, 0, 7, 4, 4, 1};
    CUDA_OK(cudaGraphAddHostNode(&node, graph, nullptr, 0, &call));
    CUDA_OK(cudaGraphAddMemsetNode(&node, graph, &node, 1, &fill));
    CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
    CUDA_OK(cudaGraphLaunch(exec, stream));
    CUDA_OK(cudaGraphExecDestroy(exec));
    CUDA_OK(cudaGraphDestroy(graph));
  });
}

TEST(Growth, Captures) {
  Stream stream;
  expectNoGrowth([&](int cycle) {
    cudaGraph_t graph = nullptr;
    cudaEvent_t event = nullptr;
    CUDA_OK(cudaEventCreate(&event));
    CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CUDA_OK(cudaLaunchHostFunc(stream, doNothing, placeOf(cycle)));
    CUDA_OK(cudaEventRecord(event, stream));
    CUDA_OK(cudaStreamEndCapture(stream, &graph));
    CUDA_OK(cudaGraphDestroy(graph));
    CUDA_OK(cudaEventDestroy(event));
  });
}

TEST(Growth, Modules) {
  const het::Bytes package = makePackage();
  CUDA_OK(cudaFree(nullptr));
  expectNoGrowth([&](int) {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    CUdeviceptr address = 0;
    ASSERT_EQ(cuModuleLoadData(&module, package.data()), CUDA_SUCCESS);
    EXPECT_EQ(cuModuleGetFunction(&function, module, "plain"), CUDA_SUCCESS);
    EXPECT_EQ(cuModuleGetGlobal(&address, nullptr, module, "counter"), CUDA_SUCCESS);
    EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  });
}

TEST(Growth, Contexts) {
  CUDA_OK(cudaFree(nullptr));
  expectNoGrowth([&](int) {
    CUcontext context = nullptr;
    ASSERT_EQ(cuCtxCreate(&context, 0, 1), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxDestroy(context), CUDA_SUCCESS);
  });
}

/// Libraries that are opened and closed, each in another place.
TEST(Growth, Registrations) {
  const het::Bytes package = makePackage();
  expectNoGrowth([&](int cycle) {
    FatBinaryWrapper wrapper;
    wrapper.data = package.data();
    void **handle = __cudaRegisterFatBinary(&wrapper);
    for (int stub = 0; stub < 20; ++stub)
      __cudaRegisterFunction(handle, placeOf(cycle) + stub * 16, nullptr, "plain", -1,
                             nullptr, nullptr, nullptr, nullptr, nullptr);
    __cudaRegisterFatBinaryEnd(handle);
    __cudaUnregisterFatBinary(handle);
  });
}

TEST(Growth, Resets) {
  CUDA_OK(cudaSetDevice(1));
  int cycles = 0;
  expectNoGrowth([&](int) {
    if (++cycles % 10)
      return; // each takes a while
    void *memory = nullptr;
    cudaStream_t stream = nullptr;
    CUDA_OK(cudaMalloc(&memory, 100));
    CUDA_OK(cudaMallocHost(&memory, 100));
    CUDA_OK(cudaStreamCreate(&stream));
    CUDA_OK(cudaDeviceReset());
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  });
  CUDA_OK(cudaSetDevice(0));
}
