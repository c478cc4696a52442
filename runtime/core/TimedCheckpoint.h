// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread that writes a checkpoint of a program's first device after some time: what
// `hetrun --checkpoint` asks for.

#ifndef HET_RUNTIME_CORE_TIMEDCHECKPOINT_H
#define HET_RUNTIME_CORE_TIMEDCHECKPOINT_H

#include "het/Base/Status.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace het::core {

class Device;

struct CheckpointPlan {
  std::chrono::nanoseconds after{0};
  std::string path;
  bool stops = false; ///< The process ends when the checkpoint is written.

  /// `TIME:go:PATH` or `TIME:stop:PATH`; `thing` is what messages call the text.
  static Result<CheckpointPlan> parse(const std::string &thing, const std::string &text);
};

class TimedCheckpoint {
public:
  /// Of this process; never destroyed.
  static TimedCheckpoint &get();

  /// Starts the thread. Once.
  Status start(Device &device, CheckpointPlan plan);

  /// The process is about to end: writes none, or waits for the one that is being written.
  void stop();

private:
  TimedCheckpoint() = default;
  void run();

  Device *device = nullptr;
  CheckpointPlan plan;

  std::mutex mutex; ///< Guards what follows.
  std::condition_variable changed;
  bool stopping = false;
  int process = 0; ///< The one that has the thread.
  std::thread thread;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_TIMEDCHECKPOINT_H
