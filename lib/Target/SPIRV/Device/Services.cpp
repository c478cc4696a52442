// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what a kernel has left behind it: output, failed assertions, its fault.

#include "SPIRVDevice.h"

#include "../../Support/ServiceRecords.h"

#include <algorithm>

namespace het::spirv {

void collectServices(HetQueue &queue, const std::string &kernel) {
  const HetServices &services = queue.left();
  target::carryOutRecords(queue.output.get(),
                          std::min(services.outputUsed, services.outputBytes));
  target::ServiceFault fault = target::serviceFault(services.fault, kernel);
  if (fault.kind != HET_FAULT_NONE)
    queue.device->fail(fault.kind, fault.text);
}

} // namespace het::spirv
