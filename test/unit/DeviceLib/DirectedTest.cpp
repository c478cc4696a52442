// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic and conversions with directed rounding, bit for bit against MPFR, which
// rounds as told and, told the format's exponents, to its subnormal numbers too.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <mpfr.h>
#include <random>
#include <string>

#define HET_DECLARE(mode)                                                                \
  extern "C" {                                                                           \
  float __het_add_##mode##_f32(float, float), __het_sub_##mode##_f32(float, float);      \
  float __het_mul_##mode##_f32(float, float), __het_div_##mode##_f32(float, float);      \
  float __het_sqrt_##mode##_f32(float), __het_rcp_##mode##_f32(float);                   \
  float __het_fma_##mode##_f32(float, float, float);                                     \
  double __het_add_##mode##_f64(double, double);                                         \
  double __het_sub_##mode##_f64(double, double);                                         \
  double __het_mul_##mode##_f64(double, double);                                         \
  double __het_div_##mode##_f64(double, double);                                         \
  double __het_sqrt_##mode##_f64(double), __het_rcp_##mode##_f64(double);                \
  double __het_fma_##mode##_f64(double, double, double);                                 \
  float __het_float_from_double_##mode##_f64(double);                                    \
  float __het_float_from_int_##mode##_i32(int32_t);                                      \
  float __het_float_from_uint_##mode##_i32(uint32_t);                                    \
  float __het_float_from_ll_##mode##_i64(int64_t);                                       \
  float __het_float_from_ull_##mode##_i64(uint64_t);                                     \
  double __het_double_from_ll_##mode##_i64(int64_t);                                     \
  double __het_double_from_ull_##mode##_i64(uint64_t);                                   \
  }
HET_DECLARE(rn)
HET_DECLARE(rz)
HET_DECLARE(ru)
HET_DECLARE(rd)
extern "C" float __het_rsqrt_rn_f32(float);
extern "C" float __het_rsqrt_f32(float);

namespace {

template <class T> struct Operations {
  T (*add)(T, T), (*sub)(T, T), (*mul)(T, T), (*div)(T, T), (*sqrt)(T), (*rcp)(T),
      (*fma)(T, T, T);
};

#define HET_OPERATIONS(mode, bits)                                                       \
  {__het_add_##mode##_f##bits, __het_sub_##mode##_f##bits,  __het_mul_##mode##_f##bits,  \
   __het_div_##mode##_f##bits, __het_sqrt_##mode##_f##bits, __het_rcp_##mode##_f##bits,  \
   __het_fma_##mode##_f##bits}

const mpfr_rnd_t modes[] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDU, MPFR_RNDD};
const char *const modeNames[] = {"rn", "rz", "ru", "rd"};
const Operations<float> single[] = {HET_OPERATIONS(rn, 32), HET_OPERATIONS(rz, 32),
                                    HET_OPERATIONS(ru, 32), HET_OPERATIONS(rd, 32)};
const Operations<double> twice[] = {HET_OPERATIONS(rn, 64), HET_OPERATIONS(rz, 64),
                                    HET_OPERATIONS(ru, 64), HET_OPERATIONS(rd, 64)};

/// MPFR with a format's precision and range while it lives.
template <class T> class Rounder {
  using L = std::numeric_limits<T>;

public:
  Rounder() {
    mpfr_set_emin(L::min_exponent - L::digits + 1);
    mpfr_set_emax(L::max_exponent);
    mpfr_init2(a, L::digits);
    mpfr_init2(b, L::digits);
    mpfr_init2(c, L::digits);
    mpfr_init2(result, L::digits);
  }
  ~Rounder() {
    mpfr_clears(a, b, c, result, nullptr);
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
  }
  template <class F> T operator()(mpfr_rnd_t mode, F f, T x, T y = 0, T z = 0) {
    mpfr_set_d(a, x, MPFR_RNDN);
    mpfr_set_d(b, y, MPFR_RNDN);
    mpfr_set_d(c, z, MPFR_RNDN);
    int inexact = f(result, a, b, c, mode);
    mpfr_subnormalize(result, inexact, mode);
    return T(mpfr_get_d(result, MPFR_RNDN));
  }

private:
  mpfr_t a, b, c, result;
};

template <class T> T sample(std::mt19937_64 &random) {
  switch (random() % 4) {
  case 0: { // any bits
    uint64_t bits = random();
    T x;
    std::memcpy(&x, reinterpret_cast<char *>(&bits) + (8 - sizeof x), sizeof x);
    return x;
  }
  case 1: { // few significant bits: exact results and ties
    T x = std::ldexp(T(int(random() % 31) - 15), int(random() % 60) - 30);
    return x;
  }
  case 2: // near 1
    return T(1) + (T(random() % 64) - 32) * std::numeric_limits<T>::epsilon();
  default: { // the ends of the range
    int e = std::numeric_limits<T>::max_exponent;
    int exponent =
        random() % 2 ? e - int(random() % 40) - 60 : -e + int(random() % 80) - 20;
    return std::ldexp(T(int64_t(random()) >> (64 - std::numeric_limits<T>::digits)),
                      exponent - (random() % 2 ? 0 : 30));
  }
  }
}

template <class T> bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}

