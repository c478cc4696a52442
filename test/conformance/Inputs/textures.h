// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What texture fetches give, computed here from CUDA's rules and the fixed-point weights
// of its filters (docs/design/textures.md); and short ways to arrays and textures.

#ifndef CONFORMANCE_TEXTURES_H
#define CONFORMANCE_TEXTURES_H

#include "check.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace textures {

#ifndef TEXTURES_BY_UNITS
// These compare bits, so kernels sample on every device.
static const int byKernels = setenv("HET_TEXTURE_UNITS", "0", 0);
#endif

// Elements as they are read, the channels of each side by side.
struct Image {
  int size[3] = {1, 1, 1}; // of a row, rows, slices or layers
  int channels = 1;
  std::vector<float> values;

  Image(int width, int height, int depth, int channels = 1)
      : size{width, height, depth}, channels(channels),
        values((size_t)width * height * depth * channels) {}
  float &at(int x, int y, int z, int c) {
    return values[(((size_t)z * size[1] + y) * size[0] + x) * channels + c];
  }
  float at(int x, int y, int z, int c) const {
    return const_cast<Image *>(this)->at(x, y, z, c);
  }
  void fill(unsigned seed) {
    for (float &value : values)
      value = (float)((int)(check::random(seed) % 20001) - 10000) / 64;
  }
};

inline cudaTextureDesc description(cudaTextureAddressMode mode,
                                   cudaTextureFilterMode filter, bool isNormalized) {
  cudaTextureDesc result = {};
  std::fill_n(result.addressMode, 3, mode);
  result.filterMode = filter;
  result.normalizedCoords = isNormalized;
  return result;
}

// The two elements of a coordinate, and the weight of the second in 256ths.
struct Place {
  int first, second, weight;
};

inline int addressed(long long i, int n, cudaTextureAddressMode mode) {
  const long long period = 2ll * n;
  switch (mode) {
  case cudaAddressModeWrap:
    return (int)((i % n + n) % n);
  case cudaAddressModeMirror:
    i = (i % period + period) % period;
    return (int)(i < n ? i : period - 1 - i);
  case cudaAddressModeBorder:
    return i < 0 || i >= n ? -1 : (int)i;
  default:
    return (int)std::min<long long>(std::max<long long>(i, 0), n - 1);
  }
}

inline Place placeOf(float x, int n, cudaTextureAddressMode mode, bool isLinear,
                     bool isNormalized) {
  const bool isPeriodic = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
  if (!isNormalized && isPeriodic)
    mode = cudaAddressModeClamp;
  else if (isPeriodic) {
    const float whole = std::floor(x);
    x -= whole;
    if (mode == cudaAddressModeMirror && std::fmod(whole, 2.0f) != 0)
      x = 1 - x;
  }
  if (isNormalized)
    x *= (float)n;
  if (std::isnan(x)) { // CUDA does not say; here it is as what lies before the elements
    const int last = std::max(n - 1 - isLinear, 0);
    const int e = mode == cudaAddressModeBorder ? -1
                  : mode == cudaAddressModeWrap ? last
                                                : 0;
    return {e, e, 0};
  }
  if (!isLinear) {
    long long i = (long long)std::floor(std::min(std::max(x, -1e9f), 1e9f));
    i = mode == cudaAddressModeWrap ? std::min<long long>(i, n - 1) : i;
    return {addressed(i, n, mode), addressed(i, n, mode), 0};
  }
  x = std::min(std::max(x - 0.5f, -1e9f), 1e9f);
  const long long fixed = std::llrint((double)x * 256);
  const long long first = fixed >> 8;
  return {addressed(first, n, mode), addressed(first + 1, n, mode), (int)(fixed & 255)};
}

inline float mixed(float a, float b, int weight) {
  const float part = (float)weight / 256;
  return a == b ? a : std::fma(part, b, (1 - part) * a);
}

