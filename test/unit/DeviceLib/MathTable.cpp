// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of tested functions.

#include "MathTable.h"
#include <limits>

#define HET_UNARY(name)                                                              \
  extern "C" float __het_##name##_f32(float);                                        \
  extern "C" double __het_##name##_f64(double);                                      \
  static float name##Single(float x, float) { return __het_##name##_f32(x); }        \
  static double name##Double(double x, double) { return __het_##name##_f64(x); }
#define HET_BINARY(name)                                                             \
  extern "C" float __het_##name##_f32(float, float);                                 \
  extern "C" double __het_##name##_f64(double, double);                              \
  static float name##Single(float x, float y) { return __het_##name##_f32(x, y); }   \
  static double name##Double(double x, double y) { return __het_##name##_f64(x, y); }

#define HET_ALL_UNARY(f)                                                             \
  f(sin) f(cos) f(tan) f(exp) f(exp2) f(exp10) f(expm1) f(log) f(log2) f(log10)      \
      f(log1p) f(sinh) f(cosh) f(tanh) f(asin) f(acos) f(atan) f(asinh) f(acosh)     \
          f(atanh) f(sinpi) f(cospi) f(tanpi) f(cbrt) f(rcbrt) f(rsqrt) f(erf)       \
              f(erfc) f(erfcx) f(erfinv) f(erfcinv) f(normcdf) f(normcdfinv)         \
                  f(tgamma) f(lgamma) f(j0) f(j1) f(y0) f(y1) f(cyl_bessel_i0)       \
                      f(cyl_bessel_i1)
HET_ALL_UNARY(HET_UNARY)
#define HET_ALL_BINARY(f)                                                            \
  f(atan2) f(pow) f(fmod) f(remainder) f(hypot) f(rhypot) f(fdim)
HET_ALL_BINARY(HET_BINARY)

