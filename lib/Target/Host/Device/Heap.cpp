// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The heap of a device, for malloc in kernels: blocks of the process's own heap, each
// behind a header, and one budget for all of them.

#include "HostDevice.h"

#include <cstdlib>

namespace het::host {

namespace {

/// Keeps the memory behind it aligned to 16.
struct alignas(16) Header {
  uint64_t size; ///< of the block with its header
  Heap *owner;   ///< whose budget it is of
  uint64_t mark; ///< that it is a live block of this owner
};

uint64_t markOf(const Heap *heap) {
  return reinterpret_cast<uintptr_t>(heap) ^ 0x686574206C697665;
}

} // namespace

bool Heap::reserve(uint64_t size) {
  uint64_t before = used.load(std::memory_order_relaxed);
  do {
    uint64_t most = limit.load(std::memory_order_relaxed);
    if (before > most || size > most - before)
      return false;
  } while (!used.compare_exchange_weak(before, before + size,
                                       std::memory_order_relaxed));
  return true;
}

void *Heap::allocate(uint64_t size) {
  if (size > UINT64_MAX / 2)
    return nullptr;
  size = (size + sizeof(Header) + 15) / 16 * 16;
  if (!reserve(size))
    return nullptr;
  auto *header = static_cast<Header *>(std::malloc(size));
  if (!header) {
    used.fetch_sub(size, std::memory_order_relaxed);
    return nullptr;
  }
  *header = {size, this, markOf(this)};
  return header + 1;
}

bool Heap::release(void *memory) {
  if (!memory)
    return true;
  Header *header = static_cast<Header *>(memory) - 1;
  if (reinterpret_cast<uintptr_t>(memory) % 16 || header->mark != markOf(header->owner))
    return false;
  header->mark = 0;
  header->owner->used.fetch_sub(header->size, std::memory_order_relaxed);
  std::free(header);
  return true;
}

} // namespace het::host
