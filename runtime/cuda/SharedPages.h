// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of a device that is pages of a file in memory: it can be mapped at several
// addresses, and by other processes that get the file's descriptor. Only where a device's
// memory is the process's own.

#ifndef HET_RUNTIME_CUDA_SHAREDPAGES_H
#define HET_RUNTIME_CUDA_SHAREDPAGES_H

#include "het/Base/Status.h"

#include <memory>
#include <utility>

namespace het::cuda {

struct Device;

/// Whether the device's memory can be such pages.
bool takesSharedPages(const Device &device);

class SharedPages {
public:
  /// New pages, which are zero. Unavailable where there are none.
  static Result<std::unique_ptr<SharedPages>> create(size_t size);
  /// Those of a descriptor, which stays the caller's. Invalid if it is none of ours.
  static Result<std::unique_ptr<SharedPages>> adopt(int descriptor);
  /// Those that another process of this machine has under a descriptor.
  static Result<std::unique_ptr<SharedPages>> open(int process, int descriptor);
  ~SharedPages();
  SharedPages(const SharedPages &) = delete;
  SharedPages &operator=(const SharedPages &) = delete;

  size_t size() const { return bytes; }
  int descriptor() const { return file; }
  /// A descriptor of the caller's own; -1 and errno.
  int duplicate() const;
  /// Puts pages in the place of what is mapped at an address.
  Status mapOver(void *address, size_t offset, size_t size) const;

private:
  SharedPages(int file, size_t bytes) : file(file), bytes(bytes) {}
  int file;
  size_t bytes;
};

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_SHAREDPAGES_H
