// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events: state, time, order between streams.

#include "Support.h"

#include <atomic>
#include <chrono>

namespace {

struct Event {
  explicit Event(unsigned flags = cudaEventDefault) {
    EXPECT_EQ(cudaEventCreateWithFlags(&handle, flags), cudaSuccess);
  }
  ~Event() { cudaEventDestroy(handle); }
  operator cudaEvent_t() const { return handle; }
  cudaEvent_t handle = nullptr;
};

using Clock = std::chrono::steady_clock; // not timed: readings are only compared

/// When a stream came by, on the host's clock.
void readClock(void *time) { *static_cast<Clock::time_point *>(time) = Clock::now(); }

float millisecondsBetween(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<float, std::milli>(end - begin).count();
}

} // namespace

TEST(Events, TimeBetween) {
  Stream stream;
  Event start, end;
  Clock::time_point first, last;
  const Clock::time_point before = Clock::now();
  CUDA_OK(cudaEventRecord(start, stream));
  CUDA_OK(cudaLaunchHostFunc(stream, readClock, &first));
  Gate gate(stream);
  CUDA_OK(cudaLaunchHostFunc(stream, readClock, &last));
  CUDA_OK(cudaEventRecord(end, stream));
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorNotReady);
  EXPECT_EQ(cudaEventQuery(end), cudaErrorNotReady);
  gate.open();
  CUDA_OK(cudaEventSynchronize(end));
  CUDA_OK(cudaEventQuery(end));
  CUDA_OK(cudaEventElapsedTime(&milliseconds, start, end));
  // Between what a function in the stream and the caller have measured.
  // not timed: the one lies within the other
  EXPECT_GE(milliseconds * 1.001f, millisecondsBetween(first, last));
  // not timed: and so does this one
  EXPECT_LE(milliseconds, millisecondsBetween(before, Clock::now()) * 1.001f);
}

TEST(Events, NeverRecordedIsDone) {
  Stream stream;
  Event event, recorded;
  CUDA_OK(cudaEventSynchronize(event));
  CUDA_OK(cudaEventQuery(event));
  CUDA_OK(cudaStreamWaitEvent(stream, event, 0));
  CUDA_OK(cudaEventRecord(recorded, stream));
  CUDA_OK(cudaEventSynchronize(recorded));
  float milliseconds = 0;
  CUDA_FAILS(cudaErrorInvalidResourceHandle,
             cudaEventElapsedTime(&milliseconds, recorded, event));
}

TEST(Events, OrderStreams) {
  Stream first(cudaStreamNonBlocking), second(cudaStreamNonBlocking);
  Event event(cudaEventDisableTiming);
  std::atomic<int> value{0};
  Gate gate(first);
  CUDA_OK(cudaLaunchHostFunc(
      first, [](void *v) { static_cast<std::atomic<int> *>(v)->store(1); }, &value));
  CUDA_OK(cudaEventRecord(event, first));
  CUDA_OK(cudaStreamWaitEvent(second, event, 0));
  CUDA_OK(cudaLaunchHostFunc(
      second,
      [](void *v) {
        auto &value = *static_cast<std::atomic<int> *>(v);
        value.store(value.load() == 1 ? 2 : 3);
      },
      &value));
  EXPECT_EQ(cudaStreamQuery(second), cudaErrorNotReady);
  gate.open();
  CUDA_OK(cudaStreamSynchronize(second));
  EXPECT_EQ(value.load(), 2);
}

TEST(Events, RefuseWhatIsWrong) {
  Event timed, plain(cudaEventDisableTiming);
  cudaEvent_t event = nullptr;
  float milliseconds = 0;
  CUDA_FAILS(cudaErrorInvalidValue, cudaEventCreate(nullptr));
  CUDA_FAILS(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, 128));
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaEventDestroy(nullptr));
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaEventRecord(nullptr, nullptr));
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaEventSynchronize(nullptr));
  CUDA_FAILS(cudaErrorInvalidResourceHandle,
             cudaEventElapsedTime(&milliseconds, timed, plain));
  CUDA_FAILS(cudaErrorInvalidValue, cudaEventElapsedTime(nullptr, timed, timed));
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(nullptr, nullptr, 0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaStreamWaitEvent(nullptr, timed, 77));
}
