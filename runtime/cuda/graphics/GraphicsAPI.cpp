// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps and unmaps what is registered of a graphics API, whichever that is.

#include "../Context.h"
#include "../Stream.h"
#include "Resource.h"

#include <map>

namespace het::cuda {

namespace {

using Resource = std::shared_ptr<cudaGraphicsResource>;

/// The resources of the process. Nothing is copied with the mutex held.
struct Registry {
  std::mutex mutex; ///< Guards what follows, and whether each is mapped.
  std::map<cudaGraphicsResource_t, Resource> all;
};

Registry &registry() {
  static auto *instance = new Registry;
  return *instance;
}

/// Finds the resources of a call, and marks them as mapped or not, all or none of them.
cudaError_t mark(int count, const cudaGraphicsResource_t *handles, const Device &device,
                 bool isMapped, std::vector<Resource> &found) {
  if (count <= 0 || !handles)
    return cudaErrorInvalidValue;
  Registry &known = registry();
  std::lock_guard<std::mutex> lock(known.mutex);
  std::set<cudaGraphicsResource_t> different(handles, handles + count);
  if (different.size() != static_cast<size_t>(count))
    return cudaErrorInvalidResourceHandle;
  for (cudaGraphicsResource_t handle : different) {
    auto at = known.all.find(handle);
    if (at == known.all.end() || &at->second->device != &device)
      return cudaErrorInvalidResourceHandle;
    if (at->second->isMapped == isMapped)
      return isMapped ? cudaErrorAlreadyMapped : cudaErrorNotMapped;
    found.push_back(at->second);
  }
  for (const Resource &resource : found)
    resource->isMapped = isMapped;
  return cudaSuccess;
}

void markBack(const std::vector<Resource> &resources, size_t from, bool isMapped) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  for (size_t index = from; index < resources.size(); ++index)
    resources[index]->isMapped = isMapped;
}

/// The stream of a call, which no capture may record.
cudaError_t findStream(cudaStream_t handle, CUstream_st *&stream) {
  if (cudaError_t error = resolveStream(handle, stream))
    return error;
  if (cudaError_t error = stream->admit())
    return error;
  return refuseIfCapturing(stream);
}

cudaError_t map(int count, const cudaGraphicsResource_t *handles, cudaStream_t handle) {
  CUstream_st *stream = nullptr;
  std::vector<Resource> resources;
  if (cudaError_t error = findStream(handle, stream))
    return error;
  if (cudaError_t error = mark(count, handles, stream->device, true, resources))
    return error;
  for (const Resource &resource : resources)
    if (cudaError_t error = resource->map(handle)) {
      markBack(resources, 0, false);
      return error;
    }
  return cudaSuccess;
}

/// What could not be copied back stays mapped.
cudaError_t unmap(int count, const cudaGraphicsResource_t *handles, cudaStream_t handle) {
  CUstream_st *stream = nullptr;
  std::vector<Resource> resources;
  if (cudaError_t error = findStream(handle, stream))
    return error;
  if (cudaError_t error = mark(count, handles, stream->device, false, resources))
    return error;
  for (size_t index = 0; index < resources.size(); ++index)
    if (cudaError_t error = resources[index]->unmap(handle)) {
      markBack(resources, index, true);
      return error;
    }
  return cudaSuccess;
}

/// Hands a mapped resource to `use`.
template <typename Use> cudaError_t withMapped(cudaGraphicsResource_t handle, Use use) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  auto found = registry().all.find(handle);
  if (found == registry().all.end())
    return cudaErrorInvalidResourceHandle;
  return found->second->isMapped ? use(*found->second) : cudaErrorNotMapped;
}

cudaError_t setFlags(cudaGraphicsResource_t handle, unsigned flags) {
  if (flags > cudaGraphicsMapFlagsWriteDiscard)
    return cudaErrorInvalidValue;
  std::lock_guard<std::mutex> lock(registry().mutex);
  auto found = registry().all.find(handle);
  if (found == registry().all.end())
    return cudaErrorInvalidResourceHandle;
  if (found->second->isMapped)
    return cudaErrorAlreadyMapped;
  found->second->flags = flags;
  return cudaSuccess;
}

cudaError_t unregister(cudaGraphicsResource_t handle) {
  Resource last; // destroyed without the mutex
  std::lock_guard<std::mutex> lock(registry().mutex);
  auto found = registry().all.find(handle);
  if (found == registry().all.end())
    return cudaErrorInvalidResourceHandle;
  if (found->second->isMapped)
    return cudaErrorAlreadyMapped;
  last = std::move(found->second);
  registry().all.erase(found);
  return cudaSuccess;
}

} // namespace

cudaGraphicsResource_t registerResource(std::unique_ptr<cudaGraphicsResource> resource) {
  cudaGraphicsResource_t handle = resource.get();
  std::lock_guard<std::mutex> lock(registry().mutex);
  registry().all.emplace(handle, std::move(resource));
  return handle;
}

void forgetResources(const Device &device) {
  std::vector<Resource> last; // destroyed without the mutex
  std::lock_guard<std::mutex> lock(registry().mutex);
  std::map<cudaGraphicsResource_t, Resource> &all = registry().all;
  for (auto at = all.begin(); at != all.end();)
    if (&at->second->device == &device) {
      last.push_back(std::move(at->second));
      at = all.erase(at);
    } else {
      ++at;
    }
}

} // namespace het::cuda

using namespace het::cuda;

cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources,
                                     cudaStream_t stream) try {
  return remember(map(count, resources, stream));
}
HET_CATCH

cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources,
                                       cudaStream_t stream) try {
  return remember(unmap(count, resources, stream));
}
HET_CATCH

cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource) try {
  if (cudaError_t error = currentDeviceError())
    return remember(error);
  return remember(unregister(resource));
}
HET_CATCH

cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource,
                                            unsigned flags) try {
  return remember(setFlags(resource, flags));
}
HET_CATCH

cudaError_t cudaGraphicsResourceGetMappedPointer(void **pointer, size_t *size,
                                                 cudaGraphicsResource_t resource) try {
  if (!pointer)
    return remember(cudaErrorInvalidValue);
  size_t bytes = 0;
  cudaError_t error = withMapped(resource, [&](const cudaGraphicsResource &mapped) {
    return mapped.pointer(*pointer, bytes);
  });
  if (!error && size)
    *size = bytes;
  return remember(error);
}
HET_CATCH

cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array,
                                                  cudaGraphicsResource_t resource,
                                                  unsigned plane, unsigned level) try {
  if (!array)
    return remember(cudaErrorInvalidValue);
  return remember(withMapped(resource, [&](const cudaGraphicsResource &mapped) {
    return mapped.array(plane, level, *array);
  }));
}
HET_CATCH

cudaError_t
cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t *mipmap,
                                            cudaGraphicsResource_t resource) try {
  if (!mipmap)
    return remember(cudaErrorInvalidValue);
  return remember(withMapped(
      resource, [&](cudaGraphicsResource &mapped) { return mapped.mipmap(*mipmap); }));
}
HET_CATCH
