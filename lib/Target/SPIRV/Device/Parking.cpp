// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parking: the flag that kernels look at, and launches that go on from a state.

#include "SPIRVDevice.h"

namespace het::spirv {

namespace {

/// The flag in memory that kernels read; null where there is none left. A device whose
/// memory the host must leave alone while kernels run parks between their rounds.
volatile uint32_t *flagOf(HetDevice &device) {
  std::call_once(device.hasParkingFlag, [&] {
    device.parkingFlag = allocate(*device.door, sizeof(uint32_t));
    if (device.parkingFlag)
      *reinterpret_cast<uint32_t *>(device.parkingFlag.get()) = 0;
  });
  return reinterpret_cast<volatile uint32_t *>(device.parkingFlag.get());
}

void setParking(HetDevice *device, uint32_t on) {
  device->parking.store(on != 0);
  volatile uint32_t *flag = flagOf(*device);
  if (flag && device->door->sharesWhileRunning())
    *flag = on != 0;
}

int32_t describeParking(HetArtifact *artifact, HetParkingInfo *info, HetStatus *status) {
  *info = artifact->parking();
  return success(status);
}

int32_t enqueueParkable(HetQueue *queue, const HetLaunch *shape, HetLaunchState *state,
                        HetStatus *status) {
  std::shared_ptr<Launch> launch = makeLaunch(queue, shape, status);
  if (!launch)
    return status->code;
  if (!launch->artifact->isSegmented())
    return report(status, HET_INVALID,
                  "kernel '" + launch->artifact->name +
                      "': found code that can not be parked, expected parkable code");
  const HetParkingInfo kernel = launch->artifact->parking();
  if (std::string wrong = target::checkLaunchState(*state, kernel, *shape);
      !wrong.empty())
    return report(status, HET_INVALID, wrong);
  const uint64_t bytes = target::stateLayout(kernel, *shape).size;
  if (!flagOf(*queue->device))
    return report(status, HET_UNAVAILABLE, "no memory for the device's flag");
  launch->pollInterval = target::pollInterval(*state);
  return target::report(status, queue->queue.push([launch, state, bytes] {
    target::ParkedBlocks parked(*state, bytes);
    runLaunch(*launch, &parked);
    if (!parked.finish())
      launch->queue->device->fail(HET_FAULT_LOST, "no memory for parked blocks");
  }));
}

} // namespace

void fillInParking(HetDeviceABI &table) {
  table.setParking = setParking;
  table.describeParking = describeParking;
  table.enqueueParkable = enqueueParkable;
}

} // namespace het::spirv
