// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers of OpenGL: what goes to the device and back, in which order, and what is
// refused. Skipped where EGL gives no context.

#include "../../conformance/Inputs/offscreen_gl.h"
#include "DriverSupport.h"

#include <cudaGL.h>
#include <cuda_gl_interop.h>

namespace {

constexpr unsigned arrayBuffer = 0x8892, copyReadBuffer = 0x8F36;

/// Has a context, and a buffer of four numbers.
struct OpenGLTest : testing::Test {
  OpenGLTest() {
    if (!gl.lack()) {
      buffer = makeBuffer();
      fill({1, 2, 3, 4});
    }
  }
  void SetUp() override {
    if (gl.lack())
      GTEST_SKIP() << gl.lack();
    CUDA_OK(cudaFree(nullptr));
  }

  unsigned makeBuffer() {
    unsigned name = 0;
    gl.call("glGenBuffers", 1, &name);
    return name;
  }
  void fill(const std::vector<int> &content) {
    gl.call("glBindBuffer", arrayBuffer, buffer);
    gl.call("glBufferData", arrayBuffer, intptr_t(content.size() * sizeof(int)),
            content.data(), 0x88E4u);
  }
  std::vector<int> content(size_t count = 4) {
    std::vector<int> result(count);
    gl.call("glBindBuffer", arrayBuffer, buffer);
    gl.call("glGetBufferSubData", arrayBuffer, intptr_t(0), intptr_t(count * sizeof(int)),
            result.data());
    return result;
  }
  int get(unsigned name) {
    int value = 0;
    gl.call("glGetIntegerv", name, &value);
    return value;
  }

  OffscreenGL gl;
  unsigned buffer = 0;
};

std::vector<int> onDevice(const void *pointer, size_t count = 4) {
  std::vector<int> result(count);
  EXPECT_EQ(cudaMemcpy(result.data(), pointer, count * sizeof(int), cudaMemcpyDefault),
            cudaSuccess);
  return result;
}

void setOnDevice(void *pointer, const std::vector<int> &content) {
  EXPECT_EQ(cudaMemcpy(pointer, content.data(), content.size() * sizeof(int),
                       cudaMemcpyDefault),
            cudaSuccess);
}

using Numbers = std::vector<int>;

} // namespace

TEST(OpenGL, NeedsAContext) {
  const bool isLoaded = dlopen("libEGL.so.1", RTLD_NOW | RTLD_NOLOAD) ||
                        dlopen("libGLX.so.0", RTLD_NOW | RTLD_NOLOAD);
  const cudaError_t expected =
      isLoaded ? cudaErrorInvalidGraphicsContext : cudaErrorOperatingSystem;
  cudaGraphicsResource_t resource = nullptr;
  CUgraphicsResource driverResource = nullptr;
  CUcontext context = nullptr;
  unsigned count = 0;
  int devices[2] = {};
  CUDA_FAILS(expected, cudaGraphicsGLRegisterBuffer(&resource, 1, 0));
  CUDA_FAILS(expected, cudaGraphicsGLRegisterImage(&resource, 1, 0x0DE1, 0));
  CUDA_FAILS(expected, cudaGLGetDevices(&count, devices, 2, cudaGLDeviceListAll));
  CUDA_FAILS(expected, cudaGLRegisterBufferObject(1));
  EXPECT_EQ(cuGLInit(), static_cast<CUresult>(expected));
  EXPECT_EQ(cuGLCtxCreate(&context, 0, 0), static_cast<CUresult>(expected));
  EXPECT_EQ(cuGraphicsGLRegisterBuffer(&driverResource, 1, 0),
            static_cast<CUresult>(expected));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphicsMapResources(0, nullptr, nullptr));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphicsMapResources(1, nullptr, nullptr));
  CUDA_FAILS(cudaErrorInvalidResourceHandle,
             cudaGraphicsMapResources(1, &resource, nullptr));
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaGraphicsUnregisterResource(nullptr));
}

