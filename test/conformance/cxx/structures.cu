// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures by value: returned from functions that are not inlined, assigned,
// compared by memcmp, copied by memcpy and memset, nested, with arrays, by
// lanes. CUDA C++ Programming Guide: C++ Language Support.

#include "Inputs/check.h"

struct Matrix {
  float m[3][3];
};
struct Deep {
  Matrix a;
  struct {
    char tag;
    Matrix b[2];
  } rest;
};
__host__ __device__ __attribute__((noinline)) Matrix multiply(Matrix a,
                                                              const Matrix &b) {
  Matrix r = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        r.m[i][j] += a.m[i][k] * b.m[k][j];
  return r;
}
__host__ __device__ Deep build(int t) {
  Deep d;
  memset(&d, 0, sizeof d);
  for (int i = 0; i < 9; ++i)
    d.a.m[i / 3][i % 3] = (float)((i * t) % 5);
  d.rest.tag = (char)t;
  d.rest.b[0] = multiply(d.a, d.a);
  memcpy(&d.rest.b[1], &d.rest.b[t % 2 ? 0 : 1], sizeof(Matrix));
  if (t % 3 == 0) {
    Matrix swap = d.a;
    d.a = d.rest.b[0];
    d.rest.b[0] = swap;
  }
  return d;
}
__global__ void kernel(Deep *out, int *same) {
  int t = threadIdx.x;
  Deep d = build(t), e = build(t / 2 * 2);
  out[t] = d;
  // Padding has no value that a returned structure would keep.
  same[t] = memcmp(&d.a, &e.a, sizeof d.a) == 0 && d.rest.tag == e.rest.tag &&
            memcmp(d.rest.b, e.rest.b, sizeof d.rest.b) == 0;
}

int main() {
  check::Array<Deep> out(64);
  check::Array<int> same(64);
  kernel<<<1, 64>>>(out, same);
  out.get(), same.get();
  for (int t = 0; t < 64; ++t) {
    Deep d = build(t);
    CHECK_AT(t, memcmp(&d.a, &out.host[t].a, sizeof d.a), 0);
    CHECK_AT(t, out.host[t].rest.tag, d.rest.tag);
    CHECK_AT(t, memcmp(d.rest.b, out.host[t].rest.b, sizeof d.rest.b), 0);
    CHECK_AT(t, same.host[t], t % 2 == 0 ? 1 : 0);
  }
  return check::finish("structures");
}
