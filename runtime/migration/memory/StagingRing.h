// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A queue and pinned memory in pieces, each with an event, which a staging copier keeps
// from one transfer to the next.

#ifndef HET_RUNTIME_MIGRATION_MEMORY_STAGINGRING_H
#define HET_RUNTIME_MIGRATION_MEMORY_STAGINGRING_H

#include "core/Backend.h"

#include <memory>
#include <vector>

namespace het::core {

class StagingRing {
public:
  static Result<std::unique_ptr<StagingRing>> create(Backend &backend,
                                                     uint64_t pieceBytes);
  ~StagingRing();
  StagingRing(const StagingRing &) = delete;
  StagingRing &operator=(const StagingRing &) = delete;

  /// One that the engine writes or reads, one that threads work at, and one each way
  /// that is between, so that neither waits for the slowest thread of a piece.
  static constexpr size_t places = 4;

  const uint64_t pieceBytes;
  uint8_t *place(size_t number) const { return memory + number * pieceBytes; }

  /// Puts in a copy of which one side lies in a place.
  Status copy(uint64_t to, uint64_t from, uint64_t size);
  /// Puts in zeros.
  Status fill(uint64_t to, uint64_t size);
  /// Puts in that the place's copies are done.
  Status signal(size_t number);
  /// Until the latest signal of the place, or until the device has a fault.
  Status wait(size_t number);
  /// For all that was put in.
  Status finish();

private:
  StagingRing(Backend &backend, uint64_t pieceBytes)
      : pieceBytes(pieceBytes), backend(backend) {}

  Backend &backend;
  uint8_t *memory = nullptr;
  bool isPinned = false;
  HetQueue *queue = nullptr;
  std::vector<HetEvent *> events;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_MEMORY_STAGINGRING_H
