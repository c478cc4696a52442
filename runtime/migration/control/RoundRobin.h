// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread that moves a program's first device round and round.

#ifndef HET_RUNTIME_MIGRATION_CONTROL_ROUNDROBIN_H
#define HET_RUNTIME_MIGRATION_CONTROL_ROUNDROBIN_H

#include "core/PeriodicThread.h"
#include "migration/control/Hop.h"

namespace het::core {

class Device;

class RoundRobin {
public:
  /// Opens all places and starts the thread. Once.
  Status start(Device &device, HopPlan plan);

  /// The process is about to end: begins no further move, and waits for the one that is
  /// under way.
  void stop();

private:
  void hop();

  Device *device = nullptr;
  HopPlan plan;
  size_t next = 0;       ///< Index into the plan's places; the thread's, as what follows.
  std::string complaint; ///< The last one.
  PeriodicThread thread;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_CONTROL_ROUNDROBIN_H
