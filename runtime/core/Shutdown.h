// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends services before the process ends: threads of the runtime must not work while the
// destructors of libraries that they use run.

#ifndef HET_RUNTIME_CORE_SHUTDOWN_H
#define HET_RUNTIME_CORE_SHUTDOWN_H

#include <functional>

namespace het::core {

class Shutdown {
public:
  /// Calls `stop` when the process is about to end, behind those added before: from any
  /// thread, perhaps more than once.
  static void add(std::function<void()> stop);

  /// To be called after a library was opened that has destructors of its own, which run
  /// when the process ends: what was added is stopped before them.
  static void beforeLibraries();
  static bool isBeforeLibraries();

  /// Whether the process is about to end, or its main thread has ended.
  static bool hasBegun();
  static void noteBeginning();
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_SHUTDOWN_H
