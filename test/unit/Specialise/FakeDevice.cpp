// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake target's device: the null target's, and launches that note their code.

#include "FakeDevice.h"
#include "FakeGraph.h"
#include "FakeTarget.h"
#include "Support/SoftwareQueue.h"

using het::target::report;
using het::target::success;

struct HetArtifact {
  std::string kernel, words;
  bool is(const char *name) const { return kernel == name && !words.empty(); }
};

namespace {

const HetDeviceABI *null = nullptr;

std::atomic<int> artifacts{0};
FakeFaults faults;

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

int32_t open(uint32_t ordinal, HetDevice **device, HetStatus *status) {
  return faults.refusesToOpen ? report(status, HET_UNAVAILABLE, "the device is gone")
                              : null->open(ordinal, device, status);
}

int32_t createQueue(HetDevice *device, HetQueue **queue, HetStatus *status) {
  return faults.refusesQueues ? report(status, HET_UNAVAILABLE, "no queue is left")
                              : null->createQueue(device, queue, status);
}

int32_t fault(HetDevice *device, HetStatus *status) {
  if (status || faults.faultsLeft == 0)
    return null->fault(device, status);
  --faults.faultsLeft;
  return HET_FAULT_TRAP;
}

int32_t properties(HetDevice *device, HetDeviceProperties *out, HetStatus *status) {
  null->properties(device, out, status);
  std::strcpy(out->name, "fake");
  std::strcpy(out->arch, "fake");
  std::strcpy(out->loweringVersion, "1");
  out->takesConstants = 1;
  return status->code;
}

HetArtifact read(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  return {text.substr(0, text.find('\n')), text.substr(text.find('\n') + 1)};
}

int32_t loadsAhead(HetDevice *, const uint8_t *data, size_t size) {
  return read(data, size).kernel != "late";
}

int32_t loadArtifact(HetDevice *, const uint8_t *data, size_t size, const uint64_t *,
                     size_t, HetArtifact **out, HetStatus *status) {
  auto *artifact = new HetArtifact(read(data, size));
  ++own.busy;
  if (faults.loads)
    faults.loads();
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
  delete artifact;
  --artifacts;
}

int32_t describeArtifact(HetArtifact *artifact, HetArtifactInfo *out, HetStatus *status) {
  *out = {};
  out->localBytes = artifact->is("spills") ? 16 : 8;
  return success(status);
}

int32_t residentBlocks(HetArtifact *artifact, uint32_t, uint32_t, uint32_t *blocks,
                       HetStatus *status) {
  *blocks = artifact->is("few") ? 1 : 3;
  return success(status);
}

int32_t enqueueLaunch(HetQueue *, const HetLaunch *launch, HetStatus *status) {
  const HetArtifact &artifact = *launch->artifact;
  if (artifact.is("refused"))
    return report(status, HET_INVALID, "refused");
  Launches *launches;
  std::memcpy(&launches, launch->arguments, sizeof(launches));
  launches->add(artifact.words);
  return success(status);
}

HetDeviceABI makeTable() {
  null = &het::test::tableOf(HET_TEST_TARGETS "/het-null-device.so");
  HetDeviceABI table = het::test::fakeTable(*null, "fake");
  table.properties = properties;
  table.open = open;
  table.fault = fault;
  table.createQueue = createQueue;
  table.enqueueLaunch = enqueueLaunch;
  table.loadArtifact = loadArtifact;
  table.unloadArtifact = unloadArtifact;
  table.loadsAhead = loadsAhead;
  table.describeArtifact = describeArtifact;
  table.residentBlocks = residentBlocks;
  return table;
}

} // namespace

FAKE_EXPORTED const HetDeviceABI *hetDeviceABI(void) {
  static HetDeviceABI table = makeTable();
  fillInFakeGraphs(table);
  return &table;
}

FAKE_EXPORTED FakeFaults *hetFakeFaults(void) { return &faults; }
FAKE_EXPORTED int hetFakeArtifacts(void) { return artifacts; }