template <class T> std::string text(T a, T b, T c, T found, T expected) {
  char line[200];
  std::snprintf(line, sizeof line, "of %a, %a, %a: found %a, expected %a", double(a),
                double(b), double(c), double(found), double(expected));
  return line;
}

template <class T> void checkAll(const Operations<T> *operations) {
  auto add = [](auto r, auto a, auto b, auto, auto m) { return mpfr_add(r, a, b, m); };
  auto sub = [](auto r, auto a, auto b, auto, auto m) { return mpfr_sub(r, a, b, m); };
  auto mul = [](auto r, auto a, auto b, auto, auto m) { return mpfr_mul(r, a, b, m); };
  auto div = [](auto r, auto a, auto b, auto, auto m) { return mpfr_div(r, a, b, m); };
  auto root = [](auto r, auto a, auto, auto, auto m) { return mpfr_sqrt(r, a, m); };
  auto inverse = [](auto r, auto a, auto, auto, auto m) {
    return mpfr_ui_div(r, 1, a, m);
  };
  auto fma = [](auto r, auto a, auto b, auto c, auto m) {
    return mpfr_fma(r, a, b, c, m);
  };
  Rounder<T> rounder;
  std::mt19937_64 random(7);
  auto check = [](const char *name, int mode, T a, T b, T c, T found, T expected) {
    ASSERT_TRUE(same(found, expected))
        << name << "_" << modeNames[mode] << " " << text(a, b, c, found, expected);
  };
  for (int i = 0; i < 100000 && !testing::Test::HasFatalFailure(); ++i) {
    T a = sample<T>(random), b = sample<T>(random), c = sample<T>(random);
    if (i % 5 == 0) // cancellation: c near -a b
      c = -a * b * (1 + T(int(random() % 5) - 2) * std::numeric_limits<T>::epsilon());
    int m = i % 4;
    const Operations<T> &o = operations[m];
    mpfr_rnd_t mode = modes[m];
    check("add", m, a, b, 0, o.add(a, b), rounder(mode, add, a, b));
    check("sub", m, a, b, 0, o.sub(a, b), rounder(mode, sub, a, b));
    check("mul", m, a, b, 0, o.mul(a, b), rounder(mode, mul, a, b));
    check("div", m, a, b, 0, o.div(a, b), rounder(mode, div, a, b));
    check("sqrt", m, a, 0, 0, o.sqrt(a), rounder(mode, root, a));
    check("rcp", m, a, 0, 0, o.rcp(a), rounder(mode, inverse, a));
    check("fma", m, a, b, c, o.fma(a, b, c), rounder(mode, fma, a, b, c));
  }
}

TEST(DirectedRounding, Float) { checkAll(single); }
TEST(DirectedRounding, Double) { checkAll(twice); }

