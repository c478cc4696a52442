// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of cuBLAS that go to NVIDIA's library.

#include "VendorSupport.h"
#include "het/Base/SystemLibrary.h"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Calls = std::vector<std::string>;

constexpr float one = 1, zero = 0;

class CublasVendorTest : public VendorTest {
protected:
  void SetUp() override {
    VendorTest::SetUp();
    ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
    take(*cublas);
  }
  void TearDown() override {
    if (handle)
      EXPECT_EQ(cublasDestroy(handle), CUBLAS_STATUS_SUCCESS);
    VendorTest::TearDown();
  }
  cublasStatus_t multiply(const float *a, const float *b, float *c) {
    return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, b, 2, &zero,
                       c, 2);
  }

  cublasHandle_t handle = nullptr;
};

TEST_F(CublasVendorTest, OrderedInTheStream) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cublasSetStream(handle, stream), CUBLAS_STATUS_SUCCESS);
  const std::vector<float> left = {1, 2, 3, 4};
  std::vector<float> result(4);
  Floats a({9, 9, 9, 9}), b({1, 0, 0, 2}), c({5, 5, 5, 5});
  // Nothing is done before the wait.
  ASSERT_EQ(cudaMemcpyAsync(a, left.data(), 16, cudaMemcpyHostToDevice, stream),
            cudaSuccess);
  ASSERT_EQ(multiply(a, b, c), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cudaMemcpyAsync(result.data(), c, 16, cudaMemcpyDeviceToHost, stream),
            cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_THAT(result, ElementsAre(1, 2, 6, 8));
  EXPECT_EQ(take(*cublas), (Calls{"SetStream", "Sgemm 2 2 2"}));
  ASSERT_EQ(cublas->streams.size(), 1u);
  EXPECT_NE(cublas->streams[0], nullptr);
  EXPECT_NE(cublas->streams[0], static_cast<void *>(stream));
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(CublasVendorTest, LegacyStreamWaitsForOthers) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  const std::vector<float> left = {1, 2, 3, 4};
  Floats a({9, 9, 9, 9}), b({1, 0, 0, 1}), c({5, 5, 5, 5});
  ASSERT_EQ(cudaMemcpyAsync(a, left.data(), 16, cudaMemcpyHostToDevice, stream),
            cudaSuccess);
  ASSERT_EQ(multiply(a, b, c), CUBLAS_STATUS_SUCCESS); // in the legacy stream
  EXPECT_THAT(c.get(), ElementsAre(1, 2, 3, 4));
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(CublasVendorTest, SettingsAreGivenWhereTheyChange) {
  Floats a({1, 0, 0, 1}), c({0, 0, 0, 0}), workspace(std::vector<float>(256));
  ASSERT_EQ(multiply(a, a, c), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(take(*cublas), (Calls{"SetStream", "Sgemm 2 2 2"}));
  ASSERT_EQ(multiply(a, a, c), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(take(*cublas), Calls{"Sgemm 2 2 2"});
  ASSERT_EQ(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_ALLOWED), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasSetSmCountTarget(handle, 5), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasSetWorkspace(handle, workspace, 1024), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(multiply(a, a, c), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(take(*cublas), (Calls{"SetStream", "SetWorkspace 1024", "SetAtomicsMode 1",
                                  "SetMathMode 3", "SetSmCountTarget 5", "Sgemm 2 2 2"}));
}

TEST_F(CublasVendorTest, ResultInTheProgramsMemory) {
  Floats x({1, 2, 3}), y({4, 5, 6});
  float result = 0;
  ASSERT_EQ(cublasSdot(handle, 3, x, 1, y, 1, &result), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(result, 32);
  EXPECT_EQ(take(*cublas), (Calls{"SetStream", "Sdot 3"}));
}

TEST_F(CublasVendorTest, HandlesGoWithOurs) {
  ASSERT_EQ(cublasDestroy(handle), CUBLAS_STATUS_SUCCESS);
  handle = nullptr;
  EXPECT_EQ(take(*cublas), Calls{"Destroy"});
}

// A library that refuses its handle is no back end.
TEST_F(CublasVendorTest, RefusedHandles) {
  cublasHandle_t other = nullptr;
  cublas->createStatus = CUBLAS_STATUS_NOT_INITIALIZED;
  ASSERT_EQ(cublasCreate(&other), CUBLAS_STATUS_SUCCESS); // kernels
  EXPECT_EQ(take(*cublas), Calls{"Create"});
  ASSERT_EQ(cublasDestroy(other), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(take(*cublas), Calls());
  setenv("HET_LIBRARIES", "vendor", 1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(cublasCreate(&other), CUBLAS_STATUS_NOT_INITIALIZED);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("HET_LIBRARIES=vendor"));
  EXPECT_THAT(said, HasSubstr("CUBLAS_STATUS_NOT_INITIALIZED"));
}

TEST_F(CublasVendorTest, ForcedBackEnds) {
  cublasHandle_t other = nullptr;
  setenv("HET_LIBRARIES", "portable,vendor", 1);
  ASSERT_EQ(cublasCreate(&other), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasDestroy(other), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(take(*cublas), Calls());
  const std::pair<const char *, const char *> wrong[] = {
      {"host", "it is for devices of the target host, and this is one of ptx"},
      {"cuda", "HET_LIBRARIES: found 'cuda', expected vendor, host or portable"}};
  for (const auto &[list, reason] : wrong) {
    setenv("HET_LIBRARIES", list, 1);
    testing::internal::CaptureStderr();
    EXPECT_EQ(cublasCreate(&other), CUBLAS_STATUS_NOT_INITIALIZED);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr(reason));
  }
}

TEST(SystemLibrary, PassesOverStandIns) {
  std::string reason;
  EXPECT_FALSE(het::hasStandIn("libcublas.so.12"));
  void *standIn = dlopen("libcublas.so.12", RTLD_NOW | RTLD_LOCAL); // there is no fake
  ASSERT_TRUE(standIn) << dlerror();
  EXPECT_TRUE(het::isStandIn(standIn));
  EXPECT_TRUE(het::hasStandIn("libcublas.so.12"));
  EXPECT_EQ(het::openPastStandIns("libcublas.so.12", {}, RTLD_NOW | RTLD_LOCAL, reason),
            nullptr);
  EXPECT_EQ(reason, "only the stand-in that hetrun offers to programs");
  void *fake =
      het::openPastStandIns("libcublas.so.13", {}, RTLD_NOW | RTLD_LOCAL, reason);
  ASSERT_TRUE(fake);
  EXPECT_EQ(het::fileOf(fake), HET_TEST_FAKES "/libcublas.so.13");
}

} // namespace
