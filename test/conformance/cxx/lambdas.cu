// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: --extended-lambda
// FLAGS: -extended-lambda -std=c++20
//
// Extended lambdas: __device__ and __host__ __device__ lambdas made in host
// code and given to kernels; captures by value; lambdas inside of kernels. CUDA
// C++ Programming Guide: Extended Lambdas.

#include "Inputs/check.h"

template <class F> __global__ void each(int *out, F f) {
  out[threadIdx.x] = f((int)threadIdx.x);
}
template <class F> __global__ void once(F f) { f(); }

template <class F> static void expect(check::Array<int> &out, F f) {
  out.get();
  for (int t = 0; t < 64; ++t)
    CHECK_AT(t, out.host[t], (int)f(t));
}

/// Libraries ask whether a function is one of nvcc's own closures, whose return type the
/// host cannot ask for.
template <class F> struct Traits {
  static const bool isDevices = __nv_is_extended_device_lambda_closure_type(F);
  static const bool isOfBoth = __nv_is_extended_host_device_lambda_closure_type(F);
  static const bool isKept =
      __nv_is_extended_device_lambda_with_preserved_return_type(F);
};
template <class A, class B> struct Pair {
  A a;
  B b;
};
using NoClosure = Traits<int (*)(int)>;
static_assert(!NoClosure::isDevices && !NoClosure::isOfBoth && !NoClosure::isKept, "");
static_assert(!__nv_is_extended_device_lambda_closure_type(Pair<int, float>), "");

struct Maker {
  int base;
  auto make() const {
    return [self = *this] __host__ __device__(int t) { return self.base - t; };
  }
};

__global__ void inside(int *out, int n) {
  int t = threadIdx.x, sum = 0;
  auto add = [&](int x) { sum += x * n; };
  auto twice = [add](auto f, int x) { f(x), f(x + 1); };
  twice(add, t);
  auto pick = [](int a, int b) { return a > b ? a : b; };
  out[t] = pick(sum, 40);
}

int main() {
  check::Array<int> out(64);
  int offset = 7, *p = out;
  double factor = 1.5;
  int table[4] = {3, 1, 4, 1};
  each<<<1, 64>>>(p, [=] __device__(int t) { return t * 2 + offset; });
  expect(out, [=](int t) { return t * 2 + offset; });
  auto both = [=] __host__ __device__(int t) {
    return (int)(t * factor) + table[t % 4];
  };
  each<<<1, 64>>>(p, both);
  expect(out, both);
  each<<<1, 64>>>(p, [offset, more = offset * 3] __device__(int t) {
    return t % 2 ? offset : more;
  });
  expect(out, [=](int t) { return t % 2 ? offset : offset * 3; });
  each<<<1, 64>>>(p, Maker{100}.make());
  expect(out, [](int t) { return 100 - t; });
  once<<<1, 64>>>(
      [p] __device__() { p[threadIdx.x] = blockDim.x - threadIdx.x; });
  expect(out, [](int t) { return 64 - t; });
  inside<<<1, 64>>>(p, 3);
  expect(out, [](int t) { return 6 * t + 3 > 40 ? 6 * t + 3 : 40; });
  return check::finish("lambdas");
}
