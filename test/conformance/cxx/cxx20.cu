// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -std=c++20
//
// C++20 in device code: concepts, operator<=>, consteval and constexpr,
// template lambdas, designated initialisers, class types as template arguments.
// CUDA C++ Programming Guide: C++20 Language Features.

#include "Inputs/check.h"
#include <compare>
#include <concepts>

template <class T>
concept Number = std::integral<T> || std::floating_point<T>;
template <class T>
concept HasArea = requires(const T &t) {
  { t.area() } -> std::same_as<int>;
};
__device__ int kind(Number auto) { return 1; }
__device__ int kind(HasArea auto const &s) { return s.area(); }
template <class T>
__device__ int kind(T *)
  requires(sizeof(T) > 4)
{
  return 3;
}
template <class T> __device__ int kind(T *) { return 4; }

struct Box {
  int w, h = 2;
  __device__ int area() const { return w * h; }
};
struct Version {
  int major, minor;
  __host__ __device__ constexpr auto operator<=>(const Version &o) const {
    return major != o.major ? major <=> o.major : minor <=> o.minor;
  }
  __host__ __device__ constexpr bool
  operator==(const Version &) const = default;
};
struct Fixed {
  int value;
};
template <Fixed f> __device__ int fixedValue() { return f.value; }
__host__ __device__ consteval int factorial(int n) {
  return n < 2 ? 1 : n * factorial(n - 1);
}
__host__ __device__ constexpr int firstSquareAbove(int n) {
  int i = 0;
  while (i * i <= n)
    ++i;
  return i * i;
}

__global__ void kernel(int *out) {
  int t = threadIdx.x;
  Box box{.w = t};
  Version v{1, t}, w{t / 16, 8};
  double d = 0;
  auto generic = []<class T>(T a, T b) { return a < b ? b : a; };
  static_assert(firstSquareAbove(50) == 64);
  int sum = 0;
  for (int bias = 1000; int x : {1, 2, 3})
    sum += x * bias;
  out[t * 4] = kind(t) + kind(1.5f) * 10 + kind(&d) * 100 + kind(&t) * 1000;
  out[t * 4 + 1] = kind(box) + factorial(6) + fixedValue<Fixed{42}>();
  out[t * 4 + 2] = (v < w) + (v >= w) * 2 + (v == w) * 4 + (v != w) * 8;
  out[t * 4 + 3] = generic(t, 20) + firstSquareAbove(t) * 100 + sum;
}

int main() {
  check::Array<int> out(128);
  kernel<<<1, 32>>>(out);
  out.get();
  for (int t = 0; t < 32; ++t) {
    bool less = 1 != t / 16 ? 1 < t / 16 : t < 8, same = t / 16 == 1 && t == 8;
    int square = 0;
    for (int i = 0; square <= t; ++i)
      square = i * i;
    CHECK_AT(t, out.host[t * 4], 4311);
    CHECK_AT(t, out.host[t * 4 + 1], t * 2 + 720 + 42);
    CHECK_AT(t, out.host[t * 4 + 2], less + !less * 2 + same * 4 + !same * 8);
    CHECK_AT(t, out.host[t * 4 + 3], (t > 20 ? t : 20) + square * 100 + 6000);
  }
  return check::finish("cxx20");
}
