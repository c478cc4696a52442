// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface references. On a device a reference is a variable, which holds the
// handle of an object that binding makes.

#include "Arrays.h"
#include "Context.h"
#include "Errors.h"
#include "Memory.h"
#include "Module.h"
#include "Textures.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

using namespace het::cuda;

cudaError_t Binding::bind(const TextureParts *parts) {
  ObjectHandle made = 0;
  if (parts)
    if (cudaError_t error = makeObject(*device, *parts, isSurface, made))
      return error;
  cudaError_t error = device->synchronize();
  if (!error)
    error = writeMemory(*device, variable, &made, sizeof(made));
  std::swap(object, made);
  const cudaError_t destroyed = destroyObject(made, isSurface);
  return error ? error : destroyed;
}

void het::cuda::alignMemory(void *&pointer, size_t &offset) {
  offset = reinterpret_cast<uintptr_t>(pointer) % leastTextureAlignment;
  pointer = static_cast<char *>(pointer) - offset;
}

namespace {

/// What is bound, by reference and device.
struct Bindings {
  std::mutex mutex; ///< Nothing is waited for with it held.
  std::map<std::pair<const void *, int>, Binding> all;
  std::vector<Binding> left; ///< Their references are gone.
};

Bindings &bindings() {
  static auto *instance = new Bindings;
  return *instance;
}

/// Destroys what was bound to references that are gone.
void destroyLeft() {
  std::vector<Binding> left;
  {
    std::lock_guard<std::mutex> lock(bindings().mutex);
    left.swap(bindings().left);
  }
  for (const Binding &binding : left)
    (void)destroyObject(binding.object, binding.isSurface);
}

/// Binds to a reference on the calling thread's device.
cudaError_t bind(const void *reference, const TextureParts *parts, bool isSurface,
                 size_t offset = 0) {
  Device *device = nullptr;
  void *variable = nullptr;
  Variable *registered = findVariable(reference);
  if (!registered)
    return isSurface ? cudaErrorInvalidSurface : cudaErrorInvalidTexture;
  if (cudaError_t error = useCurrentDevice(device))
    return error;
  if (cudaError_t error = addressOf(*registered, *device, variable))
    return error;
  destroyLeft();
  Bindings &known = bindings();
  std::unique_lock<std::mutex> lock(known.mutex);
  Binding binding = known.all[{reference, device->ordinal}];
  lock.unlock();
  binding.device = device;
  binding.variable = variable;
  binding.isSurface = isSurface;
  cudaError_t error = binding.bind(parts);
  if (!error)
    binding.offset = offset;
  lock.lock();
  known.all[{reference, device->ordinal}] = binding;
  return error;
}

/// What a reference says of how it is sampled.
cudaTextureDesc describe(const textureReference &reference) {
  cudaTextureDesc result = {};
  const Variable *registered = findVariable(&reference);
  std::copy_n(reference.addressMode, 3, result.addressMode);
  result.filterMode = reference.filterMode;
  // A reference of floats reads integers as such, too.
  const bool isFloat = reference.channelDesc.f == cudaChannelFormatKindFloat;
  result.readMode = isFloat || (registered && registered->isReadNormalized)
                        ? cudaReadModeNormalizedFloat
                        : cudaReadModeElementType;
  result.sRGB = reference.sRGB;
  result.normalizedCoords = reference.normalized;
  result.maxAnisotropy = reference.maxAnisotropy;
  result.mipmapFilterMode = reference.mipmapFilterMode;
  result.mipmapLevelBias = reference.mipmapLevelBias;
  result.minMipmapLevelClamp = reference.minMipmapLevelClamp;
  result.maxMipmapLevelClamp = reference.maxMipmapLevelClamp;
  return result;
}

/// Binds memory, which begins behind where the object does by what `told` gets: that must
/// be nothing where nobody asks.
cudaError_t bindMemory(const textureReference &reference, TextureParts &parts,
                       void *&pointer, size_t *told) {
  size_t offset = 0;
  alignMemory(pointer, offset);
  if (offset && !told)
    return cudaErrorInvalidValue;
  if (told)
    *told = offset;
  parts.texture = describe(reference);
  return bind(&reference, &parts, false, offset);
}

/// An array, whose elements must have the format that the caller expects.
cudaError_t bindArray(const void *reference, cudaArray_const_t array,
                      const cudaChannelFormatDesc *format, TextureParts &parts,
                      bool isSurface) {
  if (!reference || !array || !format)
    return cudaErrorInvalidValue;
  parts.resource.resType = cudaResourceTypeArray;
  parts.resource.res.array.array = const_cast<cudaArray_t>(array);
  return bind(reference, &parts, isSurface);
}

} // namespace

