// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distances in ULP and the functions that MPFR lacks.

#include "Oracle.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace het::test {

struct Limits {
  int precision, lowestExponent;
};

static Limits limitsOf(Format format) {
  return format == Format::binary32 ? Limits{24, -149} : Limits{53, -1074};
}

double distanceInUlp(double result, mpfr_ptr exact, Format format) {
  const double infinity = std::numeric_limits<double>::infinity();
  Limits limits = limitsOf(format);
  if (mpfr_nan_p(exact) || std::isnan(result))
    return mpfr_nan_p(exact) && std::isnan(result) ? 0 : infinity;
  if (mpfr_inf_p(exact))
    return std::isinf(result) && std::signbit(result) == (mpfr_signbit(exact) != 0)
               ? 0
               : infinity;
  int exponent =
      mpfr_zero_p(exact)
          ? limits.lowestExponent
          : std::max<int>(mpfr_get_exp(exact) - limits.precision, limits.lowestExponent);
  // An overflowed result counts as the power of two that it stands for.
  int top = format == Format::binary32 ? 128 : 1024;
  exponent = std::min(exponent, top - limits.precision);
  Wide value(std::isinf(result) ? 0 : result);
  if (std::isinf(result)) {
    mpfr_set_si_2exp(value, result < 0 ? -1 : 1, top, MPFR_RNDN);
    if (mpfr_cmpabs(exact, value) >= 0)
      return (result < 0) == (mpfr_signbit(exact) != 0) ? 0 : infinity;
  }
  mpfr_sub(value, value, exact, MPFR_RNDN);
  mpfr_mul_2si(value, value, -exponent, MPFR_RNDN);
  return std::fabs(mpfr_get_d(value, MPFR_RNDN));
}

void erfcx(mpfr_ptr out, mpfr_ptr x) {
  if (mpfr_cmp_d(x, 1e4) > 0) {
    // 1 / (x sqrt(pi)) (1 - 1/(2 x^2) + 3/(4 x^4) - 15/(8 x^6) ...)
    Wide w, pi;
    mpfr_sqr(w, x, MPFR_RNDN);
    mpfr_ui_div(w, 1, w, MPFR_RNDN);
    mpfr_set_d(out, 105.0 / 16, MPFR_RNDN);
    for (double c : {-15.0 / 8, 3.0 / 4, -1.0 / 2, 1.0}) {
      mpfr_mul(out, out, w, MPFR_RNDN);
      mpfr_add_d(out, out, c, MPFR_RNDN);
    }
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_sqrt(pi, pi, MPFR_RNDN);
    mpfr_mul(pi, pi, x, MPFR_RNDN);
    mpfr_div(out, out, pi, MPFR_RNDN);
    return;
  }
  // The product's parts leave double's range by far; MPFR's exponents hold them.
  Wide square, result;
  mpfr_set_prec(square, 500);
  mpfr_sqr(square, x, MPFR_RNDN);
  mpfr_exp(square, square, MPFR_RNDN);
  mpfr_erfc(result, x, MPFR_RNDN);
  mpfr_mul(out, square, result, MPFR_RNDN);
}

void normcdf(mpfr_ptr out, mpfr_ptr x) {
  Wide root;
  mpfr_sqrt_ui(root, 2, MPFR_RNDN);
  mpfr_div(out, x, root, MPFR_RNDN);
  mpfr_neg(out, out, MPFR_RNDN);
  mpfr_erfc(out, out, MPFR_RNDN);
  mpfr_div_2ui(out, out, 1, MPFR_RNDN);
}

