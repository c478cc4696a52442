// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the fakes' kernels do. A kernel's code is text:
//   none    nothing
//   store   *(uint32_t *)argument 0 = argument 1 (arguments: 8, 4 bytes)
//   first   *(uint64_t *)argument 0 = the first of the package's variables
//   lock    *(uint32_t *)argument 0 = the lock of wide atomics, one more each time
//   print   printf("hello\n")
//   trap    leaves the fault of a trap
//   assert  leaves a failed assertion
//   turns   its blocks end when they are started for the third time (segmented)
//   stuck   its blocks wait for each other for ever (segmented)
//   meet    its blocks arrive at a grid barrier, then end (segmented)

#ifndef HET_TEST_TARGET_SPIRV_FAKEKERNELS_H
#define HET_TEST_TARGET_SPIRV_FAKEKERNELS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

struct FakeLaunch {
  std::string code;
  size_t items;
};

/// Where the host finds what lies at an address of the device; null where the device
/// does not reach all of it.
using FakeView = std::function<uint8_t *(uint64_t address, size_t size)>;

/// Whether the calling thread blocks signals, as a thread that it starts does then.
bool blocksSignals();

/// `record` is the address of a HetSpirvLaunch.
void runFakeKernel(const FakeLaunch &launch, uint64_t record, const FakeView &view);

#endif // HET_TEST_TARGET_SPIRV_FAKEKERNELS_H
