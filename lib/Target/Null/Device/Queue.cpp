// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues and events: threads of Support, for a driver that has none of its own.
// Everything is done but launches, which fail at once.

#include "NullDevice.h"

#include "../../Support/SoftwareQueueFunctions.h"

using het::target::report;
using het::target::success;

static int32_t createQueue(HetDevice *, HetQueue **queue, HetStatus *status) {
  *queue = new HetQueue;
  return success(status);
}

static int32_t enqueueLaunch(HetQueue *, const HetLaunch *, HetStatus *status) {
  return report(status, HET_UNSUPPORTED,
                "the target 'null' runs no kernels; choose another device with "
                "HET_DEVICES");
}

void het::null::fillInQueues(HetDeviceABI &table) {
  het::target::fillInSoftwareQueues<HetQueue>(table);
  table.createQueue = createQueue;
  table.enqueueLaunch = enqueueLaunch;
}
