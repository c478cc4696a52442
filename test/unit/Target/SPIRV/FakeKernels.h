// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the fake's kernels do (FakeOpenCL.h).

#ifndef HET_TEST_TARGET_SPIRV_FAKEKERNELS_H
#define HET_TEST_TARGET_SPIRV_FAKEKERNELS_H

#include <cstddef>
#include <string>

struct FakeLaunch {
  std::string code;
  size_t items;
};

/// `record` is a HetSpirvLaunch.
void runFakeKernel(const FakeLaunch &launch, void *record);

#endif // HET_TEST_TARGET_SPIRV_FAKEKERNELS_H
