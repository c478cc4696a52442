// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects.

#include "Context.h"
#include "Errors.h"
#include "Memory.h"
#include "Textures.h"

#include <algorithm>
#include <map>

using namespace het;
using namespace het::cuda;

namespace {

struct Object {
  Device *device;
  uint64_t resets; ///< Of the device: the record went with the next one.
  bool isSurface;
  TextureParts parts;
  uint64_t unit = 0; ///< The device's own handle.
};

/// All objects, by their handles: the addresses of their records.
struct Objects {
  std::mutex mutex;
  std::map<ObjectHandle, Object> all;
};

Objects &objects() {
  static auto *instance = new Objects;
  return *instance;
}

} // namespace

cudaError_t het::cuda::writeMemory(Device &device, void *to, const void *from,
                                   size_t size) {
  Result<std::shared_ptr<core::Stream>> stream =
      core::Stream::create(device.device, core::StreamKind::NonBlocking);
  if (!stream.ok())
    return translate(stream.status(), cudaErrorMemoryAllocation);
  Status status = (*stream)->copy(to, from, size);
  (*stream)->synchronize();
  return status.ok() ? device.fault() : translate(status);
}

cudaError_t het::cuda::makeObject(Device &device, const TextureParts &parts,
                                  bool isSurface, ObjectHandle &handle) {
  Bytes record;
  void *memory = nullptr;
  if (cudaError_t error = isSurface ? makeSurfaceRecord(parts.resource, record)
                                    : makeRecord(parts, device, record))
    return error;
  std::map<ObjectHandle, Object> entry = {
      {0, {&device, device.resets, isSurface, parts}}};
  if (cudaError_t error = allocate(device, &memory, record.size()))
    return error;
  placeRecord(record, reinterpret_cast<uintptr_t>(memory));
  if (!isSurface)
    addUnit(record, device, parts);
  entry.begin()->second.unit = unitOf(record);
  cudaError_t error = cudaSuccess;
  try {
    error = writeMemory(device, memory, record.data(), record.size());
  } catch (...) {
    removeUnit(unitOf(record), device);
    releaseDevice(memory);
    throw;
  }
  if (error) {
    removeUnit(unitOf(record), device);
    releaseDevice(memory);
    return error;
  }
  auto node = entry.extract(entry.begin());
  node.key() = handle = reinterpret_cast<uintptr_t>(memory);
  std::lock_guard<std::mutex> lock(objects().mutex);
  objects().all.insert(std::move(node));
  return cudaSuccess;
}

namespace {

/// An object out of the table, to which it returns unless it is destroyed.
struct TakenObject {
  std::map<ObjectHandle, Object>::node_type node;

  TakenObject(ObjectHandle handle, bool isSurface) {
    std::lock_guard<std::mutex> lock(objects().mutex);
    auto found = objects().all.find(handle);
    if (found != objects().all.end() && found->second.isSurface == isSurface)
      node = objects().all.extract(found);
  }
  ~TakenObject() {
    std::lock_guard<std::mutex> lock(objects().mutex);
    objects().all.insert(std::move(node));
  }
};

} // namespace

cudaError_t het::cuda::destroyObject(ObjectHandle handle, bool isSurface) {
  if (!handle)
    return cudaSuccess;
  if (cudaError_t error = currentDeviceError())
    return error;
  TakenObject taken(handle, isSurface);
  if (taken.node.empty())
    return cudaErrorInvalidValue;
  const Object &object = taken.node.mapped();
  if (object.device->resets == object.resets) {
    if (cudaError_t error = freeDevice(reinterpret_cast<void *>(handle)))
      return error;
    removeUnit(object.unit, *object.device);
  }
  taken.node = {};
  return cudaSuccess;
}

namespace {

/// The same on the calling thread's device.
cudaError_t makeObject(ObjectHandle &handle, const TextureParts &parts, bool isSurface) {
  Device *device = nullptr;
  cudaError_t error = useCurrentDevice(device);
  return error ? error : makeObject(*device, parts, isSurface, handle);
}

/// Tells what an object was made of.
template <typename Part>
cudaError_t tell(Part *result, unsigned long long handle, bool isSurface,
                 Part TextureParts::*part) {
  if (!result)
    return cudaErrorInvalidValue;
  std::lock_guard<std::mutex> lock(objects().mutex);
  auto found = objects().all.find(handle);
  if (found == objects().all.end() || found->second.isSurface != isSurface)
    return cudaErrorInvalidValue;
  *result = found->second.parts.*part;
  return cudaSuccess;
}

} // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const cudaResourceDesc *resource,
                                    const cudaTextureDesc *texture,
                                    const cudaResourceViewDesc *view) try {
  if (!object || !resource || !texture)
    return remember(cudaErrorInvalidValue);
  *object = 0;
  return remember(makeObject(
      *object,
      {*resource, *texture, view != nullptr, view ? *view : cudaResourceViewDesc()},
      false));
}
HET_CATCH

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const cudaResourceDesc *resource) try {
  if (!object || !resource)
    return remember(cudaErrorInvalidValue);
  *object = 0;
  return remember(makeObject(*object, {*resource, {}, false, {}}, true));
}
HET_CATCH

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) try {
  return remember(destroyObject(object, false));
}
HET_CATCH

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) try {
  return remember(destroyObject(object, true));
}
HET_CATCH

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource,
                                             cudaTextureObject_t object) try {
  return remember(tell(resource, object, false, &TextureParts::resource));
}
HET_CATCH

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *texture,
                                            cudaTextureObject_t object) try {
  return remember(tell(texture, object, false, &TextureParts::texture));
}
HET_CATCH

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *view,
                                                 cudaTextureObject_t object) try {
  return remember(tell(view, object, false, &TextureParts::view));
}
HET_CATCH

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource,
                                             cudaSurfaceObject_t object) try {
  return remember(tell(resource, object, true, &TextureParts::resource));
}
HET_CATCH

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *elements,
                                                 const cudaChannelFormatDesc *format,
                                                 int device) try {
  if (!elements || !format)
    return remember(cudaErrorInvalidValue);
  if (!validDevice(device))
    return remember(cudaErrorInvalidDevice);
  const int bits = format->x + format->y + format->z + format->w;
  if (bits < 8)
    return remember(cudaErrorInvalidChannelDescriptor);
  // All of them reach what CUDA's tables give the linear textures of one element size.
  const auto most = static_cast<size_t>(deviceAt(device)->properties.maxTexture1DLinear);
  *elements = most / std::max<size_t>(1, size_t(bits) / 32);
  return cudaSuccess;
}
HET_CATCH
