// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the CUDA API share: expectations about error codes, and a
// hand-made package with kernels and variables.

#ifndef HET_TEST_CUDA_SUPPORT_H
#define HET_TEST_CUDA_SUPPORT_H

#include "het/Base/Bytes.h"

#include <cuda_runtime_api.h>

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>
#include <utility>

/// The call succeeds.
#define CUDA_OK(...) ASSERT_EQ((__VA_ARGS__), cudaSuccess)

/// The call fails with this code and leaves it as the last error.
#define CUDA_FAILS(code, ...)                                                            \
  do {                                                                                   \
    EXPECT_EQ((__VA_ARGS__), code);                                                      \
    EXPECT_EQ(cudaGetLastError(), code);                                                 \
  } while (false)

/// The head of what compiled host code gives to __cudaRegisterFatBinary.
struct FatBinaryWrapper {
  uint32_t magic = 0x466243b1;
  uint32_t version = 1;
  const void *data = nullptr;
  void *unused = nullptr;
};

/// A package as hetcc would embed it: the kernels `plain` (int *, int) and
/// `bounded` (at most 64 threads), and the variables `counter` (4 ints, 1 to 4)
/// and `table` (constant, 8 bytes, zero). The kernels' code is not hetIR.
het::Bytes makePackage();

/// Registers the package once for the whole program; the stubs and shadows are
/// those below.
void registerPackage();

extern const char plainStub, boundedStub, missingStub;
extern int counterShadow[4];
extern char tableShadow[8];

/// A stream that is destroyed at the end of its scope.
struct Stream {
  explicit Stream(unsigned flags = cudaStreamDefault) {
    EXPECT_EQ(cudaStreamCreateWithFlags(&handle, flags), cudaSuccess);
  }
  ~Stream() { cudaStreamDestroy(handle); }
  operator cudaStream_t() const { return handle; }
  cudaStream_t handle = nullptr;
};

/// Holds a stream from its construction until open().
class Gate {
public:
  explicit Gate(cudaStream_t stream) {
    EXPECT_EQ(cudaLaunchHostFunc(stream, wait, this), cudaSuccess);
  }
  ~Gate() {
    open();
    while (!hasPassed)
      std::this_thread::yield();
  }
  void open() {
    if (!std::exchange(isOpen, true))
      opening.set_value();
  }

private:
  static void wait(void *gate) {
    auto *self = static_cast<Gate *>(gate);
    self->opening.get_future().wait();
    self->hasPassed = true; // the last use of it
  }

  std::promise<void> opening;
  bool isOpen = false;
  std::atomic<bool> hasPassed{false};
};

/// Device memory for `count` of T that is freed at the end of its scope.
template <typename T> struct DeviceMemory {
  explicit DeviceMemory(size_t count) {
    void *memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, count * sizeof(T)), cudaSuccess);
    pointer = static_cast<T *>(memory);
  }
  ~DeviceMemory() { cudaFree(pointer); }
  operator T *() const { return pointer; }
  T *pointer = nullptr;
};

#endif // HET_TEST_CUDA_SUPPORT_H