/// Solves erfc(y) = z, 0 < z <= 1, by Newton's method on log(erfc(y)).
static void solveTail(mpfr_ptr out, mpfr_ptr z) {
  Wide target, complement, slope, square;
  mpfr_log(target, z, MPFR_RNDN);
  double start = std::sqrt(-mpfr_get_d(target, MPFR_RNDN));
  mpfr_set_d(out, std::max(start - 0.35, 0.0), MPFR_RNDN);
  for (int i = 0; i < 12; ++i) {
    mpfr_erfc(complement, out, MPFR_RNDN);
    mpfr_sqr(square, out, MPFR_RNDN);
    mpfr_neg(square, square, MPFR_RNDN);
    mpfr_exp(slope, square, MPFR_RNDN);
    mpfr_div(slope, complement, slope, MPFR_RNDN);
    mpfr_const_pi(square, MPFR_RNDN);
    mpfr_sqrt(square, square, MPFR_RNDN);
    mpfr_mul(slope, slope, square, MPFR_RNDN);
    mpfr_div_2ui(slope, slope, 1, MPFR_RNDN);
    mpfr_log(complement, complement, MPFR_RNDN);
    mpfr_sub(complement, complement, target, MPFR_RNDN);
    mpfr_fma(out, complement, slope, out, MPFR_RNDN);
  }
}

void erfcinv(mpfr_ptr out, mpfr_ptr x) {
  if (mpfr_nan_p(x) || mpfr_cmp_ui(x, 0) < 0 || mpfr_cmp_ui(x, 2) > 0)
    return mpfr_set_nan(out);
  if (mpfr_zero_p(x) || mpfr_cmp_ui(x, 2) == 0)
    return mpfr_set_inf(out, mpfr_zero_p(x) ? 1 : -1);
  Wide z;
  bool mirrored = mpfr_cmp_ui(x, 1) > 0;
  if (mirrored)
    mpfr_ui_sub(z, 2, x, MPFR_RNDN);
  else
    mpfr_set(z, x, MPFR_RNDN);
  solveTail(out, z);
  if (mirrored)
    mpfr_neg(out, out, MPFR_RNDN);
}

void erfinv(mpfr_ptr out, mpfr_ptr x) {
  Wide z;
  if (mpfr_nan_p(x))
    return mpfr_set_nan(out);
  if (mpfr_cmpabs(x, Wide(0x1p-60)) < 0) {
    // 1 - x would lose x; there erfinv is x sqrt(pi) / 2.
    mpfr_const_pi(z, MPFR_RNDN);
    mpfr_sqrt(z, z, MPFR_RNDN);
    mpfr_mul(out, x, z, MPFR_RNDN);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
    return;
  }
  mpfr_set_prec(z, 200);
  mpfr_ui_sub(z, 1, x, MPFR_RNDN);
  erfcinv(out, z);
}

void normcdfinv(mpfr_ptr out, mpfr_ptr x) {
  Wide twice, root;
  mpfr_mul_2ui(twice, x, 1, MPFR_RNDN);
  erfcinv(out, twice);
  mpfr_sqrt_ui(root, 2, MPFR_RNDN);
  mpfr_mul(out, out, root, MPFR_RNDN);
  mpfr_neg(out, out, MPFR_RNDN);
}

void besselI(mpfr_ptr out, int order, mpfr_ptr x) {
  // The power series: all its terms have one sign.
  Wide half, square, term, sum;
  mpfr_div_2ui(half, x, 1, MPFR_RNDN);
  mpfr_sqr(square, half, MPFR_RNDN);
  mpfr_set_ui(term, 1, MPFR_RNDN);
  if (order)
    mpfr_set(term, half, MPFR_RNDN);
  mpfr_set(sum, term, MPFR_RNDN);
  for (unsigned k = 1; k < 4000; ++k) {
    mpfr_mul(term, term, square, MPFR_RNDN);
    mpfr_div_ui(term, term, k, MPFR_RNDN);
    mpfr_div_ui(term, term, k + order, MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
    if (!mpfr_regular_p(term) || !mpfr_regular_p(sum)) // they have no exponent
      break;
    if (mpfr_get_exp(term) < mpfr_get_exp(sum) - 150 && k > 4)
      break;
  }
  mpfr_set(out, sum, MPFR_RNDN);
}

} // namespace het::test
