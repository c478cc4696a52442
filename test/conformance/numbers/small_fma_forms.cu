// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DHALF
// FLAGS: -DBFLOAT
//
// Half precision and bfloat16: __hfma_sat (clamped to [0, 1], NaN to 0) and
// __hfma_relu (negative to 0, NaN stays).
// CUDA Math API: Half and Bfloat16 Arithmetic Functions.

#include "Inputs/small_float.h"
using small::Bits;

__global__ void kernel(const Bits *in, Bits *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  Small a = AS_SMALL(in[at * 3]), b = AS_SMALL(in[at * 3 + 1]);
  Small c = AS_SMALL(in[at * 3 + 2]);
  out[at * 2] = AS_BITS(__hfma_sat(a, b, c));
  out[at * 2 + 1] = AS_BITS(__hfma_relu(a, b, c));
}

static Bits saturate(Bits bits) {
  double x = small::value(bits);
  return x != x || x <= 0 ? (Bits)0 : x >= 1 ? small::round(1) : bits;
}

int main() {
  std::vector<Bits> values = small::samples(1777), triples;
  for (Bits a : values)
    for (Bits b : values)
      triples.insert(triples.end(),
                     {a, b, values[triples.size() * 13 % values.size()]});
  int n = (int)triples.size() / 3;
  check::Array<Bits> in(triples), out(n * 2);
  kernel<<<(n + 127) / 128, 128>>>(in, out, n);
  out.get();
  for (int i = 0; i < n; ++i) {
    using small::sum, small::value;
    const Bits *t = &triples[i * 3];
    Bits exact = small::round(sum(value(t[0]) * value(t[1]), value(t[2])));
    Bits want[2] = {saturate(exact), exact & 0x8000 ? (Bits)0 : exact};
    if (small::isNan(exact))
      want[1] = small::nan;
    for (int k = 0; k < 2; ++k) // the sign of a zero is unsaid
      CHECK_SMALL(
          i * 10 + k,
          (Bits)(out.host[i * 2 + k] & (want[k] & 0x7fff ? 0xffff : 0x7fff)),
          want[k]);
  }
  return check::finish("small_fma_forms");
}
