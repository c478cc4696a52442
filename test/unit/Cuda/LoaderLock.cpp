// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices are found while another thread has the dynamic loader's lock and waits for
// them. A program of its own: they are found once.

#include <cuda_runtime_api.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

static const int devicesSet = setenv("HET_DEVICES", "host,host", 1);

static std::atomic<long> finder{0};
static std::atomic<bool> hasFound{false}, isInConstructor{false};

/// Whether the thread that finds the devices sleeps, so that it waits for the loader.
static bool finderSleeps() {
  std::ifstream file("/proc/self/task/" + std::to_string(finder) + "/stat");
  std::string line;
  std::getline(file, line);
  const size_t name = line.rfind(')');
  return name != std::string::npos && line.compare(name, 3, ") S") == 0;
}

extern "C" {
__attribute__((visibility("default"))) std::atomic<int> countInConstructor{0};

/// Until the other thread has found the devices, or waits for the loader's lock. That it
/// sleeps for another reason once is taken for that, which makes the test weaker then.
__attribute__((visibility("default"))) void waitForTheOther() {
  isInConstructor = true;
  while (!finder)
    std::this_thread::yield();
  for (int seen = 0; seen < 100 && !hasFound; std::this_thread::yield())
    seen = finderSleeps() ? seen + 1 : 0;
}
}

TEST(LoaderLock, AConstructorWaitsForTheDevicesThatAnotherThreadFinds) {
  ASSERT_EQ(devicesSet, 0);
  std::thread other([] {
    while (!isInConstructor)
      std::this_thread::yield();
    finder = syscall(SYS_gettid);
    int count = 0;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
    EXPECT_EQ(count, 2);
    hasFound = true;
  });
  void *library = dlopen(HET_TEST_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  other.join();
  EXPECT_EQ(countInConstructor, 2);
}
