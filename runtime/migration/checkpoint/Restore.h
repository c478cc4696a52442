// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Putting what a checkpoint holds onto a device.

#ifndef HET_RUNTIME_MIGRATION_CHECKPOINT_RESTORE_H
#define HET_RUNTIME_MIGRATION_CHECKPOINT_RESTORE_H

#include "core/Backend.h"
#include "core/Memory.h"
#include "core/Module.h"
#include "het/Package/Checkpoint.h"
#include "migration/LaunchState.h"

#include <vector>

namespace het::core {

/// Makes the ranges what the file says; what it says nothing of is zero. All of its
/// regions are mapped.
Status restoreMemory(Backend &backend, const Checkpoint &file,
                     const std::vector<MappedRange> &ranges);

/// How a launch of the file stands.
Status restoreLaunch(LaunchState &state, const Checkpoint &file, size_t launch);

/// Gives a launch with its kernel's code for the backend, or with plain code where it has
/// not begun and suspendable code does not take it. The state must outlive it.
Status enqueueRestored(Kernel &kernel, Backend &backend, HetQueue *queue,
                       HetLaunch launch, LaunchState &state);

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_CHECKPOINT_RESTORE_H
