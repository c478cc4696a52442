// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a device's heap lies, and its beginning.

#include "core/Heap.h"
#include "core/Device.h"

#include <cstddef>

namespace het::core {

/// From or to the device. No kernel allocates from the heap yet, so that waits for no
/// work of the program's.
static Status copy(Device &device, void *to, const void *from, size_t size) {
  Result<std::shared_ptr<Stream>> stream =
      Stream::create(device, StreamKind::NonBlocking);
  if (!stream.ok())
    return stream.status();
  Status status = (*stream)->copy(to, from, size);
  (*stream)->synchronize();
  return status;
}

/// With the mutex held.
Result<void *> Heap::place() {
  if (heap)
    return heap;
  Result<void *> memory = device.memory().allocate(sizeof(HetHeap));
  if (!memory.ok())
    return memory;
  const HetHeap empty = {};
  if (Status status = copy(device, *memory, &empty, sizeof(empty)); !status.ok()) {
    (void)device.memory().free(*memory);
    return status;
  }
  return heap = *memory;
}

Result<void *> Heap::variable(void *brought) {
  std::lock_guard<std::mutex> lock(mutex);
  if (brought)
    heap = brought;
  return place();
}

Status Heap::startNow() {
  std::lock_guard<std::mutex> lock(mutex);
  if (isStarted.load())
    return Status::success();
  if (Result<void *> placed = place(); !placed.ok())
    return placed.status();
  HetHeap state = {};
  if (Status status = copy(device, &state, heap, sizeof(state)); !status.ok())
    return status;
  if (!state.bytes)
    if (Status status = giveMemory(state); !status.ok())
      return status;
  isStarted.store(state.bytes || limit < 16, std::memory_order_release);
  return Status::success();
}

/// Kernels that found no heap may run, and look at it: its size comes last, by itself.
/// With the mutex held.
Status Heap::giveMemory(HetHeap &state) {
  const uint64_t bytes = limit / 16 * 16;
  Result<void *> memory = device.memory().allocate(bytes);
  if (!memory.ok() || !bytes)
    return Status::success();
  state.begin = reinterpret_cast<uint64_t>(*memory);
  Status status = copy(device, heap, &state, sizeof(state));
  state.bytes = bytes;
  auto *size = static_cast<char *>(heap) + offsetof(HetHeap, bytes);
  if (status.ok())
    status = copy(device, size, &state.bytes, sizeof(state.bytes));
  if (!status.ok())
    (void)device.memory().free(*memory);
  return status;
}

Status Heap::setLimit(uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  if (isStarted.load() && bytes != limit)
    return invalid("heap of kernels: it has been used; set its size before",
                   device.name());
  limit = bytes;
  return Status::success();
}

} // namespace het::core
