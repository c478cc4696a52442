// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that have ended are no longer waited for: whole warps, parts of warps
// and single lanes return before barriers, at different times.
// PTX ISA: bar.sync; CUDA C++ Programming Guide: Synchronization Functions.

#include "Inputs/check.h"

__global__ void kernel(int *out, int kind) {
  __shared__ int box[128];
  int t = threadIdx.x;
  box[t] = -1;
  __syncthreads();
  bool gone = kind == 0   ? t >= 64
              : kind == 1 ? t % 32 >= 10
              : kind == 2 ? t == 37
                          : t != 5;
  if (gone) {
    out[t] = -t;
    return;
  }
  box[t] = t * 2;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 128; ++i)
    sum += box[i];
  for (int round = 0; round < 4; ++round) {
    if (t % 4 == round && kind != 3)
      break; // leaves, and then ends
    __syncthreads();
    ++sum;
  }
  out[t] = sum;
}

int main() {
  check::Array<int> out(128);
  for (int kind = 0; kind < 4; ++kind) {
    out.fill(0);
    kernel<<<1, 128>>>(out, kind);
    out.get();
    auto gone = [=](int t) {
      return kind == 0   ? t >= 64
             : kind == 1 ? t % 32 >= 10
             : kind == 2 ? t == 37
                         : t != 5;
    };
    int sum = 0;
    for (int t = 0; t < 128; ++t)
      sum += gone(t) ? -1 : t * 2;
    for (int t = 0; t < 128; ++t)
      CHECK_AT(kind * 1000 + t, out.host[t],
               gone(t) ? -t : sum + (kind == 3 ? 4 : t % 4));
  }
  return check::finish("early_return");
}
