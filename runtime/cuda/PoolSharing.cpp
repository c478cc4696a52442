// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exports and imports pools, and pointers into them.

#include "PoolSharing.h"
#include "Context.h"
#include "Errors.h"
#include "IpcMemory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <sys/random.h>
#include <unistd.h>

using namespace het;
using namespace het::cuda;

namespace {

/// What the page has.
struct PoolName {
  char magic[8];
  uint64_t name[2];
};

constexpr char magic[8] = {'h', 'e', 't', 'p', 'o', 'o', 'l', '1'};
constexpr size_t pageBytes = 4096;

/// How often each pointer was imported.
struct Imports {
  std::mutex mutex; ///< Guards what follows.
  std::map<void *, unsigned> counts;
};

Imports &imports() {
  static auto *instance = new Imports;
  return *instance;
}

/// The pool's name in the rest of a handle's bytes.
void nameIn(IpcHandle &handle, const SharedPool &pool) {
  static_assert(sizeof(handle.reserved) >= sizeof(pool.name));
  std::memcpy(handle.reserved, pool.name, sizeof(pool.name));
}

bool names(const IpcHandle &handle, const SharedPool &pool) {
  return std::memcmp(handle.reserved, pool.name, sizeof(pool.name)) == 0;
}

cudaError_t checkKind(cudaMemAllocationHandleType type, unsigned flags) {
  if (flags)
    return cudaErrorInvalidValue;
  if (type != cudaMemHandleTypePosixFileDescriptor)
    HET_NOT_SUPPORTED("handles of memory pools other than POSIX descriptors");
  return cudaSuccess;
}

cudaError_t importPool(int descriptor, cudaMemPool_t &result) {
  Device *device = nullptr;
  if (cudaError_t error = useCurrentDevice(device))
    return error;
  if (!takesSharedPages(*device))
    HET_NOT_SUPPORTED("cudaMemPoolImportFromShareableHandle on this device");
  Result<std::unique_ptr<SharedPages>> page = SharedPages::adopt(descriptor);
  if (!page.ok())
    return translate(page.status(), cudaErrorInvalidValue);
  PoolName found = {};
  if (pread((*page)->descriptor(), &found, sizeof(found), 0) != sizeof(found) ||
      std::memcmp(found.magic, magic, sizeof(magic)) != 0)
    return translate(invalid("a handle of a memory pool: found other memory, expected "
                             "what cudaMemPoolExportToShareableHandle has given"),
                     cudaErrorInvalidValue);
  cudaMemPool_t pool = device->pool->create(0);
  pool->shared.emplace();
  pool->shared->isImported = true;
  std::copy_n(found.name, 2, pool->shared->name);
  result = pool;
  return cudaSuccess;
}

cudaError_t importPointer(const CUmemPoolHandle_st &pool, const IpcHandle &handle,
                          void *&pointer) {
  if (!pool.shared || !pool.shared->isImported || !names(handle, *pool.shared))
    return cudaErrorInvalidValue;
  if (cudaError_t error = openMemory(handle, pointer))
    return error;
  std::lock_guard<std::mutex> lock(imports().mutex);
  ++imports().counts[pointer];
  return cudaSuccess;
}

} // namespace

namespace het::cuda {

cudaError_t makeShareable(CUmemPoolHandle_st &pool) {
  SharedPool shared;
  Result<std::unique_ptr<SharedPages>> page = SharedPages::create(pageBytes);
  if (!page.ok())
    return translate(page.status(), cudaErrorMemoryAllocation);
  PoolName name = {};
  std::memcpy(name.magic, magic, sizeof(magic));
  if (getrandom(name.name, sizeof(name.name), 0) != sizeof(name.name) ||
      pwrite((*page)->descriptor(), &name, sizeof(name), 0) != sizeof(name))
    return translate(
        unavailable("the name of a memory pool: " + std::string(std::strerror(errno))),
        cudaErrorMemoryAllocation);
  shared.page = page.take();
  std::copy_n(name.name, 2, shared.name);
  pool.shared = std::move(shared);
  return cudaSuccess;
}

bool freeImported(void *pointer, cudaError_t &error) {
  {
    std::lock_guard<std::mutex> lock(imports().mutex);
    auto found = imports().counts.find(pointer);
    if (found == imports().counts.end())
      return false;
    if (--found->second == 0)
      imports().counts.erase(found);
  }
  error = closeMemory(pointer);
  return true;
}

} // namespace het::cuda

cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool,
                                               cudaMemAllocationHandleType type,
                                               unsigned flags) try {
  if (!handle || !pool)
    return remember(cudaErrorInvalidValue);
  if (cudaError_t error = checkKind(type, flags))
    return remember(error);
  if (!pool->shared || pool->shared->isImported)
    return remember(cudaErrorInvalidValue);
  const int descriptor = pool->shared->page->duplicate();
  if (descriptor < 0)
    return remember(cudaErrorOperatingSystem);
  std::memcpy(handle, &descriptor, sizeof(descriptor));
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                                 cudaMemAllocationHandleType type,
                                                 unsigned flags) try {
  if (!pool)
    return remember(cudaErrorInvalidValue);
  if (cudaError_t error = checkKind(type, flags))
    return remember(error);
  const auto number = reinterpret_cast<uintptr_t>(handle);
  if (number > INT32_MAX)
    return remember(cudaErrorInvalidValue);
  return remember(importPool(static_cast<int>(number), *pool));
}
HET_CATCH

static_assert(sizeof(cudaMemPoolPtrExportData) == sizeof(IpcHandle));

cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData *data, void *pointer) try {
  if (!data || !pointer)
    return remember(cudaErrorInvalidValue);
  const CUmemPoolHandle_st *pool = poolOf(pointer);
  if (!pool || !pool->shared || pool->shared->isImported)
    return remember(cudaErrorInvalidValue);
  IpcHandle handle = {};
  if (cudaError_t error = shareMemory(pointer, handle))
    return remember(error);
  nameIn(handle, *pool->shared);
  std::memcpy(data, &handle, sizeof(handle));
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaMemPoolImportPointer(void **pointer, cudaMemPool_t pool,
                                     cudaMemPoolPtrExportData *data) try {
  if (!pointer || !pool || !data)
    return remember(cudaErrorInvalidValue);
  IpcHandle handle;
  std::memcpy(&handle, data, sizeof(handle));
  void *found = nullptr;
  cudaError_t error = importPointer(*pool, handle, found);
  if (!error)
    *pointer = found;
  return remember(error);
}
HET_CATCH
