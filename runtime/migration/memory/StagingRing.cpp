// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocates the pinned pieces of the ring, and gives them back.

#include "migration/memory/StagingRing.h"

#include <sys/mman.h>

namespace het::core {

Result<std::unique_ptr<StagingRing>> StagingRing::create(Backend &backend,
                                                         uint64_t pieceBytes) {
  std::unique_ptr<StagingRing> ring(new StagingRing(backend, pieceBytes));
  const uint64_t size = places * pieceBytes;
  void *mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    return unavailable("no memory to copy through");
  madvise(mapped, size, MADV_HUGEPAGE);
  ring->memory = static_cast<uint8_t *>(mapped);
  // Without it copies are slower.
  ring->isPinned = backend.pin(reinterpret_cast<uint64_t>(mapped), size).ok();
  HetStatus status = {};
  const HetDeviceABI &abi = backend.abi();
  if (abi.createQueue(backend.handle(), &ring->queue, &status) != HET_OK)
    return toStatus(status, backend.name());
  for (size_t i = 0; i < places; ++i) {
    HetEvent *event = nullptr;
    if (abi.createEvent(backend.handle(), &event, &status) != HET_OK)
      return toStatus(status, backend.name());
    ring->events.push_back(event);
  }
  return ring;
}

StagingRing::~StagingRing() {
  if (queue)
    backend.abi().destroyQueue(queue);
  for (HetEvent *event : events)
    backend.abi().destroyEvent(event);
  if (isPinned)
    (void)backend.unpin(reinterpret_cast<uint64_t>(memory));
  if (memory)
    munmap(memory, places * pieceBytes);
}

Status StagingRing::copy(uint64_t to, uint64_t from, uint64_t size) {
  HetStatus status = {};
  backend.abi().enqueueCopy(queue, to, from, size, &status);
  return toStatus(status, backend.name());
}

Status StagingRing::fill(uint64_t to, uint64_t size) {
  HetStatus status = {};
  backend.abi().enqueueFill(queue, to, 0, sizeof(uint32_t), size, &status);
  return toStatus(status, backend.name());
}

Status StagingRing::signal(size_t number) {
  HetStatus status = {};
  backend.abi().enqueueSignal(queue, events[number], &status);
  return toStatus(status, backend.name());
}

Status StagingRing::wait(size_t number) {
  backend.abi().waitEvent(events[number]);
  return backend.faultStatus();
}

Status StagingRing::finish() { return backend.wait(queue); }

} // namespace het::core
