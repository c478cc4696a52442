// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcublas
//
// cuBLAS's calls in captured graphs: in several streams, launched again and again and in
// two streams at once, cloned, updated, after their handle is gone; and cuBLASLt's. Numbers
// are small integers, so that results are exact in any order. cuBLAS Library: CUDA Graphs
// Support.

#include "Inputs/blas_matrix.h"
#include <cublasLt.h>

using namespace blas;

static const int n = check::isSlow() ? 16 : 96, elements = n * n;

static std::vector<float> numbers(int seed) {
  std::vector<float> values(elements);
  for (int i = 0; i < elements; ++i)
    values[i] = float((i * 7 + seed * 13 + i / n) % 5 - 2);
  return values;
}

static std::vector<float> product(const std::vector<float> &a,
                                  const std::vector<float> &b) {
  std::vector<float> c(elements);
  for (int column = 0; column < n; ++column)
    for (int k = 0; k < n; ++k)
      for (int row = 0; row < n; ++row)
        c[row + column * n] += a[row + k * n] * b[k + column * n];
  return c;
}

static void multiply(cublasHandle_t handle, const float *a, const float *b, float *c) {
  const float one = 1, zero = 0;
  BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c,
                   n));
}

static void expectProduct(const float *found, const std::vector<float> &expected) {
  std::vector<float> values(elements);
  CUDA(cudaMemcpy(values.data(), found, elements * sizeof(float),
                  cudaMemcpyDeviceToHost));
  for (int i = 0; i < elements; ++i)
    CHECK_AT(i, values[i], expected[i]);
}

struct Streams {
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  Streams() {
    for (cudaStream_t *each : {&first, &second})
      CUDA(cudaStreamCreateWithFlags(each, cudaStreamNonBlocking));
    for (cudaEvent_t *each : {&fork, &join})
      CUDA(cudaEventCreateWithFlags(each, cudaEventDisableTiming));
  }
  ~Streams() {
    for (cudaStream_t each : {first, second})
      CUDA(cudaStreamDestroy(each));
    for (cudaEvent_t each : {fork, join})
      CUDA(cudaEventDestroy(each));
  }
};

// d = (a b) a beside e = b b, by one handle in two streams.
static cudaGraph_t capture(cublasHandle_t handle, const Streams &streams, const float *a,
                           const float *b, float *c, float *d, float *e) {
  cudaGraph_t graph;
  CUDA(cudaStreamBeginCapture(streams.first, cudaStreamCaptureModeGlobal));
  CUDA(cudaEventRecord(streams.fork, streams.first));
  CUDA(cudaStreamWaitEvent(streams.second, streams.fork, 0));
  BLAS(cublasSetStream(handle, streams.first));
  multiply(handle, a, b, c);
  multiply(handle, c, a, d);
  BLAS(cublasSetStream(handle, streams.second));
  multiply(handle, b, b, e);
  CUDA(cudaEventRecord(streams.join, streams.second));
  CUDA(cudaStreamWaitEvent(streams.first, streams.join, 0));
  CUDA(cudaStreamEndCapture(streams.first, &graph));
  return graph;
}

static void testGraphs() {
  const std::vector<float> left = numbers(1), right = numbers(2);
  const std::vector<float> once = product(left, right), twice = product(once, left),
                           square = product(right, right);
  Streams streams;
  check::Array<float> a(left), b(right), c(elements), d(elements), e(elements);
  check::Array<float> c2(elements), d2(elements), e2(elements);
  CUDA(cudaDeviceSynchronize()); // streams do not wait for what has zeroed them
  cublasHandle_t handle;
  BLAS(cublasCreate(&handle));
  cudaGraph_t graph = capture(handle, streams, a, b, c, d, e), clone,
              other = capture(handle, streams, a, b, c2, d2, e2);
  CUDA(cudaGraphClone(&clone, graph));
  BLAS(cublasDestroy(handle));
  cudaGraphExec_t exec, otherExec, cloneExec;
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CUDA(cudaGraphInstantiate(&otherExec, other, 0));
  CUDA(cudaGraphInstantiate(&cloneExec, clone, 0));
  // Of two captures at once, and of one capture in two streams one after the other.
  for (int round = 0; round < (check::isSlow() ? 1 : 20); ++round) {
    CUDA(cudaGraphLaunch(exec, streams.first));
    CUDA(cudaGraphLaunch(otherExec, streams.second));
  }
  CUDA(cudaStreamSynchronize(streams.first));
  CUDA(cudaStreamSynchronize(streams.second));
  for (float *each : {(float *)d, (float *)d2})
    expectProduct(each, twice);
  for (float *each : {(float *)e, (float *)e2})
    expectProduct(each, square);
  CUDA(cudaMemsetAsync(d, 0, elements * sizeof(float), streams.second));
  CUDA(cudaGraphLaunch(cloneExec, streams.second));
  CUDA(cudaDeviceSynchronize());
  expectProduct(d, twice);

  CUDA(cudaMemsetAsync(d2, 0, elements * sizeof(float), streams.first));
  cudaGraphExecUpdateResultInfo info;
  CUDA(cudaGraphExecUpdate(exec, other, &info));
  for (cudaGraph_t each : {graph, clone, other})
    CUDA(cudaGraphDestroy(each));
  CUDA(cudaGraphLaunch(exec, streams.first));
  CUDA(cudaStreamSynchronize(streams.first));
  expectProduct(d2, twice);
  for (cudaGraphExec_t each : {exec, otherExec, cloneExec})
    CUDA(cudaGraphExecDestroy(each));
}

static void testLt() {
  const std::vector<float> left = numbers(3), right = numbers(4);
  Streams streams;
  check::Array<float> a(left), b(right), c(elements);
  check::Array<char> workspace(1 << 20);
  CUDA(cudaDeviceSynchronize());
  cublasLtHandle_t handle;
  cublasLtMatmulDesc_t description;
  cublasLtMatrixLayout_t layout;
  BLAS(cublasLtCreate(&handle));
  BLAS(cublasLtMatmulDescCreate(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  BLAS(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, n, n, n));
  const float one = 1, zero = 0;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CUDA(cudaStreamBeginCapture(streams.first, cudaStreamCaptureModeGlobal));
  BLAS(cublasLtMatmul(handle, description, &one, a, layout, b, layout, &zero, c, layout,
                      c, layout, nullptr, workspace, 1 << 20, streams.first));
  CUDA(cudaStreamEndCapture(streams.first, &graph));
  BLAS(cublasLtMatrixLayoutDestroy(layout));
  BLAS(cublasLtMatmulDescDestroy(description));
  BLAS(cublasLtDestroy(handle));
  CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CUDA(cudaGraphDestroy(graph));
  CUDA(cudaGraphLaunch(exec, streams.first));
  CUDA(cudaStreamSynchronize(streams.first));
  expectProduct(c, product(left, right));
  CUDA(cudaGraphExecDestroy(exec));
}

int main() {
  testGraphs();
  testLt();
  return check::finish("captured");
}
