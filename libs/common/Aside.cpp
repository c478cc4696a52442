// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams of the libraries' own, one for each device.

#include "common/Aside.h"

#include <map>
#include <memory>
#include <mutex>

namespace het::libs {
namespace {

/// A stream that waits for no other; it goes with its last user.
class OwnStream {
public:
  static cudaError_t make(std::shared_ptr<OwnStream> &made) {
    auto stream = std::make_shared<OwnStream>();
    const cudaError_t error =
        cudaStreamCreateWithFlags(&stream->handle, cudaStreamNonBlocking);
    if (error == cudaSuccess)
      made = std::move(stream);
    return error;
  }
  OwnStream() = default;
  OwnStream(const OwnStream &) = delete;
  ~OwnStream() {
    if (handle)
      (void)cudaStreamDestroy(handle);
  }
  operator cudaStream_t() const { return handle; }

private:
  cudaStream_t handle = nullptr;
};

struct OwnStreams {
  std::mutex mutex; ///< Guards what follows.
  std::map<int, std::shared_ptr<OwnStream>> byDevice;

  static OwnStreams &get() {
    static OwnStreams &instance = *new OwnStreams; // used until the process ends
    return instance;
  }
  cudaError_t find(int device, std::shared_ptr<OwnStream> &stream) {
    const std::lock_guard lock(mutex);
    std::shared_ptr<OwnStream> &own = byDevice[device];
    cudaError_t error = cudaSuccess;
    if (!own) {
      const DeviceScope scope(device);
      error = OwnStream::make(own);
    }
    stream = own;
    return error;
  }
  /// A stream has gone with a reset of its device.
  void forget(int device, const std::shared_ptr<OwnStream> &stream) {
    const std::lock_guard lock(mutex);
    if (byDevice[device] == stream)
      byDevice.erase(device);
  }
};

} // namespace

cudaError_t copyAside(void *to, const void *from, size_t size) {
  std::shared_ptr<OwnStream> stream;
  cudaError_t error = OwnStream::make(stream);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(to, from, size, cudaMemcpyHostToDevice, *stream);
  return error == cudaSuccess ? cudaStreamSynchronize(*stream) : error;
}

Given giveAside(int device, void (*work)(void *, void *), void *data, int &error) {
  for (bool isAgain : {false, true}) {
    std::shared_ptr<OwnStream> stream;
    error = OwnStreams::get().find(device, stream);
    if (error != cudaSuccess)
      break;
    const Given given = giveToVendor(*stream, work, data, error);
    if (error != cudaErrorContextIsDestroyed || isAgain)
      return given;
    OwnStreams::get().forget(device, stream);
  }
  return Given::Failed;
}

cudaError_t waitForAside(int device) {
  std::shared_ptr<OwnStream> stream;
  const cudaError_t error = OwnStreams::get().find(device, stream);
  return error == cudaSuccess ? cudaStreamSynchronize(*stream) : error;
}

} // namespace het::libs
