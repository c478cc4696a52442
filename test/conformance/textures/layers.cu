// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layered arrays of one and two dimensions: no filter goes from one layer to the next,
// and a layer that is not there is the nearest one.
// CUDA C++ Programming Guide: Layered Textures.

#include "Inputs/textures.h"

using namespace textures;

static const int count = 64;

template <int D>
__global__ void fetch(cudaTextureObject_t texture, const float *x, const int *layer,
                      float2 *out) {
  const int i = threadIdx.x;
  if (D == 1)
    out[i] = tex1DLayered<float2>(texture, x[2 * i], layer[i]);
  else
    tex2DLayered(&out[i], texture, x[2 * i], x[2 * i + 1], layer[i]);
}

template <int D> static void test(const Image &image, cudaExtent extent, unsigned &seed) {
  cudaArray_t array = makeArray(image, extent, cudaArrayLayered);
  for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    cudaTextureDesc how = description(cudaAddressModeMirror, filter, true);
    check::Array<float> x(2 * count);
    check::Array<int> layer(count);
    check::Array<float2> out(count);
    for (int i = 0; i < count; ++i) {
      x.host[2 * i] = coordinate(seed, 1);
      x.host[2 * i + 1] = coordinate(seed, 1);
      layer.host[i] = (int)(check::random(seed) % 9) - 2;
    }
    x.put();
    layer.put();
    const Texture texture(array, how);
    fetch<D><<<1, count>>>(texture, x, layer, (float2 *)out);
    out.get();
    for (int i = 0; i < count; ++i) {
      const float *at = &x.host[2 * i];
      CHECK_AT(i, out.host[i].x, sample(image, how, D, at, layer.host[i], 0));
      CHECK_AT(i, out.host[i].y, sample(image, how, D, at, layer.host[i], 1));
    }
  }
  CUDA(cudaFreeArray(array));
}

int main() {
  unsigned seed = 5;
  Image lines(11, 1, 5, 2), squares(7, 4, 3, 2);
  lines.fill(1);
  squares.fill(2);
  test<1>(lines, {11, 0, 5}, seed);
  test<2>(squares, {7, 4, 3}, seed);
  return check::finish("textures/layers");
}
