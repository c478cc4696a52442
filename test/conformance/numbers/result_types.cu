// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions of mixed arguments: an integer counts as double, as in C++, so
// that pow(float, int) does not overflow where a double would not.
// CUDA Math API; C++11, 26.8 [c.math].

#include "Inputs/check.h"
#include <cmath>

template <class T, class U> struct Same {
  static constexpr bool value = false;
};
template <class T> struct Same<T, T> {
  static constexpr bool value = true;
};
#define IS(type, ...)                                                                    \
  static_assert(Same<type, decltype(__VA_ARGS__)>::value, #__VA_ARGS__)

__global__ void kernel(double *out, float x, int n, double d) {
  IS(double, pow(x, n));
  IS(double, std::pow(x, n));
  IS(double, pow(n, x));
  IS(double, pow(n, n));
  IS(double, pow(x, d));
  IS(float, pow(x, x));
  IS(float, powf(x, n));
  IS(double, fmod(x, n));
  IS(double, atan2(n, x));
  IS(double, hypot(x, n));
  IS(float, hypot(x, x));
  IS(double, sqrt(n));
  IS(float, sqrt(x));
  IS(float, std::abs(x));
  IS(int, abs(n));
  out[0] = pow(x, n);
  out[1] = std::pow(x, n);
  out[2] = pow(x, 2);
}

int main() {
  check::Array<double> out(3);
  // Exact in double, more than a float holds
  kernel<<<1, 1>>>(out, 0x1p100f, 2, 2.0);
  out.get();
  for (int i = 0; i < 3; ++i)
    CHECK_AT(i, out.host[i], 0x1p200);
  return check::finish("result_types");
}
