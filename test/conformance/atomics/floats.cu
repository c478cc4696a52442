// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicAdd for float and double, atomicExch for float, in global and shared
// memory: exact sums, signed zeros, infinities, NaN, subnormals; float2 and float4, each
// element by itself.
// CUDA C++ Programming Guide: Atomic Functions.

#include "Inputs/check.h"
#include <cmath>

template <class T>
__global__ void one(T *cells, T *old, const T *value, bool shared) {
  __shared__ T box[64];
  int t = threadIdx.x;
  T *p = shared ? &box[t] : &cells[t];
  *p = cells[t];
  old[t] = atomicAdd(p, value[t]);
  cells[t] = *p;
}
template <class T> __global__ void many(T *sums) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums[0], (T)(t % 100) / 4);
  atomicAdd_block(&sums[1 + blockIdx.x], (T)t);
  if (t % 3)
    atomicAdd_system(&sums[t % 2 + 8], (T)-0.5);
}
__global__ void vectors(float2 *two, float4 *four) {
  float t = (float)threadIdx.x;
  float2 old = atomicAdd(two, make_float2(1, t));
  atomicAdd_block(&two[1 + blockIdx.x], make_float2(old.x >= 0 && old.x < 192, 2));
  atomicAdd(four, make_float4(1, t, -t, 0.5f));
  atomicAdd_system(&four[1], make_float4(t, 1, 0, -1));
}
__global__ void exchange(float *cell, float *old) {
  *old = atomicExch(cell, -0.0f);
}

template <class T> static void test() {
  const T inf = (T)INFINITY, tiny = std::is_same<T, float>::value
                                        ? (T)1e-45f
                                        : (T)4.9406564584124654e-324;
  std::vector<T> x = {0, (T)-0.0, (T)0.1, inf, inf, 1, tiny, (T)1e30, -1};
  std::vector<T> y = {(T)-0.0, (T)-0.0, (T)0.2, 1, -inf, (T)NAN, tiny, (T)1, 1};
  for (int shared = 0; shared < 2; ++shared) {
    check::Array<T> cells(x), old(x.size()), value(y);
    one<T><<<1, (unsigned)x.size()>>>((T *)cells, (T *)old,
                                      (const T *)(T *)value, shared != 0);
    old.get(), cells.get();
    for (size_t i = 0; i < x.size(); ++i) {
      volatile T sum = x[i] + y[i];
      CHECK_AT(i, old.host[i], x[i]);
      // PTX ISA, "atom": on global memory a float's subnormals may be flushed.
      if (!shared && std::is_same<T, float>::value && x[i] == tiny &&
          cells.host[i] == 0)
        continue;
      CHECK_AT(i, cells.host[i], (T)sum);
    }
  }
  check::Array<T> sums(10);
  many<T><<<6, 64>>>((T *)sums);
  sums.get();
  std::vector<T> want(10);
  for (int t = 0; t < 384; ++t) {
    want[0] += (T)(t % 100) / 4;
    want[1 + t / 64] += (T)t;
    if (t % 3)
      want[t % 2 + 8] -= (T)0.5;
  }
  for (int i = 0; i < 10; ++i)
    CHECK_AT(i, sums.host[i], want[i]);
}

static void testVectors() {
  check::Array<float2> two(4);
  check::Array<float4> four(2);
  vectors<<<3, 64>>>(two, four);
  two.get(), four.get();
  const float sum = 3 * 64 * 63 / 2;
  CHECK_EQ(two.host[0].x, 192.0f);
  CHECK_EQ(two.host[0].y, sum);
  for (int block = 1; block < 4; ++block) {
    CHECK_EQ(two.host[block].x, 64.0f);
    CHECK_EQ(two.host[block].y, 128.0f);
  }
  const float want[8] = {192, sum, -sum, 96, sum, 192, 0, -192};
  for (int k = 0; k < 8; ++k)
    CHECK_AT(k, (&four.host[k / 4].x)[k % 4], want[k]);
}

int main() {
  test<float>();
  test<double>();
  check::Array<float> cell(std::vector<float>{1.25f}), old(1);
  exchange<<<1, 1>>>(cell, old);
  CHECK_EQ(old.get()[0], 1.25f);
  CHECK_EQ(cell.get()[0], -0.0f);
  testVectors();
  return check::finish("floats");
}
