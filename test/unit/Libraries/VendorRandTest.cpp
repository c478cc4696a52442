// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generators of cuRAND that are NVIDIA's.

#include "VendorSupport.h"

#include <curand.h>
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

using testing::ElementsAre;
using Calls = std::vector<std::string>;

class CurandVendorTest : public VendorTest {
protected:
  void SetUp() override {
    VendorTest::SetUp();
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    ASSERT_EQ(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10),
              CURAND_STATUS_SUCCESS);
    EXPECT_EQ(take(*curand), Calls{"Create 161"});
    ASSERT_EQ(curandSetStream(generator, stream), CURAND_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(curandDestroyGenerator(generator), CURAND_STATUS_SUCCESS);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    VendorTest::TearDown();
  }
  curandStatus_t generate() { return curandGenerateUniform(generator, numbers, 3); }

  Floats numbers{{0, 0, 0}};
  cudaStream_t stream = nullptr;
  curandGenerator_t generator = nullptr;
};

TEST_F(CurandVendorTest, SettingsAndNumbers) {
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(generator, 7), CURAND_STATUS_SUCCESS);
  ASSERT_EQ(generate(), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(take(*curand), (Calls{"SetSeed 7", "SetStream", "GenerateUniform 3"}));
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_THAT(numbers.get(), ElementsAre(7, 8, 9));
  ASSERT_EQ(generate(), CURAND_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_THAT(numbers.get(), ElementsAre(10, 11, 12));
}

// NVIDIA's library seeds in another stream, where the state may still be in use.
TEST_F(CurandVendorTest, SeedsWaitForTheSequenceBefore) {
  std::atomic<bool> hasEnded{false};
  const auto end = [](void *data) {
    const std::chrono::milliseconds later(20);
    std::this_thread::sleep_for(later); // not timed: only seeds that wait come later
    *static_cast<std::atomic<bool> *>(data) = true;
  };
  ASSERT_EQ(generate(), CURAND_STATUS_SUCCESS);
  ASSERT_EQ(cudaLaunchHostFunc(stream, end, &hasEnded), cudaSuccess);
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(generator, 7), CURAND_STATUS_SUCCESS);
  ASSERT_EQ(curandGenerateSeeds(generator), CURAND_STATUS_SUCCESS);
  EXPECT_TRUE(hasEnded);
}

// A graph's launches go on where the one before has ended: seeding is no part of it.
TEST_F(CurandVendorTest, CapturesAreSeededBefore) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(generate(), CURAND_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(take(*curand), (Calls{"SetStream", "GenerateSeeds", "SetStream",
                                  "GenerateUniform 3", "SetStream 0"}));
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  for (int round = 0; round < 2; ++round)
    ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_THAT(numbers.get(), ElementsAre(3, 4, 5));
  ASSERT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

// What can not be recorded is for kernels, unless NVIDIA's generator has begun: they do
// not know where it is.
TEST_F(CurandVendorTest, WhatCanNotBeRecorded) {
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(generate(), CURAND_STATUS_SUCCESS);
  driver->recordsAllocations = true;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  testing::internal::CaptureStderr();
  EXPECT_EQ(generate(), CURAND_STATUS_LAUNCH_FAILURE);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("curandGenerateUniform: NVIDIA's generator"));
  ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(generator, 7), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(generate(), CURAND_STATUS_SUCCESS); // begins anew
  driver->recordsAllocations = false;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  size_t count = 0;
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_GE(count, 1u);
  EXPECT_THAT(take(*curand), testing::Contains("Destroy"));
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

} // namespace
