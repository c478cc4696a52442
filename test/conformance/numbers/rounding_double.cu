// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __dadd, __dsub, __dmul, __fma, __ddiv, __drcp, __dsqrt in the four directions
// of rounding, to the last bit.
// CUDA Math API: Double Precision Intrinsics.

#include "Inputs/floats.h"
using namespace floats;
enum { Operations = 7 };

#define MODES(X) X(rn, 0) X(rz, 1) X(ru, 2) X(rd, 3)

__global__ void kernel(const double *in, double *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  double a = in[at * 3], b = in[at * 3 + 1], c = in[at * 3 + 2];
  double *o = out + at * 4 * Operations;
#define X(m, i)                                                                \
  o[i * Operations] = __dadd_##m(a, b);                                        \
  o[i * Operations + 1] = __dsub_##m(a, b);                                    \
  o[i * Operations + 2] = __dmul_##m(a, b);                                    \
  o[i * Operations + 3] = __fma_##m(a, b, c);                                  \
  o[i * Operations + 4] = __ddiv_##m(a, b);                                    \
  o[i * Operations + 5] = __drcp_##m(a);                                       \
  o[i * Operations + 6] = __dsqrt_##m(a);
  MODES(X)
#undef X
}

static double expect(int op, Mode mode, double x, double y, double z) {
  volatile double a = x, b = y, c = z, one = 1;
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
  std::vector<double> values = doubles(28), triples;
  for (double a : values)
    for (double b : values)
      triples.insert(triples.end(),
                     {a, b, values[triples.size() * 11 % values.size()]});
  int n = (int)triples.size() / 3, fields = 4 * Operations;
  check::Array<double> in(triples), out(n * fields);
  kernel<<<(n + 63) / 64, 64>>>(in, out, n);
  out.get();
  for (int i = 0; i < n; ++i)
    for (int mode = 0; mode < 4; ++mode)
      for (int op = 0; op < Operations; ++op)
        CHECK_AT(i * 100 + mode * 10 + op,
                 out.host[i * fields + mode * Operations + op],
                 expect(op, (Mode)mode, triples[i * 3], triples[i * 3 + 1],
                        triples[i * 3 + 2]));
  return check::finish("rounding_double");
}
