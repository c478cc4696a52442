// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The four elements that a linear filter would use, of each channel.
// CUDA C++ Programming Guide: Texture Gather.

#include "Inputs/textures.h"

using namespace textures;

static const int count = 48;

__global__ void gather(cudaTextureObject_t texture, const float *x, float4 *out) {
  const int i = threadIdx.x;
  out[4 * i] = tex2Dgather<float4>(texture, x[2 * i], x[2 * i + 1]);
  out[4 * i + 1] = tex2Dgather<float4>(texture, x[2 * i], x[2 * i + 1], 1);
  tex2Dgather(&out[4 * i + 2], texture, x[2 * i], x[2 * i + 1], 2);
  out[4 * i + 3] = tex2Dgather<float4>(texture, x[2 * i], x[2 * i + 1], 3);
}

int main() {
  Image image(9, 6, 1, 4);
  image.fill(4);
  cudaArray_t array = makeArray(image, {9, 6, 0}, cudaArrayTextureGather);
  unsigned seed = 3;
  for (cudaTextureAddressMode mode :
       {cudaAddressModeClamp, cudaAddressModeWrap, cudaAddressModeBorder}) {
    cudaTextureDesc how = description(mode, cudaFilterModePoint, true);
    how.borderColor[0] = -7;
    check::Array<float> x(2 * count);
    check::Array<float4> out(4 * count);
    for (float &value : x.host) {
      value = coordinate(seed, 1);
      value = std::isfinite(value) ? value : 0.25f;
    }
    // Halfway between two weights, and so near to an element that it is its place.
    x.host[0] = 2.0f / 9 - 1.0f / 9 / 1024;
    x.host[1] = 2.5f / 6;
    x.put();
    const Texture texture(array, how);
    gather<<<1, count>>>(texture, x, out);
    out.get();
    for (int i = 0; i < count; ++i) {
      const Place p = placeOf(x.host[2 * i], 9, mode, true, true);
      const Place q = placeOf(x.host[2 * i + 1], 6, mode, true, true);
      for (int c = 0; c < 4; ++c) {
        const auto element = [&](int a, int b) {
          return a < 0 || b < 0 ? how.borderColor[c] : image.at(a, b, 0, c);
        };
        const float4 found = out.host[4 * i + c];
        CHECK_AT(i, found.x, element(p.first, q.second));
        CHECK_AT(i, found.y, element(p.second, q.second));
        CHECK_AT(i, found.z, element(p.second, q.first));
        CHECK_AT(i, found.w, element(p.first, q.first));
      }
    }
  }
  CUDA(cudaFreeArray(array));
  return check::finish("textures/gather");
}
