// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernels are loaded ahead, and loading them.

#include "core/code/Preload.h"
#include "core/Executor.h"
#include "core/Runtime.h"
#include "core/code/Artifacts.h"
#include "het/Base/Cache.h"
#include "het/Base/Log.h"

#include <algorithm>
#include <atomic>

namespace het::core {

/// Kernels loaded for one package. A program uses few of the many kernels of a library.
static constexpr size_t mostKernels = 64;
/// Kernels looked up for one package: to ask the cache for more takes longer than it is
/// worth.
static constexpr uint32_t mostAsked = 256;
/// Bytes of artifacts, for the whole process.
static constexpr uint64_t mostBytes = 16 << 20;

bool mayLoadAhead(Device &device) {
  return device.abi().loadsAhead && (*Runtime::get())->preloads() &&
         !Cache::get().isEmpty();
}

CachedKernels CachedKernels::find(Device &device, const Package &package) {
  CachedKernels cached;
  if (package.kernelCount() > mostAsked)
    return cached;
  std::vector<std::pair<int64_t, std::string>> byUse;
  const Precompiled precompiled(package, (*Runtime::get())->usesPrecompiled());
  const Backend &backend = device.primary();
  const std::string options = device.executor().loweringOptions(backend);
  for (uint32_t index = 0; index < package.kernelCount(); ++index) {
    Result<KernelInfo> info = package.kernel(index);
    if (!info.ok())
      break; // a launch will say so
    if (auto time = Cache::get().lastUse(
            cacheKey(backend, {package, precompiled, *info, index}, options)))
      byUse.emplace_back(*time, std::move(info->name));
  }
  std::sort(byUse.rbegin(), byUse.rend());
  for (auto &[time, name] : byUse)
    if (cached.names.size() < mostKernels)
      cached.names.push_back(std::move(name));
  return cached;
}

void CachedKernels::load(Module &module) const {
  static std::atomic<uint64_t> loadedBytes{0};
  for (const std::string &name : names) {
    if (loadedBytes.load() >= mostBytes)
      return;
    Result<std::shared_ptr<Kernel>> kernel = module.kernel(name);
    if (!kernel.ok())
      return; // a launch will say so
    uint64_t size = (*kernel)->loadAhead();
    loadedBytes += size;
    if (size)
      log(Level::Debug, "kernel %s: loaded ahead", name.c_str());
  }
}

} // namespace het::core
