// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of the floating point in integers: among sizes, from and to integers.

#include "SoftFloatTest.h"
#include <limits>

namespace soft {
namespace {

using N64 = Numbers<F64>;
using N32 = Numbers<F32>;

/// The nearest number of 16 bits, ties to even; not of a NaN. In double, exactly.
uint16_t nearestHalf(double x) {
  uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  double size = std::fabs(x);
  if (size >= 65520) // half way to 2^16
    return sign | 0x7c00;
  int exponent = size < 0x1p-14 ? -14 : std::ilogb(size);
  double units = std::rint(std::ldexp(size, 10 - exponent)); // 1024 to 2048 if normal
  return uint16_t(sign | (uint16_t((exponent + 14) << 10) + uint16_t(units)));
}

double valueOfHalf(uint16_t half) {
  int exponent = half >> 10 & 31, fraction = half & 0x3ff;
  double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                               : std::ldexp(fraction, -24);
  return half & 0x8000 ? -size : size;
}

void checkToHalf(const char *name, uint16_t found, double x, uint64_t operand) {
  bool isRight = std::isnan(x) ? (found & 0x7fff) > 0x7c00 : found == nearestHalf(x);
  if (!isRight)
    ADD_FAILURE() << name << " " << text(operand) << ": found " << text(found);
}

TEST(SoftFloatConversions, FromHalf) {
  for (uint32_t half = 0; half < 0x10000; ++half) {
    double value = valueOfHalf(uint16_t(half));
    HET_SOFT_EXPECT(F64, "f64_from_f16", __het_soft_f64_from_f16(uint16_t(half)),
                    N64::word(value), half);
    HET_SOFT_EXPECT(F32, "f32_from_f16", __het_soft_f32_from_f16(uint16_t(half)),
                    N32::word(float(value)), half);
  }
}

TEST(SoftFloatConversions, ToHalf) {
  auto check64 = [](uint64_t a) {
    checkToHalf("f16_from_f64", __het_soft_f16_from_f64(a), N64::number(a), a);
  };
  auto check32 = [](uint32_t a) {
    checkToHalf("f16_from_f32", __het_soft_f16_from_f32(a), N32::number(a), a);
  };
  for (uint64_t a : N64::special())
    check64(a);
  for (uint32_t a : N32::special())
    check32(a);
  // Each number of 16 bits, what is half way to the next, and the neighbours.
  for (uint32_t half = 0; half < 0x7c00 && !HasFailure(); ++half) {
    double low = valueOfHalf(uint16_t(half)), high = valueOfHalf(uint16_t(half + 1));
    double middle = half == 0x7bff ? 65520 : (low + high) / 2;
    for (double x : {low, middle})
      for (int step = -1; step <= 1; ++step) {
        check64(N64::word(x) + (x ? step : 0));
        check64(N64::word(-x) + (x ? step : 0));
        check32(N32::word(float(x)) + (x ? step : 0));
      }
  }
  N64 wide(1);
  N32 narrow(1);
  for (int i = 0; i < rounds && !HasFailure(); ++i) {
    check64(i & 1 ? wide.any() : wide.withExponent(wide.between(1023 - 27, 1023 + 17)));
    check32(i & 1 ? narrow.any()
                  : narrow.withExponent(narrow.between(127 - 27, 127 + 17)));
  }
}

TEST(SoftFloatConversions, BetweenSingleAndDouble) {
  auto narrow = [](uint64_t a) {
    HET_SOFT_EXPECT(F32, "f32_from_f64", __het_soft_f32_from_f64(a),
                    N32::word(float(N64::number(a))), a);
  };
  auto widen = [](uint32_t a) {
    HET_SOFT_EXPECT(F64, "f64_from_f32", __het_soft_f64_from_f32(a),
                    N64::word(double(N32::number(a))), a);
  };
  for (uint64_t a : N64::special())
    narrow(a);
  for (uint32_t a : N32::special()) {
    widen(a);
    for (uint64_t step : {-1, 0, 1}) // also half way to the next
      for (uint64_t part : {uint64_t(0), uint64_t(1) << 28})
        narrow(N64::word(double(N32::number(a))) + part + step);
  }
  N64 numbers(2);
  N32 singles(2);
  for (int i = 0; i < rounds && !HasFailure(); ++i) {
    uint64_t a = numbers.any();
    narrow(a);
    narrow(numbers.withExponent(numbers.between(1023 - 152, 1023 - 120)));
    narrow(numbers.withExponent(numbers.between(1023 - 2, 1023 + 130)));
    narrow((a & ~uint64_t(0x1fffffff)) + 0x10000000 + (i % 3) - 1);
    widen(singles.any());
  }
}

/// What LLVM's saturating conversions give.
template <class Integer, class Number> Integer saturate(Number x) {
  using Limits = std::numeric_limits<Integer>;
  Number end = std::ldexp(Number(1), Limits::digits); // one more than the largest
  if (std::isnan(x))
    return 0;
  if (x >= end)
    return Limits::max();
  if (Limits::is_signed ? x < -end : x <= -1)
    return Limits::min();
  return static_cast<Integer>(x);
}

template <class T, class Integer, class Soft> void checkTo(const char *name, Soft soft) {
  auto check = [&](typename T::Word a) {
    Integer expected = saturate<Integer>(Numbers<T>::number(a));
    if (soft(a) != expected)
      ADD_FAILURE() << name << " " << text(a) << ": found " << +soft(a) << ", expected "
                    << +expected;
  };
  for (typename T::Word a : Numbers<T>::special())
    check(a);
  Numbers<T> numbers(3);
  constexpr int width = std::numeric_limits<Integer>::digits;
  for (int i = 0; i < rounds / 4 && !::testing::Test::HasFailure(); ++i) {
    check(numbers.any());
    check(numbers.withExponent(numbers.between(T::bias - 2, T::bias + width + 2)));
  }
}

#define HET_CHECK_TO(T, suffix)                                                          \
  checkTo<T, int8_t>("i8_from_" #suffix, __het_soft_i8_from_##suffix);                   \
  checkTo<T, uint8_t>("u8_from_" #suffix, __het_soft_u8_from_##suffix);                  \
  checkTo<T, int16_t>("i16_from_" #suffix, __het_soft_i16_from_##suffix);                \
  checkTo<T, uint16_t>("u16_from_" #suffix, __het_soft_u16_from_##suffix);               \
  checkTo<T, int32_t>("i32_from_" #suffix, __het_soft_i32_from_##suffix);                \
  checkTo<T, uint32_t>("u32_from_" #suffix, __het_soft_u32_from_##suffix);               \
  checkTo<T, int64_t>("i64_from_" #suffix, __het_soft_i64_from_##suffix);                \
  checkTo<T, uint64_t>("u64_from_" #suffix, __het_soft_u64_from_##suffix);
TEST(SoftFloatConversions, ToIntegers) {
  HET_CHECK_TO(F64, f64)
  HET_CHECK_TO(F32, f32)
}

template <class T, class Integer, class Soft>
void checkFrom(const char *name, Soft soft) {
  auto check = [&](Integer a) {
    HET_SOFT_EXPECT(T, name, soft(a),
                    Numbers<T>::word(static_cast<typename T::Number>(a)), uint64_t(a));
  };
  std::mt19937_64 random(4);
  constexpr int bits = sizeof(Integer) * 8;
  for (int up = 0; up < bits; ++up)
    for (int other = 0; other < bits; ++other)
      for (int step = -1; step <= 1; ++step) {
        check(Integer((uint64_t(1) << up | uint64_t(1) << other) + step));
        check(Integer(0 - (uint64_t(1) << up | uint64_t(1) << other) + step));
      }
  for (int i = 0; i < rounds / 2 && !::testing::Test::HasFailure(); ++i) {
    check(Integer(random()));
    check(Integer(random() >> (random() & 63)));
    // Half way, and beside it.
    uint64_t leading = random() | uint64_t(1) << 63;
    uint64_t tie = ((leading >> (62 - T::digits)) | 1) << (62 - T::digits);
    check(Integer((tie >> (64 - bits)) + i % 3 - 1));
  }
}

#define HET_CHECK_FROM(T, suffix)                                                        \
  checkFrom<T, int32_t>(#suffix "_from_i32", __het_soft_##suffix##_from_i32);            \
  checkFrom<T, uint32_t>(#suffix "_from_u32", __het_soft_##suffix##_from_u32);           \
  checkFrom<T, int64_t>(#suffix "_from_i64", __het_soft_##suffix##_from_i64);            \
  checkFrom<T, uint64_t>(#suffix "_from_u64", __het_soft_##suffix##_from_u64);
TEST(SoftFloatConversions, FromIntegers) {
  HET_CHECK_FROM(F64, f64)
  HET_CHECK_FROM(F32, f32)
}

} // namespace
} // namespace soft
