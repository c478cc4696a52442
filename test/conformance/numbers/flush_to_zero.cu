// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS:
// FLAGS: -ftz=true -DFLUSH
// FLAGS: -use_fast_math -DFLUSH
//
// -ftz: subnormal operands and results of float arithmetic become zeros of the
// same sign; by default they stay. Double is never flushed.
// nvcc: --ftz, --use_fast_math. CUDA C++ Programming Guide: Floating-Point.

#include "Inputs/floats.h"

__global__ void kernel(const float *in, float *out, const double *d,
                       double *e) {
  float tiny = in[0], normal = in[1], half = in[2], zero = in[3], big = in[4];
  out[0] = tiny + zero;
  out[1] = normal * half;
  out[2] = -tiny * 1.5f;
  out[3] = tiny * big; // normal, if the operand is not flushed
  out[4] = fmaf(normal, half, zero);
  out[5] = normal - normal * 1.25f;
  out[6] = __fadd_rn(tiny, tiny);
  out[7] = __fmul_rz(normal, -half);
  out[8] = in[0]; // copies are no arithmetic
  e[0] = d[0] + 0.0;
  e[1] = d[1] * 0.5;
}

int main() {
  const float least = 1.17549435e-38f, tiny = 1e-40f;
  check::Array<float> in(std::vector<float>{tiny, least, 0.5f, 0, 1e30f}),
      out(9);
  check::Array<double> d(std::vector<double>{1e-310, 2.2250738585072014e-308});
  check::Array<double> e(2);
  kernel<<<1, 1>>>(in, out, d, e);
#ifdef FLUSH
  const float want[] = {0, 0, -0.0f, 0, 0, -0.0f, 0, -0.0f, tiny};
#else
  const float want[] = {tiny,         least / 2,  -tiny * 1.5f,
                        tiny * 1e30f, least / 2,  -least / 4,
                        tiny + tiny,  -least / 2, tiny};
#endif
  out.get();
  for (int i = 0; i < 9; ++i)
    CHECK_AT(i, out.host[i], want[i]);
  CHECK_EQ(e.get()[0], 1e-310);
  CHECK_EQ(e.host[1], 1.1125369292536007e-308);
  return check::finish("flush_to_zero");
}