TEST_F(OpenGLTest, BuffersGoThereAndBack) {
  cudaGraphicsResource_t resource = nullptr;
  void *pointer = nullptr;
  size_t size = 0;
  CUDA_OK(cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsNone));
  CUDA_OK(cudaGraphicsMapResources(1, &resource));
  CUDA_OK(cudaGraphicsResourceGetMappedPointer(&pointer, &size, resource));
  EXPECT_EQ(size, 16u);
  EXPECT_EQ(onDevice(pointer), Numbers({1, 2, 3, 4}));
  setOnDevice(pointer, {5, 6, 7, 8});
  EXPECT_EQ(content(), Numbers({1, 2, 3, 4})); // until it is unmapped
  CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
  EXPECT_EQ(content(), Numbers({5, 6, 7, 8}));
  // What OpenGL has changed, and another size.
  fill({9, 10, 11, 12, 13, 14});
  CUDA_OK(cudaGraphicsMapResources(1, &resource));
  CUDA_OK(cudaGraphicsResourceGetMappedPointer(&pointer, &size, resource));
  EXPECT_EQ(size, 24u);
  EXPECT_EQ(onDevice(pointer, 6), Numbers({9, 10, 11, 12, 13, 14}));
  CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
  CUDA_OK(cudaGraphicsUnregisterResource(resource));
  EXPECT_EQ(gl.call<unsigned>("glGetError"), 0u);
}

TEST_F(OpenGLTest, FlagsSayWhatIsCopied) {
  cudaGraphicsResource_t resource = nullptr;
  void *pointer = nullptr;
  size_t size = 0;
  CUDA_OK(
      cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsReadOnly));
  CUDA_OK(cudaGraphicsMapResources(1, &resource));
  CUDA_OK(cudaGraphicsResourceGetMappedPointer(&pointer, &size, resource));
  setOnDevice(pointer, {5, 6, 7, 8});
  CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
  EXPECT_EQ(content(), Numbers({1, 2, 3, 4}));
  CUDA_OK(cudaGraphicsResourceSetMapFlags(resource, cudaGraphicsMapFlagsWriteDiscard));
  CUDA_OK(cudaGraphicsMapResources(1, &resource));
  CUDA_OK(cudaGraphicsResourceGetMappedPointer(&pointer, &size, resource));
  EXPECT_EQ(onDevice(pointer), Numbers({5, 6, 7, 8})); // not copied
  setOnDevice(pointer, {9, 9, 9, 9});
  CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
  EXPECT_EQ(content(), Numbers({9, 9, 9, 9}));
  CUDA_OK(cudaGraphicsUnregisterResource(resource));
}

TEST_F(OpenGLTest, CopiesAreInTheOrderOfTheStream) {
  cudaGraphicsResource_t resource = nullptr;
  void *pointer = nullptr;
  size_t size = 0;
  CUDA_OK(cudaGraphicsGLRegisterBuffer(&resource, buffer, 0));
  Stream stream(cudaStreamNonBlocking);
  DeviceMemory<int> copy(4);
  {
    Gate held(stream);
    CUDA_OK(cudaGraphicsMapResources(1, &resource, stream));
    CUDA_OK(cudaGraphicsResourceGetMappedPointer(&pointer, &size, resource));
    CUDA_OK(cudaMemcpyAsync(copy, pointer, 16, cudaMemcpyDefault, stream));
    CUDA_OK(cudaMemsetAsync(pointer, 0, 16, stream));
    fill({0, 0, 0, 7}); // mapping has read it already
    EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
    held.open();
    CUDA_OK(cudaGraphicsUnmapResources(1, &resource, stream));
  }
  EXPECT_EQ(content(), Numbers({0, 0, 0, 0}));
  EXPECT_EQ(onDevice(copy), Numbers({1, 2, 3, 4}));
  CUDA_OK(cudaGraphicsUnregisterResource(resource));
}

