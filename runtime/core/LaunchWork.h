// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One piece of what kernels launch, and device graphs, which are lists of such pieces.

#ifndef HET_RUNTIME_CORE_LAUNCHWORK_H
#define HET_RUNTIME_CORE_LAUNCHWORK_H

#include "het/Base/Bytes.h"
#include "include/__het/launch_records.h"

#include <memory>
#include <vector>

namespace het::core {

class Kernel;
class Module;

/// A record, and its arguments if they do not fit into it.
struct LaunchWork {
  HetLaunchRecord record = {};
  Bytes large;
  std::shared_ptr<Kernel> kernel; ///< For a launch; null: it is known by its number.
  Module *module = nullptr;       ///< Where that is to be found; null: not known.

  const uint8_t *arguments() const {
    return large.empty() ? record.arguments : large.data();
  }
};

/// In an order that its edges allow.
using DeviceGraphWork = std::vector<LaunchWork>;

} // namespace het::core

#endif // HET_RUNTIME_CORE_LAUNCHWORK_H
