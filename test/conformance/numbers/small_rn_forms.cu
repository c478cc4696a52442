// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DHALF
// FLAGS: -DBFLOAT
//
// Half precision and bfloat16: __hadd_rn, __hsub_rn and __hmul_rn, alone and in pairs,
// are rounded each by itself; nothing makes a fused operation of two of them.
// CUDA Math API: Half and Bfloat16 Arithmetic Functions.

#include "Inputs/small_float.h"
using small::Bits;

#if defined(HALF)
#define PAIR(a, b) __halves2half2(a, b)
#else
#define PAIR(a, b) __halves2bfloat162(a, b)
#endif

// Each in a kernel of its own: the compiler may take one result for another.
template <int form> __global__ void kernel(const Bits *in, Bits *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  Small a = AS_SMALL(in[at * 3]), b = AS_SMALL(in[at * 3 + 1]);
  Small c = AS_SMALL(in[at * 3 + 2]);
  if (form == 0)
    out[at] = AS_BITS(__hadd(__hmul_rn(a, b), c));
  else if (form == 1)
    out[at] = AS_BITS(__hadd_rn(__hmul(a, b), c));
  else if (form == 2)
    out[at] = AS_BITS(__hsub_rn(__hmul_rn(a, b), c));
  else if (form == 3)
    out[at] = AS_BITS(__hadd2(__hmul2_rn(PAIR(a, a), PAIR(b, b)), PAIR(c, c)).x);
  else
    out[at] = AS_BITS(__hsub2_rn(__hmul2(PAIR(a, a), PAIR(b, b)), PAIR(c, c)).y);
}

int main() {
  std::vector<Bits> triples;
  unsigned state = 7;
  for (int i = 0; i < 3 * 5000; ++i)
    triples.push_back(small::round((check::random(state) % 4096 - 2048.0) / 97));
  int n = (int)triples.size() / 3;
  check::Array<Bits> in(triples), out(n);
  void (*const kernels[])(const Bits *, Bits *, int) = {kernel<0>, kernel<1>, kernel<2>,
                                                        kernel<3>, kernel<4>};
  for (int form = 0; form < 5; ++form) {
    kernels[form]<<<(n + 127) / 128, 128>>>(in, out, n);
    out.get();
    bool minus = form == 2 || form == 4;
    for (int i = 0; i < n; ++i) {
      using small::value;
      const Bits *t = &triples[i * 3];
      double product = value(small::round(value(t[0]) * value(t[1])));
      double c = minus ? -value(t[2]) : value(t[2]);
      CHECK_SMALL(form * 10000 + i, out.host[i], small::round(small::sum(product, c)));
    }
  }
  return check::finish("small_rn_forms");
}
