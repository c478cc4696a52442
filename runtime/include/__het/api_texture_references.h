// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface references, as the host sees them. CUDA 12 removed them; older
// programs have them (texture_references.h).

#ifndef HET_API_TEXTURE_REFERENCES_H
#define HET_API_TEXTURE_REFERENCES_H

#include "../driver_types.h"

struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int reserved[14];
};

struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};

HET_EXTERN_C_BEGIN

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texref,
                            const void *devPtr, const struct cudaChannelFormatDesc *desc,
                            size_t size HET_DEFAULT(0xffffffffu));
cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texref,
                              const void *devPtr,
                              const struct cudaChannelFormatDesc *desc, size_t width,
                              size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference *texref,
                                   cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc);
cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *texref,
                                            cudaMipmappedArray_const_t mipmappedArray,
                                            const struct cudaChannelFormatDesc *desc);
cudaError_t cudaUnbindTexture(const struct textureReference *texref);
cudaError_t cudaGetTextureAlignmentOffset(size_t *offset,
                                          const struct textureReference *texref);
cudaError_t cudaGetTextureReference(const struct textureReference **texref,
                                    const void *symbol);
cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surfref,
                                   cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc);
cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surfref,
                                    const void *symbol);

HET_EXTERN_C_END

#endif // HET_API_TEXTURE_REFERENCES_H