void het::cuda::forgetReference(const void *reference) {
  Bindings &known = bindings();
  std::lock_guard<std::mutex> lock(known.mutex);
  auto first = known.all.lower_bound({reference, 0});
  for (; first != known.all.end() && first->first.first == reference;
       first = known.all.erase(first))
    known.left.push_back(first->second);
}

cudaError_t cudaBindTexture(size_t *offset, const textureReference *reference,
                            const void *memory, const cudaChannelFormatDesc *format,
                            size_t size) try {
  if (!reference || !memory || !format)
    return remember(cudaErrorInvalidValue);
  // The size is often left out: then it is as much as there is.
  const MemoryRange range = findMemory(memory);
  const char *end = range.base + range.size, *begin = static_cast<const char *>(memory);
  TextureParts parts;
  parts.resource.resType = cudaResourceTypeLinear;
  auto &linear = parts.resource.res.linear;
  linear.devPtr = const_cast<void *>(memory);
  linear.desc = *format;
  linear.sizeInBytes = range.base ? std::min(size, static_cast<size_t>(end - begin)) : 0;
  linear.sizeInBytes += reinterpret_cast<uintptr_t>(memory) % leastTextureAlignment;
  return remember(bindMemory(*reference, parts, linear.devPtr, offset));
}
HET_CATCH

cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *reference,
                              const void *memory, const cudaChannelFormatDesc *format,
                              size_t width, size_t height, size_t pitch) try {
  if (!reference || !memory || !format)
    return remember(cudaErrorInvalidValue);
  TextureParts parts;
  parts.resource.resType = cudaResourceTypePitch2D;
  auto &pitched = parts.resource.res.pitch2D;
  pitched = {const_cast<void *>(memory), *format, width, height, pitch};
  return remember(bindMemory(*reference, parts, pitched.devPtr, offset));
}
HET_CATCH

cudaError_t cudaBindTextureToArray(const textureReference *reference,
                                   cudaArray_const_t array,
                                   const cudaChannelFormatDesc *format) try {
  TextureParts parts;
  if (reference)
    parts.texture = describe(*reference);
  return remember(bindArray(reference, array, format, parts, false));
}
HET_CATCH

cudaError_t cudaBindTextureToMipmappedArray(const textureReference *reference,
                                            cudaMipmappedArray_const_t mipmap,
                                            const cudaChannelFormatDesc *format) try {
  if (!reference || !mipmap || !format)
    return remember(cudaErrorInvalidValue);
  TextureParts parts;
  parts.texture = describe(*reference);
  parts.resource.resType = cudaResourceTypeMipmappedArray;
  parts.resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(mipmap);
  return remember(bind(reference, &parts, false));
}
HET_CATCH

cudaError_t cudaBindSurfaceToArray(const surfaceReference *reference,
                                   cudaArray_const_t array,
                                   const cudaChannelFormatDesc *format) try {
  TextureParts parts;
  return remember(bindArray(reference, array, format, parts, true));
}
HET_CATCH

cudaError_t cudaUnbindTexture(const textureReference *reference) try {
  return remember(bind(reference, nullptr, false));
}
HET_CATCH

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset,
                                          const textureReference *reference) try {
  if (!offset)
    return remember(cudaErrorInvalidValue);
  if (!findVariable(reference))
    return remember(cudaErrorInvalidTexture);
  std::lock_guard<std::mutex> lock(bindings().mutex);
  auto found = bindings().all.find({reference, currentOrdinal()});
  if (found == bindings().all.end() || !found->second.object)
    return remember(cudaErrorInvalidTextureBinding);
  *offset = found->second.offset;
  return cudaSuccess;
}
HET_CATCH

// A reference is its own symbol.

cudaError_t cudaGetTextureReference(const textureReference **reference,
                                    const void *symbol) try {
  if (!reference)
    return remember(cudaErrorInvalidValue);
  *reference = static_cast<const textureReference *>(symbol);
  return remember(findVariable(symbol) ? cudaSuccess : cudaErrorInvalidTexture);
}
HET_CATCH

cudaError_t cudaGetSurfaceReference(const surfaceReference **reference,
                                    const void *symbol) try {
  if (!reference)
    return remember(cudaErrorInvalidValue);
  *reference = static_cast<const surfaceReference *>(symbol);
  return remember(findVariable(symbol) ? cudaSuccess : cudaErrorInvalidSurface);
}
HET_CATCH
