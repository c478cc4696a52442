// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textures and renderbuffers of OpenGL as arrays. Skipped where EGL gives no context with
// images.

#include "../../conformance/Inputs/offscreen_gl.h"
#include "DriverSupport.h"

#include <cudaGL.h>
#include <cuda_gl_interop.h>

#include <numeric>

namespace {

enum : unsigned {
  texture2D = 0x0DE1,
  texture3D = 0x806F,
  rectangle = 0x84F5,
  cubeMap = 0x8513,
  array2D = 0x8C1A,
  renderbuffer = 0x8D41,
  red = 0x1903,
  rgba = 0x1908,
  unsignedByte = 0x1401,
  packAlignment = 0x0D05,
};

using Bytes = std::vector<unsigned char>;

struct OpenGLImages : testing::Test {
  explicit OpenGLImages(OffscreenGL::Kind kind = OffscreenGL::Core) : gl(kind) {}
  void SetUp() override {
    if (gl.lack())
      GTEST_SKIP() << gl.lack();
    CUDA_OK(cudaFree(nullptr));
  }
  void TearDown() override {
    if (!gl.lack()) // nothing that the program would find
      EXPECT_EQ(gl.call<unsigned>("glGetError"), 0u);
  }

  unsigned makeTexture(unsigned target) {
    unsigned name = 0;
    gl.call("glCreateTextures", target, 1, &name);
    return name;
  }
  unsigned make2D(unsigned format, int width, int height, int levels = 1,
                  unsigned target = texture2D) {
    const unsigned name = makeTexture(target);
    gl.call("glTextureStorage2D", name, levels, format, width, height);
    return name;
  }
  void setTexture(unsigned texture, int level, int width, int height, unsigned format,
                  unsigned type, const void *pixels) {
    gl.call("glPixelStorei", 0x0CF5u, 1);
    gl.call("glTextureSubImage2D", texture, level, 0, 0, width, height, format, type,
            pixels);
  }
  template <class T>
  std::vector<T> textureContent(unsigned texture, int level, size_t count,
                                unsigned format, unsigned type) {
    std::vector<T> result(count);
    gl.call("glPixelStorei", unsigned(packAlignment), 1);
    gl.call("glGetTextureImage", texture, level, format, type, int(count * sizeof(T)),
            static_cast<void *>(result.data()));
    return result;
  }

  OffscreenGL gl;
};

struct OldOpenGLImages : OpenGLImages {
  OldOpenGLImages() : OpenGLImages(OffscreenGL::Compatibility) {}
};

/// Numbers from `first` on.
template <class T> std::vector<T> count(T first, size_t number) {
  std::vector<T> result(number);
  std::iota(result.begin(), result.end(), first);
  return result;
}

/// What an array of two dimensions holds, and a new content.
template <class T>
std::vector<T> arrayContent(cudaArray_t array, size_t width, size_t rows) {
  std::vector<T> result(width * rows);
  EXPECT_EQ(cudaMemcpy2DFromArray(result.data(), width * sizeof(T), array, 0, 0,
                                  width * sizeof(T), rows, cudaMemcpyDeviceToHost),
            cudaSuccess);
  return result;
}

template <class T>
void setArray(cudaArray_t array, size_t width, const std::vector<T> &content) {
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, content.data(), width * sizeof(T),
                                width * sizeof(T), content.size() / width,
                                cudaMemcpyHostToDevice),
            cudaSuccess);
}

} // namespace

