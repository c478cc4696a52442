// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of het/migrate.h, by which a program moves its own devices and saves
// checkpoints.

#include "../cuda/HostFunction.h"
#include "core/Runtime.h"
#include "migration/MigratableDevice.h"
#include "migration/MigrationExtension.h"
#include "migration/checkpoint/Checkpointing.h"

#include <new>

#pragma GCC visibility push(default)
#include <het/migrate.h>
#pragma GCC visibility pop

namespace {

using het::Result;
using het::Status;
using het::core::Device;
using het::core::MigratableDevice;
using het::core::MigrationExtension;
using het::core::Runtime;

thread_local std::string lastError;

int report(const Status &status) {
  lastError = status.ok() ? "" : status.text();
  return static_cast<int>(status.code);
}

/// The device of a number, in a process whose work may move.
Result<Device *> find(int device) {
  MigrationExtension::install();
  Result<Runtime *> runtime = Runtime::get();
  if (!runtime.ok())
    return runtime.status();
  if (!MigrationExtension::get().isActive())
    return het::invalid("this process can not move; run it under hetrun --control, or "
                        "with HET_CONTROL=1");
  if (device < 0 || static_cast<size_t>(device) >= (*runtime)->deviceCount())
    return het::invalid("device: found " + std::to_string(device) + ", expected 0 to " +
                        std::to_string((*runtime)->deviceCount() - 1));
  return &(*runtime)->device(device);
}

template <typename Use> int withDevice(int device, Use use) try {
  if (het::cuda::insideHostFunction())
    return report(het::invalid("a host function must not move what waits for it"));
  Result<Device *> found = find(device);
  return report(found.ok() ? use(**found) : found.status());
} catch (const std::bad_alloc &) {
  lastError = "no memory"; // short enough to need none
  return static_cast<int>(het::Code::Unavailable);
}

Status missing(const char *what) {
  return het::invalid(std::string(what) + ": found null");
}

} // namespace

int hetMoveDevice(int device, const char *place) {
  return withDevice(device, [&](Device &found) {
    if (!place)
      return missing("place");
    Status status = MigratableDevice::of(found).migration.moveTo(place).status();
    if (status.ok())
      MigrationExtension::get().placement().noteHand();
    return status;
  });
}

int hetPauseDevice(int device) {
  return withDevice(device,
                    [](Device &found) { return MigratableDevice::of(found).pause(); });
}

int hetResumeDevice(int device) {
  return withDevice(device,
                    [](Device &found) { return MigratableDevice::of(found).resume(); });
}

int hetSaveCheckpoint(int device, const char *file) {
  return withDevice(device, [&](Device &found) {
    return file ? het::core::saveCheckpoint(found, file) : missing("file");
  });
}

int hetFinishCheckpoint(int device, const char *file, const char *to) {
  return withDevice(device, [&](Device &found) {
    return file ? het::core::finishCheckpoint(found, file, to ? to : "")
                : missing("file");
  });
}

int hetOnMove(HetBeforeMove before, HetAfterMove after, void *data) {
  return withDevice(0, [&](Device &found) {
    het::core::MoveCallbacks callbacks;
    if (before)
      callbacks.before = [=](unsigned device, const std::string &from,
                             const std::string &to) {
        before(static_cast<int>(device), from.c_str(), to.c_str(), data);
      };
    if (after)
      callbacks.after = [=](unsigned device, const std::string &from,
                            const std::string &to, bool succeeded) {
        after(static_cast<int>(device), from.c_str(), to.c_str(), succeeded, data);
      };
    MigrationExtension::get().setMoveCallbacks(std::move(callbacks));
    return Status::success();
  });
}

const char *hetMigrateError(void) { return lastError.c_str(); }
