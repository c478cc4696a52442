// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams: order, waiting, callbacks, flags; the legacy stream.

#include "Support.h"

#include <atomic>

static void setFlag(void *flag) { static_cast<std::atomic<int> *>(flag)->store(1); }

TEST(Streams, RunInOrder) {
  Stream stream;
  DeviceMemory<int> device(1);
  int *host = nullptr;
  CUDA_OK(cudaMallocHost(reinterpret_cast<void **>(&host), 8));
  host[0] = 5;
  Gate gate(stream);
  CUDA_OK(cudaMemcpyAsync(device, host, 4, cudaMemcpyHostToDevice, stream));
  CUDA_OK(cudaMemcpyAsync(host + 1, device, 4, cudaMemcpyDeviceToHost, stream));
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess); // not ready is no error
  gate.open();
  CUDA_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(host[1], 5);
  CUDA_OK(cudaStreamQuery(stream));
  CUDA_OK(cudaFreeHost(host));
}

TEST(Streams, PageableSourceMayBeReused) {
  Stream stream;
  DeviceMemory<int> device(1);
  int host = 11, back = 0;
  Gate gate(stream);
  CUDA_OK(cudaMemcpyAsync(device, &host, 4, cudaMemcpyHostToDevice, stream));
  host = 22;
  gate.open();
  CUDA_OK(cudaMemcpyAsync(&back, device, 4, cudaMemcpyDeviceToHost, stream));
  EXPECT_EQ(back, 11); // the copy to pageable memory has ended on return
}

TEST(Streams, LegacyStreamWaitsForOthers) {
  Stream blocking, free(cudaStreamNonBlocking);
  std::atomic<int> done{0};
  Gate gate(blocking);
  CUDA_OK(cudaLaunchHostFunc(blocking, setFlag, &done));
  CUDA_OK(cudaLaunchHostFunc(
      nullptr,
      [](void *flag) {
        auto &value = *static_cast<std::atomic<int> *>(flag);
        value.store(value.load() == 1 ? 2 : 3);
      },
      &done));
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  gate.open();
  CUDA_OK(cudaStreamSynchronize(nullptr));
  EXPECT_EQ(done.load(), 2);
}

TEST(Streams, NonBlockingDoesNotWait) {
  Stream free(cudaStreamNonBlocking);
  std::atomic<int> done{0};
  Gate gate(nullptr);
  CUDA_OK(cudaLaunchHostFunc(free, setFlag, &done));
  CUDA_OK(cudaStreamSynchronize(free));
  EXPECT_EQ(done.load(), 1);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  gate.open();
  CUDA_OK(cudaDeviceSynchronize());
}

TEST(Streams, Callback) {
  Stream stream;
  struct Seen {
    cudaStream_t stream;
    cudaError_t status;
  } seen = {nullptr, cudaErrorUnknown};
  CUDA_OK(cudaStreamAddCallback(
      stream,
      [](cudaStream_t stream, cudaError_t status, void *data) {
        *static_cast<Seen *>(data) = {stream, status};
      },
      &seen, 0));
  CUDA_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(seen.stream, stream.handle);
  EXPECT_EQ(seen.status, cudaSuccess);
  CUDA_FAILS(cudaErrorInvalidValue, cudaStreamAddCallback(stream, nullptr, nullptr, 0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaLaunchHostFunc(stream, nullptr, nullptr));
}

TEST(Streams, FlagsAndPriorities) {
  int least = 9, greatest = 9, priority = 9;
  CUDA_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_GE(least, greatest);
  cudaStream_t stream = nullptr;
  CUDA_OK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest - 100));
  CUDA_OK(cudaStreamGetPriority(stream, &priority));
  EXPECT_EQ(priority, greatest);
  unsigned flags = 0;
  CUDA_OK(cudaStreamGetFlags(stream, &flags));
  EXPECT_EQ(flags, unsigned(cudaStreamNonBlocking));
  CUDA_OK(cudaStreamDestroy(stream));
}

TEST(Streams, RefuseWhatIsWrong) {
  cudaStream_t stream = nullptr;
  CUDA_FAILS(cudaErrorInvalidValue, cudaStreamCreate(nullptr));
  CUDA_FAILS(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, 77));
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaStreamDestroy(nullptr));
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaStreamDestroy(cudaStreamLegacy));
}

TEST(Streams, DestroyedWithWorkOutstanding) {
  std::atomic<int> done{0};
  cudaStream_t stream = nullptr;
  CUDA_OK(cudaStreamCreate(&stream));
  Gate gate(stream);
  CUDA_OK(cudaLaunchHostFunc(stream, setFlag, &done));
  CUDA_OK(cudaStreamDestroy(stream));
  EXPECT_EQ(done.load(), 0);
  gate.open();
  CUDA_OK(cudaDeviceSynchronize());
  EXPECT_EQ(done.load(), 1);
}

TEST(Streams, PerThread) {
  std::atomic<int> done{0};
  CUDA_OK(cudaLaunchHostFunc(cudaStreamPerThread, setFlag, &done));
  CUDA_OK(cudaStreamSynchronize(cudaStreamPerThread));
  EXPECT_EQ(done.load(), 1);
}
