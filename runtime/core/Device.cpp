// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device: opened, reset, closed.

#include "het/Runtime/Device.h"
#include "Background.h"
#include "het/Runtime/Graph.h"

#include <algorithm>
#include <mutex>

namespace het::core {

Result<std::unique_ptr<Device>> Device::open(std::shared_ptr<Target> target,
                                             uint32_t ordinal, unsigned index,
                                             const std::string &name) {
  std::unique_ptr<Device> device(new Device);
  device->owner = std::move(target);
  device->ordinal = ordinal;
  device->number = index;
  device->deviceName = name;
  if (Status status = device->start(); !status.ok())
    return std::move(status).from(name);
  return device;
}

Status Device::start() {
  HetStatus status;
  if (abi().open(ordinal, &device, &status) != HET_OK)
    return toStatus(status, deviceName);
  if (abi().properties(device, &facts, &status) != HET_OK)
    return toStatus(status, deviceName);
  manager = std::make_unique<MemoryManager>(
      abi(), device, number, facts.memoryGranularity, facts.totalMemory);
  Result<std::shared_ptr<Stream>> stream =
      Stream::create(*this, StreamKind::Legacy);
  if (!stream.ok())
    return stream.status();
  legacy = stream.take();
  return Status::success();
}

void Device::stop() {
  synchronize();
  for (auto [first, end] : pinnedPages)
    (void)unpin(reinterpret_cast<void *>(first));
  pinnedPages.clear();
  for (Graph *graph : graphs)
    graph->release();
  graphs.clear();
  legacy.reset();
  manager.reset();
  if (device)
    abi().close(device);
  device = nullptr;
}

Device::~Device() { stop(); }

void Device::synchronize() {
  std::vector<Stream *> all;
  {
    std::lock_guard<std::mutex> lock(mutex);
    all.assign(streams.begin(), streams.end());
  }
  for (Stream *stream : all)
    abi().synchronize(stream->queue);
}

Fault Device::fault() {
  HetStatus status = {};
  Fault result;
  result.kind = abi().fault(device, &status);
  result.message = status.message;
  return result;
}

Result<Bytes> Device::finish(Bytes lowered, const std::string &kernel) {
  if (!abi().finishArtifact)
    return lowered;
  HetLowering finished = {};
  HetStatus status = {};
  const int32_t code = abi().finishArtifact(device, lowered.data(), lowered.size(),
                                            &finished, &status);
  // A driver's compiler has objects of its own from its first use on.
  static std::once_flag once;
  std::call_once(once, Background::endBeforeLibraries);
  if (code != HET_OK)
    return toStatus(status, kernel);
  Bytes bytes(finished.data, finished.data + finished.size);
  abi().releaseFinished(&finished);
  return bytes;
}

Result<void *> Device::allocateManaged(uint64_t size) {
  if (!abi().allocateManaged)
    return unsupported("managed memory", deviceName);
  uint64_t address = 0;
  HetStatus status = {};
  if (abi().allocateManaged(device, size, &address, &status) != HET_OK)
    return toStatus(status, deviceName);
  return reinterpret_cast<void *>(address);
}

Status Device::freeManaged(void *pointer) {
  HetStatus status = {};
  abi().freeManaged(device, reinterpret_cast<uint64_t>(pointer), &status);
  return toStatus(status, deviceName);
}

Status Device::pin(void *pointer, uint64_t size) {
  if (!abi().pinMemory)
    return Status::success();
  HetStatus status = {};
  abi().pinMemory(device, reinterpret_cast<uint64_t>(pointer), size, &status);
  return toStatus(status, deviceName);
}

Status Device::unpin(void *pointer) {
  if (!abi().unpinMemory)
    return Status::success();
  HetStatus status = {};
  abi().unpinMemory(device, reinterpret_cast<uint64_t>(pointer), &status);
  return toStatus(status, deviceName);
}

Status Device::pinPages(void *variable, uint64_t size) {
  constexpr uint64_t page = 4096;
  auto first = reinterpret_cast<uint64_t>(variable);
  uint64_t at = first / page * page, end = (first + size + page - 1) / page * page;
  std::lock_guard<std::mutex> lock(mutex);
  while (at < end) {
    auto after = pinnedPages.upper_bound(at);
    if (after != pinnedPages.begin() && std::prev(after)->second > at) {
      at = std::prev(after)->second;
      continue;
    }
    uint64_t until =
        after == pinnedPages.end() ? end : std::min(end, after->first);
    if (Status status = pin(reinterpret_cast<void *>(at), until - at); !status.ok())
      return status;
    pinnedPages[at] = until;
    at = until;
  }
  return Status::success();
}

Status Device::setLimit(uint32_t limit, uint64_t value) {
  if (!abi().setLimit)
    return Status::success();
  HetStatus status = {};
  abi().setLimit(device, limit, value, &status);
  return toStatus(status, deviceName);
}

Status Device::reset() {
  stop();
  return start();
}

} // namespace het::core
