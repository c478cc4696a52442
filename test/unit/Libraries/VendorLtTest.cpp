// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of cuBLASLt that go to NVIDIA's library: what becomes of descriptions and
// algorithms.

#include "VendorSupport.h"

#include <cublasLt.h>
#include <gmock/gmock.h>

namespace {

using Calls = std::vector<std::string>;

class CublasLtVendorTest : public VendorTest {
protected:
  void SetUp() override {
    VendorTest::SetUp();
    ASSERT_EQ(cublasLtCreate(&handle), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasLtMatmulDescCreate(&matmul, CUBLAS_COMPUTE_32F, CUDA_R_32F),
              CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 2, 2, 2),
              CUBLAS_STATUS_SUCCESS);
    take(*cublasLt);
  }
  void TearDown() override {
    EXPECT_EQ(cublasLtMatrixLayoutDestroy(layout), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtMatmulDescDestroy(matmul), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtDestroy(handle), CUBLAS_STATUS_SUCCESS);
    VendorTest::TearDown();
  }

  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t matmul = nullptr;
  cublasLtMatrixLayout_t layout = nullptr;
};

TEST_F(CublasLtVendorTest, DescriptionsAndAlgorithms) {
  const int32_t mode = CUBLASLT_POINTER_MODE_DEVICE;
  ASSERT_EQ(cublasLtMatmulDescSetAttribute(matmul, CUBLASLT_MATMUL_DESC_POINTER_MODE,
                                           &mode, sizeof(mode)),
            CUBLAS_STATUS_SUCCESS);
  cublasLtMatmulPreference_t preference = nullptr;
  const uint64_t workspace = 1 << 20;
  ASSERT_EQ(cublasLtMatmulPreferenceCreate(&preference), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasLtMatmulPreferenceSetAttribute(preference,
                                                 CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                 &workspace, sizeof(workspace)),
            CUBLAS_STATUS_SUCCESS);
  cublasLtMatmulHeuristicResult_t result;
  int count = 0;
  ASSERT_EQ(cublasLtMatmulAlgoGetHeuristic(handle, matmul, layout, layout, layout, layout,
                                           preference, 1, &result, &count),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(count, 1);
  const std::string computes =
      "Matmul of compute type " + std::to_string(CUBLAS_COMPUTE_32F);
  const std::string pointers = "Matmul attribute " +
                               std::to_string(CUBLASLT_MATMUL_DESC_POINTER_MODE) + " = " +
                               std::to_string(mode);
  EXPECT_EQ(take(*cublasLt),
            (Calls{computes, pointers,
                   "Preference attribute " +
                       std::to_string(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES)}));
  EXPECT_EQ(cublasLtMatmulPreferenceDestroy(preference), CUBLAS_STATUS_SUCCESS);

  Floats a({1, 2, 3, 4}), b({2, 0, 0, 2}), d({0, 0, 0, 0}), factors({1, 0});
  ASSERT_EQ(cublasLtMatmul(handle, matmul, factors, a, layout, b, layout, factors + 1, d,
                           layout, d, layout, &result.algo, nullptr, 0, nullptr),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_THAT(d.get(), testing::ElementsAre(2, 4, 6, 8));
  EXPECT_EQ(take(*cublasLt), (Calls{computes, pointers, "Matmul with algorithm 7"}));
  ASSERT_EQ(cublasLt->streams.size(), 1u);
  EXPECT_NE(cublasLt->streams[0], nullptr);
}

TEST_F(CublasLtVendorTest, AlgorithmsAreTheVendors) {
  cublasLtMatmulAlgo_t algorithm;
  cublasLtMatmulHeuristicResult_t result;
  int id = 0, count = 0, value = 1;
  EXPECT_EQ(cublasLtMatmulAlgoGetIds(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F,
                                     CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 1, &id, &count),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F,
                                   CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 5, &algorithm),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasLtMatmulAlgoCapGetAttribute(&algorithm,
                                              CUBLASLT_ALGO_CAP_SPLITK_SUPPORT, &value,
                                              sizeof(value), nullptr),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasLtMatmulAlgoConfigSetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID,
                                                 &value, sizeof(value)),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasLtMatmulAlgoConfigGetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID,
                                                 &value, sizeof(value), nullptr),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(take(*cublasLt), (Calls{"cublasLtMatmulAlgoGetIds", "cublasLtMatmulAlgoInit",
                                    "cublasLtMatmulAlgoCapGetAttribute",
                                    "cublasLtMatmulAlgoConfigSetAttribute",
                                    "cublasLtMatmulAlgoConfigGetAttribute"}));
  EXPECT_EQ(cublasLtMatmulAlgoCheck(handle, matmul, layout, layout, layout, layout,
                                    &algorithm, &result),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(take(*cublasLt).back(), "cublasLtMatmulAlgoCheck");
}

// What has no stream of the program's has one of its own, which a reset takes.
TEST_F(CublasLtVendorTest, GoesOnAfterAReset) {
  cublasLtMatmulAlgo_t algorithm;
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F,
                                   CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 5, &algorithm),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(take(*cublasLt), Calls{"cublasLtMatmulAlgoInit"});
}

TEST_F(CublasLtVendorTest, CapturedCallsAreTheVendors) {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  Floats a({1, 2, 3, 4}), b({2, 0, 0, 2}), d({0, 0, 0, 0});
  const float one = 1, zero = 0;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cublasLtMatmul(handle, matmul, &one, a, layout, b, layout, &zero, d, layout,
                           d, layout, nullptr, nullptr, 0, stream),
            CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(take(*cublasLt).back(), "Matmul with algorithm 0");
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_THAT(d.get(), testing::ElementsAre(0, 0, 0, 0));
  ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_THAT(d.get(), testing::ElementsAre(2, 4, 6, 8));
  ASSERT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

} // namespace
