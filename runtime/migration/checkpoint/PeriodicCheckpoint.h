// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread that writes checkpoints of a program's devices: one after some time, or one
// each time that it has passed. What `hetrun --checkpoint` asks for.

#ifndef HET_RUNTIME_MIGRATION_CHECKPOINT_PERIODICCHECKPOINT_H
#define HET_RUNTIME_MIGRATION_CHECKPOINT_PERIODICCHECKPOINT_H

#include "core/PeriodicThread.h"
#include "het/Base/Status.h"

#include <atomic>
#include <chrono>
#include <map>
#include <string>

namespace het::core {

class Device;
class Runtime;

struct CheckpointPlan {
  enum class Then {
    Go,   ///< The program goes on.
    Stop, ///< The process ends when the checkpoint is written.
    Again ///< The program goes on, and after the same time there is another one.
  };

  std::chrono::nanoseconds after{0};
  std::string path; ///< The first device's; another's has its number behind a dot.
  Then then = Then::Go;

  /// `TIME:go:PATH`, `TIME:stop:PATH` or `TIME:every:PATH`; `thing` is what messages call
  /// the text.
  static Result<CheckpointPlan> parse(const std::string &thing, const std::string &text);
};

class PeriodicCheckpoint {
public:
  /// Starts the thread. Once.
  Status start(Runtime &runtime, CheckpointPlan plan);

  /// The process is about to end: writes none, or waits for the one that is being
  /// written.
  void stop();

private:
  bool save();
  Status save(Device &device);
  std::string pathOf(const Device &device) const;
  [[noreturn]] void end(const Status &status);

  Runtime *runtime = nullptr;
  CheckpointPlan plan;
  std::atomic<bool> hasSaved{false};
  std::map<Device *, std::string> complaints; ///< The last ones; of the thread.
  PeriodicThread thread;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_CHECKPOINT_PERIODICCHECKPOINT_H
