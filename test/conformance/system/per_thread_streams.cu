// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Per-thread default streams: null is the calling thread's own stream for
// launches, copies, fills, events and the driver API. A thread works while a host
// function holds up another's stream; only one does, since a driver may call all host
// functions from one thread.
// CUDA C++ Programming Guide: Default Stream; CUDA Runtime API: Stream
// synchronization behavior.
//
// FLAGS: --default-stream=per-thread
// FLAGS: -DCUDA_API_PER_THREAD_DEFAULT_STREAM

#include "Inputs/check.h"

#include <cuda.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

// A flag that host functions wait for.
class Gate {
public:
  void open() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      isOpen = true;
    }
    opened.notify_all();
  }
  void pass() {
    std::unique_lock<std::mutex> lock(mutex);
    opened.wait(lock, [&] { return isOpen; });
  }

private:
  std::mutex mutex;
  std::condition_variable opened;
  bool isOpen = false;
};

__global__ void set(int *cell, int value) { *cell = value; }

unsigned long long idOf(cudaStream_t stream) {
  unsigned long long id = 0;
  CUDA(cudaStreamGetId(stream, &id));
  return id;
}

struct Blocker {
  Gate started, release;
  std::atomic<bool> released{false};
};

void block(void *data) {
  auto *self = static_cast<Blocker *>(data);
  self->started.open();
  self->release.pass();
  self->released = true;
}

void useOwnStream() {
  int *cell = nullptr, back = 0;
  CUDA(cudaMalloc(&cell, 2 * sizeof *cell));
  CUDA(cudaMemset(cell, 0, 2 * sizeof *cell));
  set<<<1, 1>>>(cell, 7);
  CUDA(cudaMemcpy(&back, cell, sizeof back, cudaMemcpyDeviceToHost));
  CHECK_EQ(back, 7);
  cudaEvent_t event;
  CUDA(cudaEventCreate(&event));
  CUDA(cudaMemsetAsync(cell, 1, sizeof *cell));
  CUDA(cudaEventRecord(event));
  CUDA(cudaEventSynchronize(event));
  CUDA(cudaMemcpyAsync(&back, cell, sizeof back, cudaMemcpyDeviceToHost));
  CUDA(cudaStreamSynchronize(0));
  CHECK_EQ(back, 0x01010101);
  CUDA(cudaEventDestroy(event));

  CUdeviceptr address = (CUdeviceptr)cell;
  int value = 11;
  CHECK_EQ(cuMemcpyHtoD(address, &value, sizeof value), CUDA_SUCCESS);
  CHECK_EQ(cuMemsetD32(address + 4, 12, 1), CUDA_SUCCESS);
  CHECK_EQ(cuStreamSynchronize(0), CUDA_SUCCESS);
  CHECK_EQ(cuMemcpyDtoH(&back, address + 4, sizeof back), CUDA_SUCCESS);
  CHECK_EQ(back, 12);
  CUDA(cudaFreeAsync(cell, 0));
  CUDA(cudaStreamSynchronize(0));
}

// Two threads at once, each with a null stream of its own.
void testTwoThreads(CUcontext context) {
  unsigned long long ids[2] = {};
  auto work = [&](unsigned long long *id) {
    CHECK_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);
    useOwnStream();
    *id = idOf(0);
    CHECK_EQ(*id, idOf(cudaStreamPerThread));
    CHECK_TRUE(*id != idOf(cudaStreamLegacy));
  };
  std::thread first(work, &ids[0]), second(work, &ids[1]);
  first.join();
  second.join();
  CHECK_TRUE(ids[0] != ids[1]);
}

// What one thread's null stream holds up is not what another's waits for; the
// legacy stream, asked for by name, waits for both.
void testBlockedThread() {
  Blocker blocker;
  std::thread other([&] {
    CUDA(cudaLaunchHostFunc(0, block, &blocker));
    CUDA(cudaStreamSynchronize(0));
  });
  blocker.started.pass();
  useOwnStream();
  static std::atomic<int> order{0};
  CUDA(cudaLaunchHostFunc(
      cudaStreamLegacy,
      [](void *data) {
        order = static_cast<Blocker *>(data)->released ? 1 : 2;
      },
      &blocker));
  CHECK_EQ(order.load(), 0);
  blocker.release.open();
  CUDA(cudaStreamSynchronize(cudaStreamLegacy));
  CHECK_EQ(order.load(), 1);
  other.join();
  CHECK_TRUE(blocker.released);
}

// A driver function by its name is the one that a call would reach.
void testEntryPoints() {
  using GetId = CUresult (*)(CUstream, unsigned long long *);
  auto ask = [](void *function) {
    unsigned long long id = 0;
    CHECK_TRUE(function != nullptr);
    if (function)
      CHECK_EQ(reinterpret_cast<GetId>(function)(0, &id), CUDA_SUCCESS);
    return id;
  };
  unsigned long long own = idOf(0), legacy = idOf(cudaStreamLegacy);
  for (unsigned long long flags = 0; flags < 3; ++flags) {
    unsigned long long expected = flags == 1 ? legacy : own;
    void *function = nullptr;
    CUDA(cudaGetDriverEntryPoint("cuStreamGetId", &function, flags));
    CHECK_EQ(ask(function), expected);
    CHECK_EQ(cuGetProcAddress("cuStreamGetId", &function, 12090, flags, nullptr),
             CUDA_SUCCESS);
    CHECK_EQ(ask(function), expected);
  }
}

int main() {
  CUDA(cudaFree(0));
  CUcontext context;
  CHECK_EQ(cuInit(0), CUDA_SUCCESS);
  CHECK_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  CHECK_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);
  testTwoThreads(context);
  testBlockedThread();
  testEntryPoints();
  return check::finish("per_thread_streams");
}
