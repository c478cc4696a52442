// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Samples of float arrays of one, two and three dimensions: each address mode, with both
// filters and both kinds of coordinates, also far outside and where they are no numbers.
// CUDA C++ Programming Guide: Texture Fetching.

#include "Inputs/textures.h"

using namespace textures;

static const int count = 96;

template <int D, class T>
__global__ void fetch(cudaTextureObject_t texture, const float *x, T *out) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (D == 1)
    out[i] = tex1D<T>(texture, x[3 * i]);
  else if (D == 2)
    out[i] = tex2D<T>(texture, x[3 * i], x[3 * i + 1]);
  else
    tex3D(&out[i], texture, x[3 * i], x[3 * i + 1], x[3 * i + 2]);
}

template <int D, class T>
static void test(const Image &image, cudaArray_t array, const cudaTextureDesc &how,
                 unsigned &seed) {
  check::Array<float> x(3 * count);
  check::Array<T> out(count);
  for (int i = 0; i < 3 * count; ++i)
    x.host[i] =
        coordinate(seed, how.normalizedCoords ? 1.0f : (float)image.size[i % 3]);
  x.put();
  const Texture texture(array, how);
  fetch<D><<<3, count / 3>>>(texture, x, (T *)out);
  out.get();
  for (int i = 0; i < count; ++i)
    for (int c = 0; c < image.channels; ++c)
      CHECK_AT(i, ((float *)&out.host[i])[c],
               sample(image, how, D, &x.host[3 * i], 0, c));
}

template <int D, class T>
static void testAll(const Image &image, cudaExtent extent, unsigned &seed) {
  cudaArray_t array = makeArray(image, extent);
  for (cudaTextureAddressMode mode :
       {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror,
        cudaAddressModeBorder})
    for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear})
      for (bool isNormalized : {false, true}) {
        cudaTextureDesc how = description(mode, filter, isNormalized);
        for (int c = 0; c < 4; ++c)
          how.borderColor[c] = 1000.0f + (float)c;
        test<D, T>(image, array, how, seed);
      }
  // Each dimension has its own mode.
  cudaTextureDesc how = description(cudaAddressModeWrap, cudaFilterModeLinear, true);
  how.addressMode[1] = cudaAddressModeMirror;
  how.addressMode[2] = cudaAddressModeBorder;
  test<D, T>(image, array, how, seed);
  CUDA(cudaFreeArray(array));
}

int main() {
  unsigned seed = 1;
  Image line(37, 1, 1), square(13, 7, 1), four(6, 5, 1, 4), body(5, 3, 4), two(3, 4, 2, 2);
  for (Image *image : {&line, &square, &four, &body, &two})
    image->fill(check::random(seed));
  testAll<1, float>(line, {37, 0, 0}, seed);
  testAll<2, float>(square, {13, 7, 0}, seed);
  testAll<2, float4>(four, {6, 5, 0}, seed);
  testAll<3, float>(body, {5, 3, 4}, seed);
  testAll<3, float2>(two, {3, 4, 2}, seed);
  return check::finish("textures/filters");
}
