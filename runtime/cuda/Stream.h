// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events: the handles that users hold, over the core's.

#ifndef HET_RUNTIME_CUDA_STREAM_H
#define HET_RUNTIME_CUDA_STREAM_H

#include "Capture.h"
#include "Context.h"
#include "SharedSignal.h"
#include "ThreadState.h"

#include "het/Base/Bytes.h"

#include <utility>

namespace het::cuda {

struct LoadedKernel;

/// A launch that was checked. The arguments are copied by launch().
struct Launch {
  LoadedKernel *kernel;
  dim3 grid, block;
  size_t sharedBytes;
  ByteView arguments;
  bool cooperative;
  Cluster cluster;
  bool programmatic = false; ///< It may begin before the launch in front has ended.
};

/// CUDA's range on today's devices: larger numbers are less urgent.
inline constexpr int leastPriority = 0;
inline constexpr int greatestPriority = -5;

/// While one exists, null means the calling thread's own stream in this thread.
class PerThreadDefault {
public:
  PerThreadDefault() : before(std::exchange(threadState().hasOwnDefaultStream, true)) {}
  ~PerThreadDefault() { threadState().hasOwnDefaultStream = before; }
  PerThreadDefault(const PerThreadDefault &) = delete;
  PerThreadDefault &operator=(const PerThreadDefault &) = delete;

  static bool isOn() { return threadState().hasOwnDefaultStream; }

private:
  bool before;
};

/// The stream that a handle means on the current device and thread:
/// cudaStreamLegacy is the device's legacy stream, cudaStreamPerThread is this
/// thread's, and null is the legacy one unless there is a PerThreadDefault.
/// Fails where there is no such stream: without a device, in a host function, where
/// the thread's own can not be made.
cudaError_t resolveStream(cudaStream_t handle, CUstream_st *&stream);

/// Makes a stream wait for what another one has got so far, if that is there.
cudaError_t follow(core::Stream &stream, const std::weak_ptr<core::Stream> &latest);

/// Makes a stream wait for all that its device's streams were given so far; makes all of
/// them wait for an event.
cudaError_t joinStreams(Device &device, CUstream_st &stream);
cudaError_t holdStreams(Device &device, CUevent_st &event);

/// Whether the handle is one of those special values.
bool builtinStream(cudaStream_t handle);

} // namespace het::cuda

struct CUstream_st {
  enum class Kind { Created, Legacy, PerThread };

  CUstream_st(het::cuda::Device &device, Kind kind) : device(device), kind(kind) {}

  het::cuda::Device &device;
  const Kind kind;
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
  /// The core's stream; null after its device was reset.
  het::core::Stream *queue = nullptr;

  void own(std::shared_ptr<het::core::Stream> stream) {
    owned = std::move(stream);
    queue = owned.get();
  }
  /// Lets go of the core's stream, which finishes its work.
  void release() {
    queue = nullptr;
    if (owned)
      het::core::Stream::retire(std::move(owned));
  }
  ~CUstream_st();

  het::cuda::FreeClock frees; ///< Guarded by the device's pool.
  /// It has got memory of the pool's since the latest launch, which that may still use.
  std::atomic<bool> hasReused{false};
  het::cuda::CapturePoint point;          ///< Guarded by captureState().mutex.
  std::atomic<bool> capturing{false};     ///< Whether `point` has a capture.
  het::cuda::LaunchAttributes attributes; ///< Guarded by the device's mutex.
  CUcontext context = nullptr; ///< Current when it was made, kept; null: a device's own.

  bool legacy() const { return kind == Kind::Legacy; }
  /// Whether it waits for the legacy stream and the legacy stream for it.
  bool blocking() const { return !(flags & cudaStreamNonBlocking); }
  int ordinal() const { return device.ordinal; }

  /// Whether work may be given to it now: the device has not faulted, and no
  /// capture forbids it.
  cudaError_t admit();

  cudaError_t copy(void *to, const void *from, size_t size);
  cudaError_t copyRows(void *to, size_t toPitch, const void *from, size_t fromPitch,
                       size_t width, size_t rows);
  cudaError_t fill(void *to, uint32_t value, uint32_t elementSize, size_t count);
  /// Calls a function of the program; after a fault only a callback.
  cudaError_t call(const het::cuda::HostOperation &host);
  /// Calls `work` now with the driver's stream behind this one (het/native.h).
  cudaError_t addNative(const std::function<void(void *stream)> &work);
  /// Calls a function of a library's when it is its turn, in any case.
  cudaError_t addCall(std::function<void()> function);
  /// Calls a function of the runtime's own, in any case.
  cudaError_t cleanUp(cudaHostFn_t function, void *data);
  cudaError_t launch(const het::cuda::Launch &launch);
  cudaError_t record(CUevent_st &event);
  cudaError_t wait(CUevent_st &event);
  cudaError_t synchronize();
  cudaError_t query(); ///< cudaErrorNotReady while work is outstanding.

private:
  std::shared_ptr<het::core::Stream> owned; ///< Null for the legacy stream.
};

/// Graphs keep the events of their nodes beyond cudaEventDestroy().
struct CUevent_st : std::enable_shared_from_this<CUevent_st> {
  explicit CUevent_st(het::cuda::Device &device) : device(device) {}

  het::cuda::Device &device;
  unsigned flags = 0;
  std::shared_ptr<het::core::Event> event; ///< Null after a reset.
  std::atomic<bool> recorded{false};
  /// What other processes see of it; null: nothing.
  std::shared_ptr<het::cuda::SharedSignal> shared;
  het::cuda::FreeClock frees; ///< Guarded by the device's pool.

  /// Where it was last recorded, if that was in a capture; guarded by
  /// captureState().mutex.
  het::cuda::CapturePoint point;

  /// It is about to be recorded, in no capture. What it is recorded in says more.
  void noteRecord();
  cudaError_t synchronize();
  cudaError_t query();
  /// Milliseconds from `start` to this.
  cudaError_t elapsed(CUevent_st &start, float &milliseconds);
};

#endif // HET_RUNTIME_CUDA_STREAM_H
