// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of cuFFT that NVIDIA's library executes.

#include "VendorSupport.h"

#include <cufftXt.h>
#include <gmock/gmock.h>

namespace {

using testing::ElementsAre;
using Calls = std::vector<std::string>;

class CufftVendorTest : public VendorTest {
protected:
  void SetUp() override {
    VendorTest::SetUp();
    ASSERT_EQ(cufftPlan1d(&plan, 2, CUFFT_C2C, 1), CUFFT_SUCCESS);
    made = take(*cufft);
  }
  void TearDown() override {
    if (plan)
      EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
    VendorTest::TearDown();
  }
  static cufftComplex *in(float *place) {
    return reinterpret_cast<cufftComplex *>(place);
  }

  cufftHandle plan = 0;
  Calls made;
};

TEST_F(CufftVendorTest, OrderedInTheStream) {
  // The library was opened, and tried out, by the first plan of all.
  EXPECT_THAT(made, testing::Contains("SetAutoAllocation 0"));
  EXPECT_THAT(made, testing::Contains("MakePlan 2 dense 2 x 1"));
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cufftSetStream(plan, stream), CUFFT_SUCCESS);
  const std::vector<float> numbers = {1, 2, 3, 5};
  std::vector<float> result(4);
  Floats a({9, 9, 9, 9}), b({0, 0, 0, 0});
  ASSERT_EQ(cudaMemcpyAsync(a, numbers.data(), 16, cudaMemcpyHostToDevice, stream),
            cudaSuccess);
  ASSERT_EQ(cufftExecC2C(plan, in(a), in(b), CUFFT_FORWARD), CUFFT_SUCCESS);
  ASSERT_EQ(cudaMemcpyAsync(result.data(), b, 16, cudaMemcpyDeviceToHost, stream),
            cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_THAT(result,
              ElementsAre(testing::FloatEq(4), testing::FloatEq(7),
                          testing::FloatNear(-2, 1e-5f), testing::FloatNear(-3, 1e-5f)));
  EXPECT_EQ(take(*cufft), (Calls{"SetStream", "SetWorkArea", "Exec -1"}));
  ASSERT_EQ(cufft->streams.size(), 1u);
  EXPECT_NE(cufft->streams[0], nullptr);
  EXPECT_NE(cufft->streams[0], static_cast<void *>(stream));
  ASSERT_EQ(cufftExecC2C(plan, in(b), in(b), CUFFT_INVERSE), CUFFT_SUCCESS);
  EXPECT_EQ(take(*cufft), Calls{"Exec 1"});
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

// The program's memory is what NVIDIA's library says that it needs.
TEST_F(CufftVendorTest, MemoryForWork) {
  size_t size = 0;
  EXPECT_EQ(cufftGetSize(plan, &size), CUFFT_SUCCESS);
  EXPECT_EQ(size, 4096u);
  EXPECT_EQ(cufftGetSize1d(plan, 4, CUFFT_C2C, 1, &size), CUFFT_SUCCESS);
  EXPECT_EQ(size, 4096u);
  take(*cufft);
  Floats work(std::vector<float>(1024)), a({1, 0, 1, 0});
  ASSERT_EQ(cufftSetWorkArea(plan, work), CUFFT_SUCCESS);
  ASSERT_EQ(cufftExecC2C(plan, in(a), in(a), CUFFT_FORWARD), CUFFT_SUCCESS);
  EXPECT_EQ(take(*cufft), (Calls{"SetStream", "SetWorkArea", "Exec -1"}));
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  ASSERT_EQ(cufftSetWorkArea(plan, nullptr), CUFFT_SUCCESS);
  EXPECT_EQ(cufftExecC2C(plan, in(a), in(a), CUFFT_FORWARD), CUFFT_NO_WORKSPACE);
}

TEST_F(CufftVendorTest, LayoutsAreHandedOn) {
  int n[] = {2}, embed[] = {6};
  cufftHandle other = 0;
  ASSERT_EQ(cufftPlanMany(&other, 1, n, embed, 3, 7, embed, 3, 7, CUFFT_C2C, 5),
            CUFFT_SUCCESS);
  EXPECT_THAT(take(*cufft), testing::Contains("MakePlan 2 embedded 7 x 5"));
  ASSERT_EQ(cufftDestroy(other), CUFFT_SUCCESS);
  EXPECT_EQ(take(*cufft), Calls{"Destroy"});
}

// What NVIDIA's library has no plan for, kernels do: its own goes at once.
TEST_F(CufftVendorTest, OtherProblemsGetKernels) {
  cufftHandle other = 0;
  size_t size = 1;
  ASSERT_EQ(cufftPlan1d(&other, 4, CUFFT_R2C, 1), CUFFT_SUCCESS);
  EXPECT_EQ(take(*cufft), (Calls{"Create", "SetAutoAllocation 0",
                                 "MakePlan 4 dense 4 x 1", "Destroy"}));
  EXPECT_EQ(cufftGetSize(other, &size), CUFFT_SUCCESS);
  EXPECT_EQ(size, 0u);
  ASSERT_EQ(cufftDestroy(other), CUFFT_SUCCESS);
  EXPECT_EQ(take(*cufft), Calls());
}

TEST_F(CufftVendorTest, CapturesAreRecorded) {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  size_t count = 0;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cufftSetStream(plan, stream), CUFFT_SUCCESS);
  Floats a({1, 2, 3, 5}), b({0, 0, 0, 0});
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cufftExecC2C(plan, in(a), in(b), CUFFT_FORWARD), CUFFT_SUCCESS);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(take(*cufft), (Calls{"SetStream", "SetWorkArea", "Exec -1", "SetStream 0"}));
  EXPECT_THAT(b.get(), ElementsAre(0, 0, 0, 0));
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_THAT(b.get(), ElementsAre(4, 7, testing::FloatNear(-2, 1e-5f),
                                   testing::FloatNear(-3, 1e-5f)));
  ASSERT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  // Where that can not be, kernels have it.
  driver->recordsAllocations = true;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cufftExecC2C(plan, in(a), in(b), CUFFT_FORWARD), CUFFT_SUCCESS);
  driver->recordsAllocations = false;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_GE(count, 1u);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(CufftVendorTest, PortableHasNoPlansOfIts) {
  setenv("HET_LIBRARIES", "portable", 1);
  cufftHandle other = 0;
  ASSERT_EQ(cufftPlan1d(&other, 4, CUFFT_C2C, 1), CUFFT_SUCCESS);
  EXPECT_EQ(take(*cufft), Calls());
  ASSERT_EQ(cufftDestroy(other), CUFFT_SUCCESS);
}

} // namespace
