// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of every format: read as they are, and as floats from 0 to 1 or -1 to 1, with
// and without a filter; halves; sRGB; channels that the elements do not have.
// CUDA Runtime API: cudaChannelFormatDesc, cudaTextureReadMode.

#include "Inputs/textures.h"

#include <limits>

using namespace textures;

static const int width = 16, height = 3;

template <class T> __global__ void fetch(cudaTextureObject_t texture, T *out, float by) {
  const int i = threadIdx.x;
  out[i] = tex2D<T>(texture, (float)(i % width) + by, (float)(i / width) + by);
}

template <class T> static std::vector<T> run(cudaArray_t array, const cudaTextureDesc &how,
                                             float by) {
  check::Array<T> out(width * height);
  const Texture texture(array, how);
  fetch<<<1, width * height>>>(texture, (T *)out, by);
  return out.get();
}

// Elements are N of a scalar S, T in CUDA's words.
template <class T, class S, int N> static void testIntegers(unsigned seed) {
  std::vector<T> data(width * height);
  Image image(width, height, 1, N);
  for (size_t i = 0; i < data.size(); ++i)
    for (int c = 0; c < N; ++c) {
      S value = (S)check::random(seed);
      if (i < 2)
        value = i ? std::numeric_limits<S>::min() : std::numeric_limits<S>::max();
      ((S *)&data[i])[c] = value;
      const float part = (float)value / (float)std::numeric_limits<S>::max();
      image.values[i * N + (size_t)c] = std::max(part, -1.0f);
    }
  cudaArray_t array = makeArray(data, cudaCreateChannelDesc<T>(), {width, height, 0});
  cudaTextureDesc how = description(cudaAddressModeClamp, cudaFilterModePoint, false);
  const std::vector<T> plain = run<T>(array, how, 0);
  CHECK_TRUE(memcmp(plain.data(), data.data(), data.size() * sizeof(T)) == 0);
  if (sizeof(S) == 4) { // is never converted
    how.readMode = cudaReadModeNormalizedFloat;
    const std::vector<T> again = run<T>(array, how, 0.5f);
    CHECK_TRUE(memcmp(again.data(), data.data(), data.size() * sizeof(T)) == 0);
    CUDA(cudaFreeArray(array));
    return;
  }
  how.readMode = cudaReadModeNormalizedFloat;
  for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    how.filterMode = filter;
    const std::vector<float4> found = run<float4>(array, how, 0.75f);
    for (int i = 0; i < width * height; ++i)
      for (int c = 0; c < 4; ++c) {
        const float x[] = {(float)(i % width) + 0.75f, (float)(i / width) + 0.75f};
        CHECK_AT(i, ((const float *)&found[(size_t)i])[c],
                 c < N ? sample(image, how, 2, x, 0, c) : 0.0f);
      }
  }
  CUDA(cudaFreeArray(array));
}

static void testHalves() {
  const unsigned short bits[] = {0x0000, 0x8000, 0x3c00, 0xc000, 0x7bff, 0x0001,
                                 0x03ff, 0x0400, 0x7c00, 0xfc00, 0x3555, 0x3800};
  const float values[] = {0.0f,       -0.0f,        1.0f,         -2.0f,
                          65504.0f,   0x1p-24f,     1023 * 0x1p-24f, 0x1p-14f,
                          INFINITY,   -INFINITY,    1365 * 0x1p-12f, 0.5f};
  std::vector<unsigned short> data(width * height);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = bits[i % 12];
  cudaArray_t array = makeArray(data, cudaCreateChannelDescHalf(), {width, height, 0});
  cudaTextureDesc how = description(cudaAddressModeClamp, cudaFilterModePoint, false);
  const std::vector<float> found = run<float>(array, how, 0.5f);
  for (size_t i = 0; i < data.size(); ++i)
    CHECK_AT((long long)i, found[i], values[i % 12]);
  CUDA(cudaFreeArray(array));
}

// The three colours follow the curve, the fourth channel does not.
static void testCurve() {
  std::vector<uchar4> data(width * height);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = make_uchar4((unsigned char)(5 * i), (unsigned char)i, (unsigned char)(255 - i),
                          (unsigned char)(3 * i));
  cudaArray_t array = makeArray(data, cudaCreateChannelDesc<uchar4>(), {width, height, 0});
  cudaTextureDesc how = description(cudaAddressModeClamp, cudaFilterModePoint, false);
  how.readMode = cudaReadModeNormalizedFloat;
  how.sRGB = 1;
  const auto linear = [](int value) {
    const double c = value / 255.0;
    return (float)(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  };
  const std::vector<float4> found = run<float4>(array, how, 0.5f);
  for (size_t i = 0; i < data.size(); ++i) {
    CHECK_AT((long long)i, found[i].x, linear(data[i].x));
    CHECK_AT((long long)i, found[i].y, linear(data[i].y));
    CHECK_AT((long long)i, found[i].z, linear(data[i].z));
    CHECK_AT((long long)i, found[i].w, (float)data[i].w / 255.0f);
  }
  CUDA(cudaFreeArray(array));
}

int main() {
  testIntegers<unsigned char, unsigned char, 1>(1);
  testIntegers<char2, signed char, 2>(2);
  testIntegers<uchar4, unsigned char, 4>(3);
  testIntegers<short, short, 1>(4);
  testIntegers<ushort2, unsigned short, 2>(5);
  testIntegers<short4, short, 4>(6);
  testIntegers<int, int, 1>(7);
  testIntegers<uint2, unsigned, 2>(8);
  testIntegers<int4, int, 4>(9);
  testHalves();
  testCurve();
  return check::finish("textures/formats");
}
