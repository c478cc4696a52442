// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of cuBLAS in captures, which are NVIDIA's library's, too: what the graph's nodes
// are, what they work in, and what becomes of them.

#include "VendorSupport.h"

#include <cufft.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <gmock/gmock.h>
#include <thread>

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using Calls = std::vector<std::string>;

constexpr float one = 1, zero = 0;

class VendorCaptureTest : public VendorTest {
protected:
  void SetUp() override {
    VendorTest::SetUp();
    for (cudaStream_t *each : {&stream, &other})
      ASSERT_EQ(cudaStreamCreateWithFlags(each, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasSetStream(handle, stream), CUBLAS_STATUS_SUCCESS);
    take(*cublas);
  }
  void TearDown() override {
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (cudaGraphExec_t each : execs)
      EXPECT_EQ(cudaGraphExecDestroy(each), cudaSuccess);
    for (cudaGraph_t each : graphs)
      EXPECT_EQ(cudaGraphDestroy(each), cudaSuccess);
    if (handle)
      EXPECT_EQ(cublasDestroy(handle), CUBLAS_STATUS_SUCCESS);
    for (cudaStream_t each : {stream, other})
      EXPECT_EQ(cudaStreamDestroy(each), cudaSuccess);
    driver->recordsAllocations = false;
    VendorTest::TearDown();
  }

  cublasStatus_t multiply(const float *a, const float *b, float *c, int m = 2) {
    return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, 2, 2, &one, a, 2, b, 2, &zero,
                       c, 2);
  }
  template <class Work> cudaGraph_t capture(Work work) {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    work();
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    graphs.push_back(graph);
    return graph;
  }
  cudaGraph_t captureProduct(const float *a, const float *b, float *c) {
    return capture([&] { EXPECT_EQ(multiply(a, b, c), CUBLAS_STATUS_SUCCESS); });
  }
  cudaGraphExec_t instantiate(cudaGraph_t graph) {
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    execs.push_back(exec);
    return exec;
  }
  void run(cudaGraphExec_t exec) {
    ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  }
  static std::vector<cudaGraphNode_t> nodesOf(cudaGraph_t graph) {
    size_t count = 0;
    EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
    std::vector<cudaGraphNode_t> nodes(count);
    EXPECT_EQ(cudaGraphGetNodes(graph, nodes.data(), &count), cudaSuccess);
    return nodes;
  }
  void joinOther(cudaStream_t from, cudaStream_t to) {
    cudaEvent_t event = nullptr;
    EXPECT_EQ(cudaEventCreate(&event), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(event, from), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(to, event, 0), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  }

  cudaStream_t stream = nullptr, other = nullptr;
  cublasHandle_t handle = nullptr;
  std::vector<cudaGraph_t> graphs;
  std::vector<cudaGraphExec_t> execs;
};

TEST_F(VendorCaptureTest, CallsAreDoneAtEachLaunch) {
  Floats a({1, 2, 3, 4}), b({1, 0, 0, 2}), c({5, 5, 5, 5});
  cudaGraph_t graph = captureProduct(a, b, c);
  // What records is gone afterwards.
  EXPECT_EQ(take(*cublas),
            (Calls{"SetStream", "SetWorkspace 33554432", "Sgemm 2 2 2", "SetStream 0"}));
  cudaGraphExec_t exec = instantiate(graph);
  EXPECT_THAT(c.get(), ElementsAre(5, 5, 5, 5));
  // The graph keeps what it needs.
  ASSERT_EQ(cublasDestroy(handle), CUBLAS_STATUS_SUCCESS);
  handle = nullptr;
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(cudaMemsetAsync(c, 0, 16, stream), cudaSuccess);
    driver->takeCalls();
    run(exec);
    EXPECT_THAT(driver->takeCalls(), Contains("cuGraphLaunch").Times(1));
    EXPECT_THAT(c.get(), ElementsAre(1, 2, 6, 8));
  }
}

