// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels in CUDA. Kernels.cl has the same ones, statement by statement.

#include "Workload.h"

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));      \
      std::exit(1);                                                            \
    }                                                                          \
  } while (false)

__global__ void vectorAdd(const float *a, const float *b, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < VECTOR_SIZE)
    c[i] = a[i] + b[i];
}

__global__ void matmul(const float *a, const float *b, float *c) {
  __shared__ float tileA[TILE][TILE], tileB[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
  float sum = 0;
  for (int tile = 0; tile < MATRIX_SIZE; tile += TILE) {
    tileA[y][x] = a[row * MATRIX_SIZE + tile + x];
    tileB[y][x] = b[(tile + y) * MATRIX_SIZE + column];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += tileA[y][k] * tileB[k][x];
    __syncthreads();
  }
  c[row * MATRIX_SIZE + column] = sum;
}

__global__ void stencil(const float *a, const float *, float *c) {
  __shared__ float tile[TILE + 2][TILE + 2];
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  int column = blockIdx.x * TILE + threadIdx.x;
  int row = blockIdx.y * TILE + threadIdx.y;
  int center = row * IMAGE_SIZE + column;
  tile[y][x] = a[center];
  if (x == 1)
    tile[y][0] = column > 0 ? a[center - 1] : 0;
  if (x == TILE)
    tile[y][TILE + 1] = column < IMAGE_SIZE - 1 ? a[center + 1] : 0;
  if (y == 1)
    tile[0][x] = row > 0 ? a[center - IMAGE_SIZE] : 0;
  if (y == TILE)
    tile[TILE + 1][x] = row < IMAGE_SIZE - 1 ? a[center + IMAGE_SIZE] : 0;
  __syncthreads();
  c[center] = 0.5f * tile[y][x] + 0.125f * (tile[y - 1][x] + tile[y + 1][x] +
                                            tile[y][x - 1] + tile[y][x + 1]);
}

__global__ void reduce(const float *a, const float *, float *c) {
  __shared__ float sums[BLOCK_SIZE];
  int lane = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + lane; i < REDUCE_SIZE;
       i += gridDim.x * blockDim.x)
    sum += a[i];
  sums[lane] = sum;
  __syncthreads();
  for (int half = BLOCK_SIZE / 2; half > 0; half /= 2) {
    if (lane < half)
      sums[lane] += sums[lane + half];
    __syncthreads();
  }
  if (lane == 0)
    c[blockIdx.x] = sums[0];
}

__global__ void nBody(const float4 *bodies, const float4 *, float4 *forces) {
  __shared__ float4 tile[BLOCK_SIZE];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 own = bodies[i];
  float x = 0, y = 0, z = 0;
  for (int start = 0; start < BODY_COUNT; start += BLOCK_SIZE) {
    tile[threadIdx.x] = bodies[start + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < BLOCK_SIZE; ++k) {
      float4 other = tile[k];
      float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float scale = other.w * inverse * inverse * inverse;
      x += dx * scale;
      y += dy * scale;
      z += dz * scale;
    }
    __syncthreads();
  }
  forces[i] = make_float4(x, y, z, 0);
}

__global__ void histogram(const unsigned *, const unsigned *values,
                          unsigned *bins) {
  __shared__ unsigned own[BIN_COUNT];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < HISTOGRAM_SIZE;
       i += gridDim.x * blockDim.x)
    atomicAdd(&own[values[i] % BIN_COUNT], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void empty(const float *, const float *, float *) {}

namespace het::benchmark {
namespace {

class CudaDevice : public Device {
public:
  CudaDevice() {
    CHECK(cudaMalloc(&first, bufferBytes));
    CHECK(cudaMalloc(&second, bufferBytes));
    CHECK(cudaMalloc(&output, bufferBytes));
  }
  ~CudaDevice() override {
    CHECK(cudaFree(first));
    CHECK(cudaFree(second));
    CHECK(cudaFree(output));
  }

  void write(const void *a, const void *b) override {
    CHECK(cudaMemcpy(first, a, bufferBytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(second, b, bufferBytes, cudaMemcpyHostToDevice));
  }
  void clearOutput() override { CHECK(cudaMemset(output, 0, bufferBytes)); }
  void synchronize() override { CHECK(cudaDeviceSynchronize()); }
  void readOutput(void *to) override {
    CHECK(cudaMemcpy(to, output, bufferBytes, cudaMemcpyDeviceToHost));
  }

  void launch(Kernel kernel) override {
    Shape shape = shapeOf(kernel);
    void *arguments[] = {&first, &second, &output};
    CHECK(cudaLaunchKernel(
        functionOf(kernel), dim3(shape.grid[0], shape.grid[1]),
        dim3(shape.block[0], shape.block[1]), arguments, 0, nullptr));
  }

private:
  static const void *functionOf(Kernel kernel) {
    switch (kernel) {
    case Kernel::VectorAdd:
      return (const void *)vectorAdd;
    case Kernel::Matmul:
      return (const void *)matmul;
    case Kernel::Stencil:
      return (const void *)stencil;
    case Kernel::Reduce:
      return (const void *)reduce;
    case Kernel::NBody:
      return (const void *)nBody;
    case Kernel::Histogram:
      return (const void *)histogram;
    case Kernel::Empty:
      break;
    }
    return (const void *)empty;
  }

  void *first, *second, *output;
};

} // namespace

std::unique_ptr<Device> openCudaDevice() {
  return std::make_unique<CudaDevice>();
}

} // namespace het::benchmark
