// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects: records in device memory that the code of fetches reads
// (docs/design/textures.md).

#ifndef HET_RUNTIME_CUDA_TEXTURES_H
#define HET_RUNTIME_CUDA_TEXTURES_H

#include "Api.h"

#include "het/Base/Bytes.h"

namespace het::cuda {

struct Device;

/// What a texture is made of. A surface has a resource only.
struct TextureParts {
  cudaResourceDesc resource = {};
  cudaTextureDesc texture = {};
  bool hasView = false;
  cudaResourceViewDesc view = {};
};

/// Makes the record of a texture or a surface, or says what CUDA calls wrong with it.
cudaError_t makeRecord(const TextureParts &parts, const Device &device, Bytes &record);
cudaError_t makeSurfaceRecord(const cudaResourceDesc &resource, Bytes &record);

/// Sets the addresses within the record, which is to lie at `place`.
void placeRecord(Bytes &record, uint64_t place);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_TEXTURES_H
