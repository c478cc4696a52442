// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcublas
//
// Calls of cuBLAS among kernels, copies and events: each begins when what is before it in
// its stream is done, and ends before what is behind it begins, whoever carries it out.

#include "Inputs/blas.h"

using namespace blas;

// Small where devices are simulated (HET_LITMUS_RUNS).
static const int size = check::setting("HET_LITMUS_RUNS", 1 << 20) <= 2000 ? 16 : 96;
static const int count = size * size;
constexpr cublasOperation_t plainly = CUBLAS_OP_N;

__global__ void add(float *to, float value, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    to[i] += value;
}

static std::vector<float> identity(float scale) {
  std::vector<float> values(count);
  for (int i = 0; i < size; ++i)
    values[i * (size + 1)] = scale;
  return values;
}

/// c = 2 (a + 1), and then c = c + 1, `rounds` times with a = c.
static void rounds(cublasHandle_t handle, cudaStream_t stream, int rounds,
                   const float *twice, float *a, float *c) {
  const float one = 1, zero = 0;
  for (int round = 0; round < rounds; ++round) {
    add<<<(count + 255) / 256, 256, 0, stream>>>(a, 1, count);
    BLAS(cublasSgemm(handle, plainly, plainly, size, size, size, &one, twice, size, a,
                     size, &zero, c, size));
    add<<<(count + 255) / 256, 256, 0, stream>>>(c, 1, count);
    CUDA(cudaMemcpyAsync(a, c, count * sizeof(float), cudaMemcpyDeviceToDevice, stream));
  }
}

static std::vector<float> expected(int rounds) {
  float value = 0;
  for (int round = 0; round < rounds; ++round)
    value = 2 * (value + 1) + 1;
  return std::vector<float>(count, value);
}

static void checkStream(cublasHandle_t handle, cudaStream_t stream, const float *twice) {
  BLAS(cublasSetStream(handle, stream));
  check::Array<float> a(count), c(count);
  CUDA(cudaDeviceSynchronize()); // they are filled in the legacy stream
  rounds(handle, stream, 8, twice, a, c);
  std::vector<float> found(count);
  CUDA(cudaMemcpyAsync(found.data(), c, count * sizeof(float), cudaMemcpyDeviceToHost,
                       stream));
  CUDA(cudaStreamSynchronize(stream));
  compare(found, expected(8));
}

// One stream's product is the other's factor.
static void checkEvents(cublasHandle_t handle, const float *twice) {
  const float one = 1, zero = 0;
  cudaStream_t first, second;
  cudaEvent_t event;
  CUDA(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CUDA(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CUDA(cudaEventCreate(&event));
  check::Array<float> a(count), b(count), c(count);
  CUDA(cudaDeviceSynchronize());
  BLAS(cublasSetStream(handle, first));
  rounds(handle, first, 4, twice, a, b);
  CUDA(cudaEventRecord(event, first));
  CUDA(cudaStreamWaitEvent(second, event, 0));
  BLAS(cublasSetStream(handle, second));
  BLAS(cublasSgemm(handle, plainly, plainly, size, size, size, &one, twice, size, b, size,
                   &zero, c, size));
  std::vector<float> wanted = expected(4);
  for (float &value : wanted)
    value *= 2;
  CUDA(cudaStreamSynchronize(second));
  compare(c.get(), wanted);
  CUDA(cudaEventDestroy(event));
  CUDA(cudaStreamDestroy(first));
  CUDA(cudaStreamDestroy(second));
}

// Factors on the device are those that a kernel before the call has written.
static void checkFactors(cublasHandle_t handle, const float *twice) {
  check::Array<float> factors(count), a(std::vector<float>(count, 3)), c(count);
  BLAS(cublasSetStream(handle, nullptr));
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  add<<<(count + 255) / 256, 256>>>(factors, 2, count);
  BLAS(cublasSgemm(handle, plainly, plainly, size, size, size, factors, twice, size, a,
                   size, factors + 1, c, size));
  add<<<(count + 255) / 256, 256>>>(factors, 5, count);
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  compare(c.get(), std::vector<float>(count, 12));
}

static void checkGraph(cublasHandle_t handle, const float *twice) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  CUDA(cudaStreamCreate(&stream));
  check::Array<float> a(count), c(count);
  BLAS(cublasSetStream(handle, stream));
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  rounds(handle, stream, 2, twice, a, c);
  CUDA(cudaStreamEndCapture(stream, &graph));
  CUDA(cudaGraphInstantiate(&instance, graph, 0));
  for (int launch = 0; launch < 3; ++launch)
    CUDA(cudaGraphLaunch(instance, stream));
  rounds(handle, stream, 1, twice, a, c);
  compare(c.get(), expected(7));
  CUDA(cudaGraphExecDestroy(instance));
  CUDA(cudaGraphDestroy(graph));
  BLAS(cublasSetStream(handle, nullptr));
  CUDA(cudaStreamDestroy(stream));
}

int main() {
  Handle handle;
  check::Array<float> twice(identity(2));
  cudaStream_t blocking, apart;
  CUDA(cudaStreamCreate(&blocking));
  CUDA(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
  for (cudaStream_t stream :
       {cudaStream_t(nullptr), blocking, apart, cudaStreamPerThread})
    checkStream(handle, stream, twice);
  checkEvents(handle, twice);
  checkFactors(handle, twice);
  checkGraph(handle, twice);
  CUDA(cudaStreamDestroy(blocking));
  CUDA(cudaStreamDestroy(apart));
  return check::finish("order");
}
