// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library whose constructor, which the dynamic loader calls with its lock held, uses
// the runtime while another thread finds the devices.

#include <cuda_runtime_api.h>

#include <atomic>

/// The test's.
extern "C" {
extern __attribute__((visibility("default"))) std::atomic<int> countInConstructor;
__attribute__((visibility("default"))) void waitForTheOther();
}

namespace {

struct UsesRuntime {
  UsesRuntime() noexcept {
    waitForTheOther();
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess)
      countInConstructor = count;
  }
} usesRuntime;

} // namespace
