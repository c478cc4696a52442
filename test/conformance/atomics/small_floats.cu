// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicAdd for __half, __half2, __nv_bfloat16 and __nv_bfloat162: neighbours
// in the same word stay as they are, and no update is lost.
// CUDA C++ Programming Guide: Atomic Functions, atomicAdd.

#include "Inputs/check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void kernel(__half *h, __half2 *h2, __nv_bfloat16 *b,
                       __nv_bfloat162 *b2, float *old) {
  unsigned t = threadIdx.x;
  atomicAdd(&h[1], __float2half(1.0f));
  atomicAdd(&h[2 + t % 2], __float2half(0.5f));
  atomicAdd(h2, __floats2half2_rn(1.0f, -2.0f));
  atomicAdd(&b[1], __float2bfloat16(1.0f));
  atomicAdd(b2, __floats2bfloat162_rn(0.25f, -1.0f));
  if (t == 0)
    old[0] = __half2float(atomicAdd(&h[4], __float2half(3.0f)));
}

int main() {
  check::Array<__half> h(8);
  check::Array<__half2> h2(1);
  check::Array<__nv_bfloat16> b(4);
  check::Array<__nv_bfloat162> b2(1);
  check::Array<float> old(1);
  for (int i = 0; i < 8; ++i)
    h.host[i] = __float2half(10.0f * i);
  h.put();
  kernel<<<1, 128>>>(h, h2, b, b2, old);
  h.get(), h2.get(), b.get(), b2.get();
  const float want[8] = {0, 138, 52, 62, 43, 50, 60, 70};
  for (int i = 0; i < 8; ++i)
    CHECK_AT(i, __half2float(h.host[i]), want[i]);
  CHECK_EQ(__low2float(h2.host[0]), 128.0f);
  CHECK_EQ(__high2float(h2.host[0]), -256.0f);
  CHECK_EQ(__bfloat162float(b.host[0]), 0.0f);
  CHECK_EQ(__bfloat162float(b.host[1]), 128.0f);
  CHECK_EQ(__bfloat162float(b.host[2]), 0.0f);
  CHECK_EQ(__low2float(b2.host[0]), 32.0f);
  CHECK_EQ(__high2float(b2.host[0]), -128.0f);
  CHECK_EQ(old.get()[0], 40.0f);
  return check::finish("small_floats");
}
