// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DHALF
// FLAGS: -DBFLOAT
//
// Half precision and bfloat16: operators and __hadd, __hsub, __hmul, __hdiv,
// __hfma, their _rn and _sat forms, __hneg, __habs, ++, --, rounded once.
// CUDA Math API: Half and Bfloat16 Arithmetic Functions.

#include "Inputs/small_float.h"
using small::Bits;
enum { Fields = 20 };

__global__ void kernel(const Bits *in, Bits *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  Small a = AS_SMALL(in[at * 3]), b = AS_SMALL(in[at * 3 + 1]);
  Small c = AS_SMALL(in[at * 3 + 2]), x[Fields];
  x[0] = a + b, x[1] = a - b, x[2] = a * b, x[3] = a / b;
  x[4] = __hadd(a, b), x[5] = __hsub(a, b), x[6] = __hmul(a, b);
  x[7] = __hdiv(a, b);
  x[8] = __hadd_rn(a, b), x[9] = __hsub_rn(a, b), x[10] = __hmul_rn(a, b);
  x[11] = __hadd_sat(a, b), x[12] = __hsub_sat(a, b), x[13] = __hmul_sat(a, b);
  x[14] = __hfma(a, b, c), x[15] = a;
  --x[15];
  x[17] = __hneg(a), x[18] = __habs(a);
  x[16] = a, x[19] = a;
  x[19] += b;
  ++x[16];
  for (int k = 0; k < Fields; ++k)
    out[at * Fields + k] = AS_BITS(x[k]);
}

static Bits saturate(Bits bits) {
  double x = small::value(bits);
  return x != x || x <= 0 ? (Bits)0 : x >= 1 ? small::round(1) : bits;
}

static void expect(const Bits *in, Bits *o) {
  using small::sum, small::value;
  double a = value(in[0]), b = value(in[1]), c = value(in[2]);
  o[0] = o[4] = o[8] = o[19] = small::round(sum(a, b));
  o[1] = o[5] = o[9] = small::round(sum(a, -b));
  o[2] = o[6] = o[10] = small::round(a * b);
  o[3] = o[7] = small::round(a / b);
  o[11] = saturate(o[0]), o[12] = saturate(o[1]), o[13] = saturate(o[2]);
  o[14] = small::round(sum(a * b, c));
  o[15] = small::round(sum(a, -1)), o[16] = small::round(sum(a, 1));
  o[17] = in[0] ^ 0x8000, o[18] = in[0] & 0x7fff;
}

int main() {
  std::vector<Bits> values = small::samples(1777), triples;
  for (Bits a : values)
    for (Bits b : values)
      triples.insert(triples.end(),
                     {a, b, values[triples.size() * 13 % values.size()]});
#ifdef BFLOAT // the product is a tie, the sum lies beside it
  for (Bits c : {0x0d80, 0x8d80, 0x3f80, 0x0001})
    triples.insert(triples.end(), {0x3fc0, 0x3f81, c});
#endif
  int n = (int)triples.size() / 3;
  check::Array<Bits> in(triples), out(n * Fields);
  kernel<<<(n + 127) / 128, 128>>>(in, out, n);
  out.get();
  for (int i = 0; i < n; ++i) {
    Bits want[Fields];
    expect(&triples[i * 3], want);
    for (int k = 0; k < Fields; ++k) {
      // The sign of a saturated zero is unsaid.
      bool sign = k < 11 || k > 13;
      Bits mask = sign || (want[k] & 0x7fff) ? 0xffff : 0x7fff;
      CHECK_SMALL(i * 100 + k, (Bits)(out.host[i * Fields + k] & mask),
                  want[k]);
    }
  }
  return check::finish("small_arithmetic");
}