TEST_F(OpenGLImages, LevelsGoThereAndBack) {
  const unsigned texture = make2D(0x8229, 7, 4, 3); // GL_R8
  setTexture(texture, 0, 7, 4, red, unsignedByte, count<unsigned char>(1, 28).data());
  setTexture(texture, 1, 3, 2, red, unsignedByte, count<unsigned char>(101, 6).data());
  cudaGraphicsResource_t resource = nullptr;
  cudaArray_t array = nullptr, level = nullptr;
  cudaMipmappedArray_t mipmap = nullptr;
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};
  unsigned flags = 0;
  void *pointer = nullptr;
  CUDA_OK(cudaGraphicsGLRegisterImage(&resource, texture, texture2D,
                                      cudaGraphicsRegisterFlagsSurfaceLoadStore));
  CUDA_FAILS(cudaErrorNotMapped,
             cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0));
  gl.call("glPixelStorei", unsigned(packAlignment), 8);
  CUDA_OK(cudaGraphicsMapResources(1, &resource));
  int alignment = 0;
  gl.call("glGetIntegerv", unsigned(packAlignment), &alignment);
  EXPECT_EQ(alignment, 8); // as the program had set it
  CUDA_OK(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0));
  CUDA_OK(cudaArrayGetInfo(&format, &extent, &flags, array));
  EXPECT_EQ(format.x, 8);
  EXPECT_EQ(format.f, cudaChannelFormatKindUnsigned);
  EXPECT_EQ(extent.width, 7u);
  EXPECT_EQ(extent.height, 4u);
  EXPECT_EQ(flags, unsigned(cudaArraySurfaceLoadStore));
  EXPECT_EQ(arrayContent<unsigned char>(array, 7, 4), count<unsigned char>(1, 28));
  CUDA_OK(cudaGraphicsSubResourceGetMappedArray(&level, resource, 0, 1));
  EXPECT_EQ(arrayContent<unsigned char>(level, 3, 2), count<unsigned char>(101, 6));
  CUDA_OK(cudaGraphicsResourceGetMappedMipmappedArray(&mipmap, resource));
  CUDA_OK(cudaGetMipmappedArrayLevel(&level, mipmap, 2));
  setArray(level, 1, Bytes{77});
  setArray(array, 7, count<unsigned char>(50, 28));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphicsSubResourceGetMappedArray(&level, resource, 0, 3));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphicsSubResourceGetMappedArray(&level, resource, 1, 0));
  CUDA_FAILS(cudaErrorNotMappedAsPointer,
             cudaGraphicsResourceGetMappedPointer(&pointer, nullptr, resource));
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaFreeArray(array)); // the resource's
  CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
  EXPECT_EQ(textureContent<unsigned char>(texture, 0, 28, red, unsignedByte),
            count<unsigned char>(50, 28));
  EXPECT_EQ(textureContent<unsigned char>(texture, 1, 6, red, unsignedByte),
            count<unsigned char>(101, 6));
  EXPECT_EQ(textureContent<unsigned char>(texture, 2, 1, red, unsignedByte), Bytes{77});
  CUDA_OK(cudaGraphicsUnregisterResource(resource));
}

namespace {

struct Format {
  unsigned internal, format, type;
  int bits, channels;
  cudaChannelFormatKind kind;
};

constexpr Format formats[] = {
    {0x8058, rgba, unsignedByte, 8, 4, cudaChannelFormatKindUnsigned},
    {0x1908, rgba, unsignedByte, 8, 4, cudaChannelFormatKindUnsigned}, // GL_RGBA itself
    {0x822B, 0x8227, unsignedByte, 8, 2, cudaChannelFormatKindUnsigned},
    {0x822A, red, 0x1403, 16, 1, cudaChannelFormatKindUnsigned},
    {0x805B, rgba, 0x1403, 16, 4, cudaChannelFormatKindUnsigned},
    {0x822D, red, 0x140B, 16, 1, cudaChannelFormatKindFloat},
    {0x8814, rgba, 0x1406, 32, 4, cudaChannelFormatKindFloat},
    {0x8230, 0x8227, 0x1406, 32, 2, cudaChannelFormatKindFloat},
    {0x8D7C, 0x8D99, unsignedByte, 8, 4, cudaChannelFormatKindUnsigned},
    {0x8D8E, 0x8D99, 0x1400, 8, 4, cudaChannelFormatKindSigned},
    {0x8239, 0x8228, 0x1402, 16, 2, cudaChannelFormatKindSigned},
    {0x8235, 0x8D94, 0x1404, 32, 1, cudaChannelFormatKindSigned},
    {0x823C, 0x8228, 0x1405, 32, 2, cudaChannelFormatKindUnsigned},
};

} // namespace

TEST_F(OpenGLImages, FormatsAreThoseOfArrays) {
  for (const Format &format : formats) {
    SCOPED_TRACE(format.internal);
    const size_t size = 5 * 3 * size_t(format.bits) / 8 * size_t(format.channels);
    // Bytes that make numbers of each format.
    const Bytes pixels = count<unsigned char>(1, size),
                after = count<unsigned char>(2, size);
    unsigned texture = 0;
    gl.call("glGenTextures", 1, &texture);
    gl.call("glBindTexture", unsigned(texture2D), texture);
    gl.call("glPixelStorei", 0x0CF5u, 1);
    gl.call("glTexImage2D", unsigned(texture2D), 0, int(format.internal), 5, 3, 0,
            format.format, format.type, static_cast<const void *>(pixels.data()));
    cudaGraphicsResource_t resource = nullptr;
    cudaArray_t array = nullptr;
    cudaChannelFormatDesc found = {};
    CUDA_OK(cudaGraphicsGLRegisterImage(&resource, texture, texture2D, 0));
    CUDA_OK(cudaGraphicsMapResources(1, &resource));
    CUDA_OK(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0));
    CUDA_OK(cudaGetChannelDesc(&found, array));
    EXPECT_EQ(found.x, format.bits);
    EXPECT_EQ(found.w, format.channels == 4 ? format.bits : 0);
    EXPECT_EQ(found.f, format.kind);
    EXPECT_EQ(arrayContent<unsigned char>(array, size / 3, 3), pixels);
    setArray(array, size / 3, after);
    CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
    EXPECT_EQ(textureContent<unsigned char>(texture, 0, size, format.format, format.type),
              after);
    CUDA_OK(cudaGraphicsUnregisterResource(resource));
  }
}

