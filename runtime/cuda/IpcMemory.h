// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory and events that processes of one machine share by handles. A handle names a
// process and a descriptor of it, by which another process of the same user opens the
// pages, and where in them the memory lies.
//
// Memory becomes shared pages when its handle is first asked for, whole granules of it;
// its device is waited for. Only where a device's memory is the process's own.

#ifndef HET_RUNTIME_CUDA_IPCMEMORY_H
#define HET_RUNTIME_CUDA_IPCMEMORY_H

#include "Api.h"
#include "SharedPages.h"

#include <cstdint>

namespace het::cuda {

/// What the 64 bytes of a handle are.
struct IpcHandle {
  char magic[8];
  int32_t process, descriptor;
  uint64_t file; ///< Its number: the descriptor may be another one's by now.
  uint64_t offset, size;
  char reserved[24];
};
static_assert(sizeof(IpcHandle) == CUDA_IPC_HANDLE_SIZE);

/// A handle of pages that this process has.
IpcHandle makeHandle(const SharedPages &pages, uint64_t offset, uint64_t size);
/// Invalid for a handle that is none, or whose process has let go of the pages.
Result<std::unique_ptr<SharedPages>> openHandle(const IpcHandle &handle);

/// A handle of the device memory that an address lies in.
cudaError_t shareMemory(void *pointer, IpcHandle &handle);
/// Memory of another process at an address of this one's; the same one each time.
cudaError_t openMemory(const IpcHandle &handle, void *&pointer);
cudaError_t closeMemory(void *pointer);
/// Lets go of pages that were shared and are mapped no more, since memory was freed.
void dropFreed();
/// A device is reset.
void forgetShared(const Device &device);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_IPCMEMORY_H
