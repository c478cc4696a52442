// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exact functions of a number's parts against the C library's, and what has no
// counterpart there: conversions to integers, norms, sine and cosine at once, Bessel
// functions of large arguments.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>

extern "C" {
#define HET_PARTS(T, bits)                                                               \
  T __het_frexp_##bits(T), __het_modf_##bits(T), __het_modf_integer_##bits(T);           \
  T __het_ldexp_##bits(T, int32_t), __het_logb_##bits(T);                                \
  T __het_nextafter_##bits(T, T), __het_remquo_##bits(T, T);                             \
  T __het_norm3d_##bits(T, T, T), __het_rnorm4d_##bits(T, T, T, T);                      \
  T __het_jn_##bits(int32_t, T), __het_yn_##bits(int32_t, T);                            \
  int32_t __het_frexp_exponent_##bits(T), __het_ilogb_##bits(T);                         \
  int32_t __het_remquo_quotient_##bits(T, T);                                            \
  int64_t __het_llrint_##bits(T), __het_llround_##bits(T);
HET_PARTS(float, f32)
HET_PARTS(double, f64)
int32_t __het_float2int_rz_f32(float), __het_double2int_rn_f64(double);
uint32_t __het_float2uint_ru_f32(float);
int64_t __het_double2ll_rd_f64(double);
uint64_t __het_float2ull_rz_f32(float);
double __het_j0_f64(double), __het_y1_f64(double);
float __het_sin_f32(float), __het_cos_f32(float);
uint64_t __het_sincos_f32(float);
float __het_hypot_f32(float, float), __het_rhypot_f32(float, float);
}

