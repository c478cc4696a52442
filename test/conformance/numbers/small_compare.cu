// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DHALF
// FLAGS: -DBFLOAT
//
// Half precision and bfloat16: comparisons (a NaN makes the plain ones false,
// __hne too, and the ...u ones true; the operators are C's), __hisnan,
// __hisinf. CUDA Math API: Half and Bfloat16 Comparison Functions.

#include "Inputs/small_float.h"
using small::Bits;

__global__ void kernel(const Bits *in, unsigned *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  Small a = AS_SMALL(in[at * 2]), b = AS_SMALL(in[at * 2 + 1]);
  const bool r[18] = {
      __heq(a, b),  __hne(a, b),  __hlt(a, b),       __hle(a, b),
      __hgt(a, b),  __hge(a, b),  __hequ(a, b),      __hneu(a, b),
      __hltu(a, b), __hleu(a, b), __hgtu(a, b),      __hgeu(a, b),
      a == b,       a != b,       a<b, a <= b, a> b, a >= b};
  unsigned bits = 0;
  for (int k = 0; k < 18; ++k)
    bits |= r[k] ? 1u << k : 0u;
  bits |= __hisnan(a) ? 1u << 18 : 0u;
  int inf = __hisinf(a);
  bits |= inf ? 1u << 19 : 0u;
  out[at] = bits;
}

int main() {
  std::vector<Bits> values = small::samples(3001), pairs;
  for (Bits a : values)
    for (Bits b : values)
      pairs.insert(pairs.end(), {a, b});
  int n = (int)pairs.size() / 2;
  check::Array<Bits> in(pairs);
  check::Array<unsigned> out(n);
  kernel<<<(n + 127) / 128, 128>>>(in, out, n);
  out.get();
  for (int i = 0; i < n; ++i) {
    double a = small::value(pairs[i * 2]), b = small::value(pairs[i * 2 + 1]);
    bool u = a != a || b != b;
    const bool r[20] = {
        a == b,       !u && a != b, a<b, a <= b, a> b, a >= b,     u || a == b,
        u || a != b,  u || a < b,   u || a <= b,       u || a > b, u || a >= b,
        a == b,       a != b,       a<b, a <= b, a> b, a >= b,     a != a,
        std::isinf(a)};
    unsigned want = 0;
    for (int k = 0; k < 20; ++k)
      want |= r[k] ? 1u << k : 0u;
    CHECK_AT(i, out.host[i], want);
  }
  return check::finish("small_compare");
}
