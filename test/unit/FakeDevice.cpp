// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets whose devices are the host's, but say that their memory is their own, so that a
// move to one has to copy it. HET_FAKE_NAME is the target's name. With HET_FAKE_BESIDE
// its memory lies beside the host's at the same addresses, as a GPU's does: the host can
// have memory there, too, and no kernel finds it.

#include "FakeDevice.h"
#include "Support/SoftwareQueue.h"

#include <map>
#include <mutex>
#include <sys/mman.h>

using het::target::report;
using het::target::success;
using namespace het::test;

namespace {

FakeControl control;
const HetDeviceABI *host = nullptr;

/// Memory that copies and fills find by the addresses of the window.
class Shadows {
public:
  int32_t map(uint64_t address, uint64_t size, HetStatus *status) {
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    std::lock_guard<std::mutex> lock(mutex);
    auto after = shadows.upper_bound(address);
    if (memory == MAP_FAILED ||
        (after != shadows.end() && after->first < address + size) ||
        (after != shadows.begin() &&
         std::prev(after)->first + std::prev(after)->second.size > address))
      return report(status, HET_UNAVAILABLE, "the addresses are taken");
    shadows[address] = {size, reinterpret_cast<uint64_t>(memory)};
    return success(status);
  }
  int32_t unmap(uint64_t address, uint64_t size, HetStatus *status) {
    std::lock_guard<std::mutex> lock(mutex);
    auto shadow = shadows.find(address);
    if (shadow == shadows.end() || shadow->second.size != size)
      return report(status, HET_INVALID, "there is no memory");
    munmap(reinterpret_cast<void *>(shadow->second.address), size);
    shadows.erase(shadow);
    return success(status);
  }
  /// Where an address is; other memory is where it says.
  uint64_t place(uint64_t address) {
    std::lock_guard<std::mutex> lock(mutex);
    auto after = shadows.upper_bound(address);
    if (after == shadows.begin())
      return address;
    auto [begin, shadow] = *std::prev(after);
    return address - begin < shadow.size ? shadow.address + (address - begin) : address;
  }

private:
  struct Shadow {
    uint64_t size, address;
  };
  std::mutex mutex;
  std::map<uint64_t, Shadow> shadows; ///< By address in the window.
};
Shadows shadows;

int32_t properties(HetDevice *device, HetDeviceProperties *out, HetStatus *status) {
  host->properties(device, out, status);
  std::strcpy(out->arch, HET_FAKE_NAME);
  out->sharesHostMemory = 0;
  out->sharedBytesPerBlockOptIn = control.sharedBytes;
  return status->code;
}

int32_t mapMemory(HetDevice *device, uint64_t address, uint64_t size, HetStatus *status) {
  if (fails(control.mapsUntilFailure))
    return report(status, HET_UNAVAILABLE, "there is no memory left");
  if ((HET_FAKE_BESIDE ? shadows.map(address, size, status)
                       : host->mapMemory(device, address, size, status)) == HET_OK)
    control.mappedBytes += size;
  return status->code;
}

int32_t unmapMemory(HetDevice *device, uint64_t address, uint64_t size,
                    HetStatus *status) {
  if ((HET_FAKE_BESIDE ? shadows.unmap(address, size, status)
                       : host->unmapMemory(device, address, size, status)) == HET_OK)
    control.mappedBytes -= size;
  return status->code;
}

int32_t enqueueCopy(HetQueue *queue, uint64_t to, uint64_t from, size_t size,
                    HetStatus *status) {
  if (fails(control.copiesUntilFailure))
    return report(status, HET_INTERNAL, "the copy fails");
  ++control.copies;
  return host->enqueueCopy(queue, shadows.place(to), shadows.place(from), size, status);
}

int32_t enqueueFill(HetQueue *queue, uint64_t to, uint32_t pattern, uint32_t patternBytes,
                    size_t size, HetStatus *status) {
  return host->enqueueFill(queue, shadows.place(to), pattern, patternBytes, size, status);
}

int32_t pinMemory(HetDevice *, uint64_t, uint64_t, HetStatus *status) {
  if (control.pinsFail)
    return report(status, HET_UNAVAILABLE, "it can not be pinned");
  ++control.pins;
  return success(status);
}

int32_t unpinMemory(HetDevice *, uint64_t, HetStatus *status) {
  --control.pins;
  return success(status);
}

int32_t setLimit(HetDevice *device, uint32_t limit, uint64_t value, HetStatus *status) {
  if (control.limitsFail)
    return report(status, HET_INVALID, "too much");
  return host->setLimit ? host->setLimit(device, limit, value, status) : success(status);
}

int32_t describeParking(HetArtifact *artifact, HetParkingInfo *info, HetStatus *status) {
  host->describeParking(artifact, info, status);
  info->layout += control.layoutChange;
  return status->code;
}

int32_t enqueueParkable(HetQueue *queue, const HetLaunch *launch, HetLaunchState *state,
                        HetStatus *status) {
  if (launch->block[0] > control.parkableThreads)
    return report(status, HET_INVALID, "too many threads for parkable code");
  if (!control.loadsParkable)
    return report(status, HET_INVALID, "found code that is not parkable");
  return host->enqueueParkable(queue, launch, state, status);
}

int32_t enqueueLaunch(HetQueue *queue, const HetLaunch *launch, HetStatus *status) {
  ++control.plainLaunches;
  return host->enqueueLaunch(queue, launch, status);
}

int32_t loadArtifact(HetDevice *device, const uint8_t *data, size_t size,
                     const uint64_t *variables, size_t variableCount, HetArtifact **out,
                     HetStatus *status) {
  if (host->loadArtifact(device, data, size, variables, variableCount, out, status))
    return status->code;
  HetParkingInfo info;
  host->describeParking(*out, &info, status);
  if (control.loadsParkable || !info.layout)
    return success(status);
  host->unloadArtifact(*out);
  return report(status, HET_INVALID, "too many parameters for parkable code");
}

int32_t residentBlocks(HetArtifact *, uint32_t threads, uint32_t, uint32_t *blocks,
                       HetStatus *status) {
  if (threads > control.parkableThreads)
    return report(status, HET_INVALID, "too many threads for parkable code");
  *blocks = control.places;
  return success(status);
}

bool isLost(HetDevice *device) {
  return control.lost[0] == device || control.lost[1] == device;
}

int32_t fault(HetDevice *device, HetStatus *status) {
  if (!isLost(device))
    return host->fault(device, status);
  report(status, HET_UNAVAILABLE, "it has been pulled out");
  return HET_FAULT_LOST;
}

void setParking(HetDevice *device, uint32_t on) {
  host->setParking(device, on || isLost(device)); // its blocks have stopped for ever
}

int32_t createQueue(HetDevice *device, HetQueue **queue, HetStatus *status) {
  if (isLost(device))
    return report(status, HET_UNAVAILABLE, "it has been pulled out");
  return host->createQueue(device, queue, status);
}

HetDeviceABI makeTable() {
  host = &tableOf(HET_TEST_TARGETS "/het-host-device.so");
  HetDeviceABI table = fakeTable(*host, HET_FAKE_NAME);
  table.properties = properties;
  table.mapMemory = mapMemory;
  table.unmapMemory = unmapMemory;
  table.enqueueCopy = enqueueCopy;
  table.enqueueFill = enqueueFill;
  if (HET_FAKE_BESIDE)
    table.enqueueCopyRows = nullptr;
  table.pinMemory = pinMemory;
  table.unpinMemory = unpinMemory;
  table.setLimit = setLimit;
  table.describeParking = describeParking;
  table.enqueueParkable = enqueueParkable;
  table.enqueueLaunch = enqueueLaunch;
  table.loadArtifact = loadArtifact;
  table.residentBlocks = residentBlocks;
  table.fault = fault;
  table.setParking = setParking;
  table.createQueue = createQueue;
  return table;
}

} // namespace

FAKE_EXPORTED const HetDeviceABI *hetDeviceABI(void) {
  static const HetDeviceABI table = makeTable();
  return &table;
}

FAKE_EXPORTED FakeControl *hetFakeControl(void) { return &control; }

FAKE_EXPORTED void hetFakeLose(void *device) {
  if (!device)
    control.lost[0] = control.lost[1] = nullptr;
  else
    control.lost[control.lost[0] ? 1 : 0] = device;
  if (device)
    host->setParking(static_cast<HetDevice *>(device), 1);
}
