// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that a stream calls must not use the API: what would wait, give work to a
// device, make or destroy something is refused; questions are answered.

#include "Support.h"

#include <cuda.h>

#include <functional>
#include <vector>

namespace {

/// A call of the API, and what it answered.
struct Call {
  const char *name;
  std::function<int()> call;
  int answer = -1;
};

/// Something of every kind that calls need.
struct Things {
  Things() {
    registerPackage();
    EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxCreate(&context, 0, 0), CUDA_SUCCESS);
    EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    EXPECT_EQ(cudaStreamCreate(&other), cudaSuccess);
    EXPECT_EQ(cudaEventCreate(&event), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&device, 4096), cudaSuccess);
    EXPECT_EQ(cudaMallocHost(&host, 4096), cudaSuccess);
    EXPECT_EQ(cudaMallocArray(&array, &format, 8, 8), cudaSuccess);
    EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  }
  /// What a refused call was to destroy is still there.
  ~Things() {
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
    EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(cuCtxDestroy(context), CUDA_SUCCESS);
  }

  std::vector<Call> refused() {
    const auto to = reinterpret_cast<CUdeviceptr>(device);
    std::vector<Call> calls;
#define CALL(...) calls.push_back({#__VA_ARGS__, [=] { return int(__VA_ARGS__); }})
    for (cudaStream_t s : {stream, other, cudaStream_t(nullptr), cudaStreamPerThread}) {
      CALL(cudaStreamSynchronize(s));
      CALL(cudaStreamQuery(s));
      CALL(cudaStreamWaitEvent(s, event, 0));
      CALL(cudaEventRecord(event, s));
      CALL(cudaMemcpyAsync(device, host, 4, cudaMemcpyHostToDevice, s));
      CALL(cudaMemsetAsync(device, 0, 4, s));
      CALL(cudaMallocAsync(scratch, 4, s));
      CALL(cudaFreeAsync(device, s));
      CALL(cudaLaunchHostFunc(s, [](void *) {}, nullptr));
      CALL(cudaLaunchKernel(&plainStub, {1}, {1}, nullptr, 0, s));
      CALL(cudaGraphLaunch(exec, s));
      CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
      CALL(cuStreamSynchronize(s));
      CALL(cuMemcpyHtoDAsync(to, host, 4, s));
    }
    CALL(cudaStreamDestroy(stream));
    CALL(cudaStreamDestroy(other));
    CALL(cudaStreamCreate(reinterpret_cast<cudaStream_t *>(scratch)));
    CALL(cudaEventCreate(reinterpret_cast<cudaEvent_t *>(scratch)));
    CALL(cudaEventSynchronize(event));
    CALL(cudaEventQuery(event));
    CALL(cudaEventDestroy(event));
    CALL(cudaDeviceSynchronize());
    CALL(cudaDeviceReset());
    CALL(cudaMalloc(scratch, 4));
    CALL(cudaMallocManaged(scratch, 4));
    CALL(cudaMallocHost(scratch, 4));
    CALL(cudaMallocArray(reinterpret_cast<cudaArray_t *>(scratch), &format, 4, 4));
    CALL(cudaFree(device));
    CALL(cudaFree(nullptr));
    CALL(cudaFreeHost(host));
    CALL(cudaFreeArray(array));
    CALL(cudaHostRegister(scratch, 64, 0));
    CALL(cudaMemcpy(device, host, 4, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2D(device, 4, host, 4, 4, 4, cudaMemcpyHostToDevice));
    CALL(cudaMemset(device, 0, 4));
    CALL(cudaMemcpyToSymbol(counterShadow, host, 4));
    CALL(cudaMemGetInfo(nullptr, nullptr));
    CALL(cudaGraphExecDestroy(exec));
    CALL(cudaMemPoolTrimTo(pool, 0));
    CALL(cuCtxSynchronize());
    CALL(cuCtxDestroy(context));
    CALL(cuMemAlloc(reinterpret_cast<CUdeviceptr *>(scratch), 4));
    CALL(cuMemFree(to));
    return calls;
  }

  std::vector<Call> allowed() {
    std::vector<Call> calls;
    CALL(cudaGetDevice(&number));
    CALL(cudaGetDeviceCount(&number));
    CALL(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0));
    CALL(cudaRuntimeGetVersion(&number));
    CALL(cudaPointerGetAttributes(&attributes, device));
    CALL(cudaPeekAtLastError());
    CALL(cudaGetLastError());
#undef CALL
    return calls;
  }

  cudaStream_t stream = nullptr, other = nullptr;
  cudaEvent_t event = nullptr;
  void *device = nullptr, *host = nullptr;
  void *memory[64] = {};
  void **const scratch = memory;
  cudaArray_t array = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaMemPool_t pool = nullptr;
  CUcontext context = nullptr;
  static inline int number;
  static inline cudaPointerAttributes attributes;
  static inline const cudaChannelFormatDesc format = {32, 0, 0, 0,
                                                      cudaChannelFormatKindSigned};
};

