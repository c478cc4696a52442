// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DHALF
// FLAGS: -DBFLOAT
//
// Functions of half precision and bfloat16: hceil, hfloor, htrunc, hrint and
// hsqrt to the last bit, the others to the next number, and their pairs.
// CUDA Math API: Half and Bfloat16 Math Functions.

#include "Inputs/small_float.h"
using small::Bits;

#define EXACT(X) X(ceil) X(floor) X(trunc) X(rint) X(sqrt)
#define NEAR(X)                                                                \
  X(rcp) X(rsqrt) X(exp) X(exp2) X(exp10) X(log) X(log2) X(log10) X(sin) X(cos)

__global__ void kernel(const Bits *in, Bits *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  Small a = AS_SMALL(in[at]);
  Small2 pair(AS_SMALL(in[(at + 1) % n]), a);
  Bits *o = out + at * 30;
#define X(f) *o++ = AS_BITS(h##f(a)), *o++ = AS_BITS(h2##f(pair).y);
  EXACT(X) NEAR(X)
#undef X
}

int main() {
  std::vector<Bits> values = small::samples(53);
  int n = (int)values.size();
  check::Array<Bits> in(values), out(n * 30);
  kernel<<<(n + 63) / 64, 64>>>(in, out, n);
  out.get();
  auto order = [](Bits b) { return b & 0x8000 ? -(b & 0x7fff) : (int)b; };
  for (int i = 0; i < n; ++i) {
    double x = small::value(values[i]);
    int k = 0, tolerance = 0;
    auto one = [&](const char *name, double exact) {
      for (int pair = 0; pair < 2; ++pair, ++k) {
        Bits found = out.host[i * 30 + k], want = small::round(exact);
        int distance = std::abs(order(found) - order(want));
        if (small::isNan(want) || small::isNan(found) || distance > tolerance)
          small::compare(name, pair, values[i], found, want);
      }
    };
    one("ceil", std::ceil(x)), one("floor", std::floor(x));
    one("trunc", std::trunc(x)), one("rint", std::rint(x));
    one("sqrt", std::sqrt(x));
    tolerance = 1;
    one("rcp", 1 / x), one("rsqrt", 1 / std::sqrt(x));
    one("exp", std::exp(x)), one("exp2", std::exp2(x));
    one("exp10", std::pow(10.0, x));
    one("log", std::log(x)), one("log2", std::log2(x));
    one("log10", std::log10(x)), one("sin", std::sin(x)),
        one("cos", std::cos(x));
  }
  return check::finish("small_math");
}