namespace {

template <class T> T anyNumber(std::mt19937_64 &random) {
  uint64_t bits = random();
  T x;
  std::memcpy(&x, reinterpret_cast<char *>(&bits) + (8 - sizeof x), sizeof x);
  return random() % 3 ? x
                      : std::ldexp(T(int64_t(random()) >> 44), int(random() % 40) - 20);
}

#define HET_SAME(found, expected)                                                        \
  do {                                                                                   \
    auto f = (found);                                                                    \
    decltype(f) e = (expected);                                                          \
    ASSERT_TRUE((std::isnan(f) && std::isnan(e)) || std::memcmp(&f, &e, sizeof f) == 0)  \
        << #found << " of " << std::hexfloat << x << ", " << y << ": found " << f        \
        << ", expected " << e;                                                           \
  } while (0)

#define HET_CHECK_PARTS(T, bits)                                                         \
  TEST(Parts, bits) {                                                                    \
    std::mt19937_64 random(3);                                                           \
    for (int i = 0; i < 100000; ++i) {                                                   \
      T x = anyNumber<T>(random), y = anyNumber<T>(random);                              \
      int exponent = 0, n = int(random() % 4000) - 2000;                                 \
      T whole;                                                                           \
      HET_SAME(__het_frexp_##bits(x), std::frexp(x, &exponent));                         \
      if (std::isfinite(x)) {                                                            \
        ASSERT_EQ(__het_frexp_exponent_##bits(x), exponent);                             \
      }                                                                                  \
      HET_SAME(__het_modf_##bits(x), std::modf(x, &whole));                              \
      HET_SAME(__het_modf_integer_##bits(x), whole);                                     \
      HET_SAME(__het_ldexp_##bits(x, n), std::ldexp(x, n));                              \
      HET_SAME(__het_ldexp_##bits(x, n / 20), std::ldexp(x, n / 20));                    \
      HET_SAME(__het_logb_##bits(x), std::logb(x));                                      \
      HET_SAME(__het_nextafter_##bits(x, y), std::nextafter(x, y));                      \
      int quotient;                                                                      \
      HET_SAME(__het_remquo_##bits(x, y), std::remquo(x, y, &quotient));                 \
      if (std::isfinite(x) && !std::isnan(y) && y != 0) {                                \
        ASSERT_EQ(__het_remquo_quotient_##bits(x, y) & 7, quotient & 7);                 \
        if (x != 0)                                                                      \
          ASSERT_EQ(__het_ilogb_##bits(x), std::ilogb(x));                               \
      }                                                                                  \
      if (std::fabs(x) < T(0x1p62)) {                                                    \
        ASSERT_EQ(__het_llrint_##bits(x), std::llrint(x)) << x;                          \
        ASSERT_EQ(__het_llround_##bits(x), std::llround(x)) << x;                        \
      }                                                                                  \
    }                                                                                    \
  }
HET_CHECK_PARTS(float, f32)
HET_CHECK_PARTS(double, f64)

TEST(Conversions, SaturateAndMapNaN) {
  const float infinity = std::numeric_limits<float>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(__het_float2int_rz_f32(1e10f), INT32_MAX);
  EXPECT_EQ(__het_float2int_rz_f32(-infinity), INT32_MIN);
  EXPECT_EQ(__het_float2int_rz_f32(-1.9f), -1);
  EXPECT_EQ(__het_float2int_rz_f32(float(nan)), 0);
  EXPECT_EQ(__het_float2uint_ru_f32(-3.0f), 0u);
  EXPECT_EQ(__het_float2uint_ru_f32(2.1f), 3u);
  EXPECT_EQ(__het_float2ull_rz_f32(1e30f), UINT64_MAX);
  EXPECT_EQ(__het_double2ll_rd_f64(-2.5), -3);
  EXPECT_EQ(__het_double2ll_rd_f64(nan), INT64_MIN);
  EXPECT_EQ(__het_double2int_rn_f64(2.5), 2);
  EXPECT_EQ(__het_double2int_rn_f64(nan), INT32_MIN);
}

TEST(Norms, NeitherOverflowNorUnderflow) {
  EXPECT_EQ(__het_norm3d_f32(3e38f, 0, 0), 3e38f);
  EXPECT_EQ(__het_norm3d_f64(0x1p-1074, 0, 0), 0x1p-1074);
  EXPECT_EQ(__het_norm3d_f64(2e300, 3e300, 6e300), 7e300);
  EXPECT_DOUBLE_EQ(__het_rnorm4d_f64(1e-300, 1e-300, 1e-300, 1e-300), 0.5e300);
  EXPECT_EQ(__het_rnorm4d_f32(1, std::numeric_limits<float>::infinity(), NAN, 0), 0);
  EXPECT_TRUE(std::isnan(__het_norm3d_f32(1, NAN, 0)));
  const float infinity = std::numeric_limits<float>::infinity();
  for (float x : {0.0f, 0x1p-149f, 0x1p-126f, 1.0f, 0x1.8p127f, infinity}) {
    EXPECT_EQ(__het_hypot_f32(x, -0.0f), x);
    EXPECT_EQ(__het_hypot_f32(NAN, -x) == infinity, x == infinity);
    EXPECT_EQ(__het_rhypot_f32(NAN, -x) == 0, x == infinity);
  }
  EXPECT_EQ(__het_rhypot_f32(0, 0), infinity);
  EXPECT_EQ(__het_rhypot_f32(0, -0x1p-149f), infinity);
  EXPECT_FLOAT_EQ(__het_rhypot_f32(-0x1p127f, 0), 0x1p-127f);
}

/// What gives both gives the bits of each.
TEST(Pairs, SineAndCosine) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 100000; ++i) {
    float x = anyNumber<float>(random);
    uint64_t both = __het_sincos_f32(x);
    uint32_t halves[] = {uint32_t(both), uint32_t(both >> 32)};
    float sine, cosine, y = 0;
    std::memcpy(&sine, &halves[0], sizeof sine);
    std::memcpy(&cosine, &halves[1], sizeof cosine);
    HET_SAME(sine, __het_sin_f32(x));
    HET_SAME(cosine, __het_cos_f32(x));
  }
}

/// Beyond 8 CUDA documents an absolute error, of 5e-12.
TEST(Bessel, LargeArgumentsAndOrders) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 3000; ++i) {
    double x = 8 + double(random() >> 11) * 0x1p-53 * (i % 2 ? 1000 : 50);
    EXPECT_NEAR(__het_j0_f64(x), double(j0l(x)), 1e-14) << x;
    EXPECT_NEAR(__het_y1_f64(x), double(y1l(x)), 1e-14) << x;
    int n = 2 + int(random() % 60);
    EXPECT_NEAR(__het_jn_f64(n, x), double(jnl(n, x)), 1e-12) << n << " " << x;
    double y = double(ynl(n, x));
    EXPECT_NEAR(__het_yn_f64(n, x), y, 1e-12 * std::fmax(1, std::fabs(y)))
        << n << " " << x;
  }
}

} // namespace
