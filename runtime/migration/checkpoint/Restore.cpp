// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts a checkpoint's memory, variables and launches onto a device.

#include "migration/checkpoint/Restore.h"
#include "migration/MigratableCode.h"
#include "migration/PollIntervals.h"

#include <algorithm>
#include <mutex>

namespace het::core {
namespace {

/// A queue of a backend's, for a scope.
class Filler {
public:
  explicit Filler(Backend &backend) : backend(backend) {}
  ~Filler() {
    if (queue)
      backend.abi().destroyQueue(queue);
  }

  Status open() {
    HetStatus status = {};
    if (backend.abi().createQueue(backend.handle(), &queue, &status) != HET_OK)
      return toStatus(status, backend.name());
    return Status::success();
  }

  Status clear(const std::vector<MappedRange> &ranges) {
    HetStatus status = {};
    for (MappedRange range : ranges)
      if (backend.abi().enqueueFill(queue, range.address, 0, 1, range.size, &status) !=
          HET_OK)
        return toStatus(status, backend.name());
    return wait();
  }

  /// From many threads.
  Status copyIn(uint64_t address, ByteView bytes) {
    if (backend.sharesHostMemory()) {
      std::copy_n(bytes.data, bytes.size, reinterpret_cast<uint8_t *>(address));
      return Status::success();
    }
    std::lock_guard<std::mutex> lock(mutex);
    HetStatus status = {};
    if (backend.abi().enqueueCopy(queue, address, reinterpret_cast<uint64_t>(bytes.data),
                                  bytes.size, &status) != HET_OK)
      return toStatus(status, backend.name());
    return wait();
  }

private:
  Status wait() { return backend.wait(queue); }

  Backend &backend;
  HetQueue *queue = nullptr;
  std::mutex mutex; ///< For copies.
};

} // namespace

Status restoreMemory(Backend &backend, const Checkpoint &file,
                     const std::vector<MappedRange> &ranges) {
  Filler filler(backend);
  if (Status status = filler.open(); !status.ok())
    return status;
  if (Status status = filler.clear(ranges); !status.ok())
    return status;
  return file.visitMemory([&](size_t region, uint64_t offset, ByteView bytes) {
    return filler.copyIn(file.contents().regions[region].address + offset, bytes);
  });
}

Status restoreLaunch(LaunchState &state, const Checkpoint &file, size_t launch) {
  const CheckpointLaunch &saved = file.contents().launches[launch];
  const bool isAlike =
      saved.blocks.size() == 1 && saved.blocks[0].status != HET_BLOCK_PARKED;
  state.alike = isAlike ? saved.blocks[0].status + 1u : 0;
  uint8_t *next = state.blocks;
  for (const BlockRun &run : saved.blocks)
    if (!isAlike)
      next = std::fill_n(next, run.count, run.status);
  state.parkedCount = parkedBlocks(saved);
  if (!state.parkedCount)
    return Status::success();
  state.stateBytes = blockStateLayout(saved).size;
  const uint64_t bytes = file.statesSize(launch);
  if (!state.resize(&state, bytes))
    return unavailable("no memory for " + std::to_string(bytes) + " bytes of states");
  return file.readStates(launch, 0, state.states, bytes);
}

Status enqueueRestored(Kernel &kernel, Backend &backend, HetQueue *queue,
                       HetLaunch launch, LaunchState &state) {
  MigratableCode &own = MigratableCode::of(kernel);
  Result<HetArtifact *> artifact = own.loadOn(backend);
  if (!artifact.ok())
    return artifact.status();
  launch.artifact = *artifact;
  state.pollInterval = own.pollIntervals().on(backend);
  HetStatus status = {};
  int32_t code = backend.abi().enqueueParkable(queue, &launch, &state, &status);
  if (code == HET_INVALID && !state.hasBegun()) {
    Result<HetArtifact *> plain = own.plainOn(backend, status.message);
    if (!plain.ok())
      return plain.status();
    launch.artifact = *plain;
    code = backend.abi().enqueueLaunch(queue, &launch, &status);
    state.end();
  }
  return code == HET_OK ? Status::success() : toStatus(status, backend.name());
}

} // namespace het::core
