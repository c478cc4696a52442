// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of cuDNN that go to NVIDIA's library, of version 9.

#include "VendorSupport.h"

#include <cudnn.h>
#include <gmock/gmock.h>

namespace {

using testing::ElementsAre;
using Calls = std::vector<std::string>;

class CudnnVendorTest : public VendorTest {
protected:
  void SetUp() override {
    VendorTest::SetUp();
    setenv("HET_LIBRARIES", "vendor,portable", 1);
    ASSERT_EQ(cudnnCreate(&handle), CUDNN_STATUS_SUCCESS);
    ASSERT_EQ(cudnnCreateTensorDescriptor(&tensor), CUDNN_STATUS_SUCCESS);
    ASSERT_EQ(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1,
                                         1, 1, 2),
              CUDNN_STATUS_SUCCESS);
    take(*cudnn);
  }
  void TearDown() override {
    EXPECT_EQ(cudnnDestroyTensorDescriptor(tensor), CUDNN_STATUS_SUCCESS);
    EXPECT_EQ(cudnnDestroy(handle), CUDNN_STATUS_SUCCESS);
    VendorTest::TearDown();
  }
  cudnnStatus_t add(float alpha) {
    const float one = 1;
    return cudnnAddTensor(handle, &alpha, tensor, a, &one, tensor, c);
  }

  Floats a{{1, 2}}, c{{10, 20}};
  cudnnHandle_t handle = nullptr;
  cudnnTensorDescriptor_t tensor = nullptr;
};

TEST_F(CudnnVendorTest, OrderedInTheStream) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudnnSetStream(handle, stream), CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(add(3), CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_THAT(c.get(), ElementsAre(13, 26));
  EXPECT_EQ(take(*cudnn),
            (Calls{"SetStream", "AddTensor 1:2 1:2 1:2 2:1 ", "no descriptors"}));
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

// Version 9 has other numbers; what it does not support is for kernels.
TEST_F(CudnnVendorTest, Statuses) {
  EXPECT_EQ(add(-1), CUDNN_STATUS_BAD_PARAM);
  const float four = 4;
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  size_t count = 1;
  cudaKernelNodeParams params = {};
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudnnSetStream(handle, stream), CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudnnScaleTensor(handle, tensor, c, &four), CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_THAT(take(*cudnn), testing::Contains("ScaleTensor"));
  ASSERT_EQ(cudaGraphGetNodes(graph, &node, &count), cudaSuccess);
  ASSERT_EQ(count, 1u);
  EXPECT_EQ(cudaGraphKernelNodeGetParams(node, &params), cudaSuccess); // ours
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(CudnnVendorTest, Convolutions) {
  cudnnFilterDescriptor_t filter = nullptr;
  cudnnConvolutionDescriptor_t convolution = nullptr;
  size_t size = 0;
  ASSERT_EQ(cudnnCreateFilterDescriptor(&filter), CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(
      cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 1, 1, 1, 1),
      CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(cudnnCreateConvolutionDescriptor(&convolution), CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(cudnnSetConvolution2dDescriptor(convolution, 0, 0, 1, 2, 1, 1,
                                            CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(
      cudnnGetConvolutionForwardWorkspaceSize(handle, tensor, filter, convolution, tensor,
                                              CUDNN_CONVOLUTION_FWD_ALGO_GEMM, &size),
      CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(size, 55u);
  EXPECT_EQ(take(*cudnn), (Calls{"WorkspaceSize of 1:2 1:2 1:2 2:1 by 0/1 0/2 groups 1",
                                 "no descriptors"}));
  EXPECT_EQ(cudnnDestroyConvolutionDescriptor(convolution), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(cudnnDestroyFilterDescriptor(filter), CUDNN_STATUS_SUCCESS);
}

TEST_F(CudnnVendorTest, Captures) {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  size_t count = 0;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudnnSetStream(handle, stream), CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(add(1), CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_THAT(take(*cudnn), testing::Contains("SetStream 0"));
  EXPECT_THAT(c.get(), ElementsAre(10, 20));
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

} // namespace
