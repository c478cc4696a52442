// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often the process waits for the system's timer while a warp sleeps 10,000 times for
// 100 ns, and that a long sleep is one.
// not timed: a sleep is what is tested, and a busy machine makes it only longer

#include <chrono>
#include <cstdio>
#include <sys/resource.h>

__global__ void nap(unsigned nanoseconds, int times) {
  for (int i = 0; i < times; ++i)
    __nanosleep(nanoseconds);
}

static long waits() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nvcsw;
}

int main() {
  using Clock = std::chrono::steady_clock;
  nap<<<1, 32>>>(0, 1);
  cudaDeviceSynchronize();
  const long before = waits();
  nap<<<1, 32>>>(100, 10000);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  // 32 ms were asked for in all.
  std::printf("short: %s\n", waits() - before < 5000 ? "few waits" : "many waits");
  const Clock::time_point start = Clock::now();
  nap<<<1, 1>>>(20000000, 1);
  cudaDeviceSynchronize();
  const bool slept = Clock::now() - start >= std::chrono::milliseconds(15);
  std::printf("long: %s\n", slept ? "slept" : "did not sleep");
}
