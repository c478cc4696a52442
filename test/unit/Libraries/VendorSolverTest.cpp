// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of cuSOLVER that go to NVIDIA's library.

#include "VendorSupport.h"

#include <cusolverDn.h>
#include <gmock/gmock.h>

namespace {

using Calls = std::vector<std::string>;

constexpr cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;

class CusolverVendorTest : public VendorTest {
protected:
  void SetUp() override {
    VendorTest::SetUp();
    ASSERT_EQ(cusolverDnCreate(&handle), CUSOLVER_STATUS_SUCCESS);
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&info), sizeof(int)), cudaSuccess);
    take(*cusolver);
  }
  void TearDown() override {
    EXPECT_EQ(cudaFree(info), cudaSuccess);
    if (handle)
      EXPECT_EQ(cusolverDnDestroy(handle), CUSOLVER_STATUS_SUCCESS);
    VendorTest::TearDown();
  }

  cusolverDnHandle_t handle = nullptr;
  int *info = nullptr;
};

TEST_F(CusolverVendorTest, OrderedInTheStream) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cusolverDnSetStream(handle, stream), CUSOLVER_STATUS_SUCCESS);
  int size = 0;
  Floats a({9}), work({0});
  ASSERT_EQ(cusolverDnSpotrf_bufferSize(handle, lower, 1, a, 1, &size),
            CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(size, 77);
  const float number = 16;
  float result = 0;
  ASSERT_EQ(cudaMemcpyAsync(a, &number, 4, cudaMemcpyHostToDevice, stream), cudaSuccess);
  ASSERT_EQ(cusolverDnSpotrf(handle, lower, 1, a, 1, work, size, info),
            CUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(cudaMemcpyAsync(&result, a, 4, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(result, 4);
  EXPECT_EQ(take(*cusolver),
            (Calls{"Spotrf_bufferSize 1", "SetStream", "Spotrf 1 with 77"}));
  ASSERT_EQ(cusolver->streams.size(), 1u);
  EXPECT_NE(cusolver->streams[0], nullptr);
  EXPECT_NE(cusolver->streams[0], static_cast<void *>(stream));
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(CusolverVendorTest, SettingsAreGivenWhereTheyChange) {
  Floats a({9}), work({0});
  ASSERT_EQ(
      cusolverDnSetDeterministicMode(handle, CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS),
      CUSOLVER_STATUS_SUCCESS);
  for (int i = 0; i < 2; ++i)
    ASSERT_EQ(cusolverDnSpotrf(handle, lower, 1, a, 1, work, 1, info),
              CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(take(*cusolver), (Calls{"SetStream", "SetDeterministicMode 2",
                                    "Spotrf 1 with 1", "Spotrf 1 with 1"}));
}

// Behind the program's descriptions are NVIDIA's.
TEST_F(CusolverVendorTest, Descriptions) {
  syevjInfo_t how = nullptr;
  Floats a({1}), w({0}), work({0});
  int sweeps = 0;
  ASSERT_EQ(cusolverDnCreateSyevjInfo(&how), CUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(cusolverDnXsyevjSetMaxSweeps(how, 21), CUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(cusolverDnXsyevjSetSortEig(how, 0), CUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(cusolverDnSsyevj(handle, CUSOLVER_EIG_MODE_VECTOR, lower, 1, a, 1, w, work, 1,
                             info, how),
            CUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(cusolverDnXsyevjGetSweeps(handle, how, &sweeps), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(sweeps, 21);
  ASSERT_EQ(cusolverDnDestroySyevjInfo(how), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(take(*cusolver), (Calls{"CreateSyevjInfo", "SetStream", "Ssyevj 1 of 21",
                                    "GetSweeps", "DestroySyevjInfo"}));

  cusolverDnParams_t params = nullptr;
  ASSERT_EQ(cusolverDnCreateParams(&params), CUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(cusolverDnSetAdvOptions(params, CUSOLVERDN_POTRF, CUSOLVER_ALG_1),
            CUSOLVER_STATUS_SUCCESS);
  for (cusolverDnParams_t given : {params, cusolverDnParams_t()})
    ASSERT_EQ(cusolverDnXpotrf(handle, given, lower, 1, CUDA_R_32F, a, 1, CUDA_R_32F,
                               nullptr, 0, nullptr, 0, info),
              CUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(cusolverDnDestroyParams(params), CUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(cusolverDnDestroy(handle), CUSOLVER_STATUS_SUCCESS);
  handle = nullptr;
  EXPECT_EQ(take(*cusolver),
            (Calls{"CreateParams", "Xpotrf 1 by 1", "CreateParams", "Xpotrf 1 by 0",
                   "DestroyParams", "DestroyParams", "Destroy"}));
}

// A function that NVIDIA's library lacks is for kernels.
TEST_F(CusolverVendorTest, KernelsHaveTheRest) {
  Floats a({4});
  int size = 0;
  EXPECT_EQ(cusolverDnSgetrf_bufferSize(handle, 1, 1, a, 1, &size),
            CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(size, 16);
}

TEST_F(CusolverVendorTest, CapturesAreRecorded) {
  Floats a({16}), work({0});
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cusolverDnSetStream(handle, stream), CUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  int size = 0;
  EXPECT_EQ(cusolverDnSpotrf_bufferSize(handle, lower, 1, a, 1, &size),
            CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(size, 77); // as outside of captures
  EXPECT_EQ(cusolverDnSpotrf(handle, lower, 1, a, 1, work, size, info),
            CUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  size_t count = 0;
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(take(*cusolver), (Calls{"Spotrf_bufferSize 1", "SetStream",
                                    "Spotrf 1 with 77", "SetStream 0"}));
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  for (int round = 0; round < 2; ++round)
    ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_THAT(a.get(), testing::ElementsAre(2));
  ASSERT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

} // namespace
