// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DHALF
// FLAGS: -DBFLOAT
//
// Pairs of half precision and bfloat16: __heq2 and its family (1.0 or 0.0 in
// each part), __hbeq2 (both parts), the ...u2 forms and the masks.
// CUDA Math API: Half2 and Bfloat162 Comparison Functions.

#include "Inputs/small_float.h"
using small::Bits;
#define FAMILY(X) X(eq) X(ne) X(lt) X(le) X(gt) X(ge)

__device__ unsigned pack(Small2 v) {
  return AS_BITS(v.x) | (unsigned)AS_BITS(v.y) << 16;
}
__global__ void kernel(const Bits *in, unsigned *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  const Bits *i = in + at * 4;
  Small2 a(AS_SMALL(i[0]), AS_SMALL(i[1])), b(AS_SMALL(i[2]), AS_SMALL(i[3]));
  unsigned *o = out + at * 36;
#define X(op)                                                                  \
  *o++ = pack(__h##op##2(a, b));                                               \
  *o++ = pack(__h##op##u2(a, b));                                              \
  *o++ = __hb##op##2(a, b);                                                    \
  *o++ = __hb##op##u2(a, b);                                                   \
  *o++ = __h##op##2_mask(a, b);                                                \
  *o++ = __h##op##u2_mask(a, b);
  FAMILY(X)
#undef X
}

static bool compare(int op, double a, double b, bool unordered) {
  if (a != a || b != b)
    return unordered;
  const bool r[6] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
  return r[op];
}

int main() {
  std::vector<Bits> values = small::samples(20011), quads;
  for (Bits a : values)
    for (Bits b : values)
      quads.insert(quads.end(), {a, values[quads.size() * 5 % values.size()], b,
                                 values[quads.size() * 3 % values.size()]});
  int n = (int)quads.size() / 4;
  check::Array<Bits> in(quads);
  check::Array<unsigned> out(n * 36);
  kernel<<<(n + 127) / 128, 128>>>(in, out, n);
  out.get();
  unsigned one = small::round(1.0);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 36; ++k) {
      const Bits *q = &quads[i * 4];
      bool x = compare(k / 6, small::value(q[0]), small::value(q[2]), k & 1);
      bool y = compare(k / 6, small::value(q[1]), small::value(q[3]), k & 1);
      unsigned want = k % 6 < 2   ? (x ? one : 0) | (y ? one << 16 : 0)
                      : k % 6 < 4 ? x && y
                                  : (x ? 0xffffu : 0) | (y ? 0xffff0000u : 0);
      CHECK_AT(i * 100 + k, out.host[i * 36 + k], want);
    }
  return check::finish("small_compare_pairs");
}
