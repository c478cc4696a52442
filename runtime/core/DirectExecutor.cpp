// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the queues, events and kernel code of a device that does all work itself.

#include "core/DirectExecutor.h"
#include "core/Device.h"
#include "core/DirectCode.h"
#include "core/DirectQueue.h"

namespace het::core {

Result<std::unique_ptr<Queue>> DirectExecutor::createQueue(const std::string &name) {
  return DirectQueue::create(device, name);
}

Result<std::shared_ptr<Event>> DirectExecutor::createEvent() {
  return DirectEvent::create(*backend);
}

std::unique_ptr<KernelCode> DirectExecutor::createCode(Kernel &kernel) {
  return std::make_unique<DirectCode>(kernel);
}

bool DirectExecutor::setAccess(Device &device, Device &other, bool isGiven) {
  return !isGiven || device.reaches(other);
}

} // namespace het::core
