// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer division that C++ leaves undefined: on a GPU it does not fault. By zero the
// quotient and the remainder have all bits set, and the smallest number by -1 is
// itself with remainder 0, in 8, 16, 32 and 128 bits.
// CUDA leaves the values unspecified (PTX ISA: div, rem); these are what its devices
// give, and in 128 bits what hetIR says. In 64 bits they divide by zero in 32 where both
// operands fit, so either is accepted.

#include "Inputs/check.h"
#include <algorithm>
#include <climits>
#include <limits>

template <class T>
__global__ void divide(const T *a, const T *b, T *quotient, T *remainder, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  quotient[i] = a[i] / b[i];
  remainder[i] = a[i] % b[i];
}

// One divisor for all threads, and a constant one.
template <class T>
__global__ void byArgument(const T *a, T *quotient, T *remainder, T b, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    quotient[i] = a[i] / b + a[i] / T(7);
    remainder[i] = a[i] % b;
  }
}

// In divergent code and behind a barrier.
__global__ void inBranches(const int *a, const int *b, int *out, int n) {
  __shared__ int box[64];
  int t = threadIdx.x, x = 0;
  box[t] = b[t % n];
  __syncthreads();
  if (t & 1)
    x = a[t % n] / box[(t + 1) % 64];
  else if (__any_sync(__activemask(), t == 2))
    x = a[t % n] % box[(t + 2) % 64] + 1;
  out[t] = x;
}

template <class T> struct Expected {
  using Limits = std::numeric_limits<T>;
  static bool overflows(T a, T b) {
    return Limits::is_signed && a == Limits::min() && b == T(-1);
  }
  static T quotient(T a, T b) {
    return b == 0 ? T(-1) : overflows(a, b) ? a : T(a / b);
  }
  static T remainder(T a, T b) {
    return b == 0 ? T(-1) : overflows(a, b) ? T(0) : T(a % b);
  }
};

template <class T> bool isEqual(T found, T want, bool byZero) {
  bool low = sizeof(T) == 8 && byZero && found == T(0xffffffffu);
  return found == want || low;
}

template <class T> std::vector<T> operands() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {T(0), T(1), T(2), T(7), T(100), T(-1), T(-2), T(-7)};
  values.push_back(Limits::max()), values.push_back(Limits::min());
  values.push_back(T(Limits::max() / 2 + 1)), values.push_back(T(Limits::min() + 1));
  return values;
}

template <class T> void checkType(int tag) {
  std::vector<T> values = operands<T>();
  const int m = (int)values.size(), n = m * m;
  check::Array<T> a(n), b(n), quotient(n), remainder(n);
  for (int i = 0; i < n; ++i)
    a.host[i] = values[i / m], b.host[i] = values[i % m];
  a.put(), b.put();
  divide<T><<<3, 64>>>(a, b, quotient, remainder, n);
  quotient.get(), remainder.get();
  for (int i = 0; i < n; ++i) {
    T x = a.host[i], y = b.host[i];
    T q = Expected<T>::quotient(x, y), r = Expected<T>::remainder(x, y);
    CHECK_AT(tag * 1000 + i, isEqual(quotient.host[i], q, y == 0), true);
    CHECK_AT(tag * 1000 + i, isEqual(remainder.host[i], r, y == 0), true);
  }
  for (T divisor : {T(0), T(-1), T(3)}) {
    byArgument<T><<<1, 32>>>(a, quotient, remainder, divisor, n);
    quotient.get(), remainder.get();
    for (int i = 0; i < n && sizeof(T) < 8; ++i) {
      T x = a.host[i];
      T q = T(Expected<T>::quotient(x, divisor) + T(x / T(7)));
      CHECK_AT(tag * 1000 + i, (long long)quotient.host[i], (long long)q);
      CHECK_AT(tag * 1000 + i, (long long)remainder.host[i],
               (long long)Expected<T>::remainder(x, divisor));
    }
  }
}

void checkBranches() {
  const int n = 4;
  check::Array<int> a(n), b(n), out(64);
  const int as[n] = {INT_MIN, 5, -9, INT_MIN}, bs[n] = {0, -1, -1, 4};
  std::copy_n(as, n, a.host.begin()), std::copy_n(bs, n, b.host.begin());
  a.put(), b.put();
  inBranches<<<1, 64>>>(a, b, out, n);
  out.get();
  for (int t = 0; t < 64; ++t) {
    int want = t & 1     ? Expected<int>::quotient(as[t % n], bs[(t + 1) % n])
               : t < 32 ? Expected<int>::remainder(as[t % n], bs[(t + 2) % n]) + 1
                         : 0;
    CHECK_AT(t, out.host[t], want);
  }
}

// A kernel each: of a / b and a % b together a compiler may make a - a / b * b, in
// which a remainder by zero is the dividend.
template <bool isQuotient> __global__ void wide(const long long *in, long long *out) {
  __int128 a = ((__int128)in[0] << 64) + in[1], b = ((__int128)in[2] << 64) + in[3];
  __int128 result = isQuotient ? a / b : a % b;
  out[0] = (long long)(result >> 64), out[1] = (long long)result;
}

void checkWide() {
  check::Array<long long> in(4), out(2);
  const long long min = std::numeric_limits<long long>::min();
  const long long cases[][4] = {{5, 77, 0, 1000003}, {-9, 12, 3, 1}, {min, 0, -1, -1},
                                {4, 4, 0, 0},        {0, 0, 0, 0},   {-4, 4, 0, 0}};
  auto expect = [&](int c, __int128 value) {
    out.get();
    CHECK_AT(c, out.host[0], (long long)(value >> 64));
    CHECK_AT(c, out.host[1], (long long)value);
  };
  for (int c = 0; c < 6; ++c) {
    std::copy_n(cases[c], 4, in.host.begin());
    in.put();
    __int128 a = ((__int128)cases[c][0] << 64) + cases[c][1];
    __int128 b = ((__int128)cases[c][2] << 64) + cases[c][3];
    wide<true><<<1, 1>>>(in, out);
    expect(c, Expected<__int128>::quotient(a, b));
    wide<false><<<1, 1>>>(in, out);
    expect(c, Expected<__int128>::remainder(a, b));
  }
}

int main() {
  checkType<unsigned char>(1);
  checkType<signed char>(2);
  checkType<unsigned short>(3);
  checkType<short>(4);
  checkType<unsigned>(5);
  checkType<int>(6);
  checkType<unsigned long long>(7);
  checkType<long long>(8);
  checkBranches();
  checkWide();
  return check::finish("integer_division");
}