TEST_F(OpenGLImages, LayersFacesAndVolumes) {
  const struct {
    unsigned target, planes;
  } shapes[] = {{cubeMap, 6}, {array2D, 3}, {texture3D, 3}};
  for (const auto &[target, planes] : shapes) {
    SCOPED_TRACE(target);
    const unsigned texture = makeTexture(target);
    const size_t size = size_t(16) * planes;
    if (target == cubeMap)
      gl.call("glTextureStorage2D", texture, 2, 0x8232u, 4, 4); // GL_R8UI
    else
      gl.call("glTextureStorage3D", texture, 2, 0x8232u, 4, 4, int(planes));
    const Bytes before = count<unsigned char>(1, size);
    gl.call("glPixelStorei", 0x0CF5u, 1);
    gl.call("glTextureSubImage3D", texture, 0, 0, 0, 0, 4, 4, int(planes), 0x8D94u,
            unsigned(unsignedByte), static_cast<const void *>(before.data()));
    cudaGraphicsResource_t resource = nullptr;
    cudaArray_t array = nullptr;
    cudaExtent extent = {};
    CUDA_OK(cudaGraphicsGLRegisterImage(&resource, texture, target, 0));
    CUDA_OK(cudaGraphicsMapResources(1, &resource));
    const bool isVolume = target == texture3D;
    const unsigned last = isVolume ? 0 : planes - 1;
    CUDA_OK(cudaGraphicsSubResourceGetMappedArray(&array, resource, last, 0));
    CUDA_OK(cudaArrayGetInfo(nullptr, &extent, nullptr, array));
    EXPECT_EQ(extent.depth, isVolume ? planes : 0u);
    EXPECT_EQ(arrayContent<unsigned char>(array, 4, 4),
              count<unsigned char>(static_cast<unsigned char>(1 + 16 * last), 16));
    setArray(array, 4, Bytes(16, 200));
    CUDA_FAILS(cudaErrorInvalidValue,
               cudaGraphicsSubResourceGetMappedArray(&array, resource, last + 1, 0));
    CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
    Bytes expected = before;
    std::fill_n(expected.begin() + 16 * last, 16, static_cast<unsigned char>(200));
    EXPECT_EQ(textureContent<unsigned char>(texture, 0, size, 0x8D94, unsignedByte),
              expected);
    CUDA_OK(cudaGraphicsUnregisterResource(resource));
  }
}

TEST_F(OpenGLImages, RenderbuffersAndRectangles) {
  unsigned name = 0, framebuffer = 0;
  gl.call("glCreateRenderbuffers", 1, &name);
  gl.call("glNamedRenderbufferStorage", name, 0x8058u, 4, 2); // GL_RGBA8
  gl.call("glCreateFramebuffers", 1, &framebuffer);
  gl.call("glNamedFramebufferRenderbuffer", framebuffer, 0x8CE0u, unsigned(renderbuffer),
          name);
  const float colour[] = {1, 0, 0.2f, 1};
  gl.call("glClearNamedFramebufferfv", framebuffer, 0x1800u, 0,
          static_cast<const float *>(colour));
  gl.call("glEnable", 0x0C11u); // what scissors cut is copied as well
  gl.call("glScissor", 0, 0, 1, 1);
  cudaGraphicsResource_t resource = nullptr;
  cudaArray_t array = nullptr;
  CUDA_OK(cudaGraphicsGLRegisterImage(&resource, name, renderbuffer, 0));
  CUDA_OK(cudaGraphicsMapResources(1, &resource));
  CUDA_OK(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0));
  EXPECT_EQ(arrayContent<uint32_t>(array, 4, 2), std::vector<uint32_t>(8, 0xFF3300FF));
  setArray(array, 4, count<uint32_t>(0x80402010, 8));
  CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
  CUDA_OK(cudaGraphicsUnregisterResource(resource));
  EXPECT_EQ(gl.call<unsigned char>("glIsEnabled", 0x0C11u), 1);
  std::vector<uint32_t> pixels(8);
  gl.call("glBindFramebuffer", 0x8CA8u, framebuffer);
  gl.call("glReadPixels", 0, 0, 4, 2, unsigned(rgba), unsigned(unsignedByte),
          static_cast<void *>(pixels.data()));
  EXPECT_EQ(pixels, count<uint32_t>(0x80402010, 8));
  const unsigned texture = make2D(0x8236, 3, 2, 1, rectangle); // GL_R32UI
  setTexture(texture, 0, 3, 2, 0x8D94, 0x1405, count<uint32_t>(1000000, 6).data());
  CUDA_OK(cudaGraphicsGLRegisterImage(&resource, texture, rectangle,
                                      cudaGraphicsRegisterFlagsReadOnly));
  CUDA_OK(cudaGraphicsMapResources(1, &resource));
  CUDA_OK(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0));
  EXPECT_EQ(arrayContent<uint32_t>(array, 3, 2), count<uint32_t>(1000000, 6));
  CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
  CUDA_OK(cudaGraphicsUnregisterResource(resource));
}

