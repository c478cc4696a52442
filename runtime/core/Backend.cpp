// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A backend is one opened device of a target; this opens it, asks it for its properties
// and faults, and closes it.

#include "core/Backend.h"
#include "core/Shutdown.h"

#include <mutex>

namespace het::core {

Result<std::unique_ptr<Backend>>
Backend::open(std::shared_ptr<Target> target, uint32_t ordinal, const std::string &name) {
  std::unique_ptr<Backend> backend(new Backend);
  backend->owner = std::move(target);
  backend->backendName = name;
  const HetDeviceABI &abi = backend->abi();
  HetStatus status = {};
  if (abi.open(ordinal, &backend->device, &status) != HET_OK ||
      abi.properties(backend->device, &backend->facts, &status) != HET_OK)
    return toStatus(status, name);
  return backend;
}

std::unique_ptr<Backend> Backend::lost(std::shared_ptr<Target> target,
                                       const std::string &name,
                                       const HetDeviceProperties &facts,
                                       std::string why) {
  std::unique_ptr<Backend> backend(new Backend);
  backend->owner = std::move(target);
  backend->backendName = name;
  backend->facts = facts;
  backend->whyLost = std::move(why);
  return backend;
}

Backend::~Backend() {
  if (device)
    abi().close(device);
}

Fault Backend::fault() const {
  if (!device)
    return {HET_FAULT_LOST, whyLost};
  HetStatus status = {};
  Fault result;
  result.kind = abi().fault(device, &status);
  result.message = status.message;
  return result;
}

Status Backend::faultStatus() const {
  const Fault found = fault();
  return found.kind ? unavailable(found.message, backendName) : Status::success();
}

Status Backend::wait(HetQueue *queue) const {
  abi().synchronize(queue);
  return faultStatus();
}

Result<Bytes> Backend::finish(Bytes lowered, const std::string &kernel) const {
  if (!abi().finishArtifact)
    return lowered;
  HetLowering finished = {};
  HetStatus status = {};
  const int32_t code =
      abi().finishArtifact(device, lowered.data(), lowered.size(), &finished, &status);
  // A driver's compiler has objects of its own from its first use on.
  static std::once_flag once;
  std::call_once(once, Shutdown::beforeLibraries);
  if (code != HET_OK)
    return toStatus(status, kernel);
  Bytes bytes(finished.data, finished.data + finished.size);
  abi().releaseFinished(&finished);
  return bytes;
}

Status Backend::pin(uint64_t address, uint64_t size) const {
  if (Status status = openStatus(); !status.ok())
    return status;
  if (!abi().pinMemory)
    return Status::success();
  HetStatus status = {};
  abi().pinMemory(device, address, size, &status);
  return toStatus(status, backendName);
}

Status Backend::unpin(uint64_t address) const {
  if (Status status = openStatus(); !status.ok())
    return status;
  if (!abi().unpinMemory)
    return Status::success();
  HetStatus status = {};
  abi().unpinMemory(device, address, &status);
  return toStatus(status, backendName);
}

Status Backend::setLimit(uint32_t limit, uint64_t value) const {
  if (Status status = openStatus(); !status.ok())
    return status;
  if (!abi().setLimit)
    return Status::success();
  HetStatus status = {};
  abi().setLimit(device, limit, value, &status);
  return toStatus(status, backendName);
}

} // namespace het::core
