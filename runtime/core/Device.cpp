// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device of the process from its opening to its end: memory, streams and modules, reset
// and closed in their order.

#include "core/Device.h"
#include "core/DeviceLaunches.h"
#include "core/DirectExecutor.h"
#include "core/Graph.h"
#include "core/Heap.h"
#include "core/NativeWork.h"
#include "core/Runtime.h"

#include <algorithm>
#include <mutex>

namespace het::core {

Result<std::unique_ptr<Device>> Device::open(std::shared_ptr<Target> target,
                                             uint32_t ordinal, unsigned index,
                                             const std::string &name,
                                             RuntimeExtension *extension) {
  std::unique_ptr<Device> device(new Device);
  device->owner = std::move(target);
  device->ordinal = ordinal;
  device->number = index;
  device->deviceName = name;
  if (extension)
    device->work = extension->createExecutor(*device);
  if (!device->work)
    device->work = std::make_unique<DirectExecutor>(*device);
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
  manager = std::make_unique<MemoryManager>(abi(), handle(), number,
                                            facts.memoryGranularity, facts.totalMemory);
  work->open(*backend, *manager);
  kernelHeap = std::make_unique<Heap>(*this);
  kernelLaunches = std::make_unique<DeviceLaunches>(*this);
  Result<std::shared_ptr<Stream>> stream = Stream::create(*this, StreamKind::Legacy);
  if (!stream.ok())
    return stream.status();
  legacy = stream.take();
  return Status::success();
}

void Device::stop() {
  synchronize();
  std::list<std::shared_ptr<Stream>> ended;
  {
    std::lock_guard<std::mutex> lock(mutex);
    ended.swap(retired);
  }
  ended.clear();
  for (auto [first, end] : pinnedPages)
    (void)unpin(reinterpret_cast<void *>(first));
  pinnedPages.clear();
  for (Graph *graph : graphs)
    graph->release();
  graphs.clear();
  for (NativeWork *work : nativeWork)
    work->release();
  nativeWork.clear();
  if (kernelLaunches)
    kernelLaunches->stop();
  legacy.reset();
}

void Device::close() {
  manager.reset();
  if (backend)
    work->close();
  backend.reset();
}

Device::~Device() {
  stop();
  close();
}

/// The stream that comes after another one; the first after null. Null: there is none.
std::shared_ptr<Stream> Device::streamAfter(Stream *last) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto next = streams.upper_bound(last); next != streams.end(); ++next)
    if (std::shared_ptr<Stream> kept = next->second.lock())
      return kept;
  return nullptr;
}

/// One after the other, without a list of them: destructors that wait must not fail.
void Device::synchronize() {
  for (auto stream = streamAfter(nullptr); stream; stream = streamAfter(stream.get()))
    stream->queue->synchronize();
  dropRetired();
}

/// Lets go of retired streams whose work is done.
void Device::dropRetired() {
  std::list<std::shared_ptr<Stream>> ended; // destroyed without the lock
  std::lock_guard<std::mutex> lock(mutex);
  for (auto next = retired.begin(); next != retired.end();)
    if (auto one = next++; (*one)->queue->isIdle())
      ended.splice(ended.end(), retired, one);
}

bool Device::usesOwnHeap() const { return work->usesOwnHeap(); }

Fault Device::fault() {
  Fault fault = work->fault();
  return fault.kind == HET_FAULT_NONE ? kernelLaunches->fault() : fault;
}

int32_t Device::faultKind() {
  const int32_t kind = work->faultKind();
  return kind == HET_FAULT_NONE ? kernelLaunches->faultKind() : kind;
}

Result<void *> Device::allocateManaged(uint64_t size) {
  if (Status status = backend->openStatus(); !status.ok())
    return status;
  if (!abi().allocateManaged)
    return unsupported("managed memory", deviceName);
  uint64_t address = 0;
  HetStatus status = {};
  if (abi().allocateManaged(handle(), size, &address, &status) != HET_OK)
    return toStatus(status, deviceName);
  work->noteManaged(1);
  return reinterpret_cast<void *>(address);
}

Status Device::freeManaged(void *pointer) {
  HetStatus status = {};
  const int32_t code =
      abi().freeManaged(handle(), reinterpret_cast<uint64_t>(pointer), &status);
  if (code == HET_OK)
    work->noteManaged(-1);
  return toStatus(status, deviceName);
}

Status Device::pin(void *pointer, uint64_t size, bool isNew) {
  return work->pin(reinterpret_cast<uint64_t>(pointer), size, isNew);
}

Status Device::unpin(void *pointer) {
  return work->unpin(reinterpret_cast<uint64_t>(pointer));
}

Status Device::pinPages(void *variable, uint64_t size) {
  constexpr uint64_t page = 4096;
  auto first = reinterpret_cast<uint64_t>(variable);
  uint64_t at = first / page * page, end = (first + size + page - 1) / page * page;
  work->noteHostVariable();
  std::lock_guard<std::mutex> lock(mutex);
  while (at < end) {
    auto after = pinnedPages.upper_bound(at);
    if (after != pinnedPages.begin() && std::prev(after)->second > at) {
      at = std::prev(after)->second;
      continue;
    }
    uint64_t until = after == pinnedPages.end() ? end : std::min(end, after->first);
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
  return work->setLimit(limit, value);
}

bool Device::reaches(const Device &other) const {
  return work->sharesHostMemory() && other.work->sharesHostMemory();
}

bool Device::setAccess(Device &other, bool isGiven) {
  return work->setAccess(*this, other, isGiven);
}

Status Device::reset() {
  stop();
  std::unique_lock<std::mutex> stays = work->hold();
  close();
  Status status = start();
  if (!status.ok())
    stayLost(status);
  return status;
}

/// In place of what start() makes, so that questions have their answers.
void Device::stayLost(const Status &why) {
  legacy.reset();
  close();
  backend = Backend::lost(owner, deviceName, facts, "reset: " + why.message);
  manager = std::make_unique<MemoryManager>(abi(), handle(), number,
                                            facts.memoryGranularity, 0);
  work->open(*backend, *manager);
  kernelHeap = std::make_unique<Heap>(*this);
  kernelLaunches = std::make_unique<DeviceLaunches>(*this);
}

} // namespace het::core
