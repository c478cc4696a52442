// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device: opened, reset, closed.

#include "het/Runtime/Device.h"

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

Status Device::reset() {
  stop();
  return start();
}

} // namespace het::core
