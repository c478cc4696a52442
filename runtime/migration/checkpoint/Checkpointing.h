// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices in files (docs/spec/hetckpt.md): writing what a device holds and what it was
// doing, and carrying on with that without the program.

#ifndef HET_RUNTIME_MIGRATION_CHECKPOINT_CHECKPOINTING_H
#define HET_RUNTIME_MIGRATION_CHECKPOINT_CHECKPOINTING_H

#include "core/Device.h"
#include "het/Base/ProgressBar.h"
#include "het/Base/Status.h"

#include <string>

namespace het::core {

/// Suspends the device's work, writes its state, and resumes it; where it is paused it
/// stays so. Only of migratable processes. What is queued on the host's side (copies,
/// host calls, and launches behind those) is the program's and not in the file.
/// `progress` is told how much of the memory is written.
Status saveCheckpoint(Device &device, const std::string &path,
                      const ProgressFunction &progress = nullptr);

/// Takes the memory, variables and launches of a file up on a device of this process on
/// which nothing was done yet, waits until the launches have ended, and writes the device
/// to `to`, unless that is empty.
Status finishCheckpoint(Device &device, const std::string &path, const std::string &to);

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_CHECKPOINT_CHECKPOINTING_H
