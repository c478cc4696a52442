// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects: many of one array, kept in memory and handed to kernels in structures; views
// in another format and of some layers; what an object was made of; the driver API.
// CUDA Runtime and Driver API: Texture Object Management.

#include "Inputs/textures.h"

#include <cuda.h>

using namespace textures;

struct Pair {
  int number;
  cudaTextureObject_t objects[2];
};

__device__ cudaTextureObject_t kept[2];
__constant__ cudaTextureObject_t constants[2];

__global__ void fromStructure(Pair pair, float *out) {
  out[0] = tex2D<float>(pair.objects[0], 1, 0);
  out[1] = tex2D<float>(pair.objects[1], 1, 0);
}

// Each lane has its own texture.
__global__ void fromMemory(float *out) {
  out[threadIdx.x] = tex2D<float>(kept[threadIdx.x % 2], 1, 0) +
                     tex2D<float>(constants[threadIdx.x % 2], 1, 0);
}

__global__ void bits(cudaTextureObject_t texture, int *out) {
  *out = tex2D<int>(texture, 1, 0);
}

__global__ void layer(cudaTextureObject_t texture, float *out) {
  out[0] = tex2DLayered<float>(texture, 0, 0, 0);
  out[1] = tex2DLayered<float>(texture, 0, 0, 9);
}

static void testMany() {
  Image image(4, 4, 1);
  image.fill(8);
  cudaArray_t array = makeArray(image, {4, 4, 0});
  cudaTextureDesc how = description(cudaAddressModeClamp, cudaFilterModePoint, false);
  const Texture point(array, how);
  how.filterMode = cudaFilterModeLinear;
  const Texture linear(array, how);
  const float x[] = {1, 0};
  const float found[] = {image.at(1, 0, 0, 0), sample(image, how, 2, x, 0, 0)};
  check::Array<float> out(32);
  fromStructure<<<1, 1>>>({1, {point, linear}}, out);
  out.get();
  CHECK_EQ(out.host[0], found[0]);
  CHECK_EQ(out.host[1], found[1]);
  const cudaTextureObject_t both[] = {point, linear};
  CUDA(cudaMemcpyToSymbol(kept, both, sizeof(both)));
  CUDA(cudaMemcpyToSymbol(constants, both, sizeof(both)));
  fromMemory<<<1, 32>>>(out);
  out.get();
  for (size_t i = 0; i < 32; ++i)
    CHECK_AT((long long)i, out.host[i], 2 * found[i % 2]);

  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatSignedInt1;
  view.width = view.height = 4;
  how.filterMode = cudaFilterModePoint;
  const Texture integers(Texture::resourceOf(array), how, &view);
  check::Array<int> word(1);
  bits<<<1, 1>>>(integers, word);
  CHECK_TRUE(memcmp(&word.get()[0], &found[0], 4) == 0);

  cudaResourceDesc resource;
  cudaTextureDesc texture;
  cudaResourceViewDesc viewed;
  CUDA(cudaGetTextureObjectResourceDesc(&resource, integers));
  CUDA(cudaGetTextureObjectTextureDesc(&texture, linear));
  CUDA(cudaGetTextureObjectResourceViewDesc(&viewed, integers));
  CHECK_EQ(resource.resType, cudaResourceTypeArray);
  CHECK_TRUE(resource.res.array.array == array);
  CHECK_EQ(texture.filterMode, cudaFilterModeLinear);
  CHECK_EQ(viewed.format, cudaResViewFormatSignedInt1);
  CUDA(cudaFreeArray(array));
}

static void testLayers() {
  Image image(2, 2, 5);
  image.fill(9);
  cudaArray_t array = makeArray(image, {2, 2, 5}, cudaArrayLayered);
  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatFloat1;
  view.width = view.height = 2;
  view.depth = 5;
  view.firstLayer = 2;
  view.lastLayer = 3;
  const Texture texture(Texture::resourceOf(array),
                        description(cudaAddressModeClamp, cudaFilterModePoint, false),
                        &view);
  check::Array<float> out(2);
  layer<<<1, 1>>>(texture, out);
  out.get();
  CHECK_EQ(out.host[0], image.at(0, 0, 2, 0));
  CHECK_EQ(out.host[1], image.at(0, 0, 3, 0));
  CUDA(cudaFreeArray(array));
}

// The driver reads integers as floats unless it is told otherwise.
static void testDriver() {
  std::vector<unsigned char> data = {0, 51, 102, 255};
  CUDA_ARRAY_DESCRIPTOR format = {4, 1, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CUarray array;
  CHECK_EQ(cuArrayCreate(&array, &format), CUDA_SUCCESS);
  CHECK_EQ(cuMemcpyHtoA(array, 0, data.data(), 4), CUDA_SUCCESS);
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC how = {};
  how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  CUtexObject floats, integers;
  CHECK_EQ(cuTexObjectCreate(&floats, &resource, &how, nullptr), CUDA_SUCCESS);
  how.flags = CU_TRSF_READ_AS_INTEGER;
  CHECK_EQ(cuTexObjectCreate(&integers, &resource, &how, nullptr), CUDA_SUCCESS);
  check::Array<float> out(2);
  check::Array<int> word(1);
  fromStructure<<<1, 1>>>({1, {floats, floats}}, out);
  bits<<<1, 1>>>(integers, word);
  CHECK_EQ(out.get()[0], 0.2f);
  CHECK_EQ(word.get()[0], 51);
  CUDA_TEXTURE_DESC told = {};
  CUDA_RESOURCE_DESC from = {};
  CHECK_EQ(cuTexObjectGetTextureDesc(&told, integers), CUDA_SUCCESS);
  CHECK_EQ(cuTexObjectGetResourceDesc(&from, integers), CUDA_SUCCESS);
  CHECK_EQ(told.flags, (unsigned)CU_TRSF_READ_AS_INTEGER);
  CHECK_TRUE(from.res.array.hArray == array);
  for (CUtexObject object : {floats, integers})
    CHECK_EQ(cuTexObjectDestroy(object), CUDA_SUCCESS);
  CHECK_EQ(cuTexObjectDestroy(floats), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuArrayDestroy(array), CUDA_SUCCESS);
}

int main() {
  testMany();
  testLayers();
  testDriver();
  return check::finish("textures/objects");
}