TEST(DirectedRounding, DoubleToFloat) {
  float (*const functions[])(double) = {
      __het_float_from_double_rn_f64, __het_float_from_double_rz_f64,
      __het_float_from_double_ru_f64, __het_float_from_double_rd_f64};
  std::mt19937_64 random(8);
  for (int i = 0; i < 100000; ++i) {
    double x = i % 2 ? sample<double>(random)
                     : std::ldexp(double(int64_t(random())), int(random() % 300) - 220);
    mpfr_t wide, narrow;
    mpfr_init2(wide, 53);
    mpfr_set_d(wide, x, MPFR_RNDN);
    mpfr_set_emin(-148);
    mpfr_set_emax(128);
    mpfr_init2(narrow, 24);
    int inexact = mpfr_set(narrow, wide, modes[i / 2 % 4]);
    inexact = mpfr_check_range(narrow, inexact, modes[i / 2 % 4]);
    mpfr_subnormalize(narrow, inexact, modes[i / 2 % 4]);
    float expected = mpfr_get_flt(narrow, MPFR_RNDN);
    mpfr_clears(wide, narrow, nullptr);
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    float found = functions[i / 2 % 4](x);
    ASSERT_TRUE(same(found, expected))
        << modeNames[i / 2 % 4] << " of " << std::hexfloat << x << ": found " << found
        << ", expected " << expected;
  }
}

template <class T, class I>
void checkFromInteger(T (*const (&functions)[4])(I), bool isSigned) {
  std::mt19937_64 random(9);
  mpfr_t exact;
  mpfr_init2(exact, std::numeric_limits<T>::digits);
  for (int i = 0; i < 40000; ++i) {
    I x = I(random() >> (random() % 64));
    if (i % 7 == 0)
      x = std::numeric_limits<I>::max() - I(i % 3);
    if (i % 11 == 0)
      x = std::numeric_limits<I>::min() + I(i % 3);
    if (isSigned)
      mpfr_set_sj(exact, intmax_t(x), modes[i % 4]);
    else
      mpfr_set_uj(exact, uintmax_t(x), modes[i % 4]);
    T expected = T(mpfr_get_d(exact, MPFR_RNDN));
    ASSERT_EQ(functions[i % 4](x), expected) << modeNames[i % 4] << " of " << x;
  }
  mpfr_clear(exact);
}

#define HET_FROM(from, width)                                                            \
  {__het_##from##_rn_##width, __het_##from##_rz_##width, __het_##from##_ru_##width,      \
   __het_##from##_rd_##width}

TEST(DirectedRounding, FromIntegers) {
  checkFromInteger<float, int32_t>(HET_FROM(float_from_int, i32), true);
  checkFromInteger<float, uint32_t>(HET_FROM(float_from_uint, i32), false);
  checkFromInteger<float, int64_t>(HET_FROM(float_from_ll, i64), true);
  checkFromInteger<float, uint64_t>(HET_FROM(float_from_ull, i64), false);
  checkFromInteger<double, int64_t>(HET_FROM(double_from_ll, i64), true);
  checkFromInteger<double, uint64_t>(HET_FROM(double_from_ull, i64), false);
}

TEST(DirectedRounding, ReciprocalRoot) {
  mpfr_t x;
  mpfr_init2(x, 24);
  for (uint32_t i = 0; i < (1u << 24); i += 5) {
    float a = std::ldexp(1.0f + float(i & 0x7fffff) * 0x1p-23f, int(i >> 23));
    mpfr_set_flt(x, a, MPFR_RNDN);
    mpfr_rec_sqrt(x, x, MPFR_RNDN);
    const float nearest = mpfr_get_flt(x, MPFR_RNDN);
    ASSERT_EQ(__het_rsqrt_rn_f32(a), nearest) << std::hexfloat << a;
    ASSERT_EQ(__het_rsqrt_f32(a), nearest) << std::hexfloat << a;
    ASSERT_EQ(__het_rsqrt_f32(a * 0x1p-120f), nearest * 0x1p60f) << std::hexfloat << a;
  }
  for (float a = 0x1p-149f; a < 0x1p-126f; a = a * 1.01f + 0x1p-149f) { // subnormal
    mpfr_set_flt(x, a, MPFR_RNDN);
    mpfr_rec_sqrt(x, x, MPFR_RNDN);
    ASSERT_EQ(__het_rsqrt_f32(a), mpfr_get_flt(x, MPFR_RNDN)) << std::hexfloat << a;
  }
  mpfr_clear(x);
}

} // namespace
