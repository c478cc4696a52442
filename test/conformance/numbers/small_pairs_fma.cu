// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DHALF
// FLAGS: -DBFLOAT
//
// __hfma2_sat, __hfma2_relu: each part is what the scalar function gives; and
// __hcmadd, whose parts are made of two fused multiply-adds.
// CUDA Math API: Half2 and Bfloat162 Arithmetic Functions.

#include "Inputs/small_float.h"
using small::Bits;
enum { Fields = 3 };

__device__ unsigned pack(Small2 v) {
  return AS_BITS(v.x) | (unsigned)AS_BITS(v.y) << 16;
}
__global__ void kernel(const Bits *in, unsigned *found, unsigned *want, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  const Bits *i = in + at;
  Small ax = AS_SMALL(i[0]), ay = AS_SMALL(i[1]), bx = AS_SMALL(i[2]);
  Small by = AS_SMALL(i[3]), cx = AS_SMALL(i[4]), cy = AS_SMALL(i[5]);
  Small2 a(ax, ay), b(bx, by), c(cx, cy);
  unsigned *f = found + at * Fields, *w = want + at * Fields;
#define BOTH(pair, x, y) *f++ = pack(pair), *w++ = pack(Small2(x, y))
  BOTH(__hfma2_sat(a, b, c), __hfma_sat(ax, bx, cx), __hfma_sat(ay, by, cy));
  BOTH(__hfma2_relu(a, b, c), __hfma_relu(ax, bx, cx), __hfma_relu(ay, by, cy));
  // a * b + c of complex numbers
  BOTH(__hcmadd(a, b, c), __hfma(-ay, by, __hfma(ax, bx, cx)),
       __hfma(ay, bx, __hfma(ax, by, cy)));
}

int main() {
  std::vector<Bits> values;
  for (int round = 0; round < 3; ++round)
    for (Bits b : small::samples(401 + round * 300))
      if (!small::isNan(b)) // payloads would differ
        values.push_back(b);
  std::vector<Bits> mixed(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    mixed[i] = values[i * 257 % values.size()];
  int n = (int)mixed.size() - 6;
  check::Array<Bits> in(mixed);
  check::Array<unsigned> found(n * Fields), want(n * Fields);
  kernel<<<(n + 63) / 64, 64>>>(in, found, want, n);
  found.get(), want.get();
  for (int i = 0; i < n * Fields; ++i) {
    CHECK_SMALL(i, (Bits)found.host[i], (Bits)want.host[i]);
    CHECK_SMALL(i, (Bits)(found.host[i] >> 16), (Bits)(want.host[i] >> 16));
  }
  return check::finish("small_pairs_fma");
}
