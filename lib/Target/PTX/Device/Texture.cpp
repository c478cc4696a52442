// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textures of the driver's, over memory that the runtime chose.

#include "PTXDevice.h"

#include <algorithm>

namespace het::ptx {
namespace {

int formatOf(const HetTexture &texture) {
  if (texture.kind == HET_TEXTURE_FLOAT)
    return texture.bits == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
  const int of8 = texture.kind == HET_TEXTURE_SIGNED ? CU_AD_FORMAT_SIGNED_INT8
                                                     : CU_AD_FORMAT_UNSIGNED_INT8;
  return of8 + (texture.bits == 8 ? 0 : texture.bits == 16 ? 1 : 2);
}

CUDA_RESOURCE_DESC resourceOf(const HetTexture &texture) {
  CUDA_RESOURCE_DESC resource = {};
  if (texture.rows) {
    resource.resType = CU_RESOURCE_TYPE_PITCH2D;
    resource.res.pitch2D = {texture.base,  formatOf(texture), texture.channels,
                            texture.width, texture.rows,      texture.pitch};
  } else {
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear = {texture.base, formatOf(texture), texture.channels,
                           texture.width * texture.channels * texture.bits / 8};
  }
  return resource;
}

CUDA_TEXTURE_DESC samplingOf(const HetTexture &texture) {
  CUDA_TEXTURE_DESC sampling = {};
  for (int i = 0; i < 3; ++i)
    sampling.addressMode[i] = i < 2 ? static_cast<int>(texture.addressModes[i])
                                    : static_cast<int>(HET_TEXTURE_CLAMP);
  sampling.filterMode = texture.filters != 0;
  const bool isInteger = texture.kind != HET_TEXTURE_FLOAT && !texture.asFloats;
  sampling.flags = (isInteger ? CU_TRSF_READ_AS_INTEGER : 0) |
                   (texture.normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0) |
                   (texture.srgb ? CU_TRSF_SRGB : 0);
  std::copy_n(texture.border, 4, sampling.borderColor);
  return sampling;
}

} // namespace

int32_t createTexture(HetDevice *device, const HetTexture *texture, uint64_t *handle,
                      HetStatus *status) {
  if (CUresult result = enter(*device))
    return device->check(result, HET_UNAVAILABLE, device->text(), status);
  const CUDA_RESOURCE_DESC resource = resourceOf(*texture);
  const CUDA_TEXTURE_DESC sampling = samplingOf(*texture);
  CUtexObject object = 0;
  CUresult result =
      device->driver.cuTexObjectCreate(&object, &resource, &sampling, nullptr);
  *handle = object;
  return device->check(result, HET_UNSUPPORTED, device->text() + ": a texture", status);
}

void destroyTexture(HetDevice *device, uint64_t handle) {
  if (!enter(*device) && !device->hasFault())
    device->failed(device->driver.cuTexObjectDestroy(handle));
}

} // namespace het::ptx