/// What a host function runs.
struct Task {
  std::vector<Call> calls;
  int runs = 0;

  static void run(void *data) {
    auto &task = *static_cast<Task *>(data);
    ++task.runs;
    for (Call &call : task.calls)
      call.answer = call.call();
    cudaMalloc(nullptr, 0); // leaves an error behind
  }
  void expect(int answer) {
    for (const Call &call : calls)
      EXPECT_EQ(call.answer, answer) << call.name;
  }
};

void runAsCallback(cudaStream_t, cudaError_t, void *data) { Task::run(data); }

} // namespace

TEST(HostFunctions, CallsThatMayWaitAreRefused) {
  Things things;
  for (cudaStream_t stream : {things.stream, cudaStream_t(nullptr)}) {
    Task function{things.refused()}, callback{things.refused()};
    CUDA_OK(cudaLaunchHostFunc(stream, Task::run, &function));
    CUDA_OK(cudaStreamAddCallback(stream, runAsCallback, &callback, 0));
    CUDA_OK(cudaStreamSynchronize(stream));
    function.expect(cudaErrorNotPermitted);
    callback.expect(cudaErrorNotPermitted);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  }
}

TEST(HostFunctions, SoInGraphs) {
  Things things;
  Task task{things.refused()};
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t exec = nullptr;
  const cudaHostNodeParams params = {Task::run, &task};
  CUDA_OK(cudaGraphAddHostNode(&node, things.graph, nullptr, 0, &params));
  CUDA_OK(cudaGraphInstantiate(&exec, things.graph, 0));
  for (int run = 1; run <= 3; ++run) {
    CUDA_OK(cudaGraphLaunch(exec, things.stream));
    CUDA_OK(cudaStreamSynchronize(things.stream));
    EXPECT_EQ(task.runs, run);
    task.expect(cudaErrorNotPermitted);
  }
  CUDA_OK(cudaGraphExecDestroy(exec));
}

/// Whichever thread carries it out: one that waits for the stream may.
TEST(HostFunctions, LeaveTheThreadAsItIs) {
  Things things;
  CUcontext context = nullptr, now = nullptr;
  CUDA_OK(cudaSetDevice(0));
  EXPECT_EQ(cuCtxGetCurrent(&context), CUDA_SUCCESS);
  auto meddle = [](void *) {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    CUcontext none = nullptr;
    EXPECT_EQ(cuCtxGetCurrent(&none), CUDA_SUCCESS);
    EXPECT_EQ(none, nullptr);
    EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
    EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
    EXPECT_EQ(cudaFree(nullptr), cudaErrorNotPermitted);
  };
  for (int run = 0; run < 200; ++run) {
    CUDA_OK(cudaLaunchHostFunc(things.stream, meddle, nullptr));
    CUDA_OK(cudaStreamSynchronize(things.stream));
    int device = -1;
    CUDA_OK(cudaGetDevice(&device));
    ASSERT_EQ(device, 0);
    ASSERT_EQ(cuCtxGetCurrent(&now), CUDA_SUCCESS);
    ASSERT_EQ(now, context);
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    CUDA_OK(cudaThreadExchangeStreamCaptureMode(&mode));
    ASSERT_EQ(mode, cudaStreamCaptureModeGlobal);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
  }
}

TEST(HostFunctions, QuestionsAreAnswered) {
  Things things;
  for (int turn = 0; turn < 2; ++turn) { // the last error is each one's own
    Task task{things.allowed()};
    CUDA_OK(cudaLaunchHostFunc(things.stream, Task::run, &task));
    CUDA_OK(cudaStreamSynchronize(things.stream));
    task.expect(cudaSuccess);
  }
}
