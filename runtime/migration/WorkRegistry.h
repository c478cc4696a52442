// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queues and modules of a migratable device: what a move, a checkpoint and a recovery
// go through.

#ifndef HET_RUNTIME_MIGRATION_WORKREGISTRY_H
#define HET_RUNTIME_MIGRATION_WORKREGISTRY_H

#include "het/Base/Status.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

namespace het::core {

class MigratableQueue;
class Module;
struct MigratableLaunch;

/// Functions may be called from any thread.
class WorkRegistry {
public:
  void add(MigratableQueue &queue);
  void remove(MigratableQueue &queue);
  void add(Module &module);
  /// Waits for who uses it.
  void remove(Module &module);

  /// Each launch as MigratableQueue::forEachLaunch has it, with its stream's number.
  /// While the device is suspended.
  void forEachLaunch(const std::function<void(unsigned, MigratableLaunch &)> &use);
  /// Each module, without the locks; those that come meanwhile, too. One thread at a
  /// time.
  Status forEachModule(const std::function<Status(Module &)> &use);

private:
  std::mutex mutex;                      ///< Guards what follows.
  std::vector<MigratableQueue *> queues; ///< In the order in which they came: numbers.
  std::vector<Module *> modules;         ///< As well.
  Module *used = nullptr;                ///< By forEachModule.
  std::condition_variable released;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_WORKREGISTRY_H
