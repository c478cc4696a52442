// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines and planes as a device's texture units sample them, where it has some: all address
// modes and filters, elements of many formats, arrays, pitched and linear memory, beside
// the edges too. Compared within what CUDA documents of the weights.
// CUDA C++ Programming Guide: Texture Fetching.

#define TEXTURES_BY_UNITS
#include "Inputs/textures.h"

using namespace textures;

static const int count = 256;

template <int D, class T>
__global__ void fetch(cudaTextureObject_t texture, const float *x, T *out) {
  const int i = threadIdx.x;
  out[i] = D == 1 ? tex1D<T>(texture, x[2 * i]) : tex2D<T>(texture, x[2 * i], x[2 * i + 1]);
}

template <class T> __global__ void fetchLine(cudaTextureObject_t texture, int first, T *out) {
  out[threadIdx.x] = tex1Dfetch<T>(texture, first + (int)threadIdx.x);
}

// Places anywhere for the linear filter, for the other near the middle of elements.
static float place(unsigned &seed, float size, bool isLinear) {
  const float part = (float)(check::random(seed) & 0xffff) / 0x10000;
  const float at = (3 * part - 1) * size;
  return isLinear ? at : std::floor(at) + 0.25f + part / 2;
}

// Elements that `image` has as floats; fetched as T.
template <int D, class T>
static void test(const Image &image, const cudaResourceDesc &resource, cudaTextureDesc how,
                 unsigned &seed) {
  const bool isLinear = how.filterMode == cudaFilterModeLinear;
  check::Array<float> x(2 * count);
  check::Array<T> out(count);
  for (int i = 0; i < 2 * count; ++i) {
    const float size = (float)image.size[i % 2];
    x.host[i] = place(seed, size, isLinear) / (how.normalizedCoords ? size : 1.0f);
  }
  x.put();
  const Texture texture(resource, how);
  fetch<D, T><<<1, count>>>(texture, x, (T *)out);
  out.get();
  float largest = 0;
  for (float value : image.values)
    largest = std::max(largest, std::fabs(value));
  const float allowed = isLinear ? 2 * D * largest / 128 : largest * 1e-6f;
  for (int i = 0; i < count; ++i)
    for (int c = 0; c < image.channels; ++c) {
      const float found = ((const float *)&out.host[i])[c];
      const float wanted = sample(image, how, D, &x.host[2 * i], 0, c);
      CHECK_TRUE(std::fabs(found - wanted) <= allowed);
    }
}

template <int D, class T>
static void testModes(const Image &image, const cudaResourceDesc &resource,
                      cudaTextureReadMode read, unsigned &seed) {
  for (bool isNormalized : {false, true})
    for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear})
      for (cudaTextureAddressMode mode : {cudaAddressModeClamp, cudaAddressModeBorder,
                                          cudaAddressModeWrap, cudaAddressModeMirror}) {
        cudaTextureDesc how = description(mode, filter, isNormalized);
        how.readMode = read;
        for (int c = 0; c < 4; ++c)
          how.borderColor[c] = (float)c / 5; // a whole number of 255ths
        test<D, T>(image, resource, how, seed);
      }
}

static void testFloats(unsigned &seed) {
  Image line(64, 1, 1), plane(32, 16, 1), wide(16, 8, 1, 4);
  for (Image *image : {&line, &plane, &wide})
    image->fill(check::random(seed));
  cudaArray_t arrays[] = {makeArray(line, {64, 0, 0}), makeArray(plane, {32, 16, 0}),
                          makeArray(wide, {16, 8, 0})};
  testModes<1, float>(line, Texture::resourceOf(arrays[0]), cudaReadModeElementType, seed);
  testModes<2, float>(plane, Texture::resourceOf(arrays[1]), cudaReadModeElementType, seed);
  testModes<2, float4>(wide, Texture::resourceOf(arrays[2]), cudaReadModeElementType, seed);
  for (cudaArray_t array : arrays)
    CUDA(cudaFreeArray(array));
}

// Bytes that are read as floats, from pitched memory.
static void testBytes(unsigned &seed) {
  Image image(16, 8, 1, 4);
  std::vector<unsigned char> data(image.values.size());
  for (size_t i = 0; i < data.size(); ++i) {
    data[i] = (unsigned char)check::random(seed);
    image.values[i] = (float)data[i] / 255;
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  auto &pitched = resource.res.pitch2D;
  pitched.desc = cudaCreateChannelDesc<uchar4>();
  pitched.width = 16, pitched.height = 8;
  CUDA(cudaMallocPitch(&pitched.devPtr, &pitched.pitchInBytes, 64, 8));
  CUDA(cudaMemcpy2D(pitched.devPtr, pitched.pitchInBytes, data.data(), 64, 64, 8,
                    cudaMemcpyHostToDevice));
  testModes<2, float4>(image, resource, cudaReadModeNormalizedFloat, seed);
  CUDA(cudaFree(pitched.devPtr));
}

// Elements by their numbers, and zeros beside them. What was written before the kernel is
// seen.
template <class T> static void testLine() {
  const int elements = 100;
  check::Array<T> data(elements), out(count);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {(T *)data, cudaCreateChannelDesc<T>(), elements * sizeof(T)};
  const Texture texture(resource, cudaTextureDesc());
  for (int round = 0; round < 3; ++round) {
    unsigned seed = 5u + (unsigned)round;
    for (int i = 0; i < elements; ++i)
      for (size_t byte = 0; byte < sizeof(T); ++byte)
        ((unsigned char *)&data.host[i])[byte] = (unsigned char)(check::random(seed) & 0x3f);
    data.put();
    fetchLine<T><<<1, count>>>(texture, -60, (T *)out);
    out.get();
    for (int i = 0; i < count; ++i) {
      const T none = {};
      const int number = i - 60;
      const T &wanted = number < 0 || number >= elements ? none : data.host[number];
      CHECK_TRUE(memcmp(&out.host[i], &wanted, sizeof(T)) == 0);
    }
  }
}

int main() {
  unsigned seed = 11;
  testFloats(seed);
  testBytes(seed);
  testLine<float>();
  testLine<float4>();
  testLine<int2>();
  testLine<short4>();
  testLine<char2>();
  testLine<uchar1>();
  return check::finish("textures/units");
}
