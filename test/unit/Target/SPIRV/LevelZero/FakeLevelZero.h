// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Level Zero library without a device: the functions that the SPIR-V device calls.
// What is put into a command list waits there until the list is waited for. Memory of
// the device is not the host's: the addresses are there, and a touch ends the process.
//
// It is strict. What the specification forbids is a misuse: a handle that is not alive,
// a structure of another type, sizes and addresses that are not whole pages, memory that
// the device does not reach or that belongs to another context, destroying what is used.
//
// Its code is text: "broken" is what its compiler refuses; FakeKernels.h has the rest.

#ifndef HET_TEST_TARGET_SPIRV_LEVELZERO_FAKELEVELZERO_H
#define HET_TEST_TARGET_SPIRV_LEVELZERO_FAKELEVELZERO_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// What a test sets, and what it finds out.
struct FakeZeSettings {
  // What the library is.
  unsigned driverCount = 1, deviceCount = 1;
  std::string name = "Fake GPU";
  std::string uuid = "0123456789abcdef";
  uint32_t type = 1; ///< a GPU
  uint32_t driverVersion = 1u << 24 | 3u << 16 | 42;
  uint32_t deviceId = 7;
  uint32_t spirv = 1 << 16 | 4;
  uint32_t moduleFlags = 7; ///< all: halves, doubles, atomics of 64 bits
  uint32_t hostMemory = 3, sharedMemory = 3, systemMemory = 0; ///< capabilities
  std::vector<uint32_t> subgroupSizes = {8, 16, 32};
  uint32_t localBytes = 64 << 10;
  uint32_t maxGroupSize = 512; ///< of a kernel; 0: the driver does not say
  /// Of queue groups: flags; the first one only copies.
  std::vector<uint32_t> queueGroups = {2, 3};
  bool hasNativeBinaries = true;
  bool takesSystemMemory = true; ///< ZE_extension_external_memmap_sysmem
  bool pagesGrow = false;        ///< a page is the largest power of two in the size
  bool reservesElsewhere = false;
  uint64_t maxMemory = uint64_t(1) << 30; ///< of one allocation
  uint64_t totalMemory = uint64_t(1) << 31;

  // What is to go wrong: the n-th call since reset (from 1) gives this result.
  int failingCall = 0;
  uint32_t result = 0;

  // What was seen.
  int callCount = 0;
  uint64_t usedMemory = 0;
  std::string failed; ///< the function that failed
  std::vector<std::string> calls;
  std::vector<std::string> misuses;
  std::vector<std::string> launches; ///< "CODE groups/group local"
};

struct FakeObject {
  std::string kind;
  const void *context; ///< null: of none
};

struct FakeLevelZero : FakeZeSettings {
  std::map<const void *, FakeObject> objects; ///< alive

  void reset() {
    static_cast<FakeZeSettings &>(*this) = FakeZeSettings();
    objects.clear();
  }
  std::vector<std::string> takeCalls() {
    std::vector<std::string> taken;
    taken.swap(calls);
    return taken;
  }
  /// The kinds of what is alive.
  std::string alive() const {
    std::string text;
    for (const auto &[handle, object] : objects)
      text += (text.empty() ? "" : ", ") + object.kind;
    return text;
  }
  /// Reads `size` bytes that lie at an address of the device; empty where it has none.
  std::vector<uint8_t> (*read)(uint64_t address, size_t size) = nullptr;
};

/// The library's `hetFakeLevelZero`.
using FakeLevelZeroEntry = FakeLevelZero *(*)();

#endif // HET_TEST_TARGET_SPIRV_LEVELZERO_FAKELEVELZERO_H
