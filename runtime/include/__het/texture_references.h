// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface references, which CUDA 12 removed: objects of a file that the host
// binds and kernels name. On a device such an object is the handle of what is bound.

#ifndef HET_TEXTURE_REFERENCES_H
#define HET_TEXTURE_REFERENCES_H

#include "../channel_descriptor.h"
#include "api_texture_references.h"
#include "surface_access.h"
#include "texture_fetch.h"

template <class T, int dim = 1, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
  __host__ texture(int norm = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
                   enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(norm, filter, address, cudaCreateChannelDesc<T>()) {}
  __host__ texture(int norm, enum cudaTextureFilterMode filter,
                   enum cudaTextureAddressMode address,
                   struct cudaChannelFormatDesc format)
      : textureReference() {
    normalized = norm;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = format;
  }
};

template <class T, int dim = 1>
struct __attribute__((device_builtin_surface_type)) surface : surfaceReference {
  __host__ surface() : surfaceReference() {}
};
template <int dim>
struct __attribute__((device_builtin_surface_type))
surface<void, dim> : surfaceReference {
  __host__ surface() : surfaceReference() {}
};

namespace __het_textures {

// What a texture of T is read as
template <int Channels> struct floats {};
template <> struct floats<1> {
  typedef float type;
};
template <> struct floats<2> {
  typedef float2 type;
};
template <> struct floats<4> {
  typedef float4 type;
};
template <class T, cudaTextureReadMode mode> struct fetched_type {
  typedef typename element<T>::type type;
};
template <class T> struct fetched_type<T, cudaReadModeNormalizedFloat> {
  typedef typename floats<element<T>::count>::type type;
};

template <class Scalar> struct four {};
#define HET_FOUR(scalar, name)                                                           \
  template <> struct four<scalar> {                                                      \
    typedef name##4 type;                                                                \
  };
HET_FOUR(char, char)
HET_FOUR(signed char, char)
HET_FOUR(unsigned char, uchar)
HET_FOUR(short, short)
HET_FOUR(unsigned short, ushort)
HET_FOUR(int, int)
HET_FOUR(unsigned int, uint)
HET_FOUR(float, float)
#undef HET_FOUR

// The compiler makes a reference its handle.
template <class Reference>
HET_TEXTURE_INLINE unsigned long long handle_of(Reference reference) {
  unsigned long long handle;
  asm("mov.u64 %0, %1;" : "=l"(handle) : "l"(reference));
  return handle;
}

} // namespace __het_textures

#define HET_LIST(...) __VA_ARGS__
#define HET_FETCH(name, dim, parameters, ...)                                            \
  template <class T, cudaTextureReadMode mode>                                           \
  static __device__ __inline__ typename __het_textures::fetched_type<T, mode>::type      \
  name(texture<T, dim, mode> t, parameters) {                                            \
    typedef typename __het_textures::fetched_type<T, mode>::type result;                 \
    return name<result>(__het_textures::handle_of(t), __VA_ARGS__);                      \
  }
HET_FETCH(tex1Dfetch, cudaTextureType1D, int x, x)
HET_FETCH(tex1D, cudaTextureType1D, float x, x)
HET_FETCH(tex1DLod, cudaTextureType1D, HET_LIST(float x, float lod), x, lod)
HET_FETCH(tex1DGrad, cudaTextureType1D, HET_LIST(float x, float dx, float dy), x, dx, dy)
HET_FETCH(tex2D, cudaTextureType2D, HET_LIST(float x, float y), x, y)
HET_FETCH(tex2DLod, cudaTextureType2D, HET_LIST(float x, float y, float lod), x, y, lod)
HET_FETCH(tex2DGrad, cudaTextureType2D, HET_LIST(float x, float y, float2 dx, float2 dy),
          x, y, dx, dy)
