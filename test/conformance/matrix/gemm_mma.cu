// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// not timed: the rate is shown where MATRIX_RUNS asks for it, and not checked
//
// A product of matrices of halves as fast kernels are written: tiles come to shared memory
// by cp.async, two ahead, go to registers by ldmatrix, and are multiplied by mma.sync.
// MATRIX_SIZE and MATRIX_RUNS make a benchmark of it.
// PTX ISA: cp.async, ldmatrix, mma.

#include "Inputs/check.h"
#include <chrono>
#include <cuda_fp16.h>

typedef unsigned u32;

constexpr int tileM = 64, tileN = 64, tileK = 32, stages = 3, pitch = tileK + 8;
constexpr int threads = 128; // four warps, 32 by 32 each

__device__ u32 sharedAddress(const void *p) { return (u32)__cvta_generic_to_shared(p); }

__device__ void copy16(void *to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(sharedAddress(to)), "l"(from) : "memory");
}

// A by rows, B by columns, C by rows.
__global__ void __launch_bounds__(threads)
    multiply(const __half *a, const __half *b, float *c, int n, int k) {
  __shared__ __align__(16) __half as[stages][tileM][pitch], bs[stages][tileN][pitch];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int firstM = blockIdx.y * tileM, firstN = blockIdx.x * tileN;
  const int warpM = warp / 2 * 32, warpN = warp % 2 * 32;
  float sums[2][4][4] = {};
  auto fetch = [&](int stage, int first) {
    if (first < k)
      for (int i = thread; i < tileM * tileK / 8; i += threads) {
        const int row = i / (tileK / 8), column = i % (tileK / 8) * 8;
        copy16(&as[stage][row][column], &a[(size_t)(firstM + row) * k + first + column]);
        copy16(&bs[stage][row][column], &b[(size_t)(firstN + row) * k + first + column]);
      }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  for (int stage = 0; stage < stages - 1; ++stage)
    fetch(stage, stage * tileK);
  for (int first = 0, stage = 0; first < k; first += tileK, stage = (stage + 1) % stages) {
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    fetch((stage + stages - 1) % stages, first + (stages - 1) * tileK);
    for (int inner = 0; inner < tileK; inner += 16) {
      u32 fa[2][4], fb[4][2];
      for (int i = 0; i < 2; ++i)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(fa[i][0]), "=r"(fa[i][1]), "=r"(fa[i][2]), "=r"(fa[i][3])
                     : "r"(sharedAddress(
                         &as[stage][warpM + i * 16 + lane % 16][inner + lane / 16 * 8])));
      for (int j = 0; j < 4; j += 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(fb[j][0]), "=r"(fb[j][1]), "=r"(fb[j + 1][0]), "=r"(fb[j + 1][1])
                     : "r"(sharedAddress(&bs[stage][warpN + j * 8 + lane / 16 * 8 + lane % 8]
                                            [inner + lane / 8 % 2 * 8])));
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
          asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                       "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                       : "+f"(sums[i][j][0]), "+f"(sums[i][j][1]), "+f"(sums[i][j][2]),
                         "+f"(sums[i][j][3])
                       : "r"(fa[i][0]), "r"(fa[i][1]), "r"(fa[i][2]), "r"(fa[i][3]),
                         "r"(fb[j][0]), "r"(fb[j][1]));
    }
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int e = 0; e < 4; ++e) {
        const int row = firstM + warpM + i * 16 + lane / 4 + e / 2 * 8;
        const int column = firstN + warpN + j * 8 + lane % 4 * 2 + e % 2;
        c[(size_t)row * n + column] = sums[i][j][e];
      }
}

int main() {
  const int size = (int)check::setting("MATRIX_SIZE", 128);
  const int m = size, n = size * 3 / 2, k = size * 2;
  unsigned state = 99;
  std::vector<__half> a((size_t)m * k), b((size_t)n * k);
  for (auto *matrix : {&a, &b})
    for (__half &element : *matrix) // sums are exact in any order
      element = __float2half((float)((int)(check::random(state) % 17) - 8) / 4);
  check::Array<__half> da(a), db(b);
  check::Array<float> dc((size_t)m * n);
  const auto start = std::chrono::steady_clock::now();
  const int runs = (int)check::setting("MATRIX_RUNS", 1);
  for (int run = 0; run < runs; ++run)
    multiply<<<dim3(n / tileN, m / tileM), threads>>>(da, db, dc, n, k);
  dc.get();
  if (runs > 1) {
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    printf("%.2f GFLOP/s\n", 2.0 * m * n * k * runs / took.count() / 1e9);
  }
  for (int i = 0; i < m; i += m > 256 ? 37 : 1)
    for (int j = 0; j < n; j += m > 256 ? 41 : 1) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += __half2float(a[(size_t)i * k + l]) * __half2float(b[(size_t)j * k + l]);
      CHECK_AT(i * n + j, dc.host[(size_t)i * n + j], sum);
    }
  return check::finish("gemm_mma");
}
