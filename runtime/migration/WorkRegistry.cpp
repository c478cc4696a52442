// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes through the queues and modules of a device while others come and go.

#include "migration/WorkRegistry.h"
#include "migration/MigratableQueue.h"

#include <algorithm>
#include <set>

namespace het::core {

void WorkRegistry::add(MigratableQueue &queue) {
  std::lock_guard<std::mutex> lock(mutex);
  queues.push_back(&queue);
}

void WorkRegistry::remove(MigratableQueue &queue) {
  std::lock_guard<std::mutex> lock(mutex);
  queues.erase(std::remove(queues.begin(), queues.end(), &queue), queues.end());
}

void WorkRegistry::add(Module &module) {
  std::lock_guard<std::mutex> lock(mutex);
  modules.push_back(&module);
}

void WorkRegistry::remove(Module &module) {
  std::unique_lock<std::mutex> lock(mutex);
  released.wait(lock, [&] { return used != &module; });
  modules.erase(std::remove(modules.begin(), modules.end(), &module), modules.end());
}

void WorkRegistry::forEachLaunch(
    const std::function<void(unsigned, MigratableLaunch &)> &use) {
  std::lock_guard<std::mutex> lock(mutex);
  unsigned stream = 0;
  for (MigratableQueue *queue : queues) {
    queue->forEachLaunch([&](MigratableLaunch &launch) { use(stream, launch); });
    ++stream;
  }
}

Status WorkRegistry::forEachModule(const std::function<Status(Module &)> &use) {
  std::set<Module *> seen;
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    Module *next = nullptr;
    for (Module *module : modules)
      if (seen.insert(module).second) {
        next = module;
        break;
      }
    if (!next)
      return Status::success();
    used = next;
    lock.unlock();
    Status status = use(*next);
    lock.lock();
    used = nullptr;
    released.notify_all();
    if (!status.ok())
      return status;
  }
}

} // namespace het::core
