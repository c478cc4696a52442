// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workspaces of native work, and native work in streams.

#include "NativeWork.h"
#include "Context.h"
#include "Errors.h"
#include "Memory.h"
#include "Stream.h"

#include <algorithm>
#include <list>

namespace het::cuda {

namespace {

/// Memory that no workspace has, and the stream that may still work in it.
struct Kept {
  Device *device;
  void *memory;
  size_t size;
  uint64_t resets;
  std::weak_ptr<core::Stream> latest;
};

struct Table {
  std::mutex mutex; ///< Guards what follows.
  std::list<Kept> kept;
};

Table &table() {
  static auto *instance = new Table;
  return *instance;
}

/// So much is kept of each device: graphs are captured anew again and again.
constexpr size_t mostKept = 2;

bool isBusy(const std::weak_ptr<core::Stream> &stream) {
  const std::shared_ptr<core::Stream> held = stream.lock();
  return held && !held->isIdle();
}

void free(Device &device, void *memory) {
  (void)translate(device.device.memory().free(memory));
}

/// Takes what is kept of a device and `fits`, and forgets what a reset has taken.
template <class Fits> std::list<Kept> take(Device &device, size_t most, Fits fits) {
  std::list<Kept> taken;
  std::lock_guard<std::mutex> lock(table().mutex);
  for (auto at = table().kept.begin(); at != table().kept.end();) {
    const auto one = at++;
    if (one->device->resets != one->resets)
      table().kept.erase(one);
    else if (one->device == &device && taken.size() < most && fits(*one))
      taken.splice(taken.end(), table().kept, one);
  }
  return taken;
}

} // namespace

NativeWorkspace::~NativeWorkspace() {
  if (!memory || device.resets != resets)
    return;
  {
    std::lock_guard<std::mutex> lock(table().mutex);
    const auto isOfDevice = [&](const Kept &one) { return one.device == &device; };
    auto &kept = table().kept;
    if (static_cast<size_t>(std::count_if(kept.begin(), kept.end(), isOfDevice)) <
        mostKept) {
      kept.push_front({&device, memory, size, resets, latest});
      return;
    }
  }
  if (const std::shared_ptr<core::Stream> busy = latest.lock())
    busy->synchronize();
  free(device, memory);
}

cudaError_t makeWorkspace(Device &device, size_t size,
                          std::shared_ptr<NativeWorkspace> &workspace) {
  auto made = std::make_shared<NativeWorkspace>(device);
  made->size = size;
  made->resets = device.resets;
  std::list<Kept> kept =
      take(device, 1, [&](const Kept &one) { return one.size == size; });
  if (!kept.empty()) {
    made->memory = kept.front().memory;
    made->latest = kept.front().latest;
  } else if (cudaError_t error = allocate(device, &made->memory, size)) {
    return error;
  }
  workspace = std::move(made);
  return cudaSuccess;
}

bool giveAwayWorkspaces(Device &device) {
  const std::list<Kept> unused =
      take(device, SIZE_MAX, [](const Kept &one) { return !isBusy(one.latest); });
  for (const Kept &one : unused)
    free(device, one.memory);
  return !unused.empty();
}

void WorkspaceUse::add(const Operation &operation) {
  if (const auto *native = std::get_if<NativeOperation>(&operation))
    if (native->workspace)
      workspaces.push_back(native->workspace);
}

/// In one order for all threads.
cudaError_t WorkspaceUse::begin(core::Stream &stream) {
  std::sort(workspaces.begin(), workspaces.end());
  workspaces.erase(std::unique(workspaces.begin(), workspaces.end()), workspaces.end());
  for (const std::shared_ptr<NativeWorkspace> &workspace : workspaces) {
    locks.emplace_back(workspace->mutex);
    if (cudaError_t error = follow(stream, workspace->latest))
      return error;
    workspace->latest = stream.weak_from_this();
  }
  return cudaSuccess;
}

cudaError_t runNative(CUstream_st &stream, const NativeOperation &native) {
  if (&native.work->device() != &stream.device.device)
    HET_NOT_SUPPORTED("a vendor library's work in a graph that is launched on another "
                      "device");
  WorkspaceUse use;
  use.add(native);
  if (cudaError_t error = use.begin(*stream.queue))
    return error;
  return translate(stream.queue->launch(*native.work));
}

} // namespace het::cuda
