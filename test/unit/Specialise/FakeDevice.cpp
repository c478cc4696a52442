// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake target's device: the null target's memory and queues, and launches.

#include "FakeTarget.h"
#include "Null/Device/NullDevice.h"

#include <atomic>
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

int32_t probe(uint32_t *count, HetStatus *status) {
  *count = 1;
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
  out->sharesHostMemory = out->reservesWindow = 1;
  out->takesConstants = 1;
  return success(status);
}

int32_t fault(HetDevice *, HetStatus *status) {
  success(status);
  return HET_FAULT_NONE;
}

int32_t loadArtifact(HetDevice *, const uint8_t *data, size_t size, const uint64_t *,
                     size_t, HetArtifact **out, HetStatus *status) {
  std::string text(reinterpret_cast<const char *>(data), size);
  auto *artifact = new FakeArtifact;
  artifact->kernel = text.substr(0, text.find('\n'));
  artifact->words = text.substr(text.find('\n') + 1);
  *out = artifact;
  ++artifacts;
  return success(status);
}

void unloadArtifact(HetArtifact *artifact) {
  delete static_cast<FakeArtifact *>(artifact);
  --artifacts;
}

int32_t describeArtifact(HetArtifact *artifact, HetArtifactInfo *out,
                         HetStatus *status) {
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
  table.describeArtifact = describeArtifact;
  table.residentBlocks = residentBlocks;
  return table;
}

} // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED const HetDeviceABI *hetDeviceABI(void) {
  static const HetDeviceABI table = makeTable();
  return &table;
}

EXPORTED int hetFakeArtifacts(void) { return artifacts; }
