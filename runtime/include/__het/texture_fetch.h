// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture fetches through objects. Each is there as a function that returns and as one
// that stores through a pointer.

#ifndef HET_TEXTURE_FETCH_H
#define HET_TEXTURE_FETCH_H

#include "texture_cube.h"

namespace __het_textures {

HET_TEXTURE_INLINE texture opened(cudaTextureObject_t object) { return (texture)object; }

// An element by its number, of one row; zero beside it
template <int Channels>
HET_TEXTURE_OUTLINED words<Channels> element_of(texture t, int x) {
  if ((unsigned int)x < (unsigned int)t->level[0].size[0])
    return texel<Channels>(t, &t->level[0], x, 0, 0);
  return words<Channels>();
}

template <int Channels> HET_TEXTURE_INLINE words<Channels> fetched(texture t, int x) {
  if (__het_texture_units())
    if (const unsigned long long unit = t->line_unit)
      return first<Channels>(__het_texture_fetch_line(unit, x));
  return element_of<Channels>(t, x);
}

// One channel of the four elements that a linear filter would use, from below on the left
// and round to above it
template <class T>
static __device__ __inline__ T gathered(texture t, float x, float y, int channel) {
  const level l = &t->level[0];
  const axis i = between(t, x, l->size[0], t->address_mode[0]);
  const axis j = between(t, y, l->size[1], t->address_mode[1]);
  const words<4> all[4] = {
      texel<4>(t, l, i.first, j.second, 0), texel<4>(t, l, i.second, j.second, 0),
      texel<4>(t, l, i.second, j.first, 0), texel<4>(t, l, i.first, j.first, 0)};
  words<element<T>::count> result;
  for (int k = 0; k < element<T>::count; ++k)
    result.w[k] = all[k].w[channel & 3];
  return made<T>(result);
}

} // namespace __het_textures

// `parameters` and the same as `arguments`, both behind the object `o`; what is returned
// is made of words, as many as Channels.
#define HET_LIST(...) __VA_ARGS__
#define HET_FETCH(name, parameters, arguments, ...)                                      \
  template <class T>                                                                     \
  static __device__ __inline__ typename __het_textures::element<T>::type name(           \
      cudaTextureObject_t o, parameters) {                                               \
    using namespace __het_textures;                                                      \
    constexpr int Channels = element<T>::count;                                          \
    const texture t = opened(o);                                                         \
    return made<T>(__VA_ARGS__);                                                         \
  }                                                                                      \
  template <class T>                                                                     \
  static __device__ __inline__ typename __het_textures::element<T>::none name(           \
      T *result, cudaTextureObject_t o, parameters) {                                    \
    *result = name<T>(o, arguments);                                                     \
  }
// The last argument says of sparse arrays, which are not here, whether there was memory.
#define HET_FETCH_RESIDENT(name, parameters, arguments)                                  \
  template <class T>                                                                     \
  static __device__ __inline__ typename __het_textures::element<T>::type name(           \
      cudaTextureObject_t o, parameters, bool *isResident) {                             \
    *isResident = true;                                                                  \
    return name<T>(o, arguments);                                                        \
  }                                                                                      \
  template <class T>                                                                     \
  static __device__ __inline__ typename __het_textures::element<T>::none name(           \
      T *result, cudaTextureObject_t o, parameters, bool *isResident) {                  \
    *result = name<T>(o, arguments, isResident);                                         \
  }

HET_FETCH(tex1Dfetch, HET_LIST(int x), HET_LIST(x), fetched<Channels>(t, x))

// At coordinates: of level 0, of a level, and of the level that derivatives ask for
#define HET_SAMPLED(name, Dimensions, layered, parameters, arguments, layer, ...)        \
  HET_FETCH(name##layered, HET_LIST(parameters), HET_LIST(arguments),                    \
            sample<Dimensions, Channels>(t, __VA_ARGS__, layer, 0))                      \
  HET_FETCH(name##layered##Lod, HET_LIST(parameters, float lod),                         \
            HET_LIST(arguments, lod),                                                    \
            sample<Dimensions, Channels>(t, __VA_ARGS__, layer, lod))
HET_SAMPLED(tex1D, 1, , HET_LIST(float x), HET_LIST(x), 0, x, 0, 0)
HET_SAMPLED(tex2D, 2, , HET_LIST(float x, float y), HET_LIST(x, y), 0, x, y, 0)
HET_SAMPLED(tex3D, 3, , HET_LIST(float x, float y, float z), HET_LIST(x, y, z), 0, x, y,
            z)
HET_SAMPLED(tex1D, 1, Layered, HET_LIST(float x, int layer), HET_LIST(x, layer), layer, x,
            0, 0)
