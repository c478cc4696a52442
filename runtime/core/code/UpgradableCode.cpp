// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From interim code to the better code, in the background thread.

#include "core/code/UpgradableCode.h"
#include "core/Kernel.h"
#include "core/Worker.h"
#include "core/code/Artifacts.h"
#include "het/Base/Log.h"

namespace het::core {

Result<HetArtifact *> UpgradableCode::make(const std::string &options) {
  Result<HetArtifact *> made =
      kernel.make(backend, options, LoweringThread::Callers, &better);
  if (!made.ok())
    return made;
  set(*made);
  if (better && !Worker::get().add(this, [this] { upgrade(); }))
    better.reset(); // a later run makes it
  return made;
}

/// Launches from then on run the better code. The interim code stays, for those that have
/// it.
void UpgradableCode::upgrade() {
  Result<Bytes> bytes = better->wait();
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

void UpgradableCode::finish() {
  if (!better)
    return;
  better->stop();
  Worker::get().forget(this);
}

void UpgradableCode::unload() {
  for (HetArtifact *loaded : {artifact.load(), interim.load()})
    if (loaded)
      backend.abi().unloadArtifact(loaded);
}

} // namespace het::core
