// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host device against PoCL: the same kernels, sizes and blocks, in one
// process, repetitions of both in random turn. Every kernel's result is checked
// first.
//
//   host-speed --benchmark_repetitions=15

#include "Workload.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace het::benchmark;

namespace {

struct NamedKernel {
  const char *name;
  Kernel kernel;
};

constexpr NamedKernel kernels[] = {
    {"vector-add", Kernel::VectorAdd}, {"matmul", Kernel::Matmul},
    {"stencil", Kernel::Stencil},      {"reduction", Kernel::Reduce},
    {"n-body", Kernel::NBody},         {"histogram", Kernel::Histogram}};

constexpr size_t numbers = bufferBytes / sizeof(float);

/// Numbers in [0, 1), always the same ones. The histogram takes their bit
/// patterns.
std::vector<float> makeInput(uint32_t seed) {
  std::vector<float> values(numbers);
  for (float &value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = float(seed >> 8) / (1 << 24);
  }
  return values;
}

std::vector<uint32_t> run(Device &device, Kernel kernel) {
  std::vector<uint32_t> output(numbers);
  device.clearOutput();
  device.launch(kernel);
  device.synchronize();
  device.readOutput(output.data());
  return output;
}

float asFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Histograms are equal; floats may differ by the order of sums and by roots.
bool agree(Kernel kernel, uint32_t left, uint32_t right) {
  if (kernel == Kernel::Histogram || left == right)
    return left == right;
  float a = asFloat(left), b = asFloat(right);
  return std::abs(a - b) <= 1e-3f * std::max(1.0f, std::abs(a));
}

/// Whether both devices agree, and computed anything at all.
bool check(const NamedKernel &kernel, Device &cuda, Device &openCL) {
  std::vector<uint32_t> left = run(cuda, kernel.kernel);
  std::vector<uint32_t> right = run(openCL, kernel.kernel);
  size_t filled = 0;
  for (size_t i = 0; i < numbers; ++i) {
    filled += left[i] != 0;
    if (agree(kernel.kernel, left[i], right[i]))
      continue;
    std::fprintf(stderr, "%s: result %zu differs: %g and %g\n", kernel.name, i,
                 asFloat(left[i]), asFloat(right[i]));
    return false;
  }
  if (filled < BIN_COUNT)
    std::fprintf(stderr, "%s: only %zu results\n", kernel.name, filled);
  return filled >= BIN_COUNT;
}

void measure(benchmark::State &state, Device &device, Kernel kernel) {
  for (auto _ : state) {
    device.launch(kernel);
    device.synchronize();
  }
}

/// Only the call: the queue is emptied outside of the measured time, so that it
/// does not run full.
void measureLaunchCall(benchmark::State &state, Device &device) {
  constexpr int burst = 64;
  while (state.KeepRunningBatch(burst)) {
    for (int i = 0; i < burst; ++i)
      device.launch(Kernel::Empty);
    state.PauseTiming();
    device.synchronize();
    state.ResumeTiming();
  }
}

void addBenchmarks(const std::string &side, Device &device) {
  auto add = [&](const char *name, auto function) {
    benchmark::RegisterBenchmark((name + ("/" + side)).c_str(), function)
        ->UseRealTime()
        ->MeasureProcessCPUTime()
        ->Unit(benchmark::kMicrosecond);
  };
  for (const NamedKernel &kernel : kernels)
    add(kernel.name, [&device, &kernel](benchmark::State &state) {
      measure(state, device, kernel.kernel);
    });
  add("empty-launch-and-wait",
      [&device](benchmark::State &state) { measure(state, device, Kernel::Empty); });
  add("empty-launch-call",
      [&device](benchmark::State &state) { measureLaunchCall(state, device); });
}

} // namespace

int main(int argc, char **argv) {
  std::string random = "--benchmark_enable_random_interleaving=true";
  std::vector<char *> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + 1, random.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data()))
    return 1;

  std::unique_ptr<Device> cuda = openCudaDevice(), openCL = openOpenCLDevice();
  std::vector<float> first = makeInput(1), second = makeInput(2);
  cuda->write(first.data(), second.data());
  openCL->write(first.data(), second.data());
  for (const NamedKernel &kernel : kernels)
    if (!check(kernel, *cuda, *openCL))
      return 1;
  addBenchmarks("hetcc", *cuda);
  addBenchmarks("pocl", *openCL);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
