// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The devices of the process as CUDA numbers them, and which one each thread
// uses. Everything here is made at the first call and never destroyed, so that
// calls during static destruction find it.

#ifndef HET_RUNTIME_CUDA_CONTEXT_H
#define HET_RUNTIME_CUDA_CONTEXT_H

#include "Api.h"
#include "Errors.h"
#include "MemoryPool.h"

#include "core/Runtime.h"
#include "core/Stream.h"

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace het::cuda {

/// One device. Its functions may be called from any thread.
struct Device {
  explicit Device(core::Device &device, int ordinal);

  const int ordinal;
  core::Device &device;
  const cudaDeviceProp properties;

  std::mutex mutex; ///< Guards what follows.
  unsigned flags = 0;
  cudaFuncCache cacheConfig = cudaFuncCachePreferNone;
  size_t limits[7];                ///< By cudaLimit.
  std::set<int> peers;             ///< Enabled by cudaDeviceEnablePeerAccess.
  std::atomic<uint64_t> resets{0}; ///< So far: memory of before is gone.
  /// All handles that have something of the device in them. After a reset they
  /// are empty shells until their users destroy them.
  std::set<cudaStream_t> streams;
  std::map<cudaEvent_t, std::shared_ptr<CUevent_st>> events;
  std::set<cudaArray_t> arrays;

  std::unique_ptr<CUstream_st> legacy;      ///< Made once; kept by a reset.
  const std::unique_ptr<PooledMemory> pool; ///< Likewise.

  /// The code of the fault that it stands in; cudaSuccess if in none.
  cudaError_t fault();
  cudaError_t synchronize();
  cudaError_t reset();
  bool reaches(const Device &peer) const;

  /// The program uses it: the first time, kernels of its packages are loaded ahead. Other
  /// threads do not wait for that: one may hold the loader's lock, which loading takes.
  void use() {
    if (!used.load(std::memory_order_acquire))
      beginUse();
  }

  cudaError_t createStream(unsigned flags, int priority, cudaStream_t *stream);
  cudaError_t destroyStream(cudaStream_t stream);
  cudaError_t createEvent(unsigned flags, cudaEvent_t *event);
  cudaError_t destroyEvent(cudaEvent_t event);

private:
  /// Destroyed events that graphs may keep.
  std::vector<std::weak_ptr<CUevent_st>> keptEvents;
  std::atomic<bool> faultSaid{false}; ///< The log says why it has faulted.
  std::atomic<bool> used{false};      ///< The first use has begun.

  void beginUse();
  void servePool();
  void setDefaults();
  void tellKernels();
};

/// The core's runtime. Only when there is a device.
core::Runtime &runtime();

/// How many devices the program sees; 0 if none, or if finding them failed.
int deviceCount();

/// Whether a call has looked for devices, and found some.
bool devicesAreKnown();
/// Why there is none: cudaErrorNoDevice, or cudaErrorInitializationError after
/// a message in the log.
cudaError_t noDeviceError();

bool validDevice(int ordinal);
Device *deviceAt(int ordinal); ///< Only with a valid ordinal.

/// The calling thread's device.
int currentOrdinal();
void setCurrentOrdinal(int ordinal);

/// Begins a call of the runtime API that gives work to a device, waits, makes or destroys
/// something: refuses the caller (HostFunction.h), and makes the primary context of the
/// thread's device current for the driver API, if the thread has no context. All such
/// calls pass here, by currentDeviceError() at the latest.
cudaError_t beginCall();

/// Why the calling thread's device cannot be used: there is none, it has faulted, or a
/// host function asks.
cudaError_t currentDeviceError();
/// Finds the calling thread's device. Another thread's reset may clear a fault between
/// two questions, so this one answers both: `device` is set if it succeeds.
cudaError_t useCurrentDevice(Device *&device);

/// The value of a device attribute; false if there is no such attribute.
bool attributeOf(const cudaDeviceProp &properties, int attribute, int &value);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_CONTEXT_H