TEST_F(OpenGLImages, WhatIsNotSharedIsRefused) {
  cudaGraphicsResource_t resource = nullptr;
  const auto fails = [&](unsigned name, unsigned target, unsigned flags = 0) {
    CUDA_FAILS(cudaErrorInvalidValue,
               cudaGraphicsGLRegisterImage(&resource, name, target, flags));
  };
  const unsigned good = make2D(0x8058, 4, 4);
  fails(99, texture2D);
  fails(99, renderbuffer);
  fails(good, cubeMap);
  fails(good, renderbuffer);
  fails(good, 0x0DE0); // of one dimension
  fails(good, texture2D, 16);
  fails(good, texture2D, 3);
  fails(makeTexture(texture2D), texture2D); // empty
  for (unsigned format : {0x8051u /* RGB8 */, 0x8059u /* RGB10_A2 */,
                          0x8F94u /* R8_SNORM */, 0x81A6u /* DEPTH_COMPONENT24 */})
    fails(make2D(format, 4, 4), texture2D);
  // Another size than when it was registered.
  unsigned texture = 0;
  gl.call("glGenTextures", 1, &texture);
  gl.call("glBindTexture", unsigned(texture2D), texture);
  const auto resize = [&](int width) {
    gl.call("glTexImage2D", unsigned(texture2D), 0, 0x8058, width, 4, 0, unsigned(rgba),
            unsigned(unsignedByte), static_cast<const void *>(nullptr));
  };
  resize(4);
  CUDA_OK(cudaGraphicsGLRegisterImage(&resource, texture, texture2D, 0));
  resize(8);
  CUDA_FAILS(cudaErrorMapBufferObjectFailed, cudaGraphicsMapResources(1, &resource));
  resize(4);
  CUDA_OK(cudaGraphicsMapResources(1, &resource));
  CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
  CUDA_OK(cudaGraphicsUnregisterResource(resource));
}

TEST_F(OldOpenGLImages, WithoutACoreProfile) {
  cudaGraphicsResource_t resource = nullptr;
  cudaArray_t array = nullptr;
  const unsigned texture = make2D(0x8236, 3, 2); // GL_R32UI
  setTexture(texture, 0, 3, 2, 0x8D94, 0x1405, count<uint32_t>(1000000, 6).data());
  CUDA_OK(cudaGraphicsGLRegisterImage(&resource, texture, texture2D, 0));
  CUDA_OK(cudaGraphicsMapResources(1, &resource));
  CUDA_OK(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0));
  EXPECT_EQ(arrayContent<uint32_t>(array, 3, 2), count<uint32_t>(1000000, 6));
  CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
  CUDA_OK(cudaGraphicsUnregisterResource(resource));
}

TEST_F(OpenGLImages, TheDriversArrays) {
  CUcontext context = nullptr;
  CUgraphicsResource resource = nullptr;
  CUarray array = nullptr;
  CUmipmappedArray mipmap = nullptr;
  CUDA_ARRAY_DESCRIPTOR found = {};
  CU_OK(cuGLCtxCreate(&context, 0, 0));
  CU_OK(cuGraphicsGLRegisterImage(&resource, make2D(0x822D, 8, 4), texture2D,
                                  CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST));
  CU_OK(cuGraphicsMapResources(1, &resource, nullptr));
  CU_OK(cuGraphicsSubResourceGetMappedArray(&array, resource, 0, 0));
  CU_OK(cuArrayGetDescriptor(&found, array));
  EXPECT_EQ(found.Format, CU_AD_FORMAT_HALF);
  EXPECT_EQ(found.Width, 8u);
  CU_OK(cuGraphicsResourceGetMappedMipmappedArray(&mipmap, resource));
  CU_OK(cuMipmappedArrayGetLevel(&array, mipmap, 0));
  CU_OK(cuGraphicsUnmapResources(1, &resource, nullptr));
  CU_OK(cuGraphicsUnregisterResource(resource));
  CU_OK(cuCtxDestroy(context));
}
