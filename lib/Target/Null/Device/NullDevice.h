// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device plug-in's own objects and the functions of its table, by file.

#ifndef HET_LIB_TARGET_NULL_DEVICE_NULLDEVICE_H
#define HET_LIB_TARGET_NULL_DEVICE_NULLDEVICE_H

#include "../../Support/SoftwareQueue.h"
#include "../Artifact.h"

struct HetDevice {
  uint32_t ordinal = 0;
};

struct HetQueue {
  het::target::SoftwareQueue queue;
};

struct HetArtifact {
  HetNullArtifact head;
};

namespace het::null {

// Memory.cpp
int32_t mapMemory(HetDevice *, uint64_t address, uint64_t size, HetStatus *);
int32_t unmapMemory(HetDevice *, uint64_t address, uint64_t size, HetStatus *);

// Queue.cpp: all of a table's queues and events.
void fillInQueues(HetDeviceABI &table);

} // namespace het::null

#endif // HET_LIB_TARGET_NULL_DEVICE_NULLDEVICE_H
