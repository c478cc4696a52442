// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS:
// FLAGS: -prec-div=true -prec-sqrt=true
// FLAGS: -prec-div=false -prec-sqrt=false -DNEAR
// FLAGS: -use_fast_math -DNEAR -DFAST
// FLAGS: -prec-div=true -use_fast_math -prec-sqrt=true
//
// -prec-div, -prec-sqrt: x / y, 1 / x and sqrtf are rounded correctly, or lie
// within 2 units (3 for sqrtf), for all y. -use_fast_math: for / where |y| is in
// [2^-126, 2^126]; what is given beside it counts, in any order.
// __fdiv_rn, __frcp_rn and __fsqrt_rn always are rounded correctly.
// nvcc: --prec-div, --prec-sqrt. CUDA C++ Programming Guide: Intrinsics.

#include "Inputs/floats.h"

__global__ void kernel(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 >= n)
    return;
  out[i * 8] = in[i] / in[i + 1];
  out[i * 8 + 1] = 1.0f / in[i];
  out[i * 8 + 2] = sqrtf(in[i]);
  out[i * 8 + 3] = __fdividef(in[i], in[i + 1]); // always within 2
  out[i * 8 + 4] = __fdiv_rn(in[i], in[i + 1]);
  out[i * 8 + 5] = __frcp_rn(in[i]);
  out[i * 8 + 6] = __fsqrt_rn(in[i]);
  out[i * 8 + 7] = 0x1.5p127f / (0x1.8p126f + in[i] * 0x1p100f); // a large divisor
}

int main() {
  const int n = 2000;
  std::vector<float> values(n);
  unsigned state = 123;
  for (float &v : values)
    v = floats::fromBits<float>(0x30000000u +
                                check::random(state) % 0x20000000u);
  check::Array<float> in(values), out(n * 8);
  kernel<<<(n + 127) / 128, 128>>>(in, out, n);
  out.get();
#ifdef NEAR
  const int most = 2, root = 3;
#else
  const int most = 0, root = 0;
#endif
#ifdef FAST
  const int isFast = 1; // the last one is 0 or whatever the machine makes of it
#else
  const int isFast = 0;
#endif
  auto distance = [](float a, float b) {
    int x, y;
    memcpy(&x, &a, 4), memcpy(&y, &b, 4);
    return x > y ? x - y : y - x;
  };
  for (int i = 0; i + 1 < n; ++i) {
    volatile float x = values[i], y = values[i + 1];
    volatile float large = 0x1.8p126f + x * 0x1p100f;
    const float want[8] = {x / y, 1 / x, std::sqrt(x), x / y,
                           x / y, 1 / x, std::sqrt(x), 0x1.5p127f / large};
    const int allowed[8] = {most, most, root, 2, 0, 0, 0, most};
    for (int k = 0; k < 8 - isFast; ++k)
      if (distance(out.host[i * 8 + k], want[k]) > allowed[k])
        CHECK_AT(i * 10 + k, out.host[i * 8 + k], want[k]);
  }
  return check::finish("division_precision");
}
