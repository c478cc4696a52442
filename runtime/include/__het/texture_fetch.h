// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface functions of device code.
//
// None is available: a use is an error at the line that makes it, by Clang's
// `unavailable`. The object types and host functions are declared as usual.

#ifndef HET_TEXTURE_FETCH_H
#define HET_TEXTURE_FETCH_H

#include "../surface_types.h"
#include "../texture_types.h"

#define HET_NO_TEXTURES                                                                  \
  __attribute__((unavailable("hetcc does not support texture fetches yet")))
#define HET_NO_SURFACES                                                                  \
  __attribute__((unavailable("hetcc does not support surfaces yet")))

#define HET_TEXTURE(name)                                                                \
  template <class T, class... Args>                                                      \
  HET_NO_TEXTURES __device__ T name(cudaTextureObject_t, Args...);                       \
  template <class T, class... Args>                                                      \
  HET_NO_TEXTURES __device__ void name(T *, cudaTextureObject_t, Args...);
#define HET_SURFACE(name)                                                                \
  template <class T, class... Args>                                                      \
  HET_NO_SURFACES __device__ T name##read(cudaSurfaceObject_t, Args...);                 \
  template <class T, class... Args>                                                      \
  HET_NO_SURFACES __device__ void name##read(T *, cudaSurfaceObject_t, Args...);         \
  template <class T, class... Args>                                                      \
  HET_NO_SURFACES __device__ void name##write(T, cudaSurfaceObject_t, Args...);
HET_TEXTURE(tex1Dfetch)
HET_TEXTURE(tex1D)
HET_TEXTURE(tex1DLod)
HET_TEXTURE(tex1DGrad)
HET_TEXTURE(tex1DLayered)
HET_TEXTURE(tex2D)
HET_TEXTURE(tex2DLod)
HET_TEXTURE(tex2DGrad)
HET_TEXTURE(tex2DLayered)
HET_TEXTURE(tex2Dgather)
HET_TEXTURE(tex3D)
HET_TEXTURE(tex3DLod)
HET_TEXTURE(tex3DGrad)
HET_TEXTURE(texCubemap)
HET_TEXTURE(texCubemapLod)
HET_TEXTURE(texCubemapLayered)
HET_SURFACE(surf1D)
HET_SURFACE(surf1DLayered)
HET_SURFACE(surf2D)
HET_SURFACE(surf2DLayered)
HET_SURFACE(surf3D)
HET_SURFACE(surfCubemap)
#undef HET_TEXTURE
#undef HET_SURFACE

#endif // HET_TEXTURE_FETCH_H
