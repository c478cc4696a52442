// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread that moves a program's first device round and round.

#ifndef HET_RUNTIME_CORE_HOPPER_H
#define HET_RUNTIME_CORE_HOPPER_H

#include "het/Runtime/Hop.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace het::core {

class Device;

class Hopper {
public:
  /// Of this process; never destroyed.
  static Hopper &get();

  /// Opens all places and starts the thread. Once.
  Status start(Device &device, HopPlan plan);

  /// The process is about to end: begins no further move, and waits for the one that is
  /// under way.
  void stop();

private:
  Hopper() = default;
  void run();
  void hop(size_t &next);

  Device *device = nullptr;
  HopPlan plan;
  std::string complaint; ///< The last one; of the thread.

  std::mutex mutex; ///< Guards what follows.
  std::condition_variable changed;
  bool stopping = false, ended = false;
  int process = 0; ///< The one that has the thread.
  std::thread thread;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_HOPPER_H