TEST_F(OpenGLTest, BuffersAreSharedWhateverTheyAreFor) {
  buffer = makeBuffer();
  const int numbers[] = {1, 2, 3, 4};
  gl.call("glBindBuffer", arrayBuffer, buffer);
  gl.call("glBufferStorage", arrayBuffer, intptr_t(16),
          static_cast<const void *>(numbers), 0u); // immutable
  cudaGraphicsResource_t resource = nullptr;
  void *pointer = nullptr;
  CUDA_OK(cudaGraphicsGLRegisterBuffer(&resource, buffer, 0));
  gl.call("glBindBuffer", copyReadBuffer, buffer);
  CUDA_OK(cudaGraphicsMapResources(1, &resource));
  CUDA_OK(cudaGraphicsResourceGetMappedPointer(&pointer, nullptr, resource));
  EXPECT_EQ(onDevice(pointer), Numbers({1, 2, 3, 4}));
  setOnDevice(pointer, {5, 6, 7, 8});
  CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
  EXPECT_EQ(get(copyReadBuffer), static_cast<int>(buffer)); // still bound
  EXPECT_EQ(content(), Numbers({5, 6, 7, 8}));
  CUDA_OK(cudaGraphicsUnregisterResource(resource));
  EXPECT_EQ(gl.call<unsigned>("glGetError"), 0u);
}

TEST_F(OpenGLTest, MisuseIsRefused) {
  cudaGraphicsResource_t resource = nullptr;
  void *pointer = nullptr;
  cudaArray_t array = nullptr;
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphicsGLRegisterBuffer(nullptr, buffer, 0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphicsGLRegisterBuffer(&resource, 99, 0));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphicsGLRegisterBuffer(&resource, buffer,
                                          cudaGraphicsRegisterFlagsSurfaceLoadStore));
  const unsigned empty = makeBuffer();
  gl.call("glBindBuffer", arrayBuffer, empty);
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphicsGLRegisterBuffer(&resource, empty, 0));
  CUDA_OK(cudaGraphicsGLRegisterBuffer(&resource, buffer, 0));
  cudaGraphicsResource_t twice[] = {resource, resource};
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaGraphicsMapResources(2, twice));
  CUDA_FAILS(cudaErrorNotMapped, cudaGraphicsUnmapResources(1, &resource));
  CUDA_FAILS(cudaErrorNotMapped,
             cudaGraphicsResourceGetMappedPointer(&pointer, nullptr, resource));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphicsResourceSetMapFlags(resource, 3));
  CUDA_OK(cudaGraphicsMapResources(1, &resource));
  CUDA_FAILS(cudaErrorAlreadyMapped, cudaGraphicsMapResources(1, &resource));
  CUDA_FAILS(cudaErrorAlreadyMapped, cudaGraphicsResourceSetMapFlags(resource, 1));
  CUDA_FAILS(cudaErrorAlreadyMapped, cudaGraphicsUnregisterResource(resource));
  CUDA_FAILS(cudaErrorNotMappedAsArray,
             cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0));
  // Another thread has no context, so what was written is still there afterwards.
  gl.leave();
  CUDA_FAILS(cudaErrorInvalidGraphicsContext, cudaGraphicsUnmapResources(1, &resource));
  gl.enter();
  CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
  // In a capture.
  Stream stream;
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CUDA_FAILS(cudaErrorStreamCaptureUnsupported,
             cudaGraphicsMapResources(1, &resource, stream));
  cudaStreamEndCapture(stream, &graph);
  cudaGetLastError();
  // Mapped by OpenGL, and gone.
  gl.call("glBindBuffer", arrayBuffer, buffer);
  gl.call<void *>("glMapBuffer", arrayBuffer, 0x88BAu);
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphicsMapResources(1, &resource));
  gl.call<unsigned char>("glUnmapBuffer", arrayBuffer);
  gl.call("glDeleteBuffers", 1, &buffer);
  CUDA_FAILS(cudaErrorInvalidValue, cudaGraphicsMapResources(1, &resource));
  CUDA_OK(cudaGraphicsUnregisterResource(resource));
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaGraphicsUnregisterResource(resource));
}

