// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles at the edges: a source lane below 0 or above the width is taken
// modulo the width, a distance at or above the width leaves the value, and the
// width need not be a constant nor the same in all lanes' segments.
// CUDA C++ Programming Guide: Warp Shuffle Functions.

#include "Inputs/check.h"

__global__ void edges(int *out, int width) {
  int lane = threadIdx.x, v = lane + 1000;
  out[lane] = __shfl_sync(~0u, v, lane - 40, width);
  out[32 + lane] = __shfl_sync(~0u, v, lane + 1000000, width);
  out[64 + lane] = __shfl_up_sync(~0u, v, width, width);
  out[96 + lane] = __shfl_down_sync(~0u, v, width, width);
  out[128 + lane] = __shfl_up_sync(~0u, v, 0, width);
  out[160 + lane] = __shfl_xor_sync(~0u, v, 0, width);
  out[192 + lane] = __shfl_down_sync(~0u, v, width - 1, width);
}

// The source lane differs from lane to lane, and so does the distance.
__global__ void perLane(int *out) {
  int lane = threadIdx.x, v = lane * 3;
  out[lane] = __shfl_sync(~0u, v, (lane * 7 + 3) % 32);
  out[32 + lane] = __shfl_up_sync(~0u, v, lane / 2);
  out[64 + lane] = __shfl_down_sync(~0u, v, lane % 5, 8);
  out[96 + lane] = __shfl_xor_sync(~0u, v, lane % 4);
}

static int modulo(int a, int n) { return ((a % n) + n) % n; }

int main() {
  check::Array<int> out(224);
  for (int w = 1; w <= 32; w *= 2) {
    edges<<<1, 32>>>(out, w);
    out.get();
    for (int i = 0; i < 32; ++i) {
      int base = i / w * w;
      CHECK_AT(w, out.host[i], base + modulo(i - 40, w) + 1000);
      CHECK_AT(w, out.host[32 + i], base + modulo(i + 1000000, w) + 1000);
      CHECK_AT(w, out.host[64 + i], i + 1000);
      CHECK_AT(w, out.host[96 + i], i + 1000);
      CHECK_AT(w, out.host[128 + i], i + 1000);
      CHECK_AT(w, out.host[160 + i], i + 1000);
      CHECK_AT(w, out.host[192 + i], (i % w ? i : i + w - 1) + 1000);
    }
  }
  perLane<<<1, 32>>>(out);
  out.get();
  for (int i = 0; i < 32; ++i) {
    CHECK_AT(i, out.host[i], (i * 7 + 3) % 32 * 3);
    CHECK_AT(i, out.host[32 + i], (i - i / 2) * 3);
    CHECK_AT(i, out.host[64 + i], (i % 8 + i % 5 < 8 ? i + i % 5 : i) * 3);
    CHECK_AT(i, out.host[96 + i], (i ^ (i % 4)) * 3);
  }
  return check::finish("shuffle_edges");
}