namespace het::test {

static constexpr double infinity = std::numeric_limits<double>::infinity();
using Number = mpfr_ptr;

#define MPFR1(f) [](Number o, Number x, Number) { mpfr_##f(o, x, MPFR_RNDN); }
#define MPFR2(f) [](Number o, Number x, Number y) { mpfr_##f(o, x, y, MPFR_RNDN); }
#define OWN(f) [](Number o, Number x, Number) { f(o, x); }
#define ROW(name, operands, exact, single, twice, ...)                               \
  {#name, operands, name##Single, name##Double, exact, single, twice, __VA_ARGS__}

/// mpfr 4.2's sinpi and its kin.
static void rcbrt(Number out, Number x, Number) {
  mpfr_cbrt(out, x, MPFR_RNDN);
  mpfr_ui_div(out, 1, out, MPFR_RNDN);
}
static void rsqrt(Number out, Number x, Number) {
  mpfr_rec_sqrt(out, x, MPFR_RNDN);
  if (mpfr_zero_p(x))
    mpfr_set_inf(out, mpfr_signbit(x) ? -1 : 1);
}
static void rhypot(Number out, Number x, Number y) {
  mpfr_hypot(out, x, y, MPFR_RNDN);
  mpfr_ui_div(out, 1, out, MPFR_RNDN);
}
static void lgamma(Number out, Number x, Number) {
  int sign;
  mpfr_lgamma(out, &sign, x, MPFR_RNDN);
}
static void tgamma(Number out, Number x, Number) {
  // Far outside the range MPFR takes long; the results are infinite, and 0.
  if (mpfr_cmp_d(x, 400) > 0)
    return mpfr_set_inf(out, 1);
  if (mpfr_cmp_d(x, -400) < 0 && mpfr_number_p(x) && !mpfr_integer_p(x))
    return mpfr_set_zero(out, 1);
  mpfr_gamma(out, x, MPFR_RNDN);
}

const std::vector<MathFunction> &mathFunctions() {
  const double all = infinity;
  static const std::vector<MathFunction> table = {
      ROW(sin, 1, MPFR1(sin), 2, 2, -all, all),
      ROW(cos, 1, MPFR1(cos), 2, 2, -all, all),
      ROW(tan, 1, MPFR1(tan), 4, 2, -all, all),
      ROW(exp, 1, MPFR1(exp), 2, 1, -all, all),
      ROW(exp2, 1, MPFR1(exp2), 2, 1, -all, all),
      ROW(exp10, 1, MPFR1(exp10), 2, 1, -all, all),
      ROW(expm1, 1, MPFR1(expm1), 1, 1, -all, all),
      ROW(log, 1, MPFR1(log), 1, 1, -all, all),
      ROW(log2, 1, MPFR1(log2), 1, 1, -all, all),
      ROW(log10, 1, MPFR1(log10), 2, 1, -all, all),
      ROW(log1p, 1, MPFR1(log1p), 1, 1, -all, all),
      ROW(sinh, 1, MPFR1(sinh), 3, 2, -all, all),
      ROW(cosh, 1, MPFR1(cosh), 2, 1, -all, all),
      ROW(tanh, 1, MPFR1(tanh), 2, 1, -all, all),
      ROW(asin, 1, MPFR1(asin), 2, 2, -all, all),
      ROW(acos, 1, MPFR1(acos), 2, 2, -all, all),
      ROW(atan, 1, MPFR1(atan), 2, 2, -all, all),
      ROW(asinh, 1, MPFR1(asinh), 3, 3, -all, all),
      ROW(acosh, 1, MPFR1(acosh), 4, 3, -all, all),
      ROW(atanh, 1, MPFR1(atanh), 3, 2, -all, all),
      ROW(sinpi, 1, MPFR1(sinpi), 1, 2, -all, all),
      ROW(cospi, 1, MPFR1(cospi), 1, 2, -all, all),
      ROW(tanpi, 1, MPFR1(tanpi), 4, 4, -all, all),
      ROW(cbrt, 1, MPFR1(cbrt), 1, 1, -all, all),
      ROW(rcbrt, 1, rcbrt, 1, 1, -all, all),
      ROW(rsqrt, 1, rsqrt, 2, 1, -all, all),
      ROW(erf, 1, MPFR1(erf), 2, 2, -all, all),
      ROW(erfc, 1, MPFR1(erfc), 4, 5, -all, all),
      ROW(erfcx, 1, OWN(erfcx), 4, 4, -30, all),
      ROW(erfinv, 1, OWN(erfinv), 2, 5, -all, all),
      ROW(erfcinv, 1, OWN(erfcinv), 4, 6, -all, all),
      ROW(normcdf, 1, OWN(normcdf), 5, 5, -all, all),
      ROW(normcdfinv, 1, OWN(normcdfinv), 5, 8, -all, all),
      ROW(tgamma, 1, tgamma, 5, 10, -all, all),
      ROW(lgamma, 1, lgamma, 6, 4, -1e5, 1e30, -40, -2.2637),
      // Beyond 8 the absolute error is what is documented: see BesselTest.
      ROW(j0, 1, MPFR1(j0), 9, 7, -8, 8),
      ROW(j1, 1, MPFR1(j1), 9, 7, -8, 8),
      ROW(y0, 1, MPFR1(y0), 9, 7, -1, 8),
      ROW(y1, 1, MPFR1(y1), 9, 7, -1, 8),
      ROW(cyl_bessel_i0, 1, [](Number o, Number x, Number) { besselI(o, 0, x); }, 6, 6,
          -700, 720),
      ROW(cyl_bessel_i1, 1, [](Number o, Number x, Number) { besselI(o, 1, x); }, 6, 6,
          -700, 720),
      ROW(atan2, 2, MPFR2(atan2), 3, 2, -all, all),
      ROW(pow, 2, MPFR2(pow), 4, 2, -all, all),
      ROW(fmod, 2, MPFR2(fmod), 0, 0, -all, all),
      ROW(remainder, 2, MPFR2(remainder), 0, 0, -all, all),
      ROW(hypot, 2, MPFR2(hypot), 3, 2, -all, all),
      ROW(rhypot, 2, rhypot, 2, 1, -all, all),
      ROW(fdim, 2, MPFR2(dim), 0.5, 0.5, -all, all),
  };
  return table;
}

} // namespace het::test
