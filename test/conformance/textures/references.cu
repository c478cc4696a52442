// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface references, which CUDA 12 removed: bound to arrays and memory,
// bound again between kernels, read as floats, through the calls of C and of C++.
// CUDA 11 C++ Programming Guide: Texture Reference API.

#include "Inputs/textures.h"

using namespace textures;

texture<float, cudaTextureType2D> square;
texture<float4, 2, cudaReadModeElementType> four(1, cudaFilterModeLinear,
                                                 cudaAddressModeWrap);
static texture<int, 1, cudaReadModeElementType> line;
texture<uchar2, cudaTextureType1D, cudaReadModeNormalizedFloat> bytes;
texture<float, 1> narrow; // of bytes
texture<float, cudaTextureType3D> body;
texture<float, cudaTextureType2DLayered> layers;
surface<void, cudaSurfaceType2D> written;

__global__ void fetchSquare(const float *x, float *out) {
  const int i = threadIdx.x;
  out[i] = tex2D(square, x[2 * i], x[2 * i + 1]);
}

__global__ void fetchFour(const float *x, float4 *out) {
  const int i = threadIdx.x;
  out[i] = tex2D(four, x[2 * i], x[2 * i + 1]);
}

__device__ int doubled(int i) { return 2 * tex1Dfetch(line, i); }

__global__ void fetchLine(int *out) { out[threadIdx.x] = doubled(threadIdx.x); }

__global__ void fetchBytes(float2 *out) {
  out[threadIdx.x] = tex1Dfetch(bytes, threadIdx.x);
}

__global__ void fetchNarrow(float *out) { *out = tex1Dfetch(narrow, 2); }

__global__ void fetchOthers(float *out) {
  out[0] = tex3D(body, 1.0f, 2.0f, 1.0f);
  out[1] = tex2DLayered(layers, 1.0f, 0.0f, 2);
  out[2] = tex2Dgather(square, 1.0f, 1.0f).x;
}

__global__ void fetchLevels(float *out) {
  const int i = threadIdx.x;
  out[i] = tex2DLod(square, 0.5f, 0.5f, (float)i);
}

__global__ void write() {
  surf2Dwrite((float)threadIdx.x, written, threadIdx.x * 4, 1);
  if (surf2Dread<float>(written, threadIdx.x * 4, 1) != (float)threadIdx.x)
    __trap();
}

static void testArrays() {
  const int count = 40;
  unsigned seed = 17;
  check::Array<float> x(2 * count), out(count);
  check::Array<float4> fours(count);
  for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    Image image(9, 5, 1), wide(6, 4, 1, 4);
    image.fill(3u + filter);
    wide.fill(5u + filter);
    cudaArray_t array = makeArray(image, {9, 5, 0}), other = makeArray(wide, {6, 4, 0});
    for (int i = 0; i < 2 * count; ++i)
      x.host[i] = coordinate(seed, i % 2 ? 5.0f : 9.0f);
    x.put();
    square.filterMode = filter;
    square.addressMode[0] = cudaAddressModeBorder;
    CUDA(cudaBindTextureToArray(square, array));
    CUDA(cudaBindTextureToArray(&four, other, &four.channelDesc));
    fetchSquare<<<1, count>>>(x, out);
    fetchFour<<<1, count>>>(x, (float4 *)fours);
    out.get();
    fours.get();
    cudaTextureDesc how = description(cudaAddressModeClamp, filter, false);
    how.addressMode[0] = cudaAddressModeBorder;
    const cudaTextureDesc wrapped =
        description(cudaAddressModeWrap, cudaFilterModeLinear, true);
    for (int i = 0; i < count; ++i) {
      CHECK_AT(i, out.host[i], sample(image, how, 2, &x.host[2 * i], 0, 0));
      CHECK_AT(i, fours.host[i].z, sample(wide, wrapped, 2, &x.host[2 * i], 0, 2));
    }
    CUDA(cudaUnbindTexture(square));
    CUDA(cudaFreeArray(array));
    CUDA(cudaFreeArray(other));
  }
}

// A kernel has what was bound when it was launched.
static void testMemory() {
  const std::vector<int> data = {5, 7, 11, 13};
  check::Array<int> first(data), second(std::vector<int>(200, -3)), out(4), last(4);
  size_t offset = 77;
  CUDA(cudaBindTexture(&offset, line, first));
  CHECK_EQ(offset, (size_t)0);
  fetchLine<<<1, 4>>>(out);
  CUDA(cudaBindTexture(&offset, line, (int *)second + 1, 64));
  CHECK_EQ(offset, (size_t)4);
  size_t told = 0;
  CUDA(cudaGetTextureAlignmentOffset(&told, line));
  CHECK_EQ(told, offset);
  fetchLine<<<1, 4>>>(last);
  out.get();
  last.get();
  for (int i = 0; i < 4; ++i) {
    CHECK_AT(i, out.host[i], 2 * data[i]);
    CHECK_AT(i, last.host[i], -6);
  }
  CUDA_ERROR(cudaBindTexture(nullptr, line, (int *)second + 1, 64), cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);

  std::vector<uchar2> pairs = {{0, 255}, {51, 102}};
  check::Array<uchar2> memory(pairs);
  check::Array<float2> floats(2);
  CUDA(cudaBindTexture(nullptr, bytes, memory, sizeof(uchar2) * 2));
  fetchBytes<<<1, 2>>>(floats);
  floats.get();
  CHECK_EQ(floats.host[0].y, 1.0f);
  CHECK_EQ(floats.host[1].x, 0.2f);
  CHECK_EQ(floats.host[1].y, 0.4f);
  const cudaChannelFormatDesc byte = cudaCreateChannelDesc<unsigned char>();
  check::Array<float> one(1);
  CUDA(cudaBindTexture(nullptr, narrow, memory, byte, 4));
  fetchNarrow<<<1, 1>>>(one);
  CHECK_EQ(one.get()[0], 0.2f);
}

