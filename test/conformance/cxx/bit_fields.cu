// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bit-fields: layout as on the host, signed fields, assignment next to others,
// fields across words, and unions over them.
// CUDA C++ Programming Guide: C++ Language Support.

#include "Inputs/check.h"

struct Fields {
  unsigned a : 3, b : 7;
  int c : 5;
  unsigned : 0;
  unsigned long long d : 40, e : 24;
  bool f : 1;
  short g : 11;
};
union Both {
  struct {
    unsigned mantissa : 23, exponent : 8, sign : 1;
  };
  float value;
};
__host__ __device__ void change(Fields &x, int t) {
  x.a += (unsigned)t;
  x.b = x.a * 9 + (unsigned)t;
  x.c = t * 3 - 20;
  x.d = x.d * 3 + ((unsigned long long)t << 33);
  x.e ^= (unsigned)(t * 12345);
  x.f = x.c < 0;
  x.g = (short)(x.g - t * 31);
}
__global__ void kernel(Fields *p, float *halves) {
  int t = threadIdx.x;
  change(p[t], t);
  Both b;
  b.value = 1.5f + t;
  b.exponent -= 1;
  b.sign = t % 2;
  halves[t] = b.value;
}

int main() {
  std::vector<Fields> values(64);
  for (int t = 0; t < 64; ++t) {
    memset(&values[t], t * 17, sizeof(Fields));
    values[t].d = (unsigned long long)t * 0x123456789ull;
  }
  check::Array<Fields> p(values);
  check::Array<float> halves(64);
  kernel<<<1, 64>>>(p, halves);
  p.get(), halves.get();
  for (int t = 0; t < 64; ++t) {
    change(values[t], t);
    CHECK_AT(t, memcmp(&p.host[t], &values[t], sizeof(Fields)), 0);
    CHECK_AT(t, halves.host[t], (1.5f + t) / 2 * (t % 2 ? -1 : 1));
  }
  return check::finish("bit_fields");
}
