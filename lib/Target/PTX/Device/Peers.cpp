// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The open devices of the process and who reaches whose memory. Lock order: the
// registry's mutex, then a device's.

#include "PTXDevice.h"

#include <algorithm>

namespace het::ptx {
namespace {

struct Registry {
  std::mutex mutex;
  std::vector<HetDevice *> devices;
};

/// Never destroyed: devices may be closed after main.
Registry &registry() {
  static Registry &instance = *new Registry;
  return instance;
}

bool canReach(const HetDevice &device, const HetDevice &other) {
  int can = 0;
  return device.driver.cuDeviceCanAccessPeer(&can, device.handle, other.handle) ==
             CUDA_SUCCESS &&
         can;
}

/// A peer that refuses is left out: it is no failure of the memory's own device.
void grant(HetDevice &owner, HetDevice &peer, uint64_t address, uint64_t size) {
  if (owner.hasFault() || peer.hasFault())
    return;
  CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, peer.handle},
                            CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  owner.driver.cuMemSetAccess(address, size, &access, 1);
}

/// `peer` reaches what `owner` has and will have.
void introduce(HetDevice &owner, HetDevice &peer) {
  std::lock_guard<std::mutex> lock(owner.mutex);
  owner.peers.push_back(&peer);
  for (auto [address, size] : owner.mappings)
    grant(owner, peer, address, size);
}

} // namespace

bool addOpenDevice(HetDevice &device) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  std::vector<HetDevice *> &devices = registry().devices;
  for (HetDevice *other : devices)
    if (other->handle == device.handle)
      return false;
  for (HetDevice *other : devices) {
    if (canReach(device, *other))
      introduce(*other, device);
    if (canReach(*other, device))
      introduce(device, *other);
  }
  devices.push_back(&device);
  return true;
}

void removeOpenDevice(HetDevice &device) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  std::vector<HetDevice *> &devices = registry().devices;
  devices.erase(std::remove(devices.begin(), devices.end(), &device), devices.end());
  for (HetDevice *other : devices) {
    std::lock_guard<std::mutex> peersLock(other->mutex);
    other->peers.erase(std::remove(other->peers.begin(), other->peers.end(), &device),
                       other->peers.end());
  }
}

void sharePeers(HetDevice &device, uint64_t address, uint64_t size) {
  for (HetDevice *peer : device.peers)
    grant(device, *peer, address, size);
}

} // namespace het::ptx
