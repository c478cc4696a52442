// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors that kernels get: each thread has its own last one; shapes that no kernel has,
// more launches than may wait, flags and handles that are none. What is asked of the device.
// CUDA C++ Programming Guide: CUDA Dynamic Parallelism, API Errors and Launch Failures.
// FLAGS: -rdc=true

#include "Inputs/check.h"

__global__ void add(int *sum) { atomicAdd(sum, 1); }

__global__ void shapes(int *sum, cudaError_t *errors) {
  int i = 0;
  errors[i++] = cudaGetLastError();
  add<<<0, 1>>>(sum);
  errors[i++] = cudaPeekAtLastError();
  errors[i++] = cudaGetLastError();
  errors[i++] = cudaGetLastError();
  add<<<1, 4096>>>(sum);
  errors[i++] = cudaGetLastError();
  add<<<1, dim3(1, 1, 2000)>>>(sum);
  errors[i++] = cudaGetLastError();
  add<<<1, 1, 1 << 30>>>(sum);
  errors[i++] = cudaGetLastError();
  add<<<1, 1>>>(sum);
  errors[i++] = cudaGetLastError();
  cudaStream_t stream;
  errors[i++] = cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
  errors[i++] = cudaGetLastError();
  cudaEvent_t event;
  errors[i++] = cudaEventCreateWithFlags(&event, cudaEventDefault);
  errors[i++] = cudaGetLastError();
  add<<<1, 1, 0, (cudaStream_t)sum>>>(sum);
  errors[i++] = cudaGetLastError();
}

// Every third thread makes a mistake.
__global__ void eachItsOwn(int *sum, cudaError_t *errors) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  add<<<1, i % 3 ? 1 : 0>>>(sum);
  __syncthreads();
  errors[i] = cudaGetLastError();
}

__global__ void many(int *sum, int count, int *refused) {
  for (int i = 0; i < count; ++i) {
    add<<<1, 1>>>(sum);
    cudaError_t error = cudaGetLastError();
    *refused += error == cudaErrorLaunchPendingCountExceeded;
    *refused += error != cudaSuccess && error != cudaErrorLaunchPendingCountExceeded
                    ? 1000000
                    : 0;
  }
}

__global__ void ask(int *out) {
  out[0] = cudaGetDevice(&out[1]);
  out[2] = cudaGetDeviceCount(&out[3]);
  out[4] = cudaDeviceGetAttribute(&out[5], cudaDevAttrWarpSize, out[1]);
  out[6] = cudaDeviceGetAttribute(&out[7], cudaDevAttrMultiProcessorCount, out[1]);
  out[8] = cudaDeviceGetAttribute(&out[9], cudaDevAttrWarpSize, 77);
  out[10] = cudaRuntimeGetVersion(&out[11]);
  const char *text = cudaGetErrorString(cudaErrorInvalidConfiguration);
  const char *name = cudaGetErrorName(cudaErrorInvalidConfiguration);
  for (int i = 0; i < 7; ++i)
    out[12 + i] = text[i];
  for (int i = 0; i < 9; ++i)
    out[19 + i] = name[i];
}

int main() {
  check::Array<int> sum(1);
  check::Array<cudaError_t> errors(512);
  shapes<<<1, 1>>>(sum, errors);
  errors.get();
  const cudaError_t wanted[] = {
      cudaSuccess,
      cudaErrorInvalidConfiguration,
      cudaErrorInvalidConfiguration,
      cudaSuccess,
      cudaErrorInvalidConfiguration,
      cudaErrorInvalidConfiguration,
      cudaErrorInvalidConfiguration,
      cudaSuccess,
      cudaErrorInvalidValue,
      cudaErrorInvalidValue,
      cudaErrorInvalidValue,
      cudaErrorInvalidValue,
      cudaErrorInvalidResourceHandle,
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
    CHECK_AT(i, errors.host[i], wanted[i]);
  CHECK_EQ(sum.get()[0], 1);

  sum.fill(0);
  eachItsOwn<<<4, 64>>>(sum, errors);
  errors.get();
  for (int i = 0; i < 256; ++i)
    CHECK_AT(i, errors.host[i], i % 3 ? cudaSuccess : cudaErrorInvalidConfiguration);
  CHECK_EQ(sum.get()[0], 170);

  size_t limit = 0;
  CUDA(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  CHECK_EQ(limit, size_t(2048));
  check::Array<int> refused(1);
  CUDA(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 16));
  sum.fill(0);
  many<<<1, 1>>>(sum, 20, refused);
  CHECK_EQ(sum.get()[0], 16);
  CHECK_EQ(refused.get()[0], 4);
  CUDA(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 40));
  refused.fill(0);
  many<<<1, 1>>>(sum, 40, refused);
  CHECK_EQ(sum.get()[0], 56);
  CHECK_EQ(refused.get()[0], 0);

  check::Array<int> out(32);
  ask<<<1, 1>>>(out);
  out.get();
  int device = -1, count = -1, processors = -1;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaGetDeviceCount(&count));
  CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  const int facts[] = {0, device, 0, count, 0, 32, 0, processors,
                       cudaErrorInvalidDevice, 0, 0, CUDART_VERSION};
  for (int i = 0; i < 12; ++i)
    CHECK_AT(i, out.host[i], facts[i]);
  std::string said;
  for (int i = 12; i < 28; ++i)
    said += char(out.host[i]);
  CHECK_TRUE(said == "invalidcudaError");
  return check::finish("dynamic/errors");
}
