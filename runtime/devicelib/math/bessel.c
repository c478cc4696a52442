/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Bessel functions of the first and second kind: j0, j1, jn, y0, y1, yn. Below 8:
 * polynomials with the zeros divided out (and, near 0, the logarithm of the second
 * kind's series); above: Hankel's expansion, whose two factors are polynomials of 1 / x^2
 * there. Above 8 the absolute error counts, as in CUDA's table. Higher orders go by the
 * three-term recurrence: upwards where it is stable, else downwards (Miller). float goes
 * by way of double.
 */
#include "bessel_polynomials.h"
#include "inverse_f64.h"

#define TWO_OVER_PI 0x1.45f306dc9c883p-1
/* Euler's constant - log(2). */
#define EULER_LOG_2 -0x1.dadb014541eb2p-4
#define INV_SQRT_PI 0x1.20dd750429b6dp-1
#define ORDER_MAX 1000000

double __het_log_f64(double);
double __het_sin_f64(double);
double __het_cos_f64(double);

/* x^2 - zero^2 and x - zero, where the zero is high + low. */
HET_LOCAL double fromZero(double x, double high, double low) {
  return (x - high) - low;
}
HET_LOCAL double fromZeros(double x, double high, double low) {
  return fromZero(x, high, low) * (x + high);
}

HET_LOCAL double j0Small(double x) {
  double square = x * x;
  if (x < 4.0)
    return fromZeros(x, 0x1.33d152e971b4p+1, -0x1.0f539d7da258ep-53) * j0Low(square - 8.0);
  return fromZeros(x, 0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54) * j0High(square - 40.0);
}
HET_LOCAL double j1Small(double x) {
  double square = x * x;
  double first = x * fromZeros(x, 0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53);
  if (x < 4.0)
    return first * j1Low(square - 8.0);
  return first * fromZeros(x, 0x1.c0ff5f3b4725p+2, -0x1.b226d9d243827p-54) *
         j1High(square - 40.0);
}

/* Parts of the result for |x| >= 8: sine and cosine, and Hankel's factors over sqrt(pi
   x). */
struct Wave {
  double sine, cosine, p, q;
};
HET_LOCAL struct Wave wave(double x, int order) {
  double inverse = 1.0 / x, z = 8.0 * inverse, w = z * z;
  double scale = INV_SQRT_PI * finishRoot64(x, 0, roughInverseRoot64(x).y);
  struct Wave r;
  r.sine = __het_sin_f64(x);
  r.cosine = __het_cos_f64(x);
  r.p = scale * (order ? p1(w) : p0(w));
  r.q = scale * (order ? q1(w) : q0(w)) * inverse;
  return r;
}

HET_MATH double __het_j0_f64(double x) {
  x = abs64(x);
  if (x < 8.0)
    return j0Small(x);
  if (x == INF64)
    return 0.0;
  struct Wave w = wave(x, 0);
  return w.p * (w.cosine + w.sine) - w.q * (w.sine - w.cosine);
}

HET_MATH double __het_j1_f64(double x) {
  double a = abs64(x), y;
  if (a < 8.0) {
    y = j1Small(a);
  } else if (a == INF64) {
    y = 0.0;
  } else {
    struct Wave w = wave(a, 1);
    y = w.p * (w.sine - w.cosine) + w.q * (w.sine + w.cosine);
  }
  return x < 0 || (x == 0 && bits64(x)) ? -y : y;
}

/* The second kind outside of the positive finite numbers. */
HET_LOCAL int isPole(double x, double *y) {
  *y = x == 0 ? -INF64 : x == INF64 ? 0.0 : NAN64;
  return !(x > 0) || x == INF64;
}

HET_LOCAL double y0Of(double x) {
  double y;
  if (isPole(x, &y))
    return y;
  if (x < 0.5) {
    double logarithm = __het_log_f64(x) + EULER_LOG_2;
    double square = x * x;
    return fma64(TWO_OVER_PI * logarithm, j0Small(x), square * y0Tiny(square));
  }
  double first = fromZero(x, 0x1.c982eb8d417eap-1, 0x1.ea9d270347f83p-56);
  if (x < 1.0)
    return first * y0Half(x - 0.75);
  if (x < 2.0)
    return first * y0One(x - 1.5);
  double second = fromZero(x, 0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54);
  if (x < 4.0)
    return second * y0Two(x - 3.0);
  if (x < 8.0)
    return second * fromZero(x, 0x1.c581dc4e72103p+2, -0x1.9774a495f56cfp-54) *
           y0Four(x - 6.0);
  struct Wave w = wave(x, 0);
  return w.p * (w.sine - w.cosine) + w.q * (w.sine + w.cosine);
}

HET_LOCAL double y1Of(double x) {
  double y;
  if (isPole(x, &y))
    return y;
  if (x < 1.0) {
    double logarithm = __het_log_f64(x) + EULER_LOG_2;
    double smooth = fma64(TWO_OVER_PI * logarithm, j1Small(x), x * y1Tiny(x * x));
    return smooth - TWO_OVER_PI / x;
  }
  double first = fromZero(x, 0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55);
  if (x < 2.0)
    return first * y1One(x - 1.5);
  if (x < 4.0)
    return first * y1Two(x - 3.0);
  if (x < 8.0)
    return fromZero(x, 0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52) * y1Four(x - 6.0);
  struct Wave w = wave(x, 1);
  return w.q * (w.sine - w.cosine) - w.p * (w.sine + w.cosine);
}

HET_MATH double __het_y0_f64(double x) { return y0Of(x); }
HET_MATH double __het_y1_f64(double x) { return y1Of(x); }

/* Orders are cut off where the function has long reached its limit. */
HET_LOCAL i32 clampOrder(i32 n) { return n > ORDER_MAX ? ORDER_MAX : n; }

HET_MATH double __het_jn_f64(i32 n, double x) {
  if (n < 0)
    return NAN64;
  if (n < 2)
    return n ? __het_j1_f64(x) : __het_j0_f64(x);
  n = clampOrder(n);
  double a = abs64(x), y;
  if (isNan64(x))
    return x;
  if (a == 0 || a == INF64) {
    y = 0;
  } else if (a > n) {
    double before = __het_j0_f64(a);
    y = __het_j1_f64(a);
    for (i32 k = 1; k < n; ++k) {
      double next = 2.0 * k / a * y - before;
      before = y;
      y = next;
    }
  } else {
    /* Down from an order whose value is negligible; j0 + 2 (j2 + j4 + ...) = 1. */
    i32 start = 2 * ((n + 30 + (i32)sqrt64(60.0 * n)) / 2);
    double above = 0, now = 0x1p-500, sum = 0;
    y = 0;
    for (i32 k = start; k > 0; --k) {
      double below = 2.0 * k / a * now - above;
      above = now;
      now = below;
      if (abs64(now) > 0x1p500) {
        now *= 0x1p-900;
        above *= 0x1p-900;
        sum *= 0x1p-900;
        y *= 0x1p-900;
      }
      y = k - 1 == n ? now : y;
      sum += (k & 1) && k > 1 ? 2.0 * now : 0.0;
    }
    y /= sum + now;
  }
  return x < 0 && (n & 1) ? -y : y;
}

HET_MATH double __het_yn_f64(i32 n, double x) {
  if (n < 0)
    return NAN64;
  double before = y0Of(x), y = y1Of(x);
  if (n == 0 || !(x > 0) || x == INF64)
    return before;
  n = clampOrder(n);
  for (i32 k = 1; k < n && y > -INF64; ++k) {
    double next = 2.0 * k / x * y - before;
    before = y;
    y = next;
  }
  return y;
}

HET_MATH float __het_jn_f32(i32 n, float x) { return (float)__het_jn_f64(n, x); }
HET_MATH float __het_yn_f32(i32 n, float x) { return (float)__het_yn_f64(n, x); }
