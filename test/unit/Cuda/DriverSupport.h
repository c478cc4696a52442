// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the driver API share: a context, and expectations about codes.

#ifndef HET_TEST_CUDA_DRIVERSUPPORT_H
#define HET_TEST_CUDA_DRIVERSUPPORT_H

#include "Support.h"

#include <cuda.h>
#include <cudaProfiler.h>

#define CU_OK(...) ASSERT_EQ((__VA_ARGS__), CUDA_SUCCESS)
#define CU_FAILS(code, ...) EXPECT_EQ((__VA_ARGS__), code)

/// Has a context of the first device that is current.
struct Driver : testing::Test {
  void SetUp() override {
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    ASSERT_EQ(cuCtxCreate(&context, 0, 0), CUDA_SUCCESS);
  }
  void TearDown() override { cuCtxDestroy(context); }
  CUcontext context = nullptr;
};

#endif // HET_TEST_CUDA_DRIVERSUPPORT_H
