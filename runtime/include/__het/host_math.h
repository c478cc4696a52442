// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that CUDA adds to C's mathematics, for the host.
//
// rsqrt … sincospi follow from libm's; the inverse error functions and the like
// are polished by Newton's or Halley's step on erf and erfc.

#ifndef HET_HOST_MATH_H
#define HET_HOST_MATH_H

#define HET_HOST static __host__ __inline__ __attribute__((unused))
#define HET_HOST_BOTH(name)                                                              \
  HET_HOST float name##f(float a) { return (float)::name((double)a); }                   \
  HET_HOST float name(float a) { return ::name##f(a); }

// Some are C's since C23, and then the C library's: glibc has sinpi and cospi from 2.41
// on, rsqrt from 2.42 on.
#define HET_GLIBC(minor) 0
#ifdef __GLIBC_PREREQ
#undef HET_GLIBC
#define HET_GLIBC(minor) __GLIBC_PREREQ(2, minor)
#endif
#define HET_HOST_FLOAT(name)                                                             \
  HET_HOST float name(float a) { return ::name##f(a); }

#if HET_GLIBC(42)
HET_HOST_FLOAT(rsqrt)
#else
HET_HOST double rsqrt(double a) { return 1.0 / ::sqrt(a); }
HET_HOST_BOTH(rsqrt)
#endif
HET_HOST double rcbrt(double a) { return 1.0 / ::cbrt(a); }
#if HET_GLIBC(41)
HET_HOST_FLOAT(sinpi)
HET_HOST_FLOAT(cospi)
#else
// Exact at multiples of a half, where sin(pi * a) is not.
HET_HOST double sinpi(double a) {
  double r = ::fabs(::remainder(a, 2.0));
  if (r > 0.5)
    r = 1.0 - r;
  r = ::sin(3.14159265358979323846 * r);
  return ::copysign(r, ::remainder(a, 2.0));
}
HET_HOST double cospi(double a) {
  double r = ::fabs(::remainder(a, 2.0));
  return r == 0.5 ? 0.0 : ::cos(3.14159265358979323846 * r);
}
HET_HOST_BOTH(sinpi)
HET_HOST_BOTH(cospi)
#endif
HET_HOST double erfcinv(double y) {
  if (!(y > 0.0 && y < 2.0))
    return y == 0.0 ? __builtin_inf() : y == 2.0 ? -__builtin_inf() : __builtin_nan("");
  double tail = y < 1.0 ? y : 2.0 - y;
  double t = ::sqrt(-2.0 * ::log(tail / 2.0));
  double x = (t - (2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481))) *
             0.70710678118654752440;
  for (int i = 0; i < 3; ++i) {
    double e = ::erfc(x) - tail;
    x += e / (1.12837916709551257390 * ::exp(-x * x) - x * e);
  }
  return y < 1.0 ? x : -x;
}
HET_HOST double erfinv(double y) {
  if (::fabs(y) > 0.5)
    return y > 0 ? ::erfcinv(1.0 - y) : -::erfcinv(1.0 + y);
  double x = 0.88622692545275801365 * y;
  for (int i = 0; i < 4; ++i) {
    double e = ::erf(x) - y;
    x -= e / (1.12837916709551257390 * ::exp(-x * x) + x * e);
  }
  return x;
}
HET_HOST double erfcx(double a) {
  if (a < 25.0)
    return ::exp(a * a) * ::erfc(a);
  double s = 1.0 / (a * a);
  return 0.56418958354775628695 / a * (1.0 - s * (0.5 - s * (0.75 - s * 1.875)));
}
HET_HOST double normcdf(double a) { return 0.5 * ::erfc(-a * 0.70710678118654752440); }
HET_HOST double normcdfinv(double a) {
  return -1.41421356237309504880 * ::erfcinv(2.0 * a);
}
HET_HOST_BOTH(rcbrt)
HET_HOST_BOTH(erfcinv)
HET_HOST_BOTH(erfinv)
HET_HOST_BOTH(erfcx)
HET_HOST_BOTH(normcdf)
HET_HOST_BOTH(normcdfinv)
#undef HET_HOST_BOTH
#undef HET_HOST_FLOAT
#undef HET_GLIBC

HET_HOST void sincospi(double a, double *s, double *c) {
  *s = ::sinpi(a);
  *c = ::cospi(a);
}
HET_HOST void sincospif(float a, float *s, float *c) {
  *s = ::sinpif(a);
  *c = ::cospif(a);
}
HET_HOST void sincospi(float a, float *s, float *c) { ::sincospif(a, s, c); }
HET_HOST double fdivide(double a, double b) { return a / b; }
HET_HOST float fdividef(float a, float b) { return a / b; }
HET_HOST float fdivide(float a, float b) { return a / b; }
HET_HOST double norm3d(double a, double b, double c) { return ::hypot(::hypot(a, b), c); }
HET_HOST float norm3df(float a, float b, float c) {
  return (float)::norm3d((double)a, (double)b, (double)c);
}
HET_HOST double norm4d(double a, double b, double c, double d) {
  return ::hypot(::hypot(a, b), ::hypot(c, d));
}
HET_HOST float norm4df(float a, float b, float c, float d) {
  return (float)::norm4d((double)a, (double)b, (double)c, (double)d);
}
HET_HOST double rhypot(double a, double b) { return 1.0 / ::hypot(a, b); }
HET_HOST float rhypotf(float a, float b) { return (float)::rhypot((double)a, (double)b); }
HET_HOST double rnorm3d(double a, double b, double c) { return 1.0 / ::norm3d(a, b, c); }
HET_HOST float rnorm3df(float a, float b, float c) {
  return (float)::rnorm3d((double)a, (double)b, (double)c);
}
HET_HOST double rnorm4d(double a, double b, double c, double d) {
  return 1.0 / ::norm4d(a, b, c, d);
}
HET_HOST float rnorm4df(float a, float b, float c, float d) {
  return (float)::rnorm4d((double)a, (double)b, (double)c, (double)d);
}
HET_HOST void sincos(float a, float *s, float *c) { ::sincosf(a, s, c); }
HET_HOST float exp10(float a) { return ::exp10f(a); }

HET_HOST long long llmin(long long a, long long b) { return b < a ? b : a; }
HET_HOST long long llmax(long long a, long long b) { return a < b ? b : a; }
HET_HOST unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return b < a ? b : a;
}
HET_HOST unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a < b ? b : a;
}
HET_HOST unsigned int umin(unsigned int a, unsigned int b) { return b < a ? b : a; }
HET_HOST unsigned int umax(unsigned int a, unsigned int b) { return a < b ? b : a; }
#undef HET_HOST

#endif // HET_HOST_MATH_H