TEST_F(OpenGLTest, ResourcesAreOfTheirDevice) {
  int devices[4] = {};
  unsigned count = 0;
  CUDA_OK(cudaGLGetDevices(&count, devices, 4, cudaGLDeviceListCurrentFrame));
  ASSERT_EQ(count, 2u);
  EXPECT_EQ(devices[1], 1);
  CUDA_OK(cudaGLGetDevices(&count, devices, 1, cudaGLDeviceListAll));
  EXPECT_EQ(count, 1u);
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGLGetDevices(&count, devices, 0, cudaGLDeviceListAll));
  cudaGraphicsResource_t resource = nullptr;
  CUDA_OK(cudaGLSetGLDevice(1));
  CUDA_OK(cudaGraphicsGLRegisterBuffer(&resource, buffer, 0));
  CUDA_OK(cudaSetDevice(0));
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaGraphicsMapResources(1, &resource));
  CUDA_OK(cudaSetDevice(1));
  CUDA_OK(cudaGraphicsMapResources(1, &resource));
  CUDA_OK(cudaDeviceReset());
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaGraphicsUnmapResources(1, &resource));
  CUDA_OK(cudaSetDevice(0));
}

TEST_F(OpenGLTest, OldFunctionsNameBuffers) {
  void *pointer = nullptr;
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaGLMapBufferObject(&pointer, buffer));
  CUDA_OK(cudaGLRegisterBufferObject(buffer));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGLRegisterBufferObject(buffer));
  CUDA_OK(cudaGLSetBufferObjectMapFlags(buffer, cudaGLMapFlagsReadOnly));
  CUDA_OK(cudaGLMapBufferObject(&pointer, buffer));
  EXPECT_EQ(onDevice(pointer), Numbers({1, 2, 3, 4}));
  setOnDevice(pointer, {5, 6, 7, 8});
  CUDA_OK(cudaGLUnmapBufferObject(buffer));
  EXPECT_EQ(content(), Numbers({1, 2, 3, 4}));
  CUDA_OK(cudaGLSetBufferObjectMapFlags(buffer, cudaGLMapFlagsNone));
  Stream stream;
  CUDA_OK(cudaGLMapBufferObjectAsync(&pointer, buffer, stream));
  CUDA_OK(cudaMemsetAsync(pointer, 0, 8, stream));
  CUDA_FAILS(cudaErrorAlreadyMapped, cudaGLUnregisterBufferObject(buffer));
  CUDA_OK(cudaGLUnmapBufferObjectAsync(buffer, stream));
  EXPECT_EQ(content(), Numbers({0, 0, 3, 4}));
  CUDA_OK(cudaGLUnregisterBufferObject(buffer));
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaGLUnregisterBufferObject(buffer));
  // A reset takes it; what comes to its place is not found by the name.
  CUDA_OK(cudaGLRegisterBufferObject(buffer));
  CUDA_OK(cudaDeviceReset());
  cudaGraphicsResource_t other = nullptr;
  CUDA_OK(cudaGraphicsGLRegisterBuffer(&other, buffer, 0));
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaGLMapBufferObject(&pointer, buffer));
  CUDA_OK(cudaGLRegisterBufferObject(buffer));
  CUDA_OK(cudaGLUnregisterBufferObject(buffer));
  CUDA_OK(cudaGraphicsUnregisterResource(other));
}

