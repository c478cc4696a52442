// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -std=c++17
//
// C++17 in device code: structured bindings, static const members, local static
// const arrays, if constexpr, inline variables, scoped enums, references,
// unions. CUDA C++ Programming Guide: C++ Language Support.

#include "Inputs/check.h"

struct Constants {
  static const int width = 12;
  static constexpr float ratio = 0.25f;
  static constexpr int powers[4] = {1, 10, 100, 1000};
};
enum class Color : unsigned char { Red = 3, Green = 5, Blue = 250 };
struct Triple {
  int a;
  double b;
  short c;
};
namespace outer::inner {
__device__ Triple make(int t) { return {t, t * 0.5, (short)-t}; }
} // namespace outer::inner

template <class T> __device__ int describe(T value) {
  if constexpr (std::is_floating_point<T>::value)
    return (int)(value * 100);
  else if constexpr (std::is_pointer<T>::value)
    return *value;
  else
    return (int)value + 1;
}
__device__ int weight(int i) {
  static const int weights[] = {7, 1, 8, 2, 8, 1, 8};
  return weights[i % 7];
}
__device__ int &larger(int &a, int &b) { return a < b ? b : a; }

__global__ void kernel(int *out) {
  int t = threadIdx.x, *o = out + t * 8;
  auto [a, b, c] = outer::inner::make(t);
  o[0] = a * 100 + (int)(b * 10) + c;
  o[1] = Constants::width + (int)(Constants::ratio * t * 4) +
         Constants::powers[t % 4];
  Color color = t % 2 ? Color::Blue : Color::Green;
  switch (color) {
  case Color::Blue:
    o[2] = 1;
    break;
  case Color::Green:
    o[2] = 2;
    [[fallthrough]];
  default:
    o[2] += (int)color;
  }
  o[3] = describe(t) + describe(0.25f) + describe(&t);
  o[4] = weight(t);
  int x = t, y = 20;
  larger(x, y) = 99;
  o[5] = x * 1000 + y;
  int pair[2] = {t, t + 1};
  auto &[first, second] = pair;
  second += first;
  o[6] = pair[1];
  if (int r = t % 5; r > 2)
    o[7] = r;
  else
    o[7] = -r;
}

int main() {
  check::Array<int> out(32 * 8);
  kernel<<<1, 32>>>(out);
  out.get();
  const int powers[] = {1, 10, 100, 1000}, weights[] = {7, 1, 8, 2, 8, 1, 8};
  for (int t = 0; t < 32; ++t) {
    int want[8] = {t * 100 + (int)(t * 0.5 * 10) - t,
                   12 + t + powers[t % 4],
                   t % 2 ? 1 : 7,
                   t + 1 + 25 + t,
                   weights[t % 7],
                   t < 20 ? t * 1000 + 99 : 99 * 1000 + 20,
                   2 * t + 1,
                   t % 5 > 2 ? t % 5 : -(t % 5)};
    for (int k = 0; k < 8; ++k)
      CHECK_AT(t * 10 + k, out.host[t * 8 + k], want[k]);
  }
  return check::finish("language");
}