HET_FETCH(tex3D, cudaTextureType3D, HET_LIST(float x, float y, float z), x, y, z)
HET_FETCH(tex3DLod, cudaTextureType3D, HET_LIST(float x, float y, float z, float lod), x,
          y, z, lod)
HET_FETCH(tex3DGrad, cudaTextureType3D,
          HET_LIST(float x, float y, float z, float4 dx, float4 dy), x, y, z, dx, dy)
HET_FETCH(tex1DLayered, cudaTextureType1DLayered, HET_LIST(float x, int layer), x, layer)
HET_FETCH(tex1DLayeredLod, cudaTextureType1DLayered,
          HET_LIST(float x, int layer, float lod), x, layer, lod)
HET_FETCH(tex2DLayered, cudaTextureType2DLayered, HET_LIST(float x, float y, int layer),
          x, y, layer)
HET_FETCH(tex2DLayeredLod, cudaTextureType2DLayered,
          HET_LIST(float x, float y, int layer, float lod), x, y, layer, lod)
HET_FETCH(texCubemap, cudaTextureTypeCubemap, HET_LIST(float x, float y, float z), x, y,
          z)
HET_FETCH(texCubemapLod, cudaTextureTypeCubemap,
          HET_LIST(float x, float y, float z, float lod), x, y, z, lod)
HET_FETCH(texCubemapLayered, cudaTextureTypeCubemapLayered,
          HET_LIST(float x, float y, float z, int layer), x, y, z, layer)
HET_FETCH(texCubemapLayeredLod, cudaTextureTypeCubemapLayered,
          HET_LIST(float x, float y, float z, int layer, float lod), x, y, z, layer, lod)
#undef HET_FETCH

template <class T, cudaTextureReadMode mode>
static __device__ __inline__ typename __het_textures::fetched_type<
    typename __het_textures::four<typename __het_textures::element<T>::scalar>::type,
    mode>::type tex2Dgather(texture<T, cudaTextureType2D, mode> t, float x, float y,
                            int comp = 0) {
  typedef typename __het_textures::fetched_type<
      typename __het_textures::four<typename __het_textures::element<T>::scalar>::type,
      mode>::type result;
  return tex2Dgather<result>(__het_textures::handle_of(t), x, y, comp);
}

#define HET_SURFACE(name, dim, parameters, ...)                                          \
  template <class T, class Element>                                                      \
  static __device__ __inline__ typename __het_textures::element<T>::type name##read(     \
      surface<Element, dim> s, parameters,                                               \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                             \
    return name##read<T>(__het_textures::handle_of(s), __VA_ARGS__, mode);               \
  }                                                                                      \
  template <class T, class Element>                                                      \
  static __device__ __inline__ typename __het_textures::element<T>::none name##read(     \
      T *result, surface<Element, dim> s, parameters,                                    \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                             \
    name##read(result, __het_textures::handle_of(s), __VA_ARGS__, mode);                 \
  }                                                                                      \
  template <class T, class Element>                                                      \
  static __device__ __inline__ typename __het_textures::element<T>::none name##write(    \
      T value, surface<Element, dim> s, parameters,                                      \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                             \
    name##write(value, __het_textures::handle_of(s), __VA_ARGS__, mode);                 \
  }
HET_SURFACE(surf1D, cudaSurfaceType1D, int x, x)
HET_SURFACE(surf2D, cudaSurfaceType2D, HET_LIST(int x, int y), x, y)
HET_SURFACE(surf3D, cudaSurfaceType3D, HET_LIST(int x, int y, int z), x, y, z)
HET_SURFACE(surf1DLayered, cudaSurfaceType1DLayered, HET_LIST(int x, int layer), x, layer)
HET_SURFACE(surf2DLayered, cudaSurfaceType2DLayered, HET_LIST(int x, int y, int layer), x,
            y, layer)
HET_SURFACE(surfCubemap, cudaSurfaceTypeCubemap, HET_LIST(int x, int y, int face), x, y,
            face)
