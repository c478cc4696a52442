// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The devices of the process as CUDA numbers them, and which one each thread
// uses. Everything here is made at the first call and never destroyed, so that
// calls during static destruction find it.

#ifndef HET_CUDA_CONTEXT_H
#define HET_CUDA_CONTEXT_H

#include "Api.h"
#include "Errors.h"

#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace het::core {
class Device;
class Stream;
class Event;
} // namespace het::core

namespace het::cuda {

/// One device. Its functions may be called from any thread.
struct Device {
  int ordinal = 0;
  cudaDeviceProp properties = {};
  core::Device *device = nullptr;

  std::mutex mutex; ///< Guards what follows.
  unsigned flags = 0;
  cudaFuncCache cacheConfig = cudaFuncCachePreferNone;
  size_t limits[7] = {};     ///< By cudaLimit.
  std::set<int> peers;       ///< Enabled by cudaDeviceEnablePeerAccess.
  std::set<cudaStream_t> streams; ///< Created and not destroyed.
  std::unique_ptr<CUstream_st> legacy;

  /// Makes it ready for use. Cheap once that is done.
  cudaError_t open();
  /// The code of the fault that it stands in; cudaSuccess if in none.
  cudaError_t fault();
  cudaError_t synchronize();
  bool reaches(const Device &peer) const;

  cudaError_t createStream(unsigned flags, int priority, cudaStream_t *stream);
  cudaError_t destroyStream(cudaStream_t stream);
  cudaError_t createEvent(unsigned flags, cudaEvent_t *event);
  cudaError_t destroyEvent(cudaEvent_t event);

  cudaError_t allocate(void **pointer, size_t size);
  cudaError_t allocatePinned(void **pointer, size_t size, unsigned flags);
  cudaError_t freePinned(void *pointer);
  cudaError_t allocateManaged(void **pointer, size_t size);
  cudaError_t registerHost(void *pointer, size_t size, unsigned flags);
  cudaError_t unregisterHost(void *pointer);
  cudaError_t memoryInfo(size_t &free, size_t &total);
};

/// How many devices the program sees; 0 if none, or if finding them failed.
int deviceCount();
/// Why there is none: cudaErrorNoDevice, or cudaErrorInitializationError after
/// a message in the log.
cudaError_t noDeviceError();

bool validDevice(int ordinal);
Device *deviceAt(int ordinal); ///< Only with a valid ordinal.

/// The calling thread's device.
int currentOrdinal();
cudaError_t setCurrentOrdinal(int ordinal);

/// The calling thread's device, open. Null if there is none, it cannot be
/// opened, or it has faulted; then currentDeviceError() says which.
Device *currentDevice();
cudaError_t currentDeviceError();

/// cudaDeviceReset: everything on the current device is destroyed, a fault too.
cudaError_t resetCurrentDevice();

/// The value of a device attribute; false if there is no such attribute.
bool attributeOf(const cudaDeviceProp &properties, int attribute, int &value);

} // namespace het::cuda

#endif // HET_CUDA_CONTEXT_H
