// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Samples for the tests of floating-point arithmetic, and the host's arithmetic
// in a given direction of rounding.

#ifndef CONFORMANCE_FLOATS_H
#define CONFORMANCE_FLOATS_H

#include "check.h"
#include <cfenv>
#include <cmath>

namespace floats {

enum Mode { Nearest, Zero, Up, Down };

// Computes `compute` with the host's rounding set to mode. Operands of compute
// must be volatile, so that nothing is folded or moved.
template <class Compute> auto rounded(Mode mode, Compute compute) {
  static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  fesetround(modes[mode]);
  volatile auto result = compute();
  fesetround(FE_TONEAREST);
  return (decltype(compute()))result;
}

template <class T, class Bits> T fromBits(Bits bits) {
  static_assert(sizeof(T) == sizeof(Bits), "");
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Zeros, subnormals, borders, infinities, NaN, and numbers with many digits.
inline std::vector<float> singles(int extra) {
  std::vector<float> values = {0.0f, -0.0f, 1.0f, -1.0f, 1.5f, 3.0f, 0.1f};
  for (unsigned bits :
       {1u, 0x80000001u, 0x7fffffu, 0x800000u, 0x800001u, 0x7f7fffffu, 0xff7fffffu,
        0x7f800000u, 0xff800000u, 0x7fc00000u, 0x3f800001u, 0xbf7fffffu, 0x4b000001u})
    values.push_back(fromBits<float>(bits));
  unsigned state = 2463534242u;
  for (int i = 0; i < extra; ++i)
    values.push_back(
        i % 3 ? fromBits<float>(0x3f000000u + check::random(state) % 0x2000000u)
              : fromBits<float>(check::random(state) & 0xbfffffffu));
  return values;
}
inline std::vector<double> doubles(int extra) {
  std::vector<double> values = {0.0, -0.0, 1.0, -1.0, 1.5, 3.0, 0.1};
  for (unsigned long long bits :
       {1ull, 0x8000000000000001ull, 0xfffffffffffffull, 0x10000000000000ull,
        0x7fefffffffffffffull, 0xffefffffffffffffull, 0x7ff0000000000000ull,
        0xfff0000000000000ull, 0x7ff8000000000000ull, 0x3ff0000000000001ull})
    values.push_back(fromBits<double>(bits));
  unsigned state = 88172645u;
  for (int i = 0; i < extra; ++i) {
    unsigned long long bits = (unsigned long long)check::random(state) << 32;
    bits |= check::random(state);
    if (i % 3)
      bits = 0x3fe0000000000000ull + bits % 0x40000000000000ull;
    values.push_back(fromBits<double>(bits & 0xbfffffffffffffffull));
  }
  return values;
}

} // namespace floats

#endif // CONFORMANCE_FLOATS_H
