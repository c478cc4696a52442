// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernels are loaded ahead, and loading them.

#include "het/Runtime/Preload.h"
#include "Artifacts.h"
#include "Background.h"
#include "Cache.h"
#include "het/Base/Log.h"
#include "het/Runtime/Runtime.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace het::core {

/// Of a package. A program uses few of the many kernels of a library.
static constexpr size_t mostKernels = 64;
/// Of a package: to ask the cache for more takes longer than it is worth.
static constexpr uint32_t mostAsked = 1024;
/// Of the process: bytes of artifacts.
static constexpr uint64_t mostBytes = 64 << 20;
/// How long a load of the program's is waited for at a time.
static constexpr auto pause = std::chrono::microseconds(50);

bool mayLoadAhead(Device &device) {
  return device.abi().loadsAhead && (*Runtime::get())->preloads() &&
         !Cache::get().isEmpty();
}

void addAhead(const void *owner, std::function<void()> work) {
  // Where there is no thread to take it, kernels are loaded when they are
  // launched.
  (void)Background::get().add(owner, std::move(work), SIZE_MAX);
}

void awaitAhead(const void *owner) { Background::get().await(owner); }

void forgetAhead(const void *owner) { Background::get().forget(owner); }

CachedKernels CachedKernels::find(Device &device, const Package &package) {
  std::vector<std::pair<int64_t, std::string>> byUse;
  const uint32_t asked = std::min(package.kernelCount(), mostAsked);
  for (uint32_t index = 0; index < asked && !Background::get().stops();
       ++index) {
    Result<KernelInfo> info = package.kernel(index);
    if (!info.ok())
      break; // a launch will say so
    if (auto time = Cache::get().lastUse(artifactKey(device, package, *info)))
      byUse.emplace_back(*time, std::move(info->name));
  }
  // An earlier process has kept them in the order in which it launched them.
  std::sort(byUse.begin(), byUse.end());
  CachedKernels cached;
  for (auto &[time, name] : byUse)
    if (cached.names.size() < mostKernels)
      cached.names.push_back(std::move(name));
  return cached;
}

void CachedKernels::load(Module &module) const {
  static std::atomic<uint64_t> loadedBytes{0};
  Background &background = Background::get();
  for (const std::string &name : names) {
    while (module.device().urgentLoads.load(std::memory_order_relaxed) &&
           !background.stops())
      std::this_thread::sleep_for(pause);
    if (background.stops() || loadedBytes.load() >= mostBytes)
      return;
    Result<std::shared_ptr<Kernel>> kernel = module.kernel(name);
    if (!kernel.ok())
      return; // a launch will say so
    uint64_t size = (*kernel)->loadAhead();
    if (!size)
      continue;
    // The driver may have opened libraries of its own to load the first one.
    if (loadedBytes.fetch_add(size) == 0)
      Background::endBeforeLibraries();
    log(Level::Debug, "kernel %s: loaded ahead", name.c_str());
  }
}

} // namespace het::core
