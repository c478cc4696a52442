// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and sentences of codes, and the rules of the last error.

#include "Support.h"

#include <cuda.h>

#include <cstring>
#include <thread>

TEST(Errors, NamesAndStrings) {
  EXPECT_STREQ(cudaGetErrorName(cudaSuccess), "cudaSuccess");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidConfiguration),
               "cudaErrorInvalidConfiguration");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidConfiguration),
               "invalid configuration argument");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress),
               "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(12345)),
               "unrecognized error code");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(12345)),
               "unrecognized error code");
}

TEST(Errors, DriverNamesAndStrings) {
  const char *text = nullptr;
  EXPECT_EQ(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "CUDA_ERROR_INVALID_VALUE");
  EXPECT_EQ(cuGetErrorString(CUDA_ERROR_NOT_FOUND, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "named symbol not found");
  EXPECT_EQ(cuGetErrorName(static_cast<CUresult>(12345), &text),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
}

TEST(Errors, GetTakesPeekKeeps) {
  EXPECT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  CUDA_OK(cudaDeviceSynchronize()); // a success leaves the last error alone
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(Errors, EachThreadHasItsOwn) {
  EXPECT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
  std::thread([] {
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
    EXPECT_EQ(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
  }).join();
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST(Errors, UnsupportedSaysSo) {
  testing::internal::CaptureStderr();
  CUDA_FAILS(cudaErrorNotSupported, cudaGetExportTable(nullptr, nullptr));
  CUDA_FAILS(cudaErrorNotSupported, cudaGetExportTable(nullptr, nullptr));
  std::string text = testing::internal::GetCapturedStderr();
  size_t first = text.find("cudaGetExportTable");
  EXPECT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find("cudaGetExportTable", first + 1), std::string::npos) << text;
}

TEST(Errors, DriverCallsLeaveNoTrace) {
  EXPECT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
  EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
  EXPECT_NE(cuMemFree(CUdeviceptr(12)), CUDA_SUCCESS);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}
