// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cubes: from a direction to one of six faces and the place there.
//
// CUDA C++ Programming Guide, Cubemap Textures.

#ifndef HET_TEXTURE_CUBE_H
#define HET_TEXTURE_CUBE_H

#include "texture_sampling.h"

namespace __het_textures {

// A direction as a face sees it: to the right, down, and towards it.
struct facing {
  int face;
  float right, down, ahead;
};

HET_TEXTURE_INLINE facing face_of(const float *d) {
  const float x = __builtin_fabsf(d[0]), y = __builtin_fabsf(d[1]),
              z = __builtin_fabsf(d[2]);
  if (x >= y && x >= z)
    return {d[0] < 0, d[0] < 0 ? d[2] : -d[2], -d[1], x};
  if (y >= z)
    return {2 + (d[1] < 0), d[0], d[1] < 0 ? -d[2] : d[2], y};
  return {4 + (d[2] < 0), d[2] < 0 ? -d[0] : d[0], -d[1], z};
}

// The same of a vector that need not lie in that face
HET_TEXTURE_INLINE facing seen_from(int face, const float *d) {
  const bool is_back = face & 1;
  if (face < 2)
    return {face, is_back ? d[2] : -d[2], -d[1], is_back ? -d[0] : d[0]};
  if (face < 4)
    return {face, d[0], is_back ? -d[2] : d[2], is_back ? -d[1] : d[1]};
  return {face, is_back ? -d[0] : d[0], -d[1], is_back ? -d[2] : d[2]};
}

HET_TEXTURE_INLINE float along(float part, float ahead) {
  return __fmul_rn(__fadd_rn(__fdiv_rn(part, ahead), 1.0f), 0.5f);
}

// The element that a face's index means where that may be beside the face: the neighbour
// on the face that is there. Called rather than inlined: there would be many copies.
template <int Channels>
static __device__ __noinline__ words<Channels> texel_around(texture t, level l, int face,
                                                            int x, int y, int cube) {
  const int n = l->size[0];
  if ((unsigned int)x < (unsigned int)n && (unsigned int)y < (unsigned int)n)
    return texel<Channels>(t, l, x, y, 6 * cube + face);
  if ((unsigned int)x >= (unsigned int)n) // of a corner's three elements there are two
    y = limited(y, n - 1);
  const float right = (float)(2 * x + 1 - n), down = (float)(2 * y + 1 - n);
  const float ahead = (float)n, sign = face & 1 ? -1.0f : 1.0f;
  float d[3];
  d[0] = face < 2 ? sign * ahead : face < 4 ? right : sign * right;
  d[1] = face < 2 || face > 3 ? -down : sign * ahead;
  d[2] = face < 2 ? -sign * right : face < 4 ? sign * down : sign * ahead;
  const facing other = face_of(d);
  const float s = along(other.right, other.ahead), v = along(other.down, other.ahead);
  x = limited((int)__builtin_floorf(__fmul_rn(s, ahead)), n - 1);
  y = limited((int)__builtin_floorf(__fmul_rn(v, ahead)), n - 1);
  return texel<Channels>(t, l, x, y, 6 * cube + other.face);
}

// A sample of one level that is filtered across the edges of its face
template <int Channels> struct sample_around {
  typedef words<Channels> result;
  static __device__ __noinline__ words<Channels> of(texture t, level l, float x, float y,
                                                    float, int layer) {
    const int n = l->size[0], cube = layer / 6, face = layer % 6;
    const int u = placed(x, n), v = placed(y, n), left = u >> 8, top = v >> 8;
    const float right = (float)(u & 255) * 0.00390625f;
    const float down = (float)(v & 255) * 0.00390625f;
    return mixed(mixed(texel_around<Channels>(t, l, face, left, top, cube),
                       texel_around<Channels>(t, l, face, left + 1, top, cube), right),
                 mixed(texel_around<Channels>(t, l, face, left, top + 1, cube),
                       texel_around<Channels>(t, l, face, left + 1, top + 1, cube),
                       right),
                 down);
  }
  // In 256ths of an element; also of what is no number
  static __device__ __inline__ int placed(float x, int n) {
    x = __fsub_rn(__fmul_rn(x, (float)n), 0.5f);
    x = __builtin_fminf(__builtin_fmaxf(x, -1.0f), (float)n);
    return (int)__builtin_rintf(__fmul_rn(x, 256.0f));
  }
};

template <int Channels>
static __device__ __inline__ words<Channels> sample_cube(texture t, float dx, float dy,
                                                         float dz, int cube, float lod) {
  const float d[] = {dx, dy, dz};
  const facing f = face_of(d);
  const float x = along(f.right, f.ahead), y = along(f.down, f.ahead);
  const int layer = 6 * limited(cube, t->level[0].size[2] / 6 - 1) + f.face;
  const int both = __het_texture_linear | __het_texture_seamless_cube;
  if ((t->flags & both) == both)
    return sample_levels<sample_around<Channels>>(t, x, y, 0, layer, lod);
  return sample<2, Channels>(t, x, y, 0, layer, lod);
}

// The level for how fast a direction changes
HET_TEXTURE_INLINE float level_of_cube(texture t, const float *d, const float *dx,
                                       const float *dy) {
  const facing at = face_of(d), by_x = seen_from(at.face, dx),
               by_y = seen_from(at.face, dy);
  const float right = __fdiv_rn(at.right, at.ahead), down = __fdiv_rn(at.down, at.ahead);
  const float half = __fdiv_rn(0.5f, at.ahead);
  const float x[2] = {__fmul_rn(__fmaf_rn(-right, by_x.ahead, by_x.right), half),
                      __fmul_rn(__fmaf_rn(-down, by_x.ahead, by_x.down), half)};
  const float y[2] = {__fmul_rn(__fmaf_rn(-right, by_y.ahead, by_y.right), half),
                      __fmul_rn(__fmaf_rn(-down, by_y.ahead, by_y.down), half)};
  return level_of<2>(t, x, y);
}

} // namespace __het_textures

#endif // HET_TEXTURE_CUBE_H
