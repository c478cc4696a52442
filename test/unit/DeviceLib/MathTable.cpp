// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of tested functions: those of math_functions.def that have an oracle, and
// tanpi, which no kernel can call.

#include "MathTable.h"
#include <limits>

#define HET_UNARY(name)                                                                  \
  extern "C" float __het_##name##_f32(float);                                            \
  extern "C" double __het_##name##_f64(double);                                          \
  static float name##Single(float x, float) { return __het_##name##_f32(x); }            \
  static double name##Double(double x, double) { return __het_##name##_f64(x); }
#define HET_BINARY(name)                                                                 \
  extern "C" float __het_##name##_f32(float, float);                                     \
  extern "C" double __het_##name##_f64(double, double);                                  \
  static float name##Single(float x, float y) { return __het_##name##_f32(x, y); }       \
  static double name##Double(double x, double y) { return __het_##name##_f64(x, y); }

// Functions with an oracle have one or two numbers.
#define HET_CALL_Of1_Mpfr HET_UNARY
#define HET_CALL_Of1_Own HET_UNARY
#define HET_CALL_Of2_Mpfr HET_BINARY
#define HET_CALL_Of2_Own HET_BINARY
#define HET_CALL_Of1_None(name)
#define HET_CALL_Of2_None(name)
#define HET_CALL_Of3_None(name)
#define HET_CALL_Of4_None(name)
#define HET_CALL_ToInt_None(name)
#define HET_CALL_WithInt_None(name)
#define HET_CALL_OfInt_None(name)
#define HET_MATH(signature, name, forms, overload, oracle, ...)                          \
  HET_CALL_##signature##_##oracle(name)
#include "../../../runtime/include/__het/math_functions.def"
HET_UNARY(tanpi)

namespace het::test {

static constexpr double infinity = std::numeric_limits<double>::infinity();
using Number = mpfr_ptr;

// The truth about a function: MPFR's, or one below.
#define TRUTH_Of1_Mpfr(f) [](Number o, Number x, Number) { mpfr_##f(o, x, MPFR_RNDN); }
#define TRUTH_Of2_Mpfr(f)                                                                \
  [](Number o, Number x, Number y) { mpfr_##f(o, x, y, MPFR_RNDN); }
#define TRUTH_Of1_Own(f) [](Number o, Number x, Number) { own::f(o, x); }
#define TRUTH_Of2_Own(f) [](Number o, Number x, Number y) { own::f(o, x, y); }

namespace own {

using test::erfcinv, test::erfcx, test::erfinv, test::normcdf, test::normcdfinv;

static void cyl_bessel_i0(Number out, Number x) { besselI(out, 0, x); }
static void cyl_bessel_i1(Number out, Number x) { besselI(out, 1, x); }
static void rcbrt(Number out, Number x) {
  mpfr_cbrt(out, x, MPFR_RNDN);
  mpfr_ui_div(out, 1, out, MPFR_RNDN);
}
static void rsqrt(Number out, Number x) {
  mpfr_rec_sqrt(out, x, MPFR_RNDN);
  if (mpfr_zero_p(x))
    mpfr_set_inf(out, mpfr_signbit(x) ? -1 : 1);
}
static void fdim(Number out, Number x, Number y) { mpfr_dim(out, x, y, MPFR_RNDN); }
static void rhypot(Number out, Number x, Number y) {
  mpfr_hypot(out, x, y, MPFR_RNDN);
  mpfr_ui_div(out, 1, out, MPFR_RNDN);
}
static void lgamma(Number out, Number x) {
  int sign;
  mpfr_lgamma(out, &sign, x, MPFR_RNDN);
}
static void tgamma(Number out, Number x) {
  // Far outside the range MPFR takes long; the results are infinite, and 0.
  if (mpfr_cmp_d(x, 400) > 0)
    return mpfr_set_inf(out, 1);
  if (mpfr_cmp_d(x, -400) < 0 && mpfr_number_p(x) && !mpfr_integer_p(x))
    return mpfr_set_zero(out, 1);
  mpfr_gamma(out, x, MPFR_RNDN);
}

} // namespace own

static constexpr unsigned Of1 = 1, Of2 = 2;

/// Where a function is sampled, if not everywhere.
static void setRange(MathFunction &function) {
  static const struct {
    const char *name;
    double low, high, gapLow = 0, gapHigh = 0;
  } ranges[] = {{"erfcx", -30, infinity},
                {"lgamma", -1e5, 1e30, -40, -2.2637},
                // Beyond 8 the absolute error is what is documented: see BesselTest.
                {"j0", -8, 8},
                {"j1", -8, 8},
                {"y0", -1, 8},
                {"y1", -1, 8},
                {"cyl_bessel_i0", -700, 720},
                {"cyl_bessel_i1", -700, 720}};
  for (const auto &range : ranges)
    if (function.name == range.name) {
      function.low = range.low, function.high = range.high;
      function.gapLow = range.gapLow, function.gapHigh = range.gapHigh;
    }
}

#define ROW(signature, name, oracle, single, twice)                                      \
  {#name,  signature, name##Single, name##Double, TRUTH_##signature##_##oracle(name),    \
   single, twice,     -infinity,    infinity},
#define ROW_Mpfr(signature, name, single, twice) ROW(signature, name, Mpfr, single, twice)
#define ROW_Own(signature, name, single, twice) ROW(signature, name, Own, single, twice)
#define ROW_None(...)

const std::vector<MathFunction> &mathFunctions() {
  static const std::vector<MathFunction> table = [] {
    std::vector<MathFunction> rows = {
#define HET_MATH(signature, name, forms, overload, oracle, single, twice)                \
  ROW_##oracle(signature, name, single, twice)
#include "../../../runtime/include/__het/math_functions.def"
        ROW(Of1, tanpi, Mpfr, 4, 4)};
    for (MathFunction &row : rows)
      setRange(row);
    return rows;
  }();
  return table;
}

} // namespace het::test
