// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake target's device: the null target's memory and queues, and launches.

#include "FakeGraph.h"
#include "FakeTarget.h"
#include "Null/Device/NullDevice.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

using namespace het::null;
using het::target::report;
using het::target::success;

namespace {

struct FakeArtifact : HetArtifact {
  std::string kernel, words;
  bool is(const char *name) const { return kernel == name && !words.empty(); }
};

const FakeArtifact &of(const HetArtifact *artifact) {
  return static_cast<const FakeArtifact &>(*artifact);
}

std::atomic<int> artifacts{0};

/// Is gone when the process has ended, as a driver's objects are: nothing may be loaded
/// then.
struct Own {
  std::atomic<int> busy{0};
  ~Own() {
    if (busy)
      std::_Exit(99);
  }
};
Own own;

int32_t probe(uint32_t *count, HetStatus *status) {
  *count = UINT32_MAX;
  return success(status);
}

int32_t open(uint32_t ordinal, HetDevice **device, HetStatus *status) {
  *device = new HetDevice{ordinal};
  return success(status);
}

void close(HetDevice *device) { delete device; }

int32_t properties(HetDevice *, HetDeviceProperties *out, HetStatus *status) {
  *out = {};
  std::strcpy(out->name, "fake");
  std::strcpy(out->arch, "fake");
  std::strcpy(out->loweringVersion, "1");
  out->totalMemory = uint64_t(1) << 30;
  out->memoryGranularity = 64 << 10;
  out->processorCount = out->clockKilohertz = 1;
  out->maxThreadsPerBlock = 1024;
  for (int dim = 0; dim < 3; ++dim)
    out->maxBlockDim[dim] = out->maxGridDim[dim] = 1024;
  out->sharesHostMemory = out->reservesWindow = 1;
  out->takesConstants = 1;
  return success(status);
}

int32_t fault(HetDevice *, HetStatus *status) {
  success(status);
  return HET_FAULT_NONE;
}

FakeArtifact read(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  FakeArtifact artifact;
  artifact.kernel = text.substr(0, text.find('\n'));
  artifact.words = text.substr(text.find('\n') + 1);
  return artifact;
}

int32_t loadsAhead(HetDevice *, const uint8_t *data, size_t size) {
  return read(data, size).kernel != "late";
}

int32_t loadArtifact(HetDevice *, const uint8_t *data, size_t size, const uint64_t *,
                     size_t, HetArtifact **out, HetStatus *status) {
  auto *artifact = new FakeArtifact(read(data, size));
  ++own.busy;
  --own.busy;
  if (artifact->kernel == "damaged") {
    delete artifact;
    return report(status, HET_INVALID, "a damaged artifact");
  }
  *out = artifact;
  ++artifacts;
  return success(status);
}

void unloadArtifact(HetArtifact *artifact) {
  delete static_cast<FakeArtifact *>(artifact);
  --artifacts;
}

int32_t describeArtifact(HetArtifact *artifact, HetArtifactInfo *out, HetStatus *status) {
  *out = {};
  out->localBytes = of(artifact).is("spills") ? 16 : 8;
  return success(status);
}

int32_t residentBlocks(HetArtifact *artifact, uint32_t, uint32_t, uint32_t *blocks,
                       HetStatus *status) {
  *blocks = of(artifact).is("few") ? 1 : 3;
  return success(status);
}

int32_t enqueueLaunch(HetQueue *, const HetLaunch *launch, HetStatus *status) {
  const FakeArtifact &artifact = of(launch->artifact);
  if (artifact.is("refused"))
    return report(status, HET_INVALID, "refused");
  Launches *launches;
  std::memcpy(&launches, launch->arguments, sizeof(launches));
  launches->add(artifact.words);
  return success(status);
}

HetDeviceABI makeTable() {
  HetDeviceABI table = {};
  table.abiVersion = HET_TARGET_ABI_VERSION;
  table.size = sizeof(table);
  table.name = "fake";
  table.role = HET_ROLE_ON_REQUEST;
  table.probe = probe;
  table.open = open;
  table.close = close;
  table.properties = properties;
  table.fault = fault;
  table.mapMemory = mapMemory;
  table.unmapMemory = unmapMemory;
  fillInQueues(table);
  table.enqueueLaunch = enqueueLaunch;
  table.loadArtifact = loadArtifact;
  table.unloadArtifact = unloadArtifact;
  table.loadsAhead = loadsAhead;
  table.describeArtifact = describeArtifact;
  table.residentBlocks = residentBlocks;
  return table;
}

} // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED const HetDeviceABI *hetDeviceABI(void) {
  static HetDeviceABI table = makeTable();
  fillInFakeGraphs(table);
  return &table;
}

EXPORTED int hetFakeArtifacts(void) { return artifacts; }
