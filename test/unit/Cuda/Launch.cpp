// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that are refused before anything runs, attributes of kernels and
// occupancy. Kernels that run are tested with the host target.

#include "Support.h"

#include <string>

extern "C" {
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, cudaStream_t);
cudaError_t __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, void *);
}

namespace {

struct Launch : testing::Test {
  void SetUp() override { registerPackage(); }

  static cudaError_t launch(const void *stub, dim3 grid, dim3 block, size_t shared = 0) {
    void *pointer = nullptr;
    int number = 0;
    void *arguments[] = {&pointer, &number};
    return cudaLaunchKernel(stub, grid, block, arguments, shared, nullptr);
  }
};

} // namespace

TEST_F(Launch, RefusesBadShapes) {
  for (dim3 grid : {dim3(0), dim3(1, 0), dim3(1, 70000), dim3(1, 1, 70000)})
    CUDA_FAILS(cudaErrorInvalidConfiguration, launch(&plainStub, grid, 1));
  for (dim3 block : {dim3(0), dim3(2048), dim3(1, 1, 128), dim3(64, 64)})
    CUDA_FAILS(cudaErrorInvalidConfiguration, launch(&plainStub, 1, block));
  CUDA_FAILS(cudaErrorInvalidValue, launch(&plainStub, 1, 1, 1 << 20));
  CUDA_FAILS(cudaErrorInvalidConfiguration, launch(&boundedStub, 1, 128));
}

TEST_F(Launch, SaysOnceWhyAKernelCanNotBeLoaded) {
  std::string log;
  for (int turn = 0; turn < 2; ++turn) {
    testing::internal::CaptureStderr();
    EXPECT_NE(launch(&plainStub, 1, 1), cudaSuccess);
    cudaGetLastError();
    log += testing::internal::GetCapturedStderr();
  }
  const std::string line = "kernel plain";
  const size_t first = log.find(line);
  ASSERT_NE(first, std::string::npos) << log;
  EXPECT_EQ(log.find(line, first + 1), std::string::npos) << log;
}

TEST_F(Launch, RefusesUnknownKernels) {
  int other = 0;
  CUDA_FAILS(cudaErrorInvalidDeviceFunction, launch(&other, 1, 1));
  CUDA_FAILS(cudaErrorInvalidDeviceFunction, launch(nullptr, 1, 1));
  CUDA_FAILS(cudaErrorInvalidDeviceFunction, launch(&missingStub, 1, 1));
}

TEST_F(Launch, RefusesMissingArguments) {
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaLaunchKernel(&plainStub, 1, 1, nullptr, 0, nullptr));
}

TEST_F(Launch, RefusesTooManyCooperativeBlocks) {
  void *pointer = nullptr;
  int number = 0;
  void *arguments[] = {&pointer, &number};
  CUDA_FAILS(
      cudaErrorCooperativeLaunchTooLarge,
      cudaLaunchCooperativeKernel(&plainStub, 1 << 20, 1024, arguments, 0, nullptr));
}

TEST_F(Launch, AttributesOfKernels) {
  cudaFuncAttributes attributes;
  CUDA_OK(cudaFuncGetAttributes(&attributes, &boundedStub));
  EXPECT_EQ(attributes.maxThreadsPerBlock, 64);
  EXPECT_EQ(attributes.sharedSizeBytes, 128u);
  EXPECT_GE(attributes.maxDynamicSharedSizeBytes, (48 << 10) - 128);
  CUDA_FAILS(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&attributes, nullptr));
  CUDA_FAILS(cudaErrorInvalidValue, cudaFuncGetAttributes(nullptr, &plainStub));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaFuncSetAttribute(&plainStub, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  1 << 30));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaFuncSetAttribute(&plainStub, cudaFuncAttribute(77), 1));
}

TEST_F(Launch, Occupancy) {
  int blocks = -1;
  CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &plainStub, 256, 0));
  EXPECT_GE(blocks, 1);
  CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &plainStub, 2048, 0));
  EXPECT_EQ(blocks, 0);
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &plainStub, 0, 0));
}

// More than 48 KiB is for kernels that ask for it, in launches, graphs and occupancy.
TEST_F(Launch, SharedMemoryThatIsAskedFor) {
  cudaFuncAttributes attributes;
  CUDA_OK(cudaFuncGetAttributes(&attributes, &plainStub));
  const auto usual = static_cast<unsigned>(attributes.maxDynamicSharedSizeBytes);
  const unsigned more = usual + 16;
  EXPECT_EQ(usual + attributes.sharedSizeBytes, 48u << 10);
  int blocks = -1, number = 0;
  void *pointer = nullptr, *arguments[] = {&pointer, &number};
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaKernelNodeParams params = {
      const_cast<char *>(&plainStub), 1, 1, more, arguments, nullptr};
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_FAILS(cudaErrorInvalidValue, launch(&plainStub, 1, 1, more));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &plainStub, 32, usual));
  EXPECT_GE(blocks, 1);
  CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &plainStub, 32, more));
  EXPECT_EQ(blocks, 0);
  CUDA_OK(cudaFuncSetAttribute(&plainStub, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(more)));
  CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &plainStub, 32, more));
  EXPECT_GE(blocks, 1);
  CUDA_OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  CUDA_FAILS(cudaErrorInvalidValue, launch(&plainStub, 1, 1, more + 1));
  CUDA_OK(
      cudaFuncSetAttribute(&plainStub, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
  CUDA_OK(cudaGraphDestroy(graph));
}

TEST_F(Launch, ConfigurationIsAStack) {
  ASSERT_EQ(__cudaPushCallConfiguration(dim3(2), dim3(3), 4, nullptr), 0u);
  ASSERT_EQ(__cudaPushCallConfiguration(dim3(5, 6, 7), dim3(8), 9, cudaStreamPerThread),
            0u);
  dim3 grid, block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
  CUDA_OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
  EXPECT_EQ(grid.z, 7u);
  EXPECT_EQ(block.x, 8u);
  EXPECT_EQ(shared, 9u);
  EXPECT_EQ(stream, cudaStreamPerThread);
  CUDA_OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
  EXPECT_EQ(grid.x, 2u);
  CUDA_FAILS(cudaErrorMissingConfiguration,
             __cudaPopCallConfiguration(&grid, &block, &shared, &stream));
}
