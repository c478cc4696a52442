// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading and lowering a kernel for its device's only backend.

#include "core/DirectCode.h"
#include "core/Device.h"
#include "core/Kernel.h"
#include "het/Base/Passing.h"

namespace het::core {

DirectCode::DirectCode(Kernel &kernel)
    : kernel(kernel), code(kernel, kernel.device().primary()),
      specialisations(Specialisations::create(kernel, [this] { return code.get(); })) {}

Status DirectCode::prepare() {
  return isPrepared() ? Status::success() : load().status();
}

Result<HetArtifact *> DirectCode::load() {
  if (HetArtifact *ready = code.get())
    return ready;
  std::lock_guard<std::mutex> lock(mutex);
  if (HetArtifact *ready = code.get())
    return ready;
  if (!failure.ok() && !mayPass(failure))
    return failure;
  Result<HetArtifact *> made = code.make("");
  failure = made.status();
  return made;
}

uint64_t DirectCode::loadAhead() {
  std::lock_guard<std::mutex> lock(mutex); // a launch waits for this load
  if (code.get() || (!failure.ok() && !mayPass(failure)))
    return 0;
  uint64_t size = 0;
  if (HetArtifact *loaded = kernel.loadCached(kernel.device().primary(), "", size))
    code.set(loaded);
  return size;
}

void DirectCode::finish() {
  code.finish();
  if (specialisations)
    specialisations->finish();
}

void DirectCode::unload() {
  if (specialisations)
    specialisations->unload();
  code.unload();
}

} // namespace het::core
