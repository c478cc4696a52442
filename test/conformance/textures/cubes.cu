// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cubes and layers of cubes: a direction chooses a face by its largest part, and a place
// there. With seamless filtering the neighbours are on the next face.
// CUDA C++ Programming Guide: Cubemap Textures.

#include "Inputs/textures.h"

using namespace textures;

static const int count = 96, width = 8, cubes = 3;

__global__ void fetch(cudaTextureObject_t texture, const float *d, float *out) {
  const int i = threadIdx.x;
  out[i] = texCubemap<float>(texture, d[3 * i], d[3 * i + 1], d[3 * i + 2]);
}

__global__ void fetchLevel(cudaTextureObject_t texture, const float *d, float *out) {
  const int i = threadIdx.x;
  out[i] = texCubemapLod<float>(texture, d[3 * i], d[3 * i + 1], d[3 * i + 2], 1);
}

__global__ void fetchLayered(cudaTextureObject_t texture, const float *d, float *out) {
  const int i = threadIdx.x;
  texCubemapLayered(&out[i], texture, d[3 * i], d[3 * i + 1], d[3 * i + 2], i % 5 - 1);
}

// CUDA's table: the face, and the place on it from 0 to 1.
static int faceOf(const float *d, float *place) {
  int axis = 0;
  for (int i = 1; i < 3; ++i)
    if (std::fabs(d[i]) > std::fabs(d[axis]))
      axis = i;
  const bool isBack = d[axis] < 0;
  const float right[] = {isBack ? d[2] : -d[2], d[0], isBack ? -d[0] : d[0]};
  const float down[] = {-d[1], isBack ? -d[2] : d[2], -d[1]};
  const float ahead = std::fabs(d[axis]);
  place[0] = (right[axis] / ahead + 1) * 0.5f;
  place[1] = (down[axis] / ahead + 1) * 0.5f;
  return 2 * axis + isBack;
}

static void makeDirections(check::Array<float> &d) {
  unsigned seed = 11;
  for (int i = 0; i < 3 * count; ++i)
    d.host[(size_t)i] = (float)((int)(check::random(seed) % 2001) - 1000) / 64;
  const float known[][3] = {{1, 0, 0}, {-2, 0.5f, 1}, {0, 3, -1}, {1, -1.5f, 0.25f},
                            {0.1f, 0.2f, 4}, {0.5f, 0.25f, -1}, {5, 5, 4}, {-3, 2, 3}};
  for (size_t i = 0; i < 8; ++i)
    std::copy_n(known[i], 3, &d.host[3 * i]);
  d.put();
}

static void test(cudaTextureFilterMode filter, bool isLayered) {
  const int all = isLayered ? cubes : 1;
  Image image(width, width, 6 * all);
  image.fill(6);
  cudaArray_t array =
      makeArray(image, {width, width, (size_t)(6 * all)},
                cudaArrayCubemap | (isLayered ? cudaArrayLayered : 0));
  const cudaTextureDesc how = description(cudaAddressModeClamp, filter, true);
  check::Array<float> d(3 * count), out(count);
  makeDirections(d);
  const Texture texture(array, how);
  if (isLayered)
    fetchLayered<<<1, count>>>(texture, d, out);
  else
    fetch<<<1, count>>>(texture, d, out);
  out.get();
  for (int i = 0; i < count; ++i) {
    float place[2];
    const int face = faceOf(&d.host[3 * (size_t)i], place);
    const int cube = isLayered ? std::min(std::max(i % 5 - 1, 0), cubes - 1) : 0;
    CHECK_AT(i, out.host[(size_t)i], sample(image, how, 2, place, 6 * cube + face, 0));
  }
  CUDA(cudaFreeArray(array));
}

// From face +x to +z, +y, -z and -y; from +z to -x and to +x.
static const float edges[][3] = {{1, 0, 0.9999f},  {1, 0.9999f, 0},  {1, 0, -0.9999f},
                                 {1, -0.9999f, 0}, {-0.9999f, 0, 1}, {0.9999f, 0, 1}};

// Elements that are the number of their face: what lies between faces is between their
// numbers, as much on both sides of the edge.
static void testSeamless() {
  Image image(width, width, 6);
  for (int face = 0; face < 6; ++face)
    std::fill_n(&image.values[(size_t)(face * width * width)], width * width, (float)face);
  cudaArray_t array = makeArray(image, {width, width, 6}, cudaArrayCubemap);
  cudaTextureDesc how = description(cudaAddressModeClamp, cudaFilterModeLinear, true);
  how.seamlessCubemap = 1;
  const Texture texture(array, how);
  const float values[] = {2, 1, 2.5f, 1.5f, 2.5f, 2};
  check::Array<float> d(18), out(6);
  std::copy_n(edges[0], 18, d.host.begin());
  d.put();
  fetch<<<1, 6>>>(texture, d, out);
  out.get();
  for (size_t i = 0; i < 6; ++i)
    CHECK_AT((long long)i, out.host[i], values[i]);
  CUDA(cudaFreeArray(array));
}

// The same of the second level, whose faces have other numbers.
static void testSeamlessLevels() {
  cudaMipmappedArray_t mipmap;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CUDA(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(width, width, 6), 2,
                                cudaArrayCubemap));
  for (unsigned level = 0; level < 2; ++level) {
    const size_t n = (size_t)width >> level;
    std::vector<float> data(n * n * 6);
    for (size_t i = 0; i < data.size(); ++i)
      data[i] = (float)(i / (n * n)) + 100 * (float)level;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(data.data(), n * 4, n, n);
    CUDA(cudaGetMipmappedArrayLevel(&copy.dstArray, mipmap, level));
    copy.extent = make_cudaExtent(n, n, 6);
    copy.kind = cudaMemcpyHostToDevice;
    CUDA(cudaMemcpy3D(&copy));
  }
  cudaTextureDesc how = description(cudaAddressModeClamp, cudaFilterModeLinear, true);
  how.seamlessCubemap = 1;
  how.maxMipmapLevelClamp = 1;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap;
  {
    const Texture texture(resource, how);
    check::Array<float> d(18), out(6);
    std::copy_n(edges[0], 18, d.host.begin());
    d.put();
    fetchLevel<<<1, 6>>>(texture, d, out);
    out.get();
    const float values[] = {102, 101, 102.5f, 101.5f, 102.5f, 102};
    for (size_t i = 0; i < 6; ++i)
      CHECK_AT((long long)i, out.host[i], values[i]);
  }
  CUDA(cudaFreeMipmappedArray(mipmap));
}

int main() {
  for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    test(filter, false);
    test(filter, true);
  }
  testSeamless();
  testSeamlessLevels();
  return check::finish("textures/cubes");
}
