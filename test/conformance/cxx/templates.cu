// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels and device functions made from templates: types, values, template
// templates, packs, partial specialisations, CRTP, functors, fold expressions.
// CUDA C++ Programming Guide: C++ Language Support.

#include "Inputs/check.h"

template <class T> struct Plus {
  __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct Scale {
  T by;
  __host__ __device__ T operator()(T a, T b) const { return a * by - b; }
};
template <class T, template <class> class Op, int n>
__global__ void fold(const T *in, T *out, Op<T> op) {
  T sum = in[threadIdx.x];
#pragma unroll
  for (int i = 1; i < n; ++i)
    sum = op(sum, in[(threadIdx.x + i) % 32]);
  out[threadIdx.x] = sum;
}

template <class... Ts> __host__ __device__ long long total(Ts... values) {
  return (0ll + ... + (long long)values);
}
template <class T> struct Rank {
  static const int value = 0;
};
template <class T> struct Rank<T *> {
  static const int value = 1 + Rank<T>::value;
};
template <class T, int n> struct Rank<T[n]> {
  static const int value = 10 + Rank<T>::value;
};
template <class Derived> struct Shape {
  __host__ __device__ int twice() const {
    return 2 * static_cast<const Derived *>(this)->area();
  }
};
struct Square : Shape<Square> {
  int side;
  __host__ __device__ explicit Square(int s) : side(s) {}
  __host__ __device__ int area() const { return side * side; }
};
template <int n> struct Fibonacci {
  static constexpr long long value =
      Fibonacci<n - 1>::value + Fibonacci<n - 2>::value;
};
template <> struct Fibonacci<0> {
  static constexpr long long value = 0;
};
template <> struct Fibonacci<1> {
  static constexpr long long value = 1;
};

template <class... Args> __global__ void pack(long long *out, Args... args) {
  int t = threadIdx.x;
  const long long list[] = {(long long)args...};
  out[t] = total(args...) * 1000 + list[t % sizeof...(args)] * 100 +
           Rank<int **[3][4]>::value + Square(t).twice() + Fibonacci<50>::value;
}

template <class T, template <class> class Op, int n>
static void test(Op<T> op) {
  std::vector<T> values(32);
  for (int i = 0; i < 32; ++i)
    values[i] = (T)(i * 3 + 1);
  check::Array<T> in(values), out(32);
  fold<T, Op, n><<<1, 32>>>((const T *)(T *)in, (T *)out, op);
  out.get();
  for (int t = 0; t < 32; ++t) {
    T sum = values[t];
    for (int i = 1; i < n; ++i)
      sum = op(sum, values[(t + i) % 32]);
    CHECK_AT(t, out.host[t], sum);
  }
}

int main() {
  test<int, Plus, 5>({});
  test<double, Plus, 9>({});
  test<unsigned char, Scale, 4>({3});
  test<float, Scale, 3>({0.5f});
  check::Array<long long> out(8);
  pack<<<1, 8>>>((long long *)out, 1, 2.5, 'a', (short)-7);
  out.get();
  const long long list[] = {1, 2, 97, -7};
  for (int t = 0; t < 8; ++t)
    CHECK_AT(t, out.host[t],
             93000 + list[t % 4] * 100 + 22 + 2 * t * t + 12586269025ll);
  return check::finish("templates");
}
