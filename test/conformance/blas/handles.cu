// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcublas
//
// cuBLAS's handles: settings, streams, graphs that hold its calls, copies of vectors and
// matrices; and cuBLASXt, whose matrices are the program's.

#include "Inputs/blas_matrix.h"
#include <cublasXt.h>

using namespace blas;

static void checkSettings(cublasHandle_t handle) {
  int version = 0, major = 0;
  BLAS(cublasGetVersion(handle, &version));
  CHECK_EQ(version, CUBLAS_VERSION);
  BLAS(cublasGetProperty(MAJOR_VERSION, &major));
  CHECK_EQ(major, CUBLAS_VER_MAJOR);
  cublasMath_t math = CUBLAS_PEDANTIC_MATH;
  BLAS(cublasGetMathMode(handle, &math));
  CHECK_EQ(math, CUBLAS_DEFAULT_MATH);
  BLAS(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
  BLAS(cublasGetMathMode(handle, &math));
  CHECK_EQ(math, CUBLAS_TF32_TENSOR_OP_MATH);
  BLAS_ERROR(cublasSetMathMode(handle, cublasMath_t(9)), CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(cublasSetPointerMode(handle, cublasPointerMode_t(2)),
             CUBLAS_STATUS_INVALID_VALUE);
  BLAS(cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_ALLOWED));
  BLAS_ERROR(cublasSetWorkspace(handle, (void *)8, 100), CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(cublasCreate(nullptr), CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(cublasDestroy(nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK_TRUE(!strcmp(cublasGetStatusName(CUBLAS_STATUS_ALLOC_FAILED),
                     "CUBLAS_STATUS_ALLOC_FAILED"));
}

/// A call is work of its stream, in the order in which it was put there.
static void checkStreams(cublasHandle_t handle) {
  cudaStream_t streams[2], current = nullptr;
  std::vector<float> ones(100000, 1);
  check::Array<float> x(ones), y(ones), sums(2);
  const float two = 2;
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  check::Array<float> factor(std::vector<float>{two});
  for (int i = 0; i < 2; ++i) {
    CUDA(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    BLAS(cublasSetStream(handle, streams[i]));
    BLAS(cublasGetStream(handle, &current));
    CHECK_TRUE(current == streams[i]);
    float *vector = i ? y : x;
    for (int n = 0; n <= i; ++n)
      BLAS(cublasSscal(handle, 100000, factor, vector, 1));
    BLAS(cublasSdot(handle, 100000, vector, 1, vector, 1, sums + i));
  }
  for (cudaStream_t stream : streams)
    CUDA(cudaStreamSynchronize(stream));
  compare(sums.get(), {400000, 1600000});
  BLAS(cublasSetStream(handle, nullptr));
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  for (cudaStream_t stream : streams)
    CUDA(cudaStreamDestroy(stream));
}

/// Calls that were captured run each time the graph does.
static void checkGraph(cublasHandle_t handle) {
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  BLAS(cublasSetStream(handle, stream));
  check::Array<float> a(std::vector<float>{1, 0, 1, 1}),
      b(std::vector<float>{1, 0, 0, 1});
  const float one = 1, zero = 0;
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  // In place: the old B is kept in memory of the graph's own.
  BLAS(cublasStrmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                   CUBLAS_DIAG_NON_UNIT, 2, 2, &one, a, 2, b, 2, b, 2));
  BLAS(
      cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, &one, b, 2, &zero, b, 2, b, 2));
  CUDA(cudaStreamEndCapture(stream, &graph));
  CUDA(cudaGraphInstantiate(&instance, graph, 0));
  for (int i = 0; i < 5; ++i)
    CUDA(cudaGraphLaunch(instance, stream));
  CUDA(cudaStreamSynchronize(stream));
  compare(b.get(), {1, 0, 5, 1});
  CUDA(cudaGraphExecDestroy(instance));
  CUDA(cudaGraphDestroy(graph));
  BLAS(cublasSetStream(handle, nullptr));
  CUDA(cudaStreamDestroy(stream));
}

static void checkCopies() {
  check::Array<int> device(60);
  std::vector<int> matrix(7 * 5), back(8 * 5, -1);
  for (size_t i = 0; i < matrix.size(); ++i)
    matrix[i] = static_cast<int>(i);
  BLAS(cublasSetMatrix(4, 5, sizeof(int), matrix.data(), 7, device, 6));
  BLAS(cublasGetMatrix(4, 5, sizeof(int), device, 6, back.data(), 8));
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 8; ++i)
      CHECK_AT(i, back[i + j * 8], i < 4 ? matrix[i + j * 7] : -1);
  device.fill(0);
  BLAS(cublasSetVector(5, sizeof(int), matrix.data(), 2, device, 3));
  BLAS(cublasGetVector(5, sizeof(int), device, 3, back.data(), 1));
  for (int i = 0; i < 5; ++i)
    CHECK_AT(i, back[i], 2 * i);
  BLAS_ERROR(cublasSetMatrix(4, 5, sizeof(int), matrix.data(), 3, device, 6),
             CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(cublasGetVector(5, 0, device, 3, back.data(), 1),
             CUBLAS_STATUS_INVALID_VALUE);
}

static void checkXt() {
  constexpr int m = 40, n = 20, k = 30;
  cublasXtHandle_t handle = nullptr;
  BLAS(cublasXtCreate(&handle));
  int device = 0, far = 1000;
  BLAS_ERROR(cublasXtDeviceSelect(handle, 1, &far), CUBLAS_STATUS_INVALID_VALUE);
  BLAS(cublasXtDeviceSelect(handle, 1, &device));
  std::vector<double> a = numbers<double>(m * k, 1), b = numbers<double>(k * n, 2),
                      c = numbers<double>(m * n, 3), expected = c;
  const double alpha = 2, beta = -1;
  const auto p = product(dense(a, m, k, m), dense(b, k, n, k));
  for (int i = 0; i < m * n; ++i)
    expected[i] = alpha * p.values[i] + beta * c[i];
  BLAS(cublasXtDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a.data(), m,
                     b.data(), k, &beta, c.data(), m));
  compare(c, expected);
  std::vector<double> triangle = divisible<double>(m, m, 4),
                      x = numbers<double>(m * n, 5);
  const double one = 1;
  const std::vector<double> before = x;
  BLAS(cublasXtDtrmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                     CUBLAS_DIAG_NON_UNIT, m, n, &one, triangle.data(), m, x.data(), m,
                     x.data(), m));
  BLAS(cublasXtDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                     CUBLAS_DIAG_NON_UNIT, m, n, &one, triangle.data(), m, x.data(), m));
  compare(x, before);
  BLAS_ERROR(cublasXtDspmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, m, n, &one,
                           a.data(), b.data(), m, &one, c.data(), m),
             CUBLAS_STATUS_NOT_SUPPORTED);
  BLAS(cublasXtDestroy(handle));
}

int main() {
  {
    Handle handle;
    checkSettings(handle);
    checkStreams(handle);
    checkGraph(handle);
    checkCopies();
    checkXt();
  }
  return check::finish("handles");
}
