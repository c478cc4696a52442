// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textures that the device's own unit samples: lines and planes in memory, with one
// level.

#include "Context.h"
#include "Textures.h"

#include "__het/texture_descriptor.h"
#include "core/Executor.h"
#include "core/Runtime.h"

#include <cstring>

namespace het::cuda {

namespace {

__het_texture &headerOf(Bytes &record) {
  return *reinterpret_cast<__het_texture *>(record.data());
}

/// Whether it is a line or a plane, of one level.
bool isPlain(const __het_texture &record, const TextureParts &parts) {
  return record.levels == 1 && record.level[0].size[2] == 1 &&
         parts.texture.maxAnisotropy <= 1;
}

HetTexture describe(const __het_texture &record, const TextureParts &parts) {
  const __het_texture_level &level = record.level[0];
  HetTexture texture = {};
  texture.base = level.base;
  texture.pitch = level.pitch;
  texture.width = static_cast<uint64_t>(level.size[0]);
  if (parts.resource.resType != cudaResourceTypeLinear)
    texture.rows = static_cast<uint64_t>(level.size[1]);
  texture.bits = static_cast<uint32_t>(record.bits);
  texture.channels = static_cast<uint32_t>(record.channels);
  texture.kind = static_cast<uint32_t>(record.kind);
  for (int i = 0; i < 2; ++i)
    texture.addressModes[i] = static_cast<uint32_t>(record.address_mode[i]);
  texture.filters = (record.flags & __het_texture_linear) != 0;
  texture.normalized = (record.flags & __het_texture_normalized) != 0;
  texture.asFloats = (record.flags & __het_texture_converts) != 0;
  texture.srgb = record.srgb != 0;
  std::memcpy(texture.border, parts.texture.borderColor, sizeof(texture.border));
  return texture;
}

} // namespace

void addUnit(Bytes &record, const Device &device, const TextureParts &parts) {
  const HetDeviceABI &abi = device.device.abi();
  __het_texture &header = headerOf(record);
  if (!abi.createTexture || !device.device.executor().keepsMemory() ||
      !(*core::Runtime::get())->usesTextureUnits() || !isPlain(header, parts))
    return;
  const HetTexture texture = describe(header, parts);
  uint64_t unit = 0;
  HetStatus status;
  if (abi.createTexture(device.device.handle(), &texture, &unit, &status) == HET_OK)
    (texture.rows ? header.plane_unit : header.line_unit) = unit;
}

void removeUnit(uint64_t unit, const Device &device) {
  if (unit)
    device.device.abi().destroyTexture(device.device.handle(), unit);
}

uint64_t unitOf(const Bytes &record) {
  const auto &header = *reinterpret_cast<const __het_texture *>(record.data());
  return header.plane_unit ? header.plane_unit : header.line_unit;
}

} // namespace het::cuda
