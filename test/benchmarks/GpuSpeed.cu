// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times on a GPU, one line each: `what: number unit`. Compiled by hetcc and by nvcc,
// together with Kernels.cu, to be compared.
//
//   hetcc -O3 -std=c++17 GpuSpeed.cu Kernels.cu -o speed && ./speed

#include "Workload.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

using namespace het::benchmark;
using Clock = std::chrono::steady_clock;

static double microseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

static void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

/// A hundred kernels that differ, to see what getting one ready costs.
template <int number> __global__ void one(float *data) {
  for (int i = 0; i < number % 7 + 1; ++i)
    data[threadIdx.x + i] = data[threadIdx.x + i] * number + i;
}
template <int... numbers>
static void launchAll(float *data, std::integer_sequence<int, numbers...>) {
  (one<numbers><<<1, 32>>>(data), ...);
}

static void measureKernel(Device &device, const char *name, Kernel kernel) {
  const int warm = 3, repeats = 50;
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  for (int i = 0; i < warm; ++i)
    device.launch(kernel);
  check(cudaEventRecord(begin));
  for (int i = 0; i < repeats; ++i)
    device.launch(kernel);
  check(cudaEventRecord(end));
  check(cudaEventSynchronize(end));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  std::printf("kernel %s: %.3f us\n", name, milliseconds * 1000 / repeats);
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
}

/// Calls alone, in bursts that do not fill the queue; then calls that are waited for.
static void measureLaunches(Device &device) {
  const int burst = 64, bursts = 50;
  double calls = 0;
  for (int i = 0; i < bursts; ++i) {
    auto start = Clock::now();
    for (int k = 0; k < burst; ++k)
      device.launch(Kernel::Empty);
    calls += microseconds(start, Clock::now());
    device.synchronize();
  }
  std::printf("launch, empty kernel: %.3f us\n", calls / (burst * bursts));
  const int waits = 500;
  auto start = Clock::now();
  for (int i = 0; i < waits; ++i) {
    device.launch(Kernel::Empty);
    device.synchronize();
  }
  std::printf("launch and wait: %.3f us\n", microseconds(start, Clock::now()) / waits);
}

static void measureMemory() {
  const size_t bytes = size_t(64) << 20;
  void *pinned, *device;
  check(cudaMallocHost(&pinned, bytes));
  check(cudaMalloc(&device, bytes));
  const int repeats = 10;
  auto start = Clock::now();
  for (int i = 0; i < repeats; ++i)
    check(cudaMemcpy(device, pinned, bytes, cudaMemcpyHostToDevice));
  double time = microseconds(start, Clock::now());
  std::printf("pinned copy of 64 MiB: %.3f us\n", time / repeats);
  check(cudaFree(device));
  check(cudaFreeHost(pinned));
  const int count = 200;
  start = Clock::now();
  for (int i = 0; i < count; ++i) {
    check(cudaMalloc(&device, 1000));
    check(cudaFree(device));
  }
  time = microseconds(start, Clock::now());
  std::printf("cudaMalloc and cudaFree, 1000 bytes: %.3f us\n", time / count);
}

int main() {
  float *data;
  check(cudaMalloc(&data, 1024 * sizeof(float)));
  check(cudaDeviceSynchronize());
  auto start = Clock::now();
  one<1000><<<1, 32>>>(data);
  check(cudaDeviceSynchronize());
  auto first = Clock::now();
  launchAll(data, std::make_integer_sequence<int, 100>());
  check(cudaDeviceSynchronize());
  auto all = Clock::now();
  std::printf("first launch: %.3f us\n", microseconds(start, first));
  std::printf("100 other kernels, first launches: %.3f us\n", microseconds(first, all));
  check(cudaFree(data));

  auto device = openCudaDevice();
  std::vector<float> numbers(bufferBytes / sizeof(float));
  unsigned seed = 1;
  for (float &number : numbers)
    number = float((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24);
  device->write(numbers.data(), numbers.data());
  measureLaunches(*device);
  measureKernel(*device, "vector add", Kernel::VectorAdd);
  measureKernel(*device, "matmul", Kernel::Matmul);
  measureKernel(*device, "stencil", Kernel::Stencil);
  measureKernel(*device, "reduction", Kernel::Reduce);
  measureKernel(*device, "n-body", Kernel::NBody);
  measureKernel(*device, "histogram", Kernel::Histogram);
  measureMemory();
  return 0;
}
