// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __int128 in device code: arithmetic, division, shifts, comparisons,
// conversion from and to floating types, in memory, as parameter and in
// shuffles by halves. CUDA C++ Programming Guide: C++ Language Support (128-bit
// integers).

#include "Inputs/check.h"
typedef __int128 i128;
typedef unsigned __int128 u128;
enum { Fields = 14 };

__host__ __device__ void compute(i128 a, i128 b, int s, u128 *o) {
  u128 x = (u128)a, y = (u128)b;
  o[0] = x + y, o[1] = x - y, o[2] = x * y;
  o[3] = y ? x / y : 0, o[4] = y ? x % y : 0;
  o[5] = b ? (u128)(a / b) : 0, o[6] = b ? (u128)(a % b) : 0;
  o[7] = x << s, o[8] = x >> s, o[9] = (u128)(a >> s);
  o[10] = (u128)(a < b) | (u128)(x < y) << 1 | (u128)(a == b) << 2;
  o[11] = (u128)(i128)((double)(a >> 70) * 0.5);
  o[12] = (x & y) ^ ~(x | y);
  o[13] = (u128)(unsigned long long)(float)(x >> 65);
}
__global__ void kernel(const i128 *in, u128 *out, int n, i128 add) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    compute(in[i] + add, in[(i * 5 + 1) % n], i % 128, out + i * Fields);
}

int main() {
  std::vector<i128> values;
  unsigned state = 99;
  for (int i = 0; i < 60; ++i) {
    u128 v = 0;
    for (int w = 0; w < 4; ++w)
      v = v << 32 | check::random(state);
    values.push_back((i128)v >> i * 2);
  }
  for (i128 v : {(i128)0, (i128)1, (i128)-1, (i128)((u128)1 << 127),
                 (i128)1 << 64, ((i128)1 << 64) - 1, (i128)10})
    values.push_back(v);
  int n = (int)values.size();
  i128 add = ((i128)1 << 90) + 12345;
  check::Array<i128> in(values);
  check::Array<u128> out(n * Fields);
  kernel<<<(n + 31) / 32, 32>>>(in, out, n, add);
  out.get();
  for (int i = 0; i < n; ++i) {
    u128 want[Fields];
    i128 a = (i128)((u128)values[i] + (u128)add);
    compute(a, values[(i * 5 + 1) % n], i % 128, want);
    for (int k = 0; k < Fields; ++k)
      CHECK_AT(i * 100 + k, out.host[i * Fields + k], want[k]);
  }
  return check::finish("int128");
}
