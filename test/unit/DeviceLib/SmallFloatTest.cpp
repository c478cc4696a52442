// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of small floats, their maxima and minima: the device library against what
// the headers do on hosts.

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_fp8.h"
#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

extern "C" {
#define HET_MODE(type, mode)                                                             \
  uint16_t __het_##type##_from_int_##mode##_i32(int32_t);                                \
  uint16_t __het_##type##_from_uint_##mode##_i32(uint32_t);                              \
  uint16_t __het_##type##_from_ll_##mode##_i64(int64_t);                                 \
  uint16_t __het_##type##_from_ull_##mode##_i64(uint64_t);
#define HET_TYPE(type)                                                                   \
  HET_MODE(type, rn)                                                                     \
  HET_MODE(type, rz)                                                                     \
  HET_MODE(type, ru)                                                                     \
  HET_MODE(type, rd)                                                                     \
  uint16_t __het_##type##_from_float_rz_f32(float);                                      \
  uint16_t __het_##type##_from_float_ru_f32(float);                                      \
  uint16_t __het_##type##_from_float_rd_f32(float);                                      \
  uint16_t __het_##type##_from_double_rn_f64(double);                                    \
  uint16_t __het_max_##type##_i16(uint16_t, uint16_t);                                   \
  uint16_t __het_min_##type##_i16(uint16_t, uint16_t);                                   \
  uint16_t __het_max_nan_##type##_i16(uint16_t, uint16_t);                               \
  uint16_t __het_min_nan_##type##_i16(uint16_t, uint16_t);
HET_TYPE(half)
HET_TYPE(bfloat)
#undef HET_MODE
#undef HET_TYPE
uint16_t __het_e4m3x2_from_floats_rn_f32(float, float);
uint16_t __het_e5m2x2_from_floats_rn_f32(float, float);
uint32_t __het_half2_from_e4m3x2_i16(uint16_t);
}

namespace {

/// Of all sizes, often near the end of a binade.
uint64_t anyInteger(std::mt19937_64 &random) {
  uint64_t value = random() >> (random() & 63);
  if (random() & 1)
    value = (1ull << (random() & 63)) + (random() & 7) - 4;
  return random() & 1 ? 0 - value : value;
}

/// A number, of any exponent or one that small floats have, sometimes on a tie.
float anyFloat(std::mt19937_64 &random) {
  float value = std::ldexp(float(int64_t(random()) >> 40), int(random() % 64) - 48);
  uint32_t bits = uint32_t(random());
  if (random() & 1 && (bits & 0x7f800000u) != 0x7f800000u)
    std::memcpy(&value, &bits, sizeof value);
  std::memcpy(&bits, &value, sizeof value);
  bits &= random() & 1 ? ~0u : 0xfffff000u;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

#define HET_INTEGERS(type, cuda, mode)                                                   \
  ASSERT_EQ(__het_##type##_from_int_##mode##_i32(int32_t(i)),                            \
            __int2##cuda##_##mode(int32_t(i)).__x)                                       \
      << i;                                                                              \
  ASSERT_EQ(__het_##type##_from_uint_##mode##_i32(uint32_t(i)),                          \
            __uint2##cuda##_##mode(uint32_t(i)).__x)                                     \
      << i;                                                                              \
  ASSERT_EQ(__het_##type##_from_ll_##mode##_i64(int64_t(i)),                             \
            __ll2##cuda##_##mode(int64_t(i)).__x)                                        \
      << i;                                                                              \
  ASSERT_EQ(__het_##type##_from_ull_##mode##_i64(i), __ull2##cuda##_##mode(i).__x) << i;
#define HET_FLOATS(type, cuda, mode)                                                     \
  ASSERT_EQ(__het_##type##_from_float_##mode##_f32(f), __float2##cuda##_##mode(f).__x)   \
      << f;
#define HET_CHECK(type, cuda)                                                            \
  TEST(SmallFloat, type) {                                                               \
    std::mt19937_64 random(11);                                                          \
    for (int round = 0; round < 300000; ++round) {                                       \
      const uint64_t i = anyInteger(random);                                             \
      const float f = anyFloat(random);                                                  \
      const double d = f * (1 + std::ldexp(int(random() % 5) - 2, -int(random() % 52))); \
      HET_INTEGERS(type, cuda, rn)                                                       \
      HET_INTEGERS(type, cuda, rz)                                                       \
      HET_INTEGERS(type, cuda, ru)                                                       \
      HET_INTEGERS(type, cuda, rd)                                                       \
      HET_FLOATS(type, cuda, rz)                                                         \
      HET_FLOATS(type, cuda, ru)                                                         \
      HET_FLOATS(type, cuda, rd)                                                         \
      ASSERT_EQ(__het_##type##_from_double_rn_f64(d), __double2##cuda(d).__x) << d;      \
      const uint16_t a = uint16_t(random()),                                             \
                     b = round & 1 ? uint16_t(random()) : a ^ 0x8000;                    \
      const auto x = __ushort_as_##cuda(a), y = __ushort_as_##cuda(b);                   \
      ASSERT_EQ(__het_max_##type##_i16(a, b), __hmax(x, y).__x) << a << ", " << b;       \
      ASSERT_EQ(__het_min_##type##_i16(a, b), __hmin(x, y).__x) << a << ", " << b;       \
      ASSERT_EQ(__het_max_nan_##type##_i16(a, b), __hmax_nan(x, y).__x)                  \
          << a << ", " << b;                                                             \
      ASSERT_EQ(__het_min_nan_##type##_i16(a, b), __hmin_nan(x, y).__x)                  \
          << a << ", " << b;                                                             \
    }                                                                                    \
  }
HET_CHECK(half, half)
HET_CHECK(bfloat, bfloat16)

TEST(SmallFloat, EightBits) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 300000; ++round) {
    const float2 both = {anyFloat(random),
                         round % 100 ? anyFloat(random) : std::nanf("")};
    ASSERT_EQ(__het_e4m3x2_from_floats_rn_f32(both.x, both.y),
              __nv_cvt_float2_to_fp8x2(both, __NV_SATFINITE, __NV_E4M3))
        << both.x << ", " << both.y;
    ASSERT_EQ(__het_e5m2x2_from_floats_rn_f32(both.x, both.y),
              __nv_cvt_float2_to_fp8x2(both, __NV_SATFINITE, __NV_E5M2))
        << both.x << ", " << both.y;
  }
  for (unsigned codes = 0; codes < 65536; ++codes) {
    const __half2_raw halves = __nv_cvt_fp8x2_to_halfraw2(codes, __NV_E4M3);
    const uint32_t found = __het_half2_from_e4m3x2_i16(uint16_t(codes));
    for (unsigned place : {0u, 1u}) {
      const unsigned half = found >> 16 * place & 0xffff;
      if ((codes >> 8 * place & 0x7f) == 0x7f) // a NaN's other bits are the machine's
        ASSERT_GT(half & 0x7fff, 0x7c00u) << codes;
      else
        ASSERT_EQ(half, place ? halves.y : halves.x) << codes;
    }
  }
}

} // namespace
