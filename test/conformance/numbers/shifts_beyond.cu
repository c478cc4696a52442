// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS:
// FLAGS: -O0 -G
//
// Shifts by the width or more, which C++ leaves undefined. PTX gives 0 or the sign (PTX
// ISA: shl, shr), and takes the low 32 bits of an amount as an unsigned number.

#include "Inputs/check.h"
#include <type_traits>

template <class T> struct Shifts {
  T left, right, ones, mask, chosen, ownLeft, ownRight;
};

template <class T, class N> __device__ Shifts<T> shiftAll(T x, N n) {
  using U = std::make_unsigned_t<T>;
  const int width = sizeof(T) * 8;
  Shifts<T> out;
  out.left = T(U(x) << n);
  out.right = x >> n;
  out.ones = T(~U(0) >> (width - n)); // all lower than n
  out.mask = T((U(1) << n) - 1);
  out.chosen = U(x) & (U(1) << n) ? 1 : 0;
  // Where the program says itself what comes out beyond.
  out.ownLeft = unsigned(n) > width - 1 ? T(7) : T(U(x) << n);
  out.ownRight = unsigned(n) > width - 1 ? T(0) : T(x >> n);
  return out;
}

template <class T, class N>
__global__ void byMemory(const T *x, const N *n, Shifts<T> *out, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    out[i] = shiftAll(x[i], n[i]);
}

// One amount for all, in a loop.
template <class T, class N>
__global__ void byArgument(const T *x, N n, Shifts<T> *out, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    out[i] = shiftAll(x[i], n);
}

// The result by definition; an amount as PTX sees it.
template <class T> T leftOf(T x, unsigned n) {
  using U = std::make_unsigned_t<T>;
  return n >= sizeof(T) * 8 ? T(0) : T(U(x) << n);
}
template <class T> T rightOf(T x, unsigned n) {
  return n < sizeof(T) * 8 ? T(x >> n) : x < 0 ? T(-1) : T(0);
}
template <class T> Shifts<T> expected(T x, unsigned n) {
  using U = std::make_unsigned_t<T>;
  const unsigned width = sizeof(T) * 8;
  return {leftOf(x, n), rightOf(x, n), T(rightOf(U(-1), width - n)),
          T(leftOf(U(1), n) - 1), U(x) & leftOf(U(1), n) ? T(1) : T(0),
          n < width ? leftOf(x, n) : T(7), n < width ? rightOf(x, n) : T(0)};
}

template <class T> void compare(int at, const Shifts<T> &found, const Shifts<T> &want) {
  CHECK_AT(at, found.left, want.left);
  CHECK_AT(at, found.right, want.right);
  CHECK_AT(at, found.ones, want.ones);
  CHECK_AT(at, found.mask, want.mask);
  CHECK_AT(at, found.chosen, want.chosen);
  CHECK_AT(at, found.ownLeft, want.ownLeft);
  CHECK_AT(at, found.ownRight, want.ownRight);
}

template <class T, class N> void checkTypes() {
  const T values[] = {T(-1), T(1), T(T(1) << (sizeof(T) * 8 - 1)), T(0x5a3c96e1),
                      T(-0x1234567)};
  std::vector<T> x;
  std::vector<N> n;
  for (int amount = -5; amount <= 130; ++amount)
    for (T value : values)
      x.push_back(value), n.push_back(N(amount));
  for (T value : values)
    for (unsigned amount : {0x80000041u, 0x7fffffffu, 0xffffffe0u})
      x.push_back(value), n.push_back(N(int(amount)));
  const int count = (int)x.size();
  check::Array<T> xs(x);
  check::Array<N> ns(n);
  check::Array<Shifts<T>> out(count);
  byMemory<T, N><<<1, 64>>>(xs, ns, out, count);
  out.get();
  for (int i = 0; i < count; ++i)
    compare(i, out.host[i], expected(x[i], (unsigned)n[i]));
  for (int amount : {-1, 0, 5, 31, 32, 33, 63, 64, 65, 96}) {
    byArgument<T, N><<<1, 64>>>(xs, N(amount), out, count);
    out.get();
    for (int i = 0; i < count; ++i)
      compare(i, out.host[i], expected(x[i], (unsigned)N(amount)));
  }
}

