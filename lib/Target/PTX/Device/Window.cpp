// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The window's addresses, in large parts. The driver reserves addresses for the process,
// not for a GPU: memory that moves from one GPU to another lies in one reservation, which
// goes when the last of them is closed.

#include "PTXDevice.h"

namespace het::ptx {
namespace {

/// Bytes reserved at a time: a device's part of the window. The driver places small
/// reservations elsewhere than it is asked to.
constexpr uint64_t partBytes = uint64_t(1) << 40;

struct Reservations {
  std::mutex mutex;
  std::map<uint64_t, unsigned> users; ///< devices, by the part's first address
};

/// Never destroyed: devices may be closed after main.
Reservations &reservations() {
  static Reservations &instance = *new Reservations;
  return instance;
}

/// Reserves exactly this part.
int32_t reserve(HetDevice &device, uint64_t part, HetStatus *status) {
  CUdeviceptr given = 0;
  CUresult result = device.driver.cuMemAddressReserve(&given, partBytes, 0, part, 0);
  if (result == CUDA_SUCCESS && given == part)
    return success(status);
  const std::string what =
      device.text() + ": the addresses " + hex(part) + " to " + hex(part + partBytes);
  if (result)
    return device.check(result, HET_UNAVAILABLE, what, status);
  device.driver.cuMemAddressFree(given, partBytes);
  return report(status, HET_UNAVAILABLE,
                what + ": the driver gave " + hex(given) +
                    " instead; something of the process lies there");
}

} // namespace

std::string hex(uint64_t address) {
  char text[19];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

int32_t useWindow(HetDevice &device, uint64_t address, uint64_t size, HetStatus *status) {
  Reservations &all = reservations();
  std::lock_guard<std::mutex> lock(all.mutex);
  for (uint64_t part = address / partBytes * partBytes; part < address + size;
       part += partBytes) {
    if (device.windowParts.count(part))
      continue;
    auto known = all.users.find(part);
    if (known == all.users.end()) {
      if (reserve(device, part, status) != HET_OK)
        return status->code;
      known = all.users.emplace(part, 0).first;
    }
    ++known->second;
    device.windowParts.insert(part);
  }
  return success(status);
}

void leaveWindow(HetDevice &device) {
  Reservations &all = reservations();
  std::lock_guard<std::mutex> lock(all.mutex);
  for (uint64_t part : device.windowParts) {
    auto known = all.users.find(part);
    if (--known->second)
      continue;
    device.driver.cuMemAddressFree(part, partBytes);
    all.users.erase(known);
  }
  device.windowParts.clear();
}

} // namespace het::ptx
