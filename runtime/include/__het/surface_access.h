// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes of surfaces: bytes of an array, at a byte of a row.

#ifndef HET_SURFACE_ACCESS_H
#define HET_SURFACE_ACCESS_H

#include "../surface_types.h"
#include "device_system.h"
#include "texture_elements.h"

namespace __het_textures {

// Types that surfaces have beside those of textures
HET_ELEMENT(long long, long long, 1)
HET_ELEMENT(unsigned long long, unsigned long long, 1)
HET_ELEMENT(longlong1, long long, 1)
HET_ELEMENT(ulonglong1, unsigned long long, 1)
HET_ELEMENT(longlong2, long long, 2)
HET_ELEMENT(ulonglong2, unsigned long long, 2)

// What is moved at once, by its size
template <int Bytes> struct piece {};
template <> struct piece<1> {
  typedef unsigned char type;
};
template <> struct piece<2> {
  typedef unsigned short type;
};
template <> struct piece<4> {
  typedef unsigned int type;
};
template <> struct piece<8> {
  typedef unsigned int type __attribute__((ext_vector_type(2)));
};
template <> struct piece<16> {
  typedef unsigned int type __attribute__((ext_vector_type(4)));
};

// Where `bytes` bytes are; 0: beside the surface, and the mode is to leave those out.
HET_TEXTURE_CODE unsigned long long place(cudaSurfaceObject_t object, int bytes, int x,
                                          int y, int z, cudaSurfaceBoundaryMode mode) {
  const texture t = (texture)object;
  const level l = &t->level[0];
  const int last = l->size[0] * (t->channels * t->bits / 8) - bytes;
  if (x < 0 || x > last || (unsigned int)y >= (unsigned int)l->size[1] ||
      (unsigned int)z >= (unsigned int)l->size[2]) {
    if (mode == cudaBoundaryModeTrap)
      __trap();
    if (mode == cudaBoundaryModeZero || last < 0)
      return 0;
    x = x < 0 ? 0 : x > last ? last : x;
    y = y < 0 ? 0 : y >= l->size[1] ? l->size[1] - 1 : y;
    z = z < 0 ? 0 : z >= l->size[2] ? l->size[2] - 1 : z;
  }
  return l->base + z * l->plane + y * l->pitch + x;
}

template <class T>
static __device__ __inline__ T surface_read(cudaSurfaceObject_t object, int x, int y,
                                            int z, cudaSurfaceBoundaryMode mode) {
  typedef typename piece<sizeof(T)>::type bytes;
  const unsigned long long at = place(object, sizeof(T), x, y, z, mode);
  bytes result = 0;
  if (at)
    result = *(const HET_GLOBAL bytes *)at;
  return __builtin_bit_cast(T, result);
}

template <class T>
static __device__ __inline__ void surface_write(const T &value,
                                                cudaSurfaceObject_t object, int x, int y,
                                                int z, cudaSurfaceBoundaryMode mode) {
  typedef typename piece<sizeof(T)>::type bytes;
  if (const unsigned long long at = place(object, sizeof(T), x, y, z, mode))
    *(HET_GLOBAL bytes *)at = __builtin_bit_cast(bytes, value);
}

} // namespace __het_textures

#define HET_LIST(...) __VA_ARGS__
#define HET_SURFACE(name, parameters, ...)                                               \
  template <class T>                                                                     \
  static __device__ __inline__ typename __het_textures::element<T>::type name##read(     \
      cudaSurfaceObject_t surface, parameters,                                           \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                             \
    return __het_textures::surface_read<T>(surface, __VA_ARGS__, mode);                  \
  }                                                                                      \
  template <class T>                                                                     \
  static __device__ __inline__ typename __het_textures::element<T>::none name##read(     \
      T *result, cudaSurfaceObject_t surface, parameters,                                \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                             \
    *result = __het_textures::surface_read<T>(surface, __VA_ARGS__, mode);               \
  }                                                                                      \
  template <class T>                                                                     \
  static __device__ __inline__ typename __het_textures::element<T>::none name##write(    \
      T value, cudaSurfaceObject_t surface, parameters,                                  \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                             \
    __het_textures::surface_write(value, surface, __VA_ARGS__, mode);                    \
  }
HET_SURFACE(surf1D, HET_LIST(int x), x, 0, 0)
HET_SURFACE(surf2D, HET_LIST(int x, int y), x, y, 0)
HET_SURFACE(surf3D, HET_LIST(int x, int y, int z), x, y, z)
HET_SURFACE(surf1DLayered, HET_LIST(int x, int layer), x, 0, layer)
HET_SURFACE(surf2DLayered, HET_LIST(int x, int y, int layer), x, y, layer)
HET_SURFACE(surfCubemap, HET_LIST(int x, int y, int face), x, y, face)
HET_SURFACE(surfCubemapLayered, HET_LIST(int x, int y, int layerFace), x, y, layerFace)
#undef HET_SURFACE
#undef HET_LIST
#undef HET_ELEMENT

#endif // HET_SURFACE_ACCESS_H
