// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device plug-in: TargetABI.h's table, the device itself, its artifacts.

#include "LoweringVersion.h"
#include "NullDevice.h"

#include <cstdio>
#include <cstring>

using namespace het::null;
using het::target::report;
using het::target::success;

/// A real target looks for its vendor's library and driver here, reports
/// HET_UNAVAILABLE with the reason if one is missing, and else how many devices
/// there are. UINT32_MAX: as many separate ones as are asked for.
static int32_t probe(uint32_t *count, HetStatus *status) {
  *count = UINT32_MAX;
  return success(status);
}

static int32_t open(uint32_t ordinal, HetDevice **device, HetStatus *status) {
  *device = new HetDevice{ordinal};
  return success(status);
}

static void close(HetDevice *device) { delete device; }

static int32_t properties(HetDevice *, HetDeviceProperties *out, HetStatus *status) {
  *out = {};
  std::snprintf(out->name, sizeof(out->name), "hetcc null (runs nothing)");
  std::snprintf(out->arch, sizeof(out->arch), "null");
  std::snprintf(out->loweringVersion, sizeof(out->loweringVersion), "%s",
                HET_LOWERING_VERSION);
  out->totalMemory = uint64_t(1) << 30;
  out->memoryGranularity = 64 << 10;
  out->processorCount = 1;
  out->clockKilohertz = 1000000;
  out->maxThreadsPerBlock = 1024;
  const uint32_t block[] = {1024, 1024, 64};
  const uint32_t grid[] = {2147483647, 65535, 65535};
  std::memcpy(out->maxBlockDim, block, sizeof(block));
  std::memcpy(out->maxGridDim, grid, sizeof(grid));
  out->sharedBytesPerBlock = 48 << 10;
  out->sharedBytesPerBlockOptIn = 48 << 10;
  out->sharesHostMemory = 1;
  out->reservesWindow = 1;
  out->mostClusterBlocks = 16;
  return success(status);
}

/// Nothing runs, so nothing goes wrong.
static int32_t fault(HetDevice *, HetStatus *status) {
  success(status);
  return HET_FAULT_NONE;
}

static int32_t loadArtifact(HetDevice *, const uint8_t *data, size_t size,
                            const uint64_t *, size_t variableCount,
                            HetArtifact **artifact, HetStatus *status) {
  HetNullArtifact head = {};
  if (size >= sizeof(head))
    std::memcpy(&head, data, sizeof(head));
  if (head.magic != HET_NULL_MAGIC || head.codeBytes != size - sizeof(head))
    return report(status, HET_INVALID, "artifact: not one of this target");
  if (head.variableCount != variableCount)
    return report(status, HET_INVALID, "artifact: not with so many variables");
  *artifact = new HetArtifact{head};
  return success(status);
}

static void unloadArtifact(HetArtifact *artifact) { delete artifact; }

static HetDeviceABI makeTable() {
  HetDeviceABI table = {};
  table.abiVersion = HET_TARGET_ABI_VERSION;
  table.size = sizeof(table);
  table.name = "null";
  table.role = HET_ROLE_ON_REQUEST; // a real target is an accelerator
  table.probe = probe;
  table.open = open;
  table.close = close;
  table.properties = properties;
  table.fault = fault;
  table.mapMemory = mapMemory;
  table.unmapMemory = unmapMemory;
  fillInQueues(table);
  table.loadArtifact = loadArtifact;
  table.unloadArtifact = unloadArtifact;
  // setParking and its like stay null: nothing can be suspended. The other functions that
  // stay null are those that a device which shares the host's memory has no need of.
  return table;
}

extern "C" __attribute__((visibility("default"))) const HetDeviceABI *hetDeviceABI(void) {
  static const HetDeviceABI table = makeTable();
  return &table;
}