HET_SAMPLED(tex2D, 2, Layered, HET_LIST(float x, float y, int layer),
            HET_LIST(x, y, layer), layer, x, y, 0)
#undef HET_SAMPLED

HET_FETCH(tex1DGrad, HET_LIST(float x, float dx, float dy), HET_LIST(x, dx, dy),
          sample<1, Channels>(t, x, 0, 0, 0, level_of<1>(t, &dx, &dy)))
HET_FETCH(tex1DLayeredGrad, HET_LIST(float x, int layer, float dx, float dy),
          HET_LIST(x, layer, dx, dy),
          sample<1, Channels>(t, x, 0, 0, layer, level_of<1>(t, &dx, &dy)))
HET_FETCH(tex2DGrad, HET_LIST(float x, float y, float2 dx, float2 dy),
          HET_LIST(x, y, dx, dy),
          sample<2, Channels>(t, x, y, 0, 0, level_of<2>(t, &dx.x, &dy.x)))
HET_FETCH(tex2DLayeredGrad, HET_LIST(float x, float y, int layer, float2 dx, float2 dy),
          HET_LIST(x, y, layer, dx, dy),
          sample<2, Channels>(t, x, y, 0, layer, level_of<2>(t, &dx.x, &dy.x)))
HET_FETCH(tex3DGrad, HET_LIST(float x, float y, float z, float4 dx, float4 dy),
          HET_LIST(x, y, z, dx, dy),
          sample<3, Channels>(t, x, y, z, 0, level_of<3>(t, &dx.x, &dy.x)))

#define HET_CUBE(layered, parameters, arguments, cube)                                   \
  HET_FETCH(texCubemap##layered, HET_LIST(parameters), HET_LIST(arguments),              \
            sample_cube<Channels>(t, x, y, z, cube, 0))                                  \
  HET_FETCH(texCubemap##layered##Lod, HET_LIST(parameters, float lod),                   \
            HET_LIST(arguments, lod), sample_cube<Channels>(t, x, y, z, cube, lod))      \
  HET_FETCH(                                                                             \
      texCubemap##layered##Grad, HET_LIST(parameters, float4 dx, float4 dy),             \
      HET_LIST(arguments, dx, dy),                                                       \
      sample_cube<Channels>(t, x, y, z, cube,                                            \
                            level_of_cube(t, (const float[]){x, y, z}, &dx.x, &dy.x)))
HET_CUBE(, HET_LIST(float x, float y, float z), HET_LIST(x, y, z), 0)
HET_CUBE(Layered, HET_LIST(float x, float y, float z, int layer),
         HET_LIST(x, y, z, layer), layer)
#undef HET_CUBE

template <class T>
static __device__ __inline__
    typename __het_textures::element<T>::type tex2Dgather(cudaTextureObject_t o, float x,
                                                          float y, int comp = 0) {
  return __het_textures::gathered<T>(__het_textures::opened(o), x, y, comp);
}
template <class T>
static __device__ __inline__ typename __het_textures::element<T>::none
tex2Dgather(T *result, cudaTextureObject_t o, float x, float y, int comp = 0) {
  *result = tex2Dgather<T>(o, x, y, comp);
}

HET_FETCH_RESIDENT(tex2D, HET_LIST(float x, float y), HET_LIST(x, y))
HET_FETCH_RESIDENT(tex3D, HET_LIST(float x, float y, float z), HET_LIST(x, y, z))
HET_FETCH_RESIDENT(tex2DLayered, HET_LIST(float x, float y, int layer),
                   HET_LIST(x, y, layer))
HET_FETCH_RESIDENT(tex2DLod, HET_LIST(float x, float y, float lod), HET_LIST(x, y, lod))
HET_FETCH_RESIDENT(tex3DLod, HET_LIST(float x, float y, float z, float lod),
                   HET_LIST(x, y, z, lod))
HET_FETCH_RESIDENT(tex2DLayeredLod, HET_LIST(float x, float y, int layer, float lod),
                   HET_LIST(x, y, layer, lod))
HET_FETCH_RESIDENT(tex2DGrad, HET_LIST(float x, float y, float2 dx, float2 dy),
                   HET_LIST(x, y, dx, dy))
HET_FETCH_RESIDENT(tex3DGrad, HET_LIST(float x, float y, float z, float4 dx, float4 dy),
                   HET_LIST(x, y, z, dx, dy))
HET_FETCH_RESIDENT(tex2DLayeredGrad,
                   HET_LIST(float x, float y, int layer, float2 dx, float2 dy),
                   HET_LIST(x, y, layer, dx, dy))
#undef HET_FETCH_RESIDENT
#undef HET_FETCH
#undef HET_LIST

#endif // HET_TEXTURE_FETCH_H