// Amounts that the compiler sees.
template <int N, class T> __device__ void byConstant(T x, T *out) {
  int n = N;
  out[0] = T(std::make_unsigned_t<T>(x) << n);
  out[1] = x >> n;
}
template <class T> __global__ void constants(const T *x, T *out) {
  byConstant<0>(*x, out), byConstant<31>(*x, out + 2), byConstant<32>(*x, out + 4);
  byConstant<33>(*x, out + 6), byConstant<63>(*x, out + 8), byConstant<64>(*x, out + 10);
  byConstant<70>(*x, out + 12), byConstant<-1>(*x, out + 14);
}
template <class T> void checkConstants(T value) {
  check::Array<T> x(std::vector<T>{value}), out(16);
  constants<T><<<1, 1>>>(x, out);
  out.get();
  const int amounts[] = {0, 31, 32, 33, 63, 64, 70, -1};
  for (int i = 0; i < 8; ++i) {
    CHECK_AT(i, out.host[i * 2], leftOf(value, (unsigned)amounts[i]));
    CHECK_AT(i, out.host[i * 2 + 1], rightOf(value, (unsigned)amounts[i]));
  }
}

// Constants on both sides, as a mask of all lanes is made.
template <int N> __device__ unsigned maskOf() { return (1u << N) - 1; }
template <int N> __device__ unsigned long long wideMaskOf() { return (1ull << N) - 1; }
template <int N> __device__ unsigned byDefault(unsigned mask = (1u << N) - 1) {
  return mask;
}
template <int N> struct Mask {
  unsigned all = (1u << N) - 1;
};
template <int N> struct Masks {
  Mask<N> inner;
  int other = 3;
};
__global__ void literals(unsigned *out, unsigned long long *wide) {
  Mask<32> made;
  Masks<32> nested;
  out[5] = byDefault<32>(), out[6] = made.all, out[7] = nested.inner.all;
  out[0] = maskOf<31>(), out[1] = maskOf<32>(), out[2] = maskOf<40>();
  out[3] = (~0u >> 32) + 5, out[4] = unsigned(-8 >> 40);
  wide[0] = wideMaskOf<63>(), wide[1] = wideMaskOf<64>();
}
void checkLiterals() {
  check::Array<unsigned> out(8);
  check::Array<unsigned long long> wide(2);
  literals<<<1, 1>>>(out, wide);
  out.get(), wide.get();
  CHECK_EQ(out.host[0], 0x7fffffffu);
  CHECK_EQ(out.host[1], ~0u);
  CHECK_EQ(out.host[2], ~0u);
  CHECK_EQ(out.host[3], 5u);
  CHECK_EQ(out.host[4], ~0u);
  for (int i = 5; i < 8; ++i)
    CHECK_AT(i, out.host[i], ~0u);
  CHECK_EQ(wide.host[0], ~0ull >> 1);
  CHECK_EQ(wide.host[1], ~0ull);
}

// A lane whose amount is beyond the width does not count; the others' results and what
// is done once stay as they are.
__global__ void unwatched(unsigned *out, unsigned *next) {
  const int lane = threadIdx.x;
  int amount = 40;
  if (lane == 0)
    amount = int(atomicAdd(next, 1u));
  const unsigned bit = 1u << amount;
  out[lane] = __shfl_sync(0xffffffffu, bit, 0);
}
void checkUnwatched() {
  check::Array<unsigned> out(32), next(1);
  next.fill(7);
  unwatched<<<1, 32>>>(out, next);
  out.get(), next.get();
  CHECK_EQ(next.host[0], 8u);
  for (int lane = 0; lane < 32; ++lane)
    CHECK_AT(lane, out.host[lane], 1u << 7);
}

int main() {
  checkTypes<int, int>();
  checkTypes<unsigned, int>();
  checkTypes<unsigned, unsigned>();
  checkTypes<int, long long>();
  checkTypes<unsigned, signed char>();
  checkTypes<long long, int>();
  checkTypes<unsigned long long, int>();
  checkTypes<unsigned long long, unsigned>();
  checkTypes<long long, long long>();
  checkConstants<int>(-77777);
  checkConstants<unsigned>(0x87654321u);
  checkConstants<long long>(-0x123456789abcdefll);
  checkConstants<unsigned long long>(0x8765432112345678ull);
  checkLiterals();
  checkUnwatched();
  return check::finish("shifts_beyond");
}
