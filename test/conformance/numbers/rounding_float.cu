// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __fadd, __fsub, __fmul, __fmaf, __fdiv, __frcp, __fsqrt and __frsqrt_rn in
// the four directions of rounding, to the last bit. CUDA Math API: Single
// Precision Intrinsics.

#include "Inputs/floats.h"
using namespace floats;
enum { Operations = 7 };

#define MODES(X) X(rn, 0) X(rz, 1) X(ru, 2) X(rd, 3)

__global__ void kernel(const float *in, float *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  float a = in[at * 3], b = in[at * 3 + 1], c = in[at * 3 + 2];
  float *o = out + at * (4 * Operations + 1);
#define X(m, i)                                                                \
  o[i * Operations] = __fadd_##m(a, b);                                        \
  o[i * Operations + 1] = __fsub_##m(a, b);                                    \
  o[i * Operations + 2] = __fmul_##m(a, b);                                    \
  o[i * Operations + 3] = __fmaf_##m(a, b, c);                                 \
  o[i * Operations + 4] = __fdiv_##m(a, b);                                    \
  o[i * Operations + 5] = __frcp_##m(a);                                       \
  o[i * Operations + 6] = __fsqrt_##m(a);
  MODES(X)
#undef X
  o[4 * Operations] = __frsqrt_rn(a);
}

static float expect(int op, Mode mode, float x, float y, float z) {
  volatile float a = x, b = y, c = z, one = 1;
  switch (op) {
  case 0:
    return rounded(mode, [&] { return a + b; });
  case 1:
    return rounded(mode, [&] { return a - b; });
  case 2:
    return rounded(mode, [&] { return a * b; });
  case 3:
    return rounded(mode, [&] { return std::fma(a, b, c); });
  case 4:
    return rounded(mode, [&] { return a / b; });
  case 5:
    return rounded(mode, [&] { return one / a; });
  default:
    return rounded(mode, [&] { return std::sqrt(a); });
  }
}

int main() {
  std::vector<float> values = singles(25), triples;
  for (float a : values)
    for (float b : values)
      triples.insert(triples.end(),
                     {a, b, values[triples.size() * 11 % values.size()]});
  int n = (int)triples.size() / 3, fields = 4 * Operations + 1;
  check::Array<float> in(triples), out(n * fields);
  kernel<<<(n + 63) / 64, 64>>>(in, out, n);
  out.get();
  for (int i = 0; i < n; ++i) {
    const float *t = &triples[i * 3];
    for (int mode = 0; mode < 4; ++mode)
      for (int op = 0; op < Operations; ++op)
        CHECK_AT(i * 100 + mode * 10 + op,
                 out.host[i * fields + mode * Operations + op],
                 expect(op, (Mode)mode, t[0], t[1], t[2]));
    // 53 digits, then 24: no double lies near enough to a tie to go wrong.
    float root = (float)(1.0L / std::sqrt((long double)t[0]));
    CHECK_AT(i * 100 + 99, out.host[i * fields + 4 * Operations], root);
  }
  return check::finish("rounding_float");
}