HET_SURFACE(surfCubemapLayered, cudaSurfaceTypeCubemapLayered,
            HET_LIST(int x, int y, int layerFace), x, y, layerFace)
#undef HET_SURFACE
#undef HET_LIST

// Binding: the functions of C, by reference and with formats that need not be said
template <class T, int dim, enum cudaTextureReadMode mode>
static __inline__ cudaError_t
cudaBindTexture(size_t *offset, const texture<T, dim, mode> &t, const void *memory,
                const cudaChannelFormatDesc &format, size_t size = 0xffffffffu) {
  return cudaBindTexture(offset, &t, memory, &format, size);
}
template <class T, int dim, enum cudaTextureReadMode mode>
static __inline__ cudaError_t
cudaBindTexture(size_t *offset, const texture<T, dim, mode> &t, const void *memory,
                size_t size = 0xffffffffu) {
  return cudaBindTexture(offset, &t, memory, &t.channelDesc, size);
}
template <class T, int dim, enum cudaTextureReadMode mode>
static __inline__ cudaError_t
cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &t, const void *memory,
                  const cudaChannelFormatDesc &format, size_t width, size_t height,
                  size_t pitch) {
  return cudaBindTexture2D(offset, &t, memory, &format, width, height, pitch);
}
template <class T, int dim, enum cudaTextureReadMode mode>
static __inline__ cudaError_t
cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &t, const void *memory,
                  size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, &t, memory, &t.channelDesc, width, height, pitch);
}
template <class T, int dim, enum cudaTextureReadMode mode>
static __inline__ cudaError_t
cudaBindTextureToArray(const texture<T, dim, mode> &t, cudaArray_const_t array,
                       const cudaChannelFormatDesc &format) {
  return cudaBindTextureToArray(&t, array, &format);
}
template <class T, int dim, enum cudaTextureReadMode mode>
static __inline__ cudaError_t cudaBindTextureToArray(const texture<T, dim, mode> &t,
                                                     cudaArray_const_t array) {
  cudaChannelFormatDesc format;
  cudaError_t error = cudaGetChannelDesc(&format, array);
  return error ? error : cudaBindTextureToArray(&t, array, &format);
}
template <class T, int dim, enum cudaTextureReadMode mode>
static __inline__ cudaError_t
cudaBindTextureToMipmappedArray(const texture<T, dim, mode> &t,
                                cudaMipmappedArray_const_t mipmap,
                                const cudaChannelFormatDesc &format) {
  return cudaBindTextureToMipmappedArray(&t, mipmap, &format);
}
template <class T, int dim, enum cudaTextureReadMode mode>
static __inline__ cudaError_t
cudaBindTextureToMipmappedArray(const texture<T, dim, mode> &t,
                                cudaMipmappedArray_const_t mipmap) {
  return cudaBindTextureToMipmappedArray(&t, mipmap, &t.channelDesc);
}
template <class T, int dim, enum cudaTextureReadMode mode>
static __inline__ cudaError_t cudaUnbindTexture(const texture<T, dim, mode> &t) {
  return cudaUnbindTexture(&t);
}
template <class T, int dim, enum cudaTextureReadMode mode>
static __inline__ cudaError_t
cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, dim, mode> &t) {
  return cudaGetTextureAlignmentOffset(offset, &t);
}
template <class T, int dim>
static __inline__ cudaError_t
cudaBindSurfaceToArray(const surface<T, dim> &s, cudaArray_const_t array,
                       const cudaChannelFormatDesc &format) {
  return cudaBindSurfaceToArray(&s, array, &format);
}
template <class T, int dim>
static __inline__ cudaError_t cudaBindSurfaceToArray(const surface<T, dim> &s,
                                                     cudaArray_const_t array) {
  cudaChannelFormatDesc format;
  cudaError_t error = cudaGetChannelDesc(&format, array);
  return error ? error : cudaBindSurfaceToArray(&s, array, &format);
}

#endif // HET_TEXTURE_REFERENCES_H
