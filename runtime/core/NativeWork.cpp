// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Native work over the target's.

#include "core/NativeWork.h"
#include "core/Executor.h"

namespace het::core {

bool NativeWork::isOfferedBy(Device &device) {
  return device.abi().recordNative && device.executor().keepsMemory();
}

Result<std::shared_ptr<NativeWork>>
NativeWork::record(Device &device, const std::function<void(void *stream)> &work) {
  if (!isOfferedBy(device))
    return unsupported("native work in graphs", device.name());
  using Work = std::function<void(void *)>;
  auto run = [](void *stream, void *data) { (*static_cast<const Work *>(data))(stream); };
  std::shared_ptr<NativeWork> made(new NativeWork(device));
  HetStatus status = {};
  if (device.abi().recordNative(device.handle(), run, const_cast<Work *>(&work),
                                &made->handle, &status) != HET_OK)
    return toStatus(status, device.name());
  std::lock_guard<std::mutex> lock(device.mutex);
  device.nativeWork.insert(made.get());
  return made;
}

Status NativeWork::enqueue(HetQueue *queue) {
  if (!isAlive())
    return unavailable("native work of before its device was reset", owner.name());
  HetStatus status;
  return owner.abi().enqueueNativeWork(queue, handle, &status) == HET_OK
             ? Status::success()
             : toStatus(status, owner.name());
}

void NativeWork::release() {
  if (handle)
    owner.abi().destroyNativeWork(handle);
  handle = nullptr;
}

NativeWork::~NativeWork() {
  std::lock_guard<std::mutex> lock(owner.mutex);
  owner.nativeWork.erase(this);
  release();
}

} // namespace het::core
