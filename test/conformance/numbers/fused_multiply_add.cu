// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS:
// FLAGS: -fmad=true
// FLAGS: -fmad=false -DAPART
//
// -fmad: a * b + c is rounded once (the default), or twice; __fmul_rn,
// __fadd_rn and their double forms are never merged, fmaf always is fused.
// nvcc: --fmad. CUDA C++ Programming Guide: Floating-Point Standard.

#include "Inputs/floats.h"

__global__ void plain(const float *f, const double *d, float *fo,
                      double *dout) {
  float a = f[0], b = f[1], c = f[2];
  double x = d[0], y = d[1], z = d[2];
  fo[0] = a * b + c;
  dout[0] = x * y + z;
}
__global__ void minus(const float *f, const double *d, float *fo,
                      double *dout) {
  float a = f[0], b = f[1], c = f[2];
  double x = d[0], y = d[1], z = d[2];
  fo[3] = c - a * b;
  dout[3] = z - x * y;
}
__global__ void named(const float *f, const double *d, float *fo,
                      double *dout) {
  float a = f[0], b = f[1], c = f[2];
  double x = d[0], y = d[1], z = d[2];
  fo[1] = __fadd_rn(__fmul_rn(a, b), c);
  fo[2] = fmaf(a, b, c);
  dout[1] = __dadd_rn(__dmul_rn(x, y), z);
  dout[2] = fma(x, y, z);
}

int main() {
  // (1 + e)(1 - e) - 1 is -e * e, or 0 where the product is rounded to 1.
  const float e = 1.0f / 4096 / 2;
  const double g = 1.0 / (1 << 28);
  check::Array<float> f(std::vector<float>{1 + e, 1 - e, -1}), fo(4);
  check::Array<double> d(std::vector<double>{1 + g, 1 - g, -1}), dout(4);
  plain<<<1, 1>>>(f, d, fo, dout);
  minus<<<1, 1>>>(f, d, fo, dout);
  named<<<1, 1>>>(f, d, fo, dout);
  fo.get(), dout.get();
#ifdef APART
  const bool fused = false;
#else
  const bool fused = true;
#endif
  volatile float product = (1 + e) * (1 - e);
  volatile double wide = (1 + g) * (1 - g);
  float fe = fused ? std::fma(1 + e, 1 - e, -1.0f) : product - 1;
  double de = fused ? std::fma(1 + g, 1 - g, -1.0) : wide - 1;
  CHECK_EQ(fo.host[0], fe);
  CHECK_EQ(fo.host[1], product - 1.0f);
  CHECK_EQ(fo.host[2], -e * e);
  CHECK_EQ(fo.host[3], fused ? std::fma(-(1 + e), 1 - e, -1.0f) : -1 - product);
  CHECK_EQ(dout.host[0], de);
  CHECK_EQ(dout.host[1], wide - 1.0);
  CHECK_EQ(dout.host[2], -g * g);
  CHECK_EQ(dout.host[3], fused ? std::fma(-(1 + g), 1 - g, -1.0) : -1 - wide);
  return check::finish("fused_multiply_add");
}
