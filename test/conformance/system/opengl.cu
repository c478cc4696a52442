// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels and OpenGL take turns with a buffer and a texture. What OpenGL has cleared,
// kernels change by addresses, surfaces and textures, and OpenGL has it afterwards. CUDA
// Programming Guide: Graphics Interoperability, OpenGL Interoperability.

#include "Inputs/check.h"
#include "Inputs/offscreen_gl.h"

#include <cuda_gl_interop.h>

const unsigned arrayBuffer = 0x8892, texture2D = 0x0DE1, rgba = 0x1908, rgba8 = 0x8058,
               unsignedByte = 0x1401;
const int width = 40, height = 24;

__global__ void moveVertices(float4 *vertices, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    vertices[i] = make_float4(vertices[i].x + i, vertices[i].y * 2, i, 1);
}

__global__ void paint(cudaSurfaceObject_t surface) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  uchar4 colour;
  surf2Dread(&colour, surface, x * 4, y);
  surf2Dwrite(make_uchar4(x, y, colour.z, colour.w), surface, x * 4, y);
}

__global__ void sample(cudaTextureObject_t texture, float4 *result) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    result[y * width + x] = tex2D<float4>(texture, x, y);
}

static void testBuffer(OffscreenGL &gl) {
  const int count = 1000;
  std::vector<float> vertices(count * 4);
  for (int i = 0; i < count * 4; ++i)
    vertices[i] = i * 0.5f;
  unsigned buffer = 0;
  gl.call("glGenBuffers", 1, &buffer);
  gl.call("glBindBuffer", arrayBuffer, buffer);
  gl.call("glBufferData", arrayBuffer, intptr_t(count * sizeof(float4)),
          (const void *)vertices.data(), 0x88EAu);
  cudaGraphicsResource *resource = nullptr;
  CUDA(cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsMapFlagsNone));
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  for (int round = 0; round < 2; ++round) {
    float4 *pointer = nullptr;
    size_t size = 0;
    CUDA(cudaGraphicsMapResources(1, &resource, stream));
    CUDA(cudaGraphicsResourceGetMappedPointer((void **)&pointer, &size, resource));
    CHECK_EQ(size, count * sizeof(float4));
    moveVertices<<<(count + 127) / 128, 128, 0, stream>>>(pointer, count);
    CUDA(cudaGraphicsUnmapResources(1, &resource, stream));
  }
  std::vector<float> found(count * 4);
  gl.call("glGetBufferSubData", arrayBuffer, intptr_t(0),
          intptr_t(count * sizeof(float4)), (void *)found.data());
  for (int i = 0; i < count; ++i) {
    CHECK_AT(i, found[i * 4], vertices[i * 4] + 2 * i);
    CHECK_AT(i, found[i * 4 + 1], vertices[i * 4 + 1] * 4);
    CHECK_AT(i, found[i * 4 + 2], (float)i);
    CHECK_AT(i, found[i * 4 + 3], 1.0f);
  }
  CUDA(cudaStreamDestroy(stream));
  CUDA(cudaGraphicsUnregisterResource(resource));
}

static void testTexture(OffscreenGL &gl) {
  unsigned texture = 0;
  std::vector<unsigned> pixels(width * height, 0x80604020);
  gl.call("glGenTextures", 1, &texture);
  gl.call("glBindTexture", texture2D, texture);
  gl.call("glTexImage2D", texture2D, 0, (int)rgba8, width, height, 0, rgba, unsignedByte,
          (const void *)pixels.data());
  cudaGraphicsResource *resource = nullptr;
  CUDA(cudaGraphicsGLRegisterImage(&resource, texture, texture2D,
                                   cudaGraphicsRegisterFlagsSurfaceLoadStore));
  float4 *sampled = nullptr;
  CUDA(cudaMalloc(&sampled, width * height * sizeof(float4)));
  const dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  CUDA(cudaGraphicsMapResources(1, &resource));
  cudaResourceDesc array = {};
  array.resType = cudaResourceTypeArray;
  CUDA(cudaGraphicsSubResourceGetMappedArray(&array.res.array.array, resource, 0, 0));
  cudaSurfaceObject_t surface = 0;
  CUDA(cudaCreateSurfaceObject(&surface, &array));
  paint<<<grid, block>>>(surface);
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t object = 0;
  CUDA(cudaCreateTextureObject(&object, &array, &description, nullptr));
  sample<<<grid, block>>>(object, sampled);
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaDestroyTextureObject(object));
  CUDA(cudaDestroySurfaceObject(surface));
  CUDA(cudaGraphicsUnmapResources(1, &resource));
  std::vector<float4> floats(width * height);
  CUDA(cudaMemcpy(floats.data(), sampled, floats.size() * sizeof(float4),
                  cudaMemcpyDeviceToHost));
  gl.call("glGetTexImage", texture2D, 0, rgba, unsignedByte, (void *)pixels.data());
  for (int i = 0; i < width * height; ++i) {
    CHECK_AT(i, pixels[i], 0x80600000u | (unsigned)(i / width) << 8 | i % width);
    CHECK_AT(i, floats[i].x, (i % width) / 255.0f);
    CHECK_AT(i, floats[i].z, 0x60 / 255.0f);
  }
  CUDA(cudaFree(sampled));
  CUDA(cudaGraphicsUnregisterResource(resource));
}

int main() {
  OffscreenGL gl;
  if (gl.lack()) {
    printf("SKIPPED %s\n", gl.lack());
    return 77;
  }
  testBuffer(gl);
  testTexture(gl);
  CHECK_EQ(gl.call<unsigned>("glGetError"), 0u);
  return check::finish("opengl");
}
