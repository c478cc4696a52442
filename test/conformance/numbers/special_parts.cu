// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that give numbers in parts, or integers: frexp, ldexp, scalbn,
// modf, ilogb, lrint, lround, llrint, remquo, sincos, isnan, isinf, isfinite,
// signbit. CUDA Math API: Single and Double Precision Mathematical Functions.

#include "Inputs/check.h"
#include <climits>
#include <cmath>

template <class T> __global__ void kernel(const T *in, T *out, int *whole) {
  int t = threadIdx.x, e = 0, quotient = 0;
  T x = in[t], part = 0, s = 0, c = 0, *o = out + t * 7;
  int *w = whole + t * 12;
  o[0] = frexp(x, &e);
  w[0] = e;
  o[1] = ldexp(x, 3), o[2] = scalbn(x, -1);
  o[3] = modf(x, &part);
  o[4] = part;
  w[1] = ilogb(x), w[2] = (int)lrint(x), w[3] = (int)lround(x);
  w[4] = (int)llrint(x), w[5] = (int)llround(x);
  remquo(x, (T)3, &quotient);
  w[6] = quotient & 7;
  sincos(x, &s, &c);
  o[5] = s == sin(x) || s != s, o[6] = c == cos(x) || c != c;
  w[7] = isnan(x), w[8] = isinf(x), w[9] = isfinite(x), w[10] = signbit(x);
  w[11] = 0;
}

template <class T> static void test() {
  const T inf = (T)INFINITY, least = std::is_same<T, float>::value
                                         ? (T)1e-45f
                                         : (T)4.9406564584124654e-324;
  std::vector<T> x = {0,  (T)-0.0, 1,     (T)-1.5, (T)2.5, (T)3.5, (T)-2.5,
                      10, (T)0.3,  least, inf,     -inf,   (T)NAN, (T)1234.75};
  int n = (int)x.size();
  check::Array<T> in(x), out(n * 7);
  check::Array<int> whole(n * 12);
  kernel<T><<<1, n>>>((const T *)(T *)in, (T *)out, (int *)whole);
  out.get(), whole.get();
  for (int i = 0; i < n; ++i) {
    const T *o = &out.host[i * 7];
    const int *w = &whole.host[i * 12];
    int e = 0, quotient = 0;
    T part, v = x[i];
    CHECK_AT(i, o[0], std::frexp(v, &e));
    CHECK_AT(i, o[1], std::ldexp(v, 3));
    CHECK_AT(i, o[2], std::scalbn(v, -1));
    CHECK_AT(i, o[3], std::modf(v, &part));
    CHECK_AT(i, o[4], part);
    CHECK_AT(i, o[5], (T)1);
    CHECK_AT(i, o[6], (T)1);
    CHECK_AT(i, w[7] != 0, v != v);
    CHECK_AT(i, w[8] != 0, v == inf || v == -inf);
    CHECK_AT(i, w[9] != 0, v - v == 0);
    if (v == v)
      CHECK_AT(i, w[10] != 0, std::signbit(v));
    // Infinities, zero and NaN have documented values.
    CHECK_AT(i, w[1],
             v != v || v == 0 ? INT_MIN
             : v - v != 0     ? INT_MAX
                              : std::ilogb(v));
    if (v - v != 0)
      continue;
    CHECK_AT(i, w[0], e);
    CHECK_AT(i, w[2], (int)std::lrint(v));
    CHECK_AT(i, w[3], (int)std::lround(v));
    CHECK_AT(i, w[4], (int)std::llrint(v));
    CHECK_AT(i, w[5], (int)std::llround(v));
    std::remquo(v, (T)3, &quotient);
    CHECK_AT(i, w[6], quotient & 7);
  }
}

int main() {
  test<float>();
  test<double>();
  return check::finish("special_parts");
}
