// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators whose ranks all have NVIDIA's NCCL.

#include "VendorSupport.h"

#include <gmock/gmock.h>
#include <nccl.h>

namespace {

using testing::ElementsAre;
using Calls = std::vector<std::string>;

class NcclVendorTest : public VendorTest {
protected:
  void SetUp() override {
    VendorTest::SetUp();
    setenv("HET_LIBRARIES", "vendor,portable", 1);
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    ASSERT_EQ(ncclCommInitAll(&comm, 1, nullptr), ncclSuccess);
    made = take(*nccl);
  }
  void TearDown() override {
    if (comm)
      EXPECT_EQ(ncclCommDestroy(comm), ncclSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    VendorTest::TearDown();
  }
  ncclResult_t reduce(ncclRedOp_t operation = ncclSum) {
    return ncclAllReduce(from, to, 2, ncclFloat, operation, comm, stream);
  }

  Floats from{{1, 2}}, to{{0, 0}};
  cudaStream_t stream = nullptr;
  ncclComm_t comm = nullptr;
  Calls made;
};

TEST_F(NcclVendorTest, OrderedInTheStream) {
  EXPECT_EQ(made, (Calls{"GetUniqueId", "InitRank 0 of 1"}));
  const std::vector<float> numbers = {5, 6};
  ASSERT_EQ(cudaMemcpyAsync(from, numbers.data(), 8, cudaMemcpyHostToDevice, stream),
            cudaSuccess);
  ASSERT_EQ(reduce(), ncclSuccess);
  EXPECT_EQ(take(*nccl), (Calls{"GroupStart", "AllReduce 2 of 7 by 0", "GroupEnd"}));
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_THAT(to.get(), ElementsAre(5, 6));
  ncclResult_t state = ncclInternalError;
  EXPECT_EQ(ncclCommGetAsyncError(comm, &state), ncclSuccess);
  EXPECT_EQ(state, ncclSuccess);
  EXPECT_EQ(take(*nccl), Calls{"GetAsyncError"});
}

TEST_F(NcclVendorTest, AGroupIsOne) {
  float factor = 3;
  ncclRedOp_t operation;
  ASSERT_EQ(ncclRedOpCreatePreMulSum(&operation, &factor, ncclFloat,
                                     ncclScalarHostImmediate, comm),
            ncclSuccess);
  ASSERT_EQ(ncclGroupStart(), ncclSuccess);
  EXPECT_EQ(reduce(operation), ncclSuccess);
  EXPECT_EQ(ncclSend(from, 2, ncclFloat, 0, comm, stream), ncclSuccess);
  EXPECT_EQ(ncclRecv(to, 2, ncclFloat, 0, comm, stream), ncclSuccess);
  EXPECT_EQ(take(*nccl), Calls());
  ASSERT_EQ(ncclGroupEnd(), ncclSuccess);
  EXPECT_EQ(take(*nccl),
            (Calls{"GroupStart", "CreatePreMulSum 1", "AllReduce 2 of 7 by 5",
                   "Send 8 to 0", "Recv 8 from 0", "GroupEnd", "RedOpDestroy"}));
}

TEST_F(NcclVendorTest, Captures) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  size_t count = 0;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(reduce(), ncclSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_THAT(to.get(), ElementsAre(0, 0));
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_THAT(to.get(), ElementsAre(1, 2));
  ASSERT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(NcclVendorTest, Ends) {
  ASSERT_EQ(ncclCommAbort(comm), ncclSuccess);
  EXPECT_EQ(take(*nccl), Calls{"Abort"});
  ASSERT_EQ(ncclCommInitAll(&comm, 1, nullptr), ncclSuccess);
  ASSERT_EQ(ncclCommDestroy(comm), ncclSuccess);
  comm = nullptr;
  EXPECT_EQ(take(*nccl), (Calls{"GetUniqueId", "InitRank 0 of 1", "Destroy"}));
}

// Where NVIDIA's ranks do not meet, operations are ours.
TEST_F(NcclVendorTest, OursWhereTheirsIsNot) {
  ncclComm_t other = nullptr;
  nccl->createStatus = ncclSystemError;
  ASSERT_EQ(ncclCommInitAll(&other, 1, nullptr), ncclSuccess);
  take(*nccl);
  EXPECT_EQ(ncclAllReduce(from, to, 2, ncclFloat, ncclSum, other, stream), ncclSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_THAT(to.get(), ElementsAre(1, 2));
  EXPECT_EQ(ncclCommDestroy(other), ncclSuccess);
  unsetenv("HET_LIBRARIES"); // It is not taken unasked.
  ASSERT_EQ(ncclCommInitAll(&other, 1, nullptr), ncclSuccess);
  EXPECT_EQ(ncclCommDestroy(other), ncclSuccess);
  EXPECT_EQ(take(*nccl), Calls());
}

} // namespace
