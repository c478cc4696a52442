// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading and lowering a kernel for its device's only backend.

#include "core/DirectCode.h"
#include "core/Device.h"
#include "core/Kernel.h"
#include "core/code/Artifacts.h"
#include "het/Base/Passing.h"

namespace het::core {

DirectCode::DirectCode(Kernel &kernel)
    : kernel(kernel), specialisations(Specialisations::create(
                          kernel, [this] { return artifact.load(); })) {}

Status DirectCode::prepare() {
  return isPrepared() ? Status::success() : load().status();
}

Result<HetArtifact *> DirectCode::load() {
  if (HetArtifact *ready = artifact.load(std::memory_order_acquire))
    return ready;
  std::lock_guard<std::mutex> lock(mutex);
  if (HetArtifact *ready = artifact.load())
    return ready;
  if (!failure.ok() && !mayPass(failure))
    return failure;
  Result<HetArtifact *> made =
      kernel.make(kernel.device().primary(), "", LoweringThread::Callers);
  if (!made.ok())
    return failure = made.status();
  artifact.store(*made, std::memory_order_release);
  return made;
}

uint64_t DirectCode::loadAhead() {
  std::lock_guard<std::mutex> lock(mutex); // a launch waits for this load
  if (artifact.load() || (!failure.ok() && !mayPass(failure)))
    return 0;
  uint64_t size = 0;
  HetArtifact *loaded = kernel.loadCached(kernel.device().primary(), "", size);
  if (loaded)
    artifact.store(loaded, std::memory_order_release);
  return size;
}

void DirectCode::finish() {
  if (specialisations)
    specialisations->finish();
}

void DirectCode::unload() {
  if (specialisations)
    specialisations->unload();
  if (HetArtifact *loaded = artifact.load())
    kernel.device().abi().unloadArtifact(loaded);
}

} // namespace het::core
