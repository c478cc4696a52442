// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every atomic function for int, unsigned and long long: what it returns, what
// it leaves, at device, block and system scope, in global and shared memory.
// CUDA C++ Programming Guide: Atomic Functions.

#include "Inputs/check.h"

enum { Add, Sub, Exch, Min, Max, And, Or, Xor, Cas, Inc, Dec, Count };

#define SCOPED(name, scope, address, value)                                    \
  (scope == 0   ? name(address, value)                                         \
   : scope == 1 ? name##_block(address, value)                                 \
                : name##_system(address, value))
#define SCOPED_CAS(scope, address, expected, value)                            \
  (scope == 0   ? atomicCAS(address, expected, value)                          \
   : scope == 1 ? atomicCAS_block(address, expected, value)                    \
                : atomicCAS_system(address, expected, value))

template <class T, int scope>
__device__ T apply(T *p, int op, T value, T expected) {
  switch (op) {
  case Min:
    return SCOPED(atomicMin, scope, p, value);
  case Max:
    return SCOPED(atomicMax, scope, p, value);
  default:
    break;
  }
  if constexpr (!std::is_same<T, long long>::value) {
    switch (op) {
    case Add:
      return SCOPED(atomicAdd, scope, p, value);
    case Exch:
      return SCOPED(atomicExch, scope, p, value);
    case And:
      return SCOPED(atomicAnd, scope, p, value);
    case Or:
      return SCOPED(atomicOr, scope, p, value);
    case Xor:
      return SCOPED(atomicXor, scope, p, value);
    case Cas:
      return SCOPED_CAS(scope, p, expected, value);
    default:
      break;
    }
    if constexpr (sizeof(T) == 4)
      if (op == Sub)
        return SCOPED(atomicSub, scope, p, value);
    if constexpr (std::is_same<T, unsigned>::value) {
      if (op == Inc)
        return SCOPED(atomicInc, scope, p, value);
      if (op == Dec)
        return SCOPED(atomicDec, scope, p, value);
    }
  }
  return T(123); // not declared for this type
}

template <class T, int scope>
__global__ void kernel(T *cells, T *old, const T *value, const T *expected,
                       bool shared) {
  __shared__ T box[16];
  int op = threadIdx.x;
  T *p = shared ? &box[op] : &cells[op]; // a generic address
  if (shared)
    *p = cells[op];
  old[op] = apply<T, scope>(p, op, value[op], expected[op]);
  if (shared)
    cells[op] = *p;
}

template <class T> static T expect(int op, T x, T value, T expected) {
  bool all = !std::is_same<T, long long>::value;
  switch (op) {
  case Min:
    return value < x ? value : x;
  case Max:
    return value > x ? value : x;
  case Add:
    return all ? (T)((unsigned long long)x + value) : x;
  case Sub:
    return sizeof(T) == 4 ? (T)((unsigned long long)x - value) : x;
  case Exch:
    return all ? value : x;
  case And:
    return all ? (T)(x & value) : x;
  case Or:
    return all ? (T)(x | value) : x;
  case Xor:
    return all ? (T)(x ^ value) : x;
  case Cas:
    return all && x == expected ? value : x;
  }
  if (!std::is_same<T, unsigned>::value)
    return x;
  if (op == Inc)
    return x >= value ? 0 : x + 1;
  return x == 0 || x > value ? value : x - 1;
}
template <class T> static bool declared(int op) {
  if (op == Min || op == Max)
    return true;
  if (std::is_same<T, long long>::value)
    return false;
  if (op == Sub)
    return sizeof(T) == 4;
  return op < Inc || std::is_same<T, unsigned>::value;
}

template <class T, int scope> static void test() {
  const T most = (T)(~0ull >> 1), least = (T)(1ull << (sizeof(T) * 8 - 1));
  const T samples[] = {(T)0,  (T)1,  (T)5, (T)6,          (T)7,         (T)-1,
                       (T)-9, least, most, (T)0x12345678, (T)(most / 3)};
  for (int shared = 0; shared < 2; ++shared)
    for (T x : samples)
      for (T v : samples) {
        T compare = v == (T)5 ? (T)(x + 1) : x;
        check::Array<T> cells(std::vector<T>(Count, x)), old(Count);
        check::Array<T> value(std::vector<T>(Count, v));
        check::Array<T> expected(std::vector<T>(Count, compare));
        kernel<T, scope><<<1, Count>>>((T *)cells, (T *)old, (T *)value,
                                       (T *)expected, shared != 0);
        old.get(), cells.get();
        for (int op = 0; op < Count; ++op) {
          CHECK_AT(op, old.host[op], declared<T>(op) ? x : T(123));
          CHECK_AT(op, cells.host[op], expect<T>(op, x, v, compare));
        }
      }
}

int main() {
  test<int, 0>(), test<int, 1>(), test<int, 2>();
  test<unsigned, 0>(), test<unsigned, 1>(), test<unsigned, 2>();
  test<long long, 0>(), test<long long, 1>(), test<long long, 2>();
  test<unsigned long long, 0>(), test<unsigned long long, 1>();
  test<unsigned long long, 2>();
  return check::finish("integers");
}