TEST_F(OpenGLTest, TheDriversFunctionsDoTheSame) {
  CUcontext context = nullptr;
  CUdevice devices[2] = {};
  unsigned count = 0;
  CU_OK(cuGLInit());
  CU_OK(cuGLGetDevices(&count, devices, 2, CU_GL_DEVICE_LIST_ALL));
  EXPECT_EQ(count, 2u);
  CU_OK(cuGLCtxCreate(&context, 0, 0));
  CUgraphicsResource resource = nullptr;
  CUdeviceptr address = 0;
  CUarray array = nullptr;
  CUmipmappedArray mipmap = nullptr;
  size_t size = 0;
  CU_OK(cuGraphicsGLRegisterBuffer(&resource, buffer, CU_GRAPHICS_REGISTER_FLAGS_NONE));
  CU_OK(cuGraphicsResourceSetMapFlags(resource, CU_GRAPHICS_MAP_RESOURCE_FLAGS_NONE));
  CU_FAILS(CUDA_ERROR_NOT_MAPPED, cuGraphicsUnmapResources(1, &resource, nullptr));
  CU_OK(cuGraphicsMapResources(1, &resource, nullptr));
  CU_FAILS(CUDA_ERROR_ALREADY_MAPPED, cuGraphicsMapResources(1, &resource, nullptr));
  CU_OK(cuGraphicsResourceGetMappedPointer(&address, &size, resource));
  EXPECT_EQ(size, 16u);
  CU_FAILS(CUDA_ERROR_NOT_MAPPED_AS_ARRAY,
           cuGraphicsSubResourceGetMappedArray(&array, resource, 0, 0));
  CU_FAILS(CUDA_ERROR_NOT_MAPPED_AS_ARRAY,
           cuGraphicsResourceGetMappedMipmappedArray(&mipmap, resource));
  CU_OK(cuMemsetD32(address, 6, 2));
  CU_OK(cuGraphicsUnmapResources(1, &resource, nullptr));
  EXPECT_EQ(content(), Numbers({6, 6, 3, 4}));
  CU_OK(cuGraphicsUnregisterResource(resource));
  CU_OK(cuGLRegisterBufferObject(buffer));
  CU_OK(cuGLSetBufferObjectMapFlags(buffer, CU_GL_MAP_RESOURCE_FLAGS_NONE));
  CU_OK(cuGLMapBufferObject(&address, &size, buffer));
  EXPECT_EQ(size, 16u);
  CU_OK(cuMemsetD32(address, 7, 1));
  CU_OK(cuGLUnmapBufferObject(buffer));
  CU_OK(cuGLMapBufferObjectAsync(&address, &size, buffer, nullptr));
  CU_OK(cuMemsetD32(address + 12, 8, 1));
  CU_OK(cuGLUnmapBufferObjectAsync(buffer, nullptr));
  EXPECT_EQ(content(), Numbers({7, 6, 3, 8}));
  CU_OK(cuGLUnregisterBufferObject(buffer));
  CU_OK(cuCtxDestroy(context));
}

TEST(OpenGL, OfEmbeddedSystemsSharesBuffers) {
  OffscreenGL gl(OffscreenGL::ES);
  if (gl.lack())
    GTEST_SKIP() << gl.lack();
  const int numbers[] = {1, 2, 3, 4};
  unsigned buffer = 0, texture = 0;
  gl.call("glGenBuffers", 1, &buffer);
  gl.call("glBindBuffer", arrayBuffer, buffer);
  gl.call("glBufferData", arrayBuffer, intptr_t(16), static_cast<const void *>(numbers),
          0x88E4u);
  cudaGraphicsResource_t resource = nullptr;
  void *pointer = nullptr;
  CUDA_OK(cudaGraphicsGLRegisterBuffer(&resource, buffer, 0));
  CUDA_OK(cudaGraphicsMapResources(1, &resource));
  CUDA_OK(cudaGraphicsResourceGetMappedPointer(&pointer, nullptr, resource));
  EXPECT_EQ(onDevice(pointer), Numbers({1, 2, 3, 4}));
  setOnDevice(pointer, {5, 6, 7, 8});
  CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
  CUDA_OK(cudaGraphicsUnregisterResource(resource));
  const auto *content = gl.call<const int *>("glMapBufferRange", arrayBuffer, intptr_t(0),
                                             intptr_t(16), 1u);
  ASSERT_NE(content, nullptr);
  EXPECT_EQ(Numbers(content, content + 4), Numbers({5, 6, 7, 8}));
  gl.call("glGenTextures", 1, &texture);
  gl.call("glBindTexture", 0x0DE1u, texture);
  CUDA_FAILS(cudaErrorNotSupported,
             cudaGraphicsGLRegisterImage(&resource, texture, 0x0DE1, 0));
}

TEST(OpenGL, OfOldIsRefused) {
  OffscreenGL gl(OffscreenGL::ES1);
  if (gl.lack())
    GTEST_SKIP() << gl.lack();
  cudaGraphicsResource_t resource = nullptr;
  unsigned buffer = 0;
  gl.call("glGenBuffers", 1, &buffer);
  gl.call("glBindBuffer", arrayBuffer, buffer);
  gl.call("glBufferData", arrayBuffer, intptr_t(16), static_cast<const void *>(nullptr),
          0x88E4u);
  CUDA_FAILS(cudaErrorNotSupported, cudaGraphicsGLRegisterBuffer(&resource, buffer, 0));
}