// A sample over the first `dimensions` coordinates; of a layer, where there are fewer
// than three.
inline float sample(const Image &image, const cudaTextureDesc &how, int dimensions,
                    const float *x, int layer, int channel) {
  Place p[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  layer = std::min(std::max(layer, 0), image.size[2] - 1);
  p[2].first = p[2].second = layer;
  const bool isLinear = how.filterMode == cudaFilterModeLinear;
  for (int d = 0; d < dimensions; ++d)
    p[d] =
        placeOf(x[d], image.size[d], how.addressMode[d], isLinear, how.normalizedCoords);
  const auto corner = [&](int i, int j, int k) {
    return i < 0 || j < 0 || k < 0 ? how.borderColor[channel]
                                   : image.at(i, j, k, channel);
  };
  const auto line = [&](int j, int k) {
    return mixed(corner(p[0].first, j, k), corner(p[0].second, j, k), p[0].weight);
  };
  const auto square = [&](int k) {
    return mixed(line(p[1].first, k), line(p[1].second, k), p[1].weight);
  };
  return mixed(square(p[2].first), square(p[2].second), p[2].weight);
}

// Coordinates inside, around the edges, far outside, and what are no numbers.
inline float coordinate(unsigned &seed, float size) {
  const unsigned kind = check::random(seed) % 16;
  const float part = (float)(check::random(seed) & 0xffffff) / 0x1000000;
  if (kind == 0)
    return std::floor(part * size);
  if (kind == 1)
    return std::floor(part * size) + 0.5f;
  if (kind == 2)
    return part < 0.3f ? INFINITY : part < 0.6f ? -INFINITY : NAN;
  if (kind == 3)
    return (part - 0.5f) * 1e7f;
  return kind < 12 ? part * size : (5 * part - 2) * size;
}

// An array with the elements of `data`, which lie without gaps.
template <class T>
cudaArray_t makeArray(const std::vector<T> &data, const cudaChannelFormatDesc &format,
                      cudaExtent extent, unsigned flags = 0) {
  cudaArray_t array = nullptr;
  check::cuda("cudaMalloc3DArray", __LINE__,
              cudaMalloc3DArray(&array, &format, extent, flags), cudaSuccess);
  const size_t element = (size_t)(format.x + format.y + format.z + format.w) / 8;
  const size_t rows = std::max<size_t>(extent.height, 1);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr((void *)data.data(), extent.width * element,
                                    extent.width, rows);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(extent.width, rows, std::max<size_t>(extent.depth, 1));
  copy.kind = cudaMemcpyHostToDevice;
  check::cuda("cudaMemcpy3D", __LINE__, cudaMemcpy3D(&copy), cudaSuccess);
  return array;
}

inline cudaArray_t makeArray(const Image &image, cudaExtent extent, unsigned flags = 0) {
  const int c = image.channels;
  return makeArray(image.values,
                   cudaCreateChannelDesc(32, c > 1 ? 32 : 0, c > 2 ? 32 : 0,
                                         c > 2 ? 32 : 0, cudaChannelFormatKindFloat),
                   extent, flags);
}

// A texture over an array, for as long as this lives.
class Texture {
  cudaTextureObject_t object = 0;

public:
  Texture(const cudaResourceDesc &resource, const cudaTextureDesc &how,
          const cudaResourceViewDesc *view = nullptr) {
    check::cuda("cudaCreateTextureObject", __LINE__,
                cudaCreateTextureObject(&object, &resource, &how, view), cudaSuccess);
  }
  Texture(cudaArray_t array, const cudaTextureDesc &how)
      : Texture(resourceOf(array), how) {}
  Texture(const Texture &) = delete;
  ~Texture() {
    check::cuda("cudaDestroyTextureObject", __LINE__, cudaDestroyTextureObject(object),
                cudaSuccess);
  }
  operator cudaTextureObject_t() const { return object; }

  static cudaResourceDesc resourceOf(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
  }
};

} // namespace textures

#endif // CONFORMANCE_TEXTURES_H