// Rows with gaps between them, from an address on that no texture begins at.
static void testRows() {
  const int width = 5, height = 3, count = width * height;
  size_t pitch = 0, offset = 0;
  float *memory = nullptr;
  CUDA(cudaMallocPitch(&memory, &pitch, 128, height));
  std::vector<float> data(count);
  check::Array<float> x(2 * count), out(count);
  for (int i = 0; i < count; ++i) {
    data[i] = 3 * i + 1;
    x.host[2 * i] = i % width + 0.5f;
    x.host[2 * i + 1] = i / width + 0.5f;
  }
  x.put();
  square.filterMode = cudaFilterModePoint;
  for (int shift : {0, 4}) {
    CUDA(cudaMemcpy2D(memory + shift, pitch, data.data(), width * 4, width * 4, height,
                      cudaMemcpyHostToDevice));
    if (shift)
      CUDA(cudaBindTexture2D(&offset, &square, memory + shift, &square.channelDesc, width,
                             height, pitch));
    else
      CUDA(cudaBindTexture2D(nullptr, square, memory, width, height, pitch));
    CHECK_EQ(offset, shift * sizeof(float));
    for (int i = 0; i < count; ++i)
      x.host[2 * i] = i % width + offset / sizeof(float) + 0.5f;
    x.put();
    fetchSquare<<<1, count>>>(x, out);
    out.get();
    for (int i = 0; i < count; ++i)
      if (i % width + shift < width) // what lies beyond the width is clamped
        CHECK_AT(i, out.host[i], data[i]);
  }
  CUDA_ERROR(cudaBindTexture2D(nullptr, square, memory + 4, width, height, pitch),
             cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  CUDA(cudaUnbindTexture(square));
  CUDA(cudaFree(memory));
}

static void testLevels() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmap = nullptr;
  CUDA(cudaMallocMipmappedArray(&mipmap, &format, {4, 4, 0}, 3));
  for (unsigned level = 0; level < 3; ++level) {
    cudaArray_t array = nullptr;
    const std::vector<float> pixels(16, 10.0f * level + 1);
    const size_t size = 4 >> level;
    CUDA(cudaGetMipmappedArrayLevel(&array, mipmap, level));
    CUDA(cudaMemcpy2DToArray(array, 0, 0, pixels.data(), size * 4, size * 4, size,
                             cudaMemcpyHostToDevice));
  }
  square.normalized = true;
  square.maxMipmapLevelClamp = 8;
  CUDA(cudaBindTextureToMipmappedArray(square, mipmap));
  check::Array<float> out(3);
  fetchLevels<<<1, 3>>>(out);
  out.get();
  for (int level = 0; level < 3; ++level)
    CHECK_AT(level, out.host[level], 10.0f * level + 1);
  CUDA_ERROR(cudaBindTextureToMipmappedArray(&square, nullptr, &format),
             cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  CUDA(cudaUnbindTexture(square));
  CUDA(cudaFreeMipmappedArray(mipmap));
  square.normalized = false;
}

static void testOthers() {
  Image image(3, 3, 3), plane(4, 4, 1);
  image.fill(8);
  plane.fill(9);
  cudaArray_t volume = makeArray(image, {3, 3, 3});
  cudaArray_t layered = makeArray(image, {3, 3, 3}, cudaArrayLayered);
  cudaArray_t gathered = makeArray(plane, {4, 4, 0}, cudaArraySurfaceLoadStore);
  CUDA(cudaBindTextureToArray(body, volume));
  CUDA(cudaBindTextureToArray(layers, layered));
  CUDA(cudaBindTextureToArray(square, gathered));
  check::Array<float> out(3);
  fetchOthers<<<1, 1>>>(out);
  out.get();
  CHECK_EQ(out.host[0], image.at(1, 2, 1, 0));
  CHECK_EQ(out.host[1], image.at(1, 0, 2, 0));
  CHECK_EQ(out.host[2], plane.at(0, 1, 0, 0));
  CUDA(cudaBindSurfaceToArray(written, gathered));
  write<<<1, 4>>>();
  CUDA(cudaDeviceSynchronize());
  const textureReference *reference = nullptr;
  CUDA(cudaGetTextureReference(&reference, &square));
  CHECK_TRUE(reference == &square);
  const surfaceReference *surfaceFound = nullptr;
  CUDA(cudaGetSurfaceReference(&surfaceFound, &written));
  CHECK_TRUE(surfaceFound == &written);
  CUDA_ERROR(cudaGetSurfaceReference(nullptr, &written), cudaErrorInvalidValue);
  CUDA_ERROR(cudaGetSurfaceReference(&surfaceFound, &surfaceFound),
             cudaErrorInvalidSurface);
  textureReference none = {};
  CUDA_ERROR(cudaUnbindTexture(&none), cudaErrorInvalidTexture);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidTexture);
}

int main() {
  testArrays();
  testMemory();
  testRows();
  testLevels();
  testOthers();
  return check::finish("textures/references");
}
