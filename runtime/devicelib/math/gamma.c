/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * tgamma and lgamma. tgamma multiplies a polynomial around 5/2 up or down by the
 * recurrence gamma(x + 1) = x gamma(x), with the product held in twice the precision.
 * lgamma is a polynomial around 2, the recurrence's logarithm below 8, Stirling's series
 * above, and the reflection formula for negative arguments (relatively exact but near
 * its zeros there, as CUDA documents its own). float goes by way of double.
 */
#include "gamma_polynomials.h"

#define PI 0x1.921fb54442d18p1
#define HALF_LOG_2PI 0x1.d67f1c864beb5p-1

double __het_log_f64(double);
double __het_log1p_f64(double);
double __het_sinpi_f64(double);

/* high + low, times x: relative error 2^-104. */
struct Product {
  double high, low;
};
HET_LOCAL struct Product times(struct Product p, double x) {
  double high = p.high * x;
  double low = fma64(p.low, x, fma64(p.high, x, -high));
  struct Product r = {high + low, low - ((high + low) - high)};
  return r;
}

/* gamma(x) for x >= 2, x <= 172. */
HET_LOCAL double gammaUp(double x) {
  struct Product p = {1, 0};
  while (x >= 3.0) {
    x -= 1.0;
    p = times(p, x);
  }
  double base = gammaNear25(x - 2.5);
  return fma64(p.high, base, p.low * base);
}

/* gamma(x) for -184 < x < 2, x no integer below 1: gamma(x + n) / (x (x + 1) ...). */
HET_LOCAL double gammaDown(double x) {
  struct Product near = {1, 0}, far = {1, 0};
  /* Two products, for one alone could overflow where the quotient does not. */
  while (x < -90.0) {
    far = times(far, x);
    x += 1.0;
  }
  while (x < 2.0) {
    near = times(near, x);
    x += 1.0;
  }
  double q = gammaNear25(x - 2.5) / near.high;
  q = fma64(-q, near.low / near.high, q);
  q = fma64(-q, far.low / far.high, q);
  return q / far.high;
}

/* Error: 3 ULP. */
HET_MATH double __het_tgamma_f64(double x) {
  if (abs64(x) < 0x1p-60)
    return 1.0 / x;
  if (isNan64(x) || x == -INF64 || (x < 0 && x == floor64(x)))
    return NAN64;
  if (x > 171.7)
    return INF64;
  if (x < -184.0) /* an even number of negative factors: positive */
    return floor64(x) * 0.5 == floor64(floor64(x) * 0.5) ? 0.0 : -0.0;
  return x < 2.0 ? gammaDown(x) : gammaUp(x);
}

HET_LOCAL double lgammaPositive(double x) {
  if (x < 0.5) /* lgamma(x) = lgamma(x + 2) - log(x (x + 1)) */
    return x * lgammaNear2(x) - __het_log1p_f64(x) - __het_log_f64(x);
  if (x < 1.2)
    return (x - 1.0) * lgammaNear2(x - 1.0) - __het_log1p_f64(x - 1.0);
  if (x < 3.0)
    return (x - 2.0) * lgammaNear2(x - 2.0);
  if (x < 8.0) {
    double product = 1.0;
    while (x >= 3.0) {
      x -= 1.0;
      product *= x;
    }
    return fma64(x - 2.0, lgammaNear2(x - 2.0), __het_log_f64(product));
  }
  if (x > 0x1p60)
    return x * (__het_log_f64(x) - 1.0);
  double inverse = 1.0 / x;
  double tail = fma64(stirling(inverse * inverse), inverse, HALF_LOG_2PI);
  return fma64(x - 0.5, __het_log_f64(x) - 1.0, tail - 0.5);
}

/* Error: 4 ULP, but near the zeros of negative arguments. */
HET_MATH double __het_lgamma_f64(double x) {
  if (isNan64(x))
    return x;
  if (isInf64(x))
    return INF64;
  if (x > 0)
    return lgammaPositive(x);
  if (x == floor64(x))
    return INF64;
  if (x > -0x1p-60)
    return -__het_log_f64(-x);
  double sine = abs64(__het_sinpi_f64(x));
  return __het_log_f64(PI / (sine * -x)) - lgammaPositive(-x);
}
