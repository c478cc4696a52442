// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From coordinates to elements: address modes, filters, levels. All of it is arithmetic
// whose every rounding is stated, so that all devices compute the same.
//
// CUDA C++ Programming Guide, Texture Fetching: places between elements have 8 bits.

#ifndef HET_TEXTURE_SAMPLING_H
#define HET_TEXTURE_SAMPLING_H

#include "texture_elements.h"

#include "../texture_types.h"

namespace __het_textures {

// The elements on both sides of a coordinate; -1: the border. `weight` is the second's.
struct axis {
  int first, second;
  float weight;
};

HET_TEXTURE_INLINE int limited(int i, int most) {
  return i < 0 ? 0 : i > most ? most : i;
}

// Where a coordinate lies, in elements. NaN stays so.
HET_TEXTURE_CODE float located(texture t, float x, int n, int mode) {
  if (!(t->flags & __het_texture_normalized))
    return x;
  if (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror) {
    const float whole = __builtin_floorf(x), half = __fmul_rn(whole, 0.5f);
    x = __fsub_rn(x, whole);
    if (mode == cudaAddressModeMirror && half != __builtin_floorf(half))
      x = __fsub_rn(1.0f, x);
  }
  return __fmul_rn(x, (float)n);
}

// The element that an index at most a row away means
HET_TEXTURE_INLINE int addressed(int i, int n, int mode) {
  if ((unsigned int)i < (unsigned int)n)
    return i;
  if (mode == cudaAddressModeBorder)
    return -1;
  if (mode == cudaAddressModeWrap)
    i += i < 0 ? n : -n;
  return limited(i, n - 1);
}

// Both neighbours, for the linear filter. What is further outside is as what is just
// outside.
HET_TEXTURE_CODE axis between(texture t, float x, int n, int mode) {
  x = __fsub_rn(located(t, x, n, mode), 0.5f);
  x = __builtin_fminf(__builtin_fmaxf(x, -2.0f), (float)(n + 1));
  const int place = (int)__builtin_rintf(__fmul_rn(x, 256.0f));
  const int first = place >> 8;
  return {addressed(first, n, mode), addressed(first + 1, n, mode),
          (float)(place & 255) * 0.00390625f};
}

HET_TEXTURE_CODE axis nearest(texture t, float x, int n, int mode) {
  x = __builtin_floorf(located(t, x, n, mode));
  x = __builtin_fminf(__builtin_fmaxf(x, -1.0f), (float)n);
  int first = (int)x;
  if (mode == cudaAddressModeWrap && first == n) // a product was rounded up
    first = n - 1;
  first = addressed(first, n, mode);
  return {first, first, 0};
}

template <int Channels>
HET_TEXTURE_INLINE words<Channels> mixed(const words<Channels> &a,
                                         const words<Channels> &b, float weight) {
  words<Channels> result;
  for (int i = 0; i < Channels; ++i) {
    const float first = as_float(a.w[i]), second = as_float(b.w[i]);
    const float rest = __fmul_rn(__fsub_rn(1.0f, weight), first);
    // What is the same everywhere stays exactly that.
    result.w[i] = first == second ? a.w[i] : as_word(__fmaf_rn(weight, second, rest));
  }
  return result;
}

// The filter over the first dimensions; of those behind them the first element counts.
template <int Dimensions, int Channels> struct filter {
  static __device__ __inline__ words<Channels> line(texture t, level l, const axis &x,
                                                    int y, int z) {
    return mixed(texel<Channels>(t, l, x.first, y, z),
                 texel<Channels>(t, l, x.second, y, z), x.weight);
  }
  static __device__ __inline__ words<Channels> square(texture t, level l, const axis *a,
                                                      int z) {
    const words<Channels> first = line(t, l, a[0], a[1].first, z);
    return Dimensions < 2 ? first
                          : mixed(first, line(t, l, a[0], a[1].second, z), a[1].weight);
  }
  static __device__ __inline__ words<Channels> cube(texture t, level l, const axis *a) {
    const words<Channels> first = square(t, l, a, a[2].first);
    return Dimensions < 3 ? first
                          : mixed(first, square(t, l, a, a[2].second), a[2].weight);
  }
};

// A sample of one level, at coordinates and a layer
template <int Dimensions, int Channels>
static __device__ __inline__ words<Channels> sample(texture t, level l, float x, float y,
                                                    float z, int layer) {
  const float coordinates[] = {x, y, z};
  axis a[3];
  a[1].first = 0;
  a[2].first = limited(layer, l->size[2] - 1);
  const bool is_linear = t->flags & __het_texture_linear;
  for (int d = 0; d < Dimensions; ++d)
    a[d] = is_linear ? between(t, coordinates[d], l->size[d], t->address_mode[d])
                     : nearest(t, coordinates[d], l->size[d], t->address_mode[d]);
  return is_linear ? filter<Dimensions, Channels>::cube(t, l, a)
                   : texel<Channels>(t, l, a[0].first, a[1].first, a[2].first);
}

// A sample between levels; the texture says how. `Sample` takes one of a level.
template <class Sample>
static __device__ __inline__ typename Sample::result
sample_levels(texture t, float x, float y, float z, int layer, float lod) {
  if (t->levels == 1)
    return Sample::of(t, &t->level[0], x, y, z, layer);
  const float highest = __builtin_fminf(t->highest, (float)(t->levels - 1));
  lod = __builtin_fmaxf(__fadd_rn(lod, t->bias), t->lowest);
  lod = __builtin_fmaxf(__builtin_fminf(lod, highest), 0.0f);
  const int place = (int)__builtin_rintf(__fmul_rn(lod, 256.0f));
  if (!(t->flags & __het_texture_linear_mip))
    return Sample::of(t, &t->level[(place + 127) >> 8], x, y, z, layer);
  const typename Sample::result first =
      Sample::of(t, &t->level[place >> 8], x, y, z, layer);
  if (!(place & 255))
    return first;
  return mixed(first, Sample::of(t, &t->level[(place >> 8) + 1], x, y, z, layer),
               (float)(place & 255) * 0.00390625f);
}

template <int Dimensions, int Channels> struct sample_of {
  typedef words<Channels> result;
  static __device__ __inline__ words<Channels> of(texture t, level l, float x, float y,
                                                  float z, int layer) {
    return sample<Dimensions, Channels>(t, l, x, y, z, layer);
  }
};

template <int Dimensions, int Channels>
HET_TEXTURE_OUTLINED words<Channels> sample_plane(texture t, float x, float y, int layer,
                                                  float lod) {
  return sample_levels<sample_of<Dimensions, Channels>>(t, x, y, 0, layer, lod);
}

template <int Dimensions, int Channels>
static __device__ __inline__ words<Channels> sample(texture t, float x, float y, float z,
                                                    int layer, float lod) {
  if (Dimensions == 3)
    return sample_levels<sample_of<3, Channels>>(t, x, y, z, layer, lod);
  if (__het_texture_units())
    if (const unsigned long long unit = t->plane_unit)
      return first<Channels>(
          __het_texture_fetch_plane(unit, x, Dimensions < 2 ? 0.5f : y));
  return sample_plane<Dimensions, Channels>(t, x, y, layer, lod);
}

// The logarithm to base 2 of a positive number, with 16 bits behind the point
HET_TEXTURE_CODE float logarithm(float x) {
  if (!(x >= 1.17549435e-38f))
    return -126.0f;
  if (x > 3.402823466e+38f)
    return 128.0f;
  const unsigned int bits = as_word(x);
  float mantissa = as_float((bits & 0x7fffffu) | 0x3f800000u);
  int result = (int)(bits >> 23) - 127;
  for (int i = 0; i < 16; ++i) {
    mantissa = __fmul_rn(mantissa, mantissa);
    const bool is_large = mantissa >= 2.0f;
    mantissa = is_large ? __fmul_rn(mantissa, 0.5f) : mantissa;
    result = 2 * result + is_large;
  }
  return __fmul_rn((float)result, 0x1p-16f);
}

// The level for how fast the coordinates change, in two directions
template <int Dimensions>
HET_TEXTURE_INLINE float level_of(texture t, const float *dx, const float *dy) {
  float along_x = 0, along_y = 0;
  for (int d = 0; d < Dimensions; ++d) {
    const bool is_part = t->flags & __het_texture_normalized;
    const float size = is_part ? (float)t->level[0].size[d] : 1.0f;
    const float x = __fmul_rn(dx[d], size), y = __fmul_rn(dy[d], size);
    along_x = __fmaf_rn(x, x, along_x);
    along_y = __fmaf_rn(y, y, along_y);
  }
  return __fmul_rn(0.5f, logarithm(__builtin_fmaxf(along_x, along_y)));
}

} // namespace __het_textures

#endif // HET_TEXTURE_SAMPLING_H
