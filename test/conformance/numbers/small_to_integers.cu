// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DHALF
// FLAGS: -DBFLOAT
//
// Half precision and bfloat16 to all integers in the four roundings: saturated,
// NaN becomes 0 (with 64 bits, the highest bit alone).
// CUDA Math API: Half and Bfloat16 Precision Conversion.

#include "Inputs/small_float.h"
using small::Bits;
typedef unsigned long long u64;

__global__ void kernel(const Bits *in, u64 *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  Small a = AS_SMALL(in[at]);
  u64 *o = out + at * 24;
#define MODE(m)                                                                \
  *o++ = (u64)(long long)NAMED(__, 2short_##m)(a);                             \
  *o++ = NAMED(__, 2ushort_##m)(a);                                            \
  *o++ = (u64)(long long)NAMED(__, 2int_##m)(a);                               \
  *o++ = NAMED(__, 2uint_##m)(a);                                              \
  *o++ = (u64)NAMED(__, 2ll_##m)(a);                                           \
  *o++ = NAMED(__, 2ull_##m)(a);
  MODE(rn) MODE(rz) MODE(ru) MODE(rd)
}

static u64 expect(double x, int mode, int bits, bool isSigned) {
  if (x != x)
    return bits == 64 ? 1ull << 63 : 0;
  double r = mode == 0   ? std::nearbyint(x)
             : mode == 1 ? std::trunc(x)
             : mode == 2 ? std::ceil(x)
                         : std::floor(x);
  if (!isSigned)
    return r <= 0                       ? 0
           : r >= std::ldexp(1.0, bits) ? ~0ull >> (64 - bits)
                                        : (u64)r;
  double top = std::ldexp(1.0, bits - 1);
  return r >= top    ? (1ull << (bits - 1)) - 1
         : r <= -top ? (u64)0 - (1ull << (bits - 1))
                     : (u64)(long long)r;
}

int main() {
  std::vector<Bits> values = small::samples(97);
  int n = (int)values.size();
  check::Array<Bits> in(values);
  check::Array<u64> out(n * 24);
  kernel<<<(n + 127) / 128, 128>>>(in, out, n);
  out.get();
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 24; ++k)
      CHECK_AT(
          values[i] * 100 + k, out.host[i * 24 + k],
          expect(small::value(values[i]), k / 6, 16 << k % 6 / 2, !(k & 1)));
  return check::finish("small_to_integers");
}
