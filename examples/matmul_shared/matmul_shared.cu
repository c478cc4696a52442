// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B with tiles in shared memory. Two barriers in each step of a loop:
// one before a tile is read, one before it is overwritten.
//
//   hetcc matmul_shared.cu -o matmul_shared && ./matmul_shared

#include <cmath>
#include <cstdio>

constexpr int tile = 16;

__global__ void multiply(const float *a, const float *b, float *c, int n) {
  __shared__ float tileA[tile][tile];
  __shared__ float tileB[tile][tile];
  int row = blockIdx.y * tile + threadIdx.y;
  int column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    int columnA = k + threadIdx.x, rowB = k + threadIdx.y;
    tileA[threadIdx.y][threadIdx.x] =
        row < n && columnA < n ? a[row * n + columnA] : 0;
    tileB[threadIdx.y][threadIdx.x] =
        rowB < n && column < n ? b[rowB * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n)
    c[row * n + column] = sum;
}

int main() {
  const int n = 250; // No multiple of the tile.
  float *a, *b, *c;
  cudaMallocManaged(&a, n * n * sizeof(float));
  cudaMallocManaged(&b, n * n * sizeof(float));
  cudaMallocManaged(&c, n * n * sizeof(float));
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i % 17) / 16;
    b[i] = static_cast<float>(i % 13) / 8;
  }

  dim3 threads(tile, tile);
  dim3 blocks((n + tile - 1) / tile, (n + tile - 1) / tile);
  multiply<<<blocks, threads>>>(a, b, c, n);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::fprintf(stderr, "multiply: %s\n", cudaGetErrorString(error));
    return 1;
  }

  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      double expected = 0;
      for (int k = 0; k < n; ++k)
        expected += static_cast<double>(a[row * n + k]) * b[k * n + column];
      if (std::fabs(c[row * n + column] - expected) > 1e-3 * expected) {
        std::printf("c[%d][%d]: found %g, expected %g\nFAILED\n", row, column,
                    c[row * n + column], expected);
        return 1;
      }
    }
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  std::printf("multiplied %dx%d matrices\nPASSED\n", n, n);
}
