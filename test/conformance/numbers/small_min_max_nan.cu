// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DHALF
// FLAGS: -DBFLOAT
//
// Half precision and bfloat16: __hmin_nan, __hmax_nan (a NaN wins, +0 is
// above -0), and for pairs.
// CUDA Math API: Half and Bfloat16 Comparison Functions.

#include "Inputs/small_float.h"
using small::Bits;

__global__ void kernel(const Bits *in, Bits *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  Small a = AS_SMALL(in[at * 2]), b = AS_SMALL(in[at * 2 + 1]);
  Bits *o = out + at * 4;
  o[0] = AS_BITS(__hmin_nan(a, b)), o[1] = AS_BITS(__hmax_nan(a, b));
  Small2 p(a, b), q(b, a);
  o[2] = AS_BITS(__hmin2_nan(p, q).y), o[3] = AS_BITS(__hmax2_nan(p, q).x);
}

static Bits expect(Bits a, Bits b, bool max, bool keepNan) {
  if (small::isNan(a) || small::isNan(b)) {
    if (keepNan || (small::isNan(a) && small::isNan(b)))
      return small::nan;
    return small::isNan(a) ? b : a;
  }
  auto key = [](Bits v) {
    return v & 0x8000 ? -(int)(v & 0x7fff) - 1 : (int)v;
  };
  return (key(a) < key(b)) == max ? b : a;
}

int main() {
  std::vector<Bits> values = small::samples(3001), pairs;
  for (Bits a : values)
    for (Bits b : values)
      pairs.insert(pairs.end(), {a, b});
  int n = (int)pairs.size() / 2;
  check::Array<Bits> in(pairs), out(n * 4);
  kernel<<<(n + 127) / 128, 128>>>(in, out, n);
  out.get();
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 4; ++k)
      CHECK_SMALL(i * 10 + k, out.host[i * 4 + k],
                  expect(pairs[i * 2], pairs[i * 2 + 1], k & 1, true));
  return check::finish("small_min_max_nan");
}
