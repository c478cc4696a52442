// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device: opened, reset, closed.

#include "core/Device.h"
#include "core/Heap.h"
#include "migration/MigratableQueue.h"
#include "migration/MigratableDevice.h"
#include "core/Graph.h"
#include "core/Runtime.h"

#include <algorithm>
#include <mutex>

namespace het::core {

Result<std::unique_ptr<Device>> Device::open(std::shared_ptr<Target> target,
                                             uint32_t ordinal, unsigned index,
                                             const std::string &name,
                                             Runtime *migratableIn) {
  std::unique_ptr<Device> device(new Device);
  device->owner = std::move(target);
  device->ordinal = ordinal;
  device->number = index;
  device->deviceName = name;
  if (migratableIn)
    device->moves = std::make_unique<MigratableDevice>(*device, *migratableIn);
  if (Status status = device->start(); !status.ok())
    return std::move(status).from(name);
  return device;
}

Device::Device() = default;

Status Device::start() {
  Result<std::unique_ptr<Backend>> opened = Backend::open(owner, ordinal, deviceName);
  if (!opened.ok())
    return opened.status();
  backend = opened.take();
  facts = backend->properties();
  if (moves)
    moves->start(*backend);
  manager = std::make_unique<MemoryManager>(
      abi(), handle(), number, facts.memoryGranularity, facts.totalMemory);
  if (moves)
    manager->countManaged(moves->runtime().managedMemory());
  kernelHeap = std::make_unique<Heap>(*this);
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
}

void Device::close() {
  manager.reset();
  if (moves)
    moves->closeOthers();
  backend.reset();
}

Device::~Device() {
  stop();
  close();
}

void Device::synchronize() {
  std::vector<Stream *> all;
  {
    std::lock_guard<std::mutex> lock(mutex);
    all.assign(streams.begin(), streams.end());
  }
  for (Stream *stream : all)
    stream->synchronizeAlone();
}

Fault Device::fault() { return moves ? moves->fault() : backend->fault(); }

int32_t Device::faultKind() {
  return moves ? moves->faultKind() : abi().fault(handle(), nullptr);
}

Result<void *> Device::allocateManaged(uint64_t size) {
  if (!abi().allocateManaged)
    return unsupported("managed memory", deviceName);
  uint64_t address = 0;
  HetStatus status = {};
  if (abi().allocateManaged(handle(), size, &address, &status) != HET_OK)
    return toStatus(status, deviceName);
  if (moves)
    moves->noteManaged(1);
  return reinterpret_cast<void *>(address);
}

Status Device::freeManaged(void *pointer) {
  HetStatus status = {};
  const int32_t code =
      abi().freeManaged(handle(), reinterpret_cast<uint64_t>(pointer), &status);
  if (moves && code == HET_OK)
    moves->noteManaged(-1);
  return toStatus(status, deviceName);
}

Status Device::pin(void *pointer, uint64_t size, bool isNew) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  return moves ? moves->pin(address, size, isNew) : backend->pin(address, size);
}

Status Device::unpin(void *pointer) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  return moves ? moves->unpin(address) : backend->unpin(address);
}

Status Device::pinPages(void *variable, uint64_t size) {
  constexpr uint64_t page = 4096;
  auto first = reinterpret_cast<uint64_t>(variable);
  uint64_t at = first / page * page, end = (first + size + page - 1) / page * page;
  if (moves)
    moves->noteHostVariable();
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
  if (limit == HET_LIMIT_HEAP && usesOwnHeap())
    return kernelHeap->setLimit(value);
  return moves ? moves->setLimit(limit, value) : backend->setLimit(limit, value);
}

Status Device::reset() {
  stop();
  std::unique_lock<std::mutex> stays;
  if (moves)
    stays = moves->hold();
  close();
  return start();
}

} // namespace het::core
