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

/// Gives a record the handle of the device's texture unit, if it has one that can read
/// the texture, and the process stays on the device.
void addUnit(Bytes &record, const Device &device, const TextureParts &parts);
/// Gives it back, once no kernel uses it.
void removeUnit(uint64_t unit, const Device &device);
/// The handle in a record; 0: none.
uint64_t unitOf(const Bytes &record);

/// Sets the addresses within the record, which is to lie at `place`.
void placeRecord(Bytes &record, uint64_t place);

/// What cudaMalloc's results are aligned to, offsets by the device's textureAlignment
/// too.
constexpr uintptr_t leastTextureAlignment = 256;

using ObjectHandle = unsigned long long;

/// Makes an object on a device, and destroys it: after the device has done what it was
/// given, as cudaFree does. 0 is none.
cudaError_t makeObject(Device &device, const TextureParts &parts, bool isSurface,
                       ObjectHandle &handle);
cudaError_t destroyObject(ObjectHandle handle, bool isSurface);

/// Writes to memory that nothing the device was given uses.
cudaError_t writeMemory(Device &device, void *to, const void *from, size_t size);

/// The object that a variable of a device holds the handle of: what is bound to a
/// reference.
struct Binding {
  Device *device = nullptr;
  void *variable = nullptr;
  bool isSurface = false;
  ObjectHandle object = 0;
  size_t offset = 0; ///< Of what was bound, in the memory that the object is over.

  /// Puts an object in the place of the last one, after all that the device was given:
  /// none if there are no parts.
  cudaError_t bind(const TextureParts *parts);
};

/// A reference is gone. What is bound to it is destroyed later: nothing is waited for.
void forgetReference(const void *reference);

/// Makes memory begin where an object can: `offset` is how far behind that it begins.
void alignMemory(void *&pointer, size_t &offset);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_TEXTURES_H
