// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// not timed: the rate is shown where MATRIX_RUNS asks for it, and not checked
//
// A product of matrices of halves by nvcuda::wmma, with tiles in shared memory, scaled by
// the fragments' elements as CUDA's sample does it.
// CUDA C++ Programming Guide, "Warp Matrix Functions".

#include "Inputs/check.h"
#include <chrono>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int tile = 64, depth = 32, pitch = depth + 16, threads = 128;

// D = alpha A B + beta C; A by rows, B by columns, C and D by rows.
__global__ void multiply(const half *a, const half *b, const float *c, float *d, int n,
                         int k, float alpha, float beta) {
  __shared__ __align__(32) half as[tile][pitch], bs[tile][pitch];
  const int thread = threadIdx.x, warp = thread / 32;
  const int firstM = blockIdx.y * tile, firstN = blockIdx.x * tile;
  const int warpM = warp / 2 * 32, warpN = warp % 2 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::fill_fragment(sums[i][j], 0.0f);
  for (int first = 0; first < k; first += depth) {
    for (int i = thread; i < tile * depth / 8; i += threads) {
      const int row = i / (depth / 8), column = i % (depth / 8) * 8;
      *(int4 *)&as[row][column] = *(const int4 *)&a[(size_t)(firstM + row) * k + first + column];
      *(int4 *)&bs[row][column] = *(const int4 *)&b[(size_t)(firstN + row) * k + first + column];
    }
    __syncthreads();
    for (int inner = 0; inner < depth; inner += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb[2];
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(fa[i], &as[warpM + i * 16][inner], pitch);
        wmma::load_matrix_sync(fb[i], &bs[warpN + i * 16][inner], pitch);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          wmma::mma_sync(sums[i][j], fa[i], fb[j], sums[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const size_t place = (size_t)(firstM + warpM + i * 16) * n + firstN + warpN + j * 16;
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> old;
      wmma::load_matrix_sync(old, c + place, n, wmma::mem_row_major);
      for (int e = 0; e < old.num_elements; ++e)
        sums[i][j].x[e] = alpha * sums[i][j].x[e] + beta * old.x[e];
      wmma::store_matrix_sync(d + place, sums[i][j], n, wmma::mem_row_major);
    }
}

int main() {
  const int size = (int)check::setting("MATRIX_SIZE", 128);
  const int m = size, n = size * 3 / 2, k = size * 2;
  unsigned state = 99;
  std::vector<half> a((size_t)m * k), b((size_t)n * k);
  std::vector<float> c((size_t)m * n);
  for (auto *matrix : {&a, &b})
    for (half &element : *matrix) // sums are exact in any order
      element = __float2half((float)((int)(check::random(state) % 17) - 8) / 4);
  for (float &element : c)
    element = (float)(check::random(state) % 100);
  check::Array<half> da(a), db(b);
  check::Array<float> dc(c), dd(c.size());
  const auto start = std::chrono::steady_clock::now();
  const int runs = (int)check::setting("MATRIX_RUNS", 1);
  for (int run = 0; run < runs; ++run)
    multiply<<<dim3(n / tile, m / tile), threads>>>(da, db, dc, dd, n, k, 0.5f, 2.0f);
  dd.get();
  if (runs > 1) {
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    printf("%.2f GFLOP/s\n", 2.0 * m * n * k * runs / took.count() / 1e9);
  }
  for (int i = 0; i < m; i += m > 256 ? 37 : 1)
    for (int j = 0; j < n; j += m > 256 ? 41 : 1) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += __half2float(a[(size_t)i * k + l]) * __half2float(b[(size_t)j * k + l]);
      CHECK_AT(i * n + j, dd.host[(size_t)i * n + j], 0.5f * sum + 2 * c[(size_t)i * n + j]);
    }
  return check::finish("gemm_wmma");
}
