// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __float2int_rn and its family, and __double2...: four roundings, saturation,
// and NaN, which becomes 0, or only the highest bit where a side has 64 bits.
// CUDA Math API: Type Casting Intrinsics. PTX ISA: cvt (NaN).

#include "Inputs/floats.h"
#include <climits>
using namespace floats;
typedef unsigned long long u64;

#define MODES(X) X(rn) X(rz) X(ru) X(rd)

__global__ void kernel(const float *f, const double *d, u64 *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  u64 *o = out + at * 32;
#define X(m)                                                                   \
  *o++ = (unsigned)__float2int_##m(f[at]);                                     \
  *o++ = __float2uint_##m(f[at]);                                              \
  *o++ = (u64)__float2ll_##m(f[at]);                                           \
  *o++ = __float2ull_##m(f[at]);                                               \
  *o++ = (unsigned)__double2int_##m(d[at]);                                    \
  *o++ = __double2uint_##m(d[at]);                                             \
  *o++ = (u64)__double2ll_##m(d[at]);                                          \
  *o++ = __double2ull_##m(d[at]);
  MODES(X)
#undef X
}

static u64 expect(double x, int mode, bool wide, bool isSigned,
                  bool fromDouble) {
  int bits = wide ? 64 : 32;
  if (x != x)
    return wide || fromDouble ? 1ull << (bits - 1) : 0;
  double r = mode == 0   ? std::nearbyint(x)
             : mode == 1 ? std::trunc(x)
             : mode == 2 ? std::ceil(x)
                         : std::floor(x);
  u64 mask = wide ? ~0ull : 0xffffffffull, top = 1ull << (bits - 1);
  if (isSigned)
    return r >= std::ldexp(1.0, bits - 1)    ? top - 1
           : r <= -std::ldexp(1.0, bits - 1) ? top
                                             : (u64)(long long)r & mask;
  return r >= std::ldexp(1.0, bits) ? mask : r <= 0 ? 0 : (u64)r;
}

int main() {
  std::vector<double> values = {0.0,
                                -0.0,
                                0.5,
                                -0.5,
                                1.5,
                                2.5,
                                -1.5,
                                -2.5,
                                0.49999997,
                                -0.75,
                                1e-45,
                                -1e-45,
                                8388609,
                                8388607.5,
                                2147483647,
                                2147483648.0,
                                -2147483648.0,
                                -2147483649.0,
                                4294967295.0,
                                4294967296.0,
                                2147483646.5,
                                9.2233720368547758e18,
                                -9.2233720368547758e18,
                                9.3e18,
                                -9.3e18,
                                1.8446744073709552e19,
                                1e20,
                                -1e20,
                                1e38,
                                INFINITY,
                                -INFINITY,
                                NAN,
                                -1.0,
                                1e300};
  for (float f : singles(20))
    values.push_back(f);
  int n = (int)values.size();
  std::vector<float> narrow(values.begin(), values.end());
  check::Array<float> f(narrow);
  check::Array<double> d(values);
  check::Array<u64> out(n * 32);
  kernel<<<(n + 31) / 32, 32>>>(f, d, out, n);
  out.get();
  for (int i = 0; i < n; ++i)
    for (int mode = 0; mode < 4; ++mode)
      for (int k = 0; k < 8; ++k)
        CHECK_AT(i * 100 + mode * 10 + k, out.host[i * 32 + mode * 8 + k],
                 expect(k < 4 ? (double)narrow[i] : values[i], mode, k & 2,
                        !(k & 1), k >= 4));
  return check::finish("to_integers");
}
