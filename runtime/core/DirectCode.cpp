// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading and lowering a kernel for its device's only backend.

#include "core/DirectCode.h"
#include "core/Device.h"
#include "core/Kernel.h"
#include "core/Worker.h"
#include "core/code/Artifacts.h"
#include "het/Base/Log.h"
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
      kernel.make(kernel.device().primary(), "", LoweringThread::Callers, &better);
  if (!made.ok())
    return failure = made.status();
  artifact.store(*made, std::memory_order_release);
  if (better && !Worker::get().add(this, [this] { improve(); }))
    better.reset(); // a later run makes it
  return made;
}

/// Launches from then on run the better code. The interim code stays, for those that have
/// it.
void DirectCode::improve() {
  Result<Bytes> bytes = better->wait();
  Backend &backend = kernel.device().primary();
  Result<HetArtifact *> loaded =
      bytes.ok() ? kernel.load(backend, loweredNow(backend, bytes.take()))
                 : Result<HetArtifact *>(bytes.status());
  if (!loaded.ok()) {
    log(Level::Info, "kernel %s: stays with interim code: %s", kernel.info().name.c_str(),
        loaded.status().text().c_str());
    return;
  }
  log(Level::Info, "kernel %s: runs its better code", kernel.info().name.c_str());
  interim = artifact.exchange(*loaded);
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
  if (better) {
    better->stop();
    Worker::get().forget(this);
  }
  if (specialisations)
    specialisations->finish();
}

void DirectCode::unload() {
  if (specialisations)
    specialisations->unload();
  for (HetArtifact *loaded : {artifact.load(), interim.load()})
    if (loaded)
      kernel.device().abi().unloadArtifact(loaded);
}

} // namespace het::core
