// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target `apart`: the host's table, with some functions of its own.

#include "Apart.h"
#include "Support/SoftwareQueue.h"
#include "het/Target/TargetABI.h"

#include <cstring>
#include <dlfcn.h>

using het::target::report;
using het::target::success;

namespace {

ApartControl control;
const HetDeviceABI *host = nullptr;

int32_t properties(HetDevice *device, HetDeviceProperties *out, HetStatus *status) {
  host->properties(device, out, status);
  std::strcpy(out->arch, "apart");
  out->sharesHostMemory = 0;
  out->sharedBytesPerBlockOptIn = control.sharedBytes;
  return status->code;
}

int32_t mapMemory(HetDevice *device, uint64_t address, uint64_t size, HetStatus *status) {
  if (control.mapsUntilFailure == 0)
    return report(status, HET_UNAVAILABLE, "there is no memory left");
  if (host->mapMemory(device, address, size, status) == HET_OK) {
    ++control.maps;
    if (control.mapsUntilFailure > 0)
      --control.mapsUntilFailure;
  }
  return status->code;
}

int32_t enqueueCopy(HetQueue *queue, uint64_t to, uint64_t from, size_t size,
                    HetStatus *status) {
  if (control.copiesFail)
    return report(status, HET_INTERNAL, "the copy fails");
  ++control.copies;
  return host->enqueueCopy(queue, to, from, size, status);
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
  return control.limitsFail ? report(status, HET_INVALID, "too much")
                            : host->setLimit(device, limit, value, status);
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
  status->code = HET_OK;
  return HET_OK;
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
  void *library = dlopen(HET_TEST_TARGETS "/het-host-device.so", RTLD_NOW | RTLD_LOCAL);
  host = reinterpret_cast<HetDeviceEntry>(dlsym(library, "hetDeviceABI"))();
  HetDeviceABI table = *host;
  table.name = "apart";
  table.role = HET_ROLE_ON_REQUEST;
  table.properties = properties;
  table.mapMemory = mapMemory;
  table.enqueueCopy = enqueueCopy;
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

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED const HetDeviceABI *hetDeviceABI(void) {
  static const HetDeviceABI table = makeTable();
  return &table;
}

EXPORTED ApartControl *hetApartControl(void) { return &control; }

EXPORTED void hetApartLose(void *device) {
  if (!device)
    control.lost[0] = control.lost[1] = nullptr;
  else
    control.lost[control.lost[0] ? 1 : 0] = device;
  if (device)
    host->setParking(static_cast<HetDevice *>(device), 1);
}
