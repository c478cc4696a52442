// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libraries do beside a program's streams: handles and plans are made and destroyed
// while any thread may capture, whose captures must not notice.

#ifndef HET_LIBS_COMMON_ASIDE_H
#define HET_LIBS_COMMON_ASIDE_H

#include "common/BackEnd.h"

#include <cuda_runtime_api.h>

namespace het::libs {

/// While it lives, calls of this thread that CUDA calls unsafe (memory is allocated) are
/// allowed, and spoil no capture.
class RelaxedCapture {
public:
  RelaxedCapture() { (void)cudaThreadExchangeStreamCaptureMode(&mode); }
  ~RelaxedCapture() { (void)cudaThreadExchangeStreamCaptureMode(&mode); }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
};

/// Makes a device current for the length of a scope.
class DeviceScope {
public:
  explicit DeviceScope(int device) {
    isChanged = cudaGetDevice(&before) == cudaSuccess && before != device &&
                cudaSetDevice(device) == cudaSuccess;
  }
  ~DeviceScope() {
    if (isChanged)
      (void)cudaSetDevice(before);
  }
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &operator=(const DeviceScope &) = delete;

private:
  int before = 0;
  bool isChanged = false;
};

/// Copies to the current device, and waits for that alone: the legacy stream, which
/// cudaMemcpy takes, waits for others and spoils their captures.
cudaError_t copyAside(void *to, const void *from, size_t size);

/// Calls `work` now with the vendor's context of a device current and with a stream of
/// the vendor's that is no program's, for functions that put nothing into a stream.
/// UseKernels, Failed: as giveToVendor.
Given giveAside(int device, void (*work)(void *stream, void *data), void *data,
                int &error);
template <class Work> Given giveAside(int device, const Work &work, int &error) {
  return giveAside(
      device,
      [](void *native, void *data) { (*static_cast<const Work *>(data))(native); },
      const_cast<Work *>(&work), error);
}

/// Waits for what giveAside's calls have put into their stream.
cudaError_t waitForAside(int device);
/// giveAside for functions that do put something there; returns when that is done.
template <class Work> Given waitAside(int device, const Work &work, int &error) {
  const Given given = giveAside(device, work, error);
  if (given != Given::Yes)
    return given;
  error = waitForAside(device);
  return error == cudaSuccess ? Given::Yes : Given::Failed;
}

} // namespace het::libs

#endif // HET_LIBS_COMMON_ASIDE_H
