// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random samples of all kinds against exact filters, within what CUDA documents: weights
// with 8 bits behind the point, nothing of how they are multiplied. So this holds on a
// device that samples by itself, too. HET_TEXTURE_SAMPLES says how many (4,096).
// CUDA C++ Programming Guide: Linear Filtering.

#define TEXTURES_BY_UNITS
#include "Inputs/textures.h"

using namespace textures;

template <int D>
__global__ void fetch(cudaTextureObject_t texture, const float *x, float *out, int count) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count)
    return;
  if (D == 1)
    out[i] = tex1D<float>(texture, x[3 * i]);
  else if (D == 2)
    out[i] = tex2D<float>(texture, x[3 * i], x[3 * i + 1]);
  else
    out[i] = tex3D<float>(texture, x[3 * i], x[3 * i + 1], x[3 * i + 2]);
}

// The exact filter: the elements around a place, by the distance from it. Also the
// smallest and the largest of them, and those beside them.
struct Exact {
  double value = 0, least = INFINITY, most = -INFINITY;
};

static Exact exact(const Image &image, const cudaTextureDesc &how, int dimensions,
                   const float *x) {
  long long first[3] = {0, 0, 0};
  double weight[3] = {0, 0, 0};
  for (int d = 0; d < dimensions; ++d) {
    double at = x[d];
    if (how.normalizedCoords)
      at *= image.size[d];
    first[d] = (long long)std::floor(at - 0.5);
    weight[d] = at - 0.5 - (double)first[d];
  }
  Exact result;
  for (int corner = 0; corner < 1 << (2 * dimensions); ++corner) {
    double part = 1, value = 0;
    int place[3] = {0, 0, 0};
    bool isInside = true;
    for (int d = 0; d < dimensions; ++d) {
      const int step = (corner >> 2 * d & 3) - 1; // -1 and 2 are beside the neighbours
      part *= step == 0 ? 1 - weight[d] : step == 1 ? weight[d] : 0;
      place[d] = addressed(first[d] + step, image.size[d], how.addressMode[d]);
      isInside = isInside && place[d] >= 0;
    }
    value = isInside ? image.at(place[0], place[1], place[2], 0) : how.borderColor[0];
    result.value += part * value;
    result.least = std::min(result.least, value);
    result.most = std::max(result.most, value);
  }
  return result;
}

template <int D>
static void test(const Image &image, cudaExtent extent, const cudaTextureDesc &how,
                 int count, unsigned &seed) {
  cudaArray_t array = makeArray(image, extent);
  check::Array<float> x(3 * (size_t)count), out((size_t)count);
  for (size_t i = 0; i < x.size(); ++i) {
    const float part = (float)(check::random(seed) & 0xffffff) / 0x1000000;
    x.host[i] = (3 * part - 1) *
                (how.normalizedCoords ? 1.0f : (float)image.size[i % 3]);
  }
  x.put();
  {
    const Texture texture(array, how);
    fetch<D><<<(unsigned)(count + 127) / 128, 128>>>(texture, x, out, count);
    out.get();
  }
  for (int i = 0; i < count; ++i) {
    const Exact wanted = exact(image, how, D, &x.host[3 * (size_t)i]);
    // Half a step of each weight, as much for the place's own rounding, and of the sums.
    const double spread = wanted.most - wanted.least;
    const double allowed = D * spread / 256 + 1e-5 * std::fabs(spread) + 1e-6;
    const double found = out.host[(size_t)i];
    CHECK_TRUE(std::fabs(found - wanted.value) <= allowed);
  }
  CUDA(cudaFreeArray(array));
}

int main() {
  const int count = (int)check::setting("HET_TEXTURE_SAMPLES", 4096) / 8;
  unsigned seed = 77;
  Image line(64, 1, 1), square(32, 16, 1), body(8, 8, 4);
  for (Image *image : {&line, &square, &body})
    image->fill(check::random(seed));
  // Periodic modes with powers of two, whose products are exact.
  for (bool isNormalized : {false, true})
    for (cudaTextureAddressMode mode :
         {cudaAddressModeClamp, cudaAddressModeBorder, cudaAddressModeWrap,
          cudaAddressModeMirror}) {
      if (!isNormalized && mode != cudaAddressModeClamp && mode != cudaAddressModeBorder)
        continue;
      cudaTextureDesc how = description(mode, cudaFilterModeLinear, isNormalized);
      how.borderColor[0] = 31;
      test<1>(line, {64, 0, 0}, how, count / 4, seed);
      test<2>(square, {32, 16, 0}, how, count, seed);
      test<3>(body, {8, 8, 4}, how, count / 4, seed);
    }
  return check::finish("textures/precision");
}
