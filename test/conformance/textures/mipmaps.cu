// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mipmapped arrays: their levels, written by copies and by surfaces; samples of a level,
// between levels, and of the level that derivatives ask for; bias, clamps, views.
// CUDA Runtime API: cudaMallocMipmappedArray, cudaTextureDesc.

#include "Inputs/textures.h"

using namespace textures;

static const int width = 16, height = 8, levels = 5;

__global__ void sampleLod(cudaTextureObject_t texture, const float *x, float *out) {
  const int i = threadIdx.x;
  out[i] = tex2DLod<float>(texture, x[3 * i], x[3 * i + 1], x[3 * i + 2]);
}

__global__ void sampleGrad(cudaTextureObject_t texture, const float *by, float *out) {
  const int i = threadIdx.x;
  out[i] = tex2DGrad<float>(texture, 0.5f, 0.5f, make_float2(by[i], 0),
                            make_float2(0, 0.25f * by[i]));
}

__global__ void plain(cudaTextureObject_t texture, float *out) {
  *out = tex2D<float>(texture, 0.3f, 0.7f);
}

static std::vector<Image> images;

static cudaMipmappedArray_t makeArrays() {
  cudaMipmappedArray_t mipmap;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CUDA(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(width, height, 0), 99));
  for (unsigned level = 0; level < levels; ++level) {
    cudaArray_t array;
    cudaExtent extent;
    CUDA(cudaGetMipmappedArrayLevel(&array, mipmap, level));
    CUDA(cudaArrayGetInfo(nullptr, &extent, nullptr, array));
    CHECK_EQ((int)extent.width, std::max(width >> level, 1));
    CHECK_EQ((int)extent.height, std::max(height >> level, 1));
    Image image((int)extent.width, (int)extent.height, 1);
    image.fill(level + 1);
    CUDA(cudaMemcpy2DToArray(array, 0, 0, image.values.data(), 4 * extent.width,
                             4 * extent.width, extent.height, cudaMemcpyHostToDevice));
    images.push_back(image);
  }
  cudaArray_t none;
  CUDA_ERROR(cudaGetMipmappedArrayLevel(&none, mipmap, levels), cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  return mipmap;
}

static float expected(const cudaTextureDesc &how, const float *x, float lod) {
  lod = std::max(lod + how.mipmapLevelBias, how.minMipmapLevelClamp);
  lod = std::max(std::min({lod, how.maxMipmapLevelClamp, levels - 1.0f}), 0.0f);
  const int place = (int)std::lrint(lod * 256);
  if (how.mipmapFilterMode == cudaFilterModePoint) // halfway belongs to the larger one
    return sample(images[(size_t)(place + 127) / 256], how, 2, x, 0, 0);
  const size_t level = (size_t)place / 256;
  const float first = sample(images[level], how, 2, x, 0, 0);
  if (place % 256 == 0)
    return first;
  return mixed(first, sample(images[level + 1], how, 2, x, 0, 0), place % 256);
}

static void testLevels(const cudaResourceDesc &resource, cudaTextureDesc how) {
  const int count = 64;
  unsigned seed = 21;
  check::Array<float> x(3 * count), out(count);
  for (int i = 0; i < count; ++i) {
    x.host[3 * i] = coordinate(seed, 1);
    x.host[3 * i + 1] = coordinate(seed, 1);
    x.host[3 * i + 2] = (float)((int)(check::random(seed) % 2000) - 400) / 256;
  }
  x.put();
  const Texture texture(resource, how);
  sampleLod<<<1, count>>>(texture, x, out);
  out.get();
  for (int i = 0; i < count; ++i)
    CHECK_AT(i, out.host[i], expected(how, &x.host[3 * i], x.host[3 * i + 2]));
  check::Array<float> one(1);
  plain<<<1, 1>>>(texture, one);
  const float at[] = {0.3f, 0.7f};
  CHECK_EQ(one.get()[0], expected(how, at, 0));
}

// A step of 2^k elements asks for level k.
static void testDerivatives(const cudaResourceDesc &resource, const cudaTextureDesc &how) {
  const Texture texture(resource, how);
  check::Array<float> by(7), out(7);
  for (size_t i = 0; i < 7; ++i)
    by.host[i] = std::ldexp(i == 6 ? -1.5f : 1.0f, (int)i - 1) / width;
  by.put();
  sampleGrad<<<1, 7>>>(texture, by, out);
  out.get();
  const float at[] = {0.5f, 0.5f};
  for (size_t i = 0; i < 6; ++i)
    CHECK_AT((long long)i, out.host[i], expected(how, at, (float)i - 1));
  CHECK_EQ(out.host[6], expected(how, at, 5));
}

static void testView(const cudaResourceDesc &resource, const cudaTextureDesc &how) {
  cudaResourceViewDesc view = {};
  view.width = width;
  view.height = height;
  view.firstMipmapLevel = 2;
  view.lastMipmapLevel = 3;
  const Texture texture(resource, how, &view);
  check::Array<float> x(std::vector<float>{0.25f, 0.75f, 0, 0.25f, 0.75f, 9}), out(2);
  sampleLod<<<1, 2>>>(texture, x, out);
  out.get();
  CHECK_EQ(out.host[0], sample(images[2], how, 2, &x.host[0], 0, 0));
  CHECK_EQ(out.host[1], sample(images[3], how, 2, &x.host[0], 0, 0));
}

int main() {
  cudaMipmappedArray_t mipmap = makeArrays();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap;
  for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    cudaTextureDesc how = description(cudaAddressModeWrap, cudaFilterModeLinear, true);
    how.mipmapFilterMode = filter;
    how.maxMipmapLevelClamp = 100;
    testLevels(resource, how);
    testDerivatives(resource, how);
    testView(resource, how);
    how.mipmapLevelBias = 0.75f;
    how.minMipmapLevelClamp = 1.25f;
    how.maxMipmapLevelClamp = 3.5f;
    testLevels(resource, how);
  }
  CUDA(cudaFreeMipmappedArray(mipmap));
  return check::finish("textures/mipmaps");
}
