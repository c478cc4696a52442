// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access of one device to the memory of another.

#include "Context.h"
#include "Errors.h"

using namespace het::cuda;

cudaError_t cudaDeviceCanAccessPeer(int *can, int ordinal, int peer) try {
  if (!can)
    return remember(cudaErrorInvalidValue);
  if (!validDevice(ordinal) || !validDevice(peer))
    return remember(cudaErrorInvalidDevice);
  *can = ordinal != peer && deviceAt(ordinal)->reaches(*deviceAt(peer));
  return cudaSuccess;
}
HET_CATCH

/// Hands the current device and its set of enabled peers to `use`, with the
/// lock held, after checking the peer.
template <typename Use> static cudaError_t withPeer(int peer, Use use) {
  Device *device = nullptr;
  if (cudaError_t error = useCurrentDevice(device))
    return remember(error);
  if (!validDevice(peer))
    return remember(cudaErrorInvalidDevice);
  std::lock_guard<std::mutex> lock(device->mutex);
  return remember(use(*device));
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) try {
  if (flags)
    return remember(cudaErrorInvalidValue);
  return withPeer(peer, [&](Device &device) {
    if (device.peers.count(peer))
      return cudaErrorPeerAccessAlreadyEnabled;
    if (peer == device.ordinal || !device.device.setAccess(deviceAt(peer)->device, true))
      return cudaErrorPeerAccessUnsupported;
    device.peers.insert(peer);
    return cudaSuccess;
  });
}
HET_CATCH

cudaError_t cudaDeviceDisablePeerAccess(int peer) try {
  return withPeer(peer, [&](Device &device) {
    if (!device.peers.erase(peer))
      return cudaErrorPeerAccessNotEnabled;
    device.device.setAccess(deviceAt(peer)->device, false);
    return cudaSuccess;
  });
}
HET_CATCH

cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attribute, int from,
                                      int to) try {
  if (!value || attribute < cudaDevP2PAttrPerformanceRank ||
      attribute > cudaDevP2PAttrCudaArrayAccessSupported)
    return remember(cudaErrorInvalidValue);
  if (!validDevice(from) || !validDevice(to) || from == to)
    return remember(cudaErrorInvalidDevice);
  bool reaches = deviceAt(from)->reaches(*deviceAt(to));
  *value = attribute == cudaDevP2PAttrPerformanceRank ? 0 : reaches;
  return cudaSuccess;
}
HET_CATCH