// As CUDA says of kernels that the program does not have.
TEST_F(VendorCaptureTest, NodesAreKernelsThatNobodyKnows) {
  Floats a({1, 2, 3, 4}), c({5, 5, 5, 5});
  const std::vector<cudaGraphNode_t> nodes = nodesOf(captureProduct(a, a, c));
  ASSERT_EQ(nodes.size(), 1u);
  cudaGraphNodeType type;
  ASSERT_EQ(cudaGraphNodeGetType(nodes[0], &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeKernel);
  cudaKernelNodeParams params = {};
  EXPECT_EQ(cudaGraphKernelNodeGetParams(nodes[0], &params),
            cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaGraphKernelNodeSetParams(nodes[0], &params), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_F(VendorCaptureTest, EagerCallsGoOnInTheirStream) {
  Floats a({1, 2, 3, 4}), b({1, 0, 0, 1}), c({5, 5, 5, 5}), d({5, 5, 5, 5});
  captureProduct(a, b, c);
  take(*cublas);
  ASSERT_EQ(multiply(a, b, d), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(take(*cublas), (Calls{"SetStream", "Sgemm 2 2 2"})); // its own workspace
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_THAT(d.get(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(c.get(), ElementsAre(5, 5, 5, 5));
  ASSERT_EQ(cublas->streams.size(), 2u);
  EXPECT_NE(cublas->streams[0], cublas->streams[1]);
}

TEST_F(VendorCaptureTest, AWorkspaceForEachStream) {
  Floats a({1, 2, 3, 4}), c({5, 5, 5, 5}), d({5, 5, 5, 5});
  capture([&] {
    multiply(a, a, c);
    multiply(a, a, c);
    joinOther(stream, other);
    cublasSetStream(handle, other);
    multiply(a, a, d);
    joinOther(other, stream);
  });
  ASSERT_EQ(cublas->workspaces.size(), 3u);
  EXPECT_NE(cublas->workspaces[0], nullptr);
  EXPECT_EQ(cublas->workspaces[0], cublas->workspaces[1]);
  EXPECT_NE(cublas->workspaces[0], cublas->workspaces[2]);
}

TEST_F(VendorCaptureTest, TheProgramsWorkspace) {
  Floats a({1, 2, 3, 4}), c({5, 5, 5, 5}), workspace(std::vector<float>(256));
  ASSERT_EQ(cublasSetWorkspace(handle, workspace, 1024), CUBLAS_STATUS_SUCCESS);
  captureProduct(a, a, c);
  EXPECT_THAT(cublas->workspaces, ElementsAre(static_cast<float *>(workspace)));
}

// Two graphs of one workspace do not run at once, whatever the streams are.
TEST_F(VendorCaptureTest, WorkInAWorkspaceFollowsEachOther) {
  Floats a({1, 2, 3, 4}), c({5, 5, 5, 5});
  cudaGraph_t graph = captureProduct(a, a, c);
  cudaGraphExec_t first = instantiate(graph), second = instantiate(graph);
  ASSERT_EQ(cudaGraphLaunch(first, stream), cudaSuccess);
  driver->takeCalls();
  ASSERT_EQ(cudaGraphLaunch(second, other), cudaSuccess);
  const Calls calls = driver->takeCalls();
  EXPECT_THAT(calls, Contains("cuEventRecord"));
  EXPECT_THAT(calls, Contains("cuStreamWaitEvent"));
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  // Another capture has another one.
  cudaGraphExec_t third = instantiate(captureProduct(a, a, c));
  ASSERT_EQ(cudaGraphLaunch(second, other), cudaSuccess);
  driver->takeCalls();
  ASSERT_EQ(cudaGraphLaunch(third, stream), cudaSuccess);
  EXPECT_THAT(driver->takeCalls(), Not(Contains("cuStreamWaitEvent")));
}

TEST_F(VendorCaptureTest, WorkspacesAreUsedAgain) {
  Floats a({1, 2, 3, 4}), c({5, 5, 5, 5});
  for (int round = 0; round < 3; ++round) {
    captureProduct(a, a, c);
    ASSERT_EQ(cudaGraphDestroy(graphs.back()), cudaSuccess);
    graphs.pop_back();
  }
  ASSERT_EQ(cublas->workspaces.size(), 3u);
  EXPECT_EQ(cublas->workspaces[0], cublas->workspaces[1]);
  EXPECT_EQ(cublas->workspaces[0], cublas->workspaces[2]);
}

TEST_F(VendorCaptureTest, ClonesAndUpdates) {
  Floats a({1, 2, 3, 4}), b({1, 0, 0, 1}), c({5, 5, 5, 5}), d({5, 5, 5, 5});
  cudaGraph_t clone = nullptr;
  ASSERT_EQ(cudaGraphClone(&clone, captureProduct(a, b, c)), cudaSuccess);
  graphs.push_back(clone);
  cudaGraphExec_t exec = instantiate(clone);
  cudaGraphExecUpdateResultInfo info;
  ASSERT_EQ(cudaGraphExecUpdate(exec, captureProduct(a, b, d), &info), cudaSuccess);
  driver->takeCalls();
  run(exec); // changed in place
  EXPECT_THAT(driver->takeCalls(), Not(Contains("cuGraphInstantiateWithFlags")));
  EXPECT_THAT(c.get(), ElementsAre(5, 5, 5, 5));
  EXPECT_THAT(d.get(), ElementsAre(1, 2, 3, 4));
}

// A graph that has changed is replayed once: its work is launched by itself.
TEST_F(VendorCaptureTest, Replays) {
  Floats a({1, 2, 3, 4}), b({1, 0, 0, 1}), c({5, 5, 5, 5}), d({5, 5, 5, 5});
  cudaGraph_t graph = capture([&] {
    EXPECT_EQ(cudaMemsetAsync(d, 0, 16, stream), cudaSuccess);
    EXPECT_EQ(multiply(a, b, c), CUBLAS_STATUS_SUCCESS);
  });
  cudaGraphExec_t exec = instantiate(graph);
  ASSERT_EQ(cudaGraphNodeSetEnabled(exec, nodesOf(graph)[0], 0), cudaSuccess);
  run(exec);
  EXPECT_THAT(c.get(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(d.get(), ElementsAre(5, 5, 5, 5));
  // And the work can be switched off.
  ASSERT_EQ(cudaGraphNodeSetEnabled(exec, nodesOf(graph)[1], 0), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(c, 0, 16, stream), cudaSuccess);
  run(exec);
  run(exec);
  EXPECT_THAT(c.get(), ElementsAre(0, 0, 0, 0));
}

TEST_F(VendorCaptureTest, ChildGraphs) {
  Floats a({1, 2, 3, 4}), b({1, 0, 0, 1}), c({5, 5, 5, 5});
  cudaGraph_t child = captureProduct(a, b, c), parent = nullptr;
  ASSERT_EQ(cudaGraphCreate(&parent, 0), cudaSuccess);
  graphs.push_back(parent);
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, child), cudaSuccess);
  ASSERT_EQ(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, child), cudaSuccess);
  run(instantiate(parent));
  EXPECT_THAT(c.get(), ElementsAre(1, 2, 3, 4));
}

TEST_F(VendorCaptureTest, FailedCallsAreNoNodes) {
  Floats a({1, 2, 3, 4}), c({5, 5, 5, 5});
  cudaGraph_t graph =
      capture([&] { EXPECT_EQ(multiply(a, a, c, -1), CUBLAS_STATUS_INVALID_VALUE); });
  EXPECT_EQ(nodesOf(graph).size(), 0u);
}

// What can not be recorded is done by kernels, and the capture goes on.
TEST_F(VendorCaptureTest, KernelsWhereItCanNotBe) {
  Floats a({1, 2, 3, 4}), c({5, 5, 5, 5});
  driver->recordsAllocations = true;
  const std::vector<cudaGraphNode_t> nodes = nodesOf(captureProduct(a, a, c));
  ASSERT_EQ(nodes.size(), 1u);
  cudaKernelNodeParams params = {};
  EXPECT_EQ(cudaGraphKernelNodeGetParams(nodes[0], &params), cudaSuccess);
}

TEST_F(VendorCaptureTest, KernelsWhereTheyAreAskedFor) {
  Floats a({1, 2, 3, 4}), c({5, 5, 5, 5});
  ASSERT_EQ(cublasDestroy(handle), CUBLAS_STATUS_SUCCESS);
  setenv("HET_LIBRARIES", "portable", 1);
  ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasSetStream(handle, stream), CUBLAS_STATUS_SUCCESS);
  take(*cublas);
  const std::vector<cudaGraphNode_t> nodes = nodesOf(captureProduct(a, a, c));
  EXPECT_EQ(take(*cublas), Calls());
  ASSERT_EQ(nodes.size(), 1u);
  cudaKernelNodeParams params = {};
  EXPECT_EQ(cudaGraphKernelNodeGetParams(nodes[0], &params), cudaSuccess);
}

/// What makes and ends handles and plans of all libraries.
void makeHandles() {
  cublasHandle_t blas = nullptr;
  cufftHandle plan = 0;
  cusolverDnHandle_t solver = nullptr;
  cusparseHandle_t sparse = nullptr;
  gesvdjInfo_t how = nullptr;
  ASSERT_EQ(cublasCreate(&blas), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasDestroy(blas), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cufftPlan1d(&plan, 2, CUFFT_C2C, 1), CUFFT_SUCCESS);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
  ASSERT_EQ(cusolverDnCreate(&solver), CUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(cusolverDnCreateGesvdjInfo(&how), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDestroyGesvdjInfo(how), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDestroy(solver), CUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(cusparseCreate(&sparse), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(cusparseDestroy(sparse), CUSPARSE_STATUS_SUCCESS);
}

// The stream is one that waits for the legacy stream, and the capture forbids all threads
// what is unsafe.
TEST_F(VendorCaptureTest, HandlesLeaveCapturesAlone) {
  Floats a({1, 2, 3, 4});
  cudaStream_t blocking = nullptr;
  ASSERT_EQ(cudaStreamCreate(&blocking), cudaSuccess);
  for (const char *list : {"vendor", "portable"}) {
    setenv("HET_LIBRARIES", list, 1);
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(cudaMemsetAsync(a, 0, 16, blocking), cudaSuccess);
    std::thread(makeHandles).join();
    makeHandles();
    ASSERT_EQ(cudaStreamEndCapture(blocking, &graph), cudaSuccess) << list;
    EXPECT_EQ(nodesOf(graph).size(), 1u);
    ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  }
  ASSERT_EQ(cudaStreamDestroy(blocking), cudaSuccess);
}

/// Work in a stream, during which another thread asks about captures.
struct Question {
  cudaStream_t about = nullptr;
  bool isEnding = false, wasEnding = false;
  cudaError_t answer = cudaErrorUnknown;

  static void ask(void *data) {
    auto &question = *static_cast<Question *>(data);
    question.wasEnding = question.isEnding;
    std::thread([&] {
      cudaStreamCaptureStatus status;
      question.answer = cudaStreamIsCapturing(question.about, &status);
    }).join();
  }
};

// Who ends a capture may have to wait for work in a workspace that nobody has any more;
// nobody else waits for that.
TEST_F(VendorCaptureTest, OthersGoOnWhileAWorkspaceIsBusy) {
  Floats a({1, 2, 3, 4}), c({5, 5, 5, 5});
  Question question;
  cudaGraph_t busy = captureProduct(a, a, c), ended = nullptr;
  captureProduct(a, a, c); // two more workspaces, which are kept when they are unused
  captureProduct(a, a, c);
  ASSERT_EQ(cudaStreamCreate(&question.about), cudaSuccess);
  cudaGraphExec_t exec = instantiate(busy);
  ASSERT_EQ(cudaLaunchHostFunc(stream, Question::ask, &question), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  ASSERT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  execs.clear();
  ASSERT_EQ(cudaGraphDestroy(busy), cudaSuccess);
  // The next capture takes the busy one, without a node that has it.
  ASSERT_EQ(cublasSetStream(handle, other), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamBeginCapture(other, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(multiply(a, a, c, -1), CUBLAS_STATUS_INVALID_VALUE);
  for (size_t index : {1, 2})
    ASSERT_EQ(cudaGraphDestroy(graphs[index]), cudaSuccess);
  graphs.clear();
  question.isEnding = true;
  EXPECT_EQ(cudaStreamEndCapture(other, &ended), cudaSuccess);
  question.isEnding = false;
  EXPECT_TRUE(question.wasEnding);
  EXPECT_EQ(question.answer, cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(ended), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(question.about), cudaSuccess);
}

TEST_F(VendorCaptureTest, GraphsOfBeforeAResetAreDead) {
  {
    Floats a({1, 2, 3, 4}), c({5, 5, 5, 5});
    instantiate(captureProduct(a, a, c));
  }
  ASSERT_EQ(cublasDestroy(handle), CUBLAS_STATUS_SUCCESS);
  handle = nullptr;
  for (cudaStream_t *each : {&stream, &other})
    ASSERT_EQ(cudaStreamDestroy(*each), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  for (cudaStream_t *each : {&stream, &other})
    ASSERT_EQ(cudaStreamCreate(each), cudaSuccess);
  EXPECT_NE(cudaGraphLaunch(execs[0], stream), cudaSuccess);
  cudaGetLastError();
}

} // namespace
