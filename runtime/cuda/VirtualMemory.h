// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory without an address, and addresses without memory, which a program puts together
// itself (cuMemCreate, cuMemAddressReserve, cuMemMap).
//
// Where a device's memory is the process's own, such memory is shared pages. Elsewhere it
// is there while it is mapped; what it holds is kept aside in between, and it is mapped
// at one address at a time.

#ifndef HET_RUNTIME_CUDA_VIRTUALMEMORY_H
#define HET_RUNTIME_CUDA_VIRTUALMEMORY_H

#include "Api.h"
#include "SharedPages.h"

#include <map>
#include <memory>
#include <mutex>

namespace het::cuda {

/// Memory of a device. Lives while a handle or a mapping has it.
struct PhysicalMemory {
  PhysicalMemory(Device &device, size_t size, const CUmemAllocationProp &properties)
      : device(device), size(size), properties(properties) {}
  ~PhysicalMemory(); ///< Gives back what is kept aside.

  Device &device;
  const size_t size;
  const CUmemAllocationProp properties;
  std::unique_ptr<SharedPages> pages; ///< Null where a device has none.
  unsigned mappings = 0;
  void *aside = nullptr; ///< What it holds while it is not mapped.
  bool isLost = false;   ///< Its device was reset.
};

using Physical = std::shared_ptr<PhysicalMemory>;
using PhysicalHandle = CUmemGenericAllocationHandle;

/// The handles and mappings of the process. Every function may be called from any thread.
class VirtualMemory {
public:
  static VirtualMemory &get();

  /// Fills `handle` with one of new memory, or of what another process has exported.
  cudaError_t create(Device &device, size_t size, const CUmemAllocationProp &properties,
                     PhysicalHandle &handle);
  cudaError_t adopt(Device &device, int descriptor, PhysicalHandle &handle);
  /// Null where there is no such handle.
  Physical find(PhysicalHandle handle);
  cudaError_t release(PhysicalHandle handle);
  /// One more release() is due. A mapping's memory may have no handle any more.
  cudaError_t retain(const void *address, PhysicalHandle &handle);

  cudaError_t map(void *address, size_t size, size_t offset, const Physical &memory);
  /// Of whole mappings, whose users the caller has waited for.
  cudaError_t unmap(void *address, size_t size);
  /// The device of the mapping at an address; null: there is none.
  Device *deviceOf(const void *address);
  cudaError_t setAccess(void *address, size_t size, int device, CUmemAccess_flags flags);
  cudaError_t getAccess(const void *address, int device, CUmemAccess_flags &flags);

  /// A device is reset: its mappings are gone.
  void forget(const Device &device);

private:
  struct Mapping {
    size_t size, offset;
    Physical memory;
    std::map<int, CUmemAccess_flags> access; ///< By device.
  };
  using Mappings = std::map<uintptr_t, Mapping>;

  struct Handle {
    Physical memory;
    unsigned count;
  };

  // With the mutex held.
  Mappings::iterator at(const void *address);
  /// The mappings that fill a range; false if they do not.
  bool fill(const void *address, size_t size, Mappings::iterator &first,
            Mappings::iterator &end);
  PhysicalHandle add(Physical memory);

  std::mutex mutex; ///< Guards what follows.
  std::map<PhysicalHandle, Handle> handles;
  PhysicalHandle lastHandle = 0;
  Mappings mappings;
};

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_VIRTUALMEMORY_H
