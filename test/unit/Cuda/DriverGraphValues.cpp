// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's nodes of graphs that write values in memory and wait for some.

#include "DriverSupport.h"

namespace {

CUdeviceptr addressOf(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

struct DriverGraphValues : Driver {
  void SetUp() override {
    Driver::SetUp();
    ASSERT_EQ(cuGraphCreate(&graph, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuMemAllocHost(reinterpret_cast<void **>(&words), 64), CUDA_SUCCESS);
    ASSERT_EQ(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    ASSERT_EQ(cuCtxGetCurrent(&context), CUDA_SUCCESS);
    words[0] = words[1] = 0;
  }
  void TearDown() override {
    cuStreamDestroy(stream);
    cuGraphDestroy(graph);
    cuMemFreeHost(words);
    Driver::TearDown();
  }

  CUstreamBatchMemOpParams write(unsigned word, cuuint32_t value) const {
    CUstreamBatchMemOpParams params = {};
    params.writeValue = {
        CU_STREAM_MEM_OP_WRITE_VALUE_32, addressOf(words + word), {value}, 0, 0};
    return params;
  }
  CUstreamBatchMemOpParams waitFor(unsigned word, cuuint32_t value) const {
    CUstreamBatchMemOpParams params = {};
    params.waitValue = {CU_STREAM_MEM_OP_WAIT_VALUE_32,
                        addressOf(words + word),
                        {value},
                        CU_STREAM_WAIT_VALUE_EQ,
                        0};
    return params;
  }
  CUresult add(CUgraphNode *node, CUDA_BATCH_MEM_OP_NODE_PARAMS params) {
    return cuGraphAddBatchMemOpNode(node, graph, nullptr, 0, &params);
  }

  CUgraph graph = nullptr;
  CUstream stream = nullptr;
  CUcontext context = nullptr;
  unsigned *words = nullptr;
};

} // namespace

TEST_F(DriverGraphValues, WrongOnes) {
  CUstreamBatchMemOpParams list[1] = {write(0, 7)};
  CUDA_BATCH_MEM_OP_NODE_PARAMS params = {context, 1, list, 0};
  CUgraphNode node = nullptr;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, add(nullptr, params));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, add(&node, {context, 257, list, 0}));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, add(&node, {context, 1, nullptr, 0}));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, add(&node, {context, 1, list, 1}));
  CU_FAILS(CUDA_ERROR_INVALID_CONTEXT, add(&node, {nullptr, 1, list, 0}));
  list[0].writeValue.address += 2;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, add(&node, params)); // not aligned
  list[0].writeValue.address = addressOf(&node);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, add(&node, params)); // not pinned
  list[0].operation = static_cast<CUstreamBatchMemOpType>(99);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, add(&node, params));
  list[0] = waitFor(0, 1);
  list[0].waitValue.flags = 7;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, add(&node, params));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphBatchMemOpNodeGetParams(nullptr, &params));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphBatchMemOpNodeSetParams(nullptr, &params));
  CUgraphNode other = nullptr;
  CU_OK(cuGraphAddEmptyNode(&other, graph, nullptr, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphBatchMemOpNodeGetParams(other, &params));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuGraphBatchMemOpNodeSetParams(other, &params));
  size_t count = 0;
  CU_OK(cuGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 1u);
}

TEST_F(DriverGraphValues, RunAndChange) {
  CUstreamBatchMemOpParams list[3] = {waitFor(0, 0), {}, write(0, 7)};
  list[1].memoryBarrier = {CU_STREAM_MEM_OP_BARRIER, 0};
  CUgraphNode node = nullptr, second = nullptr;
  CU_OK(add(&node, {context, 3, list, 0}));
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  CU_OK(cuGraphNodeGetType(node, &type));
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
  CUDA_BATCH_MEM_OP_NODE_PARAMS found = {};
  CU_OK(cuGraphBatchMemOpNodeGetParams(node, &found));
  EXPECT_EQ(found.ctx, context);
  ASSERT_EQ(found.count, 3u);
  EXPECT_NE(found.paramArray, list);
  EXPECT_EQ(found.paramArray[2].writeValue.address, addressOf(words));
  CUgraphNodeParams any = {};
  any.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
  CUstreamBatchMemOpParams more = write(1, 1);
  any.memOp = {context, 1, &more, 0};
  CU_OK(cuGraphAddNode(&second, graph, &node, 1, &any));

  CUgraphExec exec = nullptr;
  CU_OK(cuGraphInstantiate(&exec, graph, 0));
  if (const CUresult launched = cuGraphLaunch(exec, stream);
      launched == CUDA_ERROR_NOT_SUPPORTED) {
    CU_OK(cuGraphExecDestroy(exec));
    GTEST_SKIP() << "the device moves, so its streams wait for no values";
  } else {
    CU_OK(launched);
  }
  CU_OK(cuStreamSynchronize(stream));
  EXPECT_EQ(words[0], 7u);
  EXPECT_EQ(words[1], 1u);
  more.writeValue.value = 5;
  CUDA_BATCH_MEM_OP_NODE_PARAMS changed = {context, 1, &more, 0};
  CU_OK(cuGraphExecBatchMemOpNodeSetParams(exec, second, &changed));
  words[0] = 0;
  CU_OK(cuGraphLaunch(exec, stream));
  CU_OK(cuStreamSynchronize(stream));
  EXPECT_EQ(words[1], 5u);
  CU_OK(cuGraphBatchMemOpNodeSetParams(second, &changed));
  any.memOp = changed;
  CU_OK(cuGraphNodeSetParams(second, &any));
  CU_OK(cuGraphExecNodeSetParams(exec, second, &any));
  CU_OK(cuGraphExecDestroy(exec));
}

TEST_F(DriverGraphValues, ACaptureRecordsThem) {
  CUgraph captured = nullptr;
  CU_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  CU_OK(cuStreamWriteValue32(stream, addressOf(words), 3, 0));
  CU_OK(cuStreamWaitValue32(stream, addressOf(words), 3, CU_STREAM_WAIT_VALUE_GEQ));
  CU_OK(cuStreamEndCapture(stream, &captured));
  CUgraphNode nodes[2] = {};
  size_t count = 2;
  CU_OK(cuGraphGetNodes(captured, nodes, &count));
  ASSERT_EQ(count, 2u);
  for (CUgraphNode node : nodes) {
    CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
    CU_OK(cuGraphNodeGetType(node, &type));
    EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
  }
  EXPECT_EQ(words[0], 0u); // not yet
  CU_OK(cuGraphDestroy(captured));
}
