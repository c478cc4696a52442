// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every float through every function of one float: 2^32 numbers each. The truth is the
// C library's function of double (80-bit where that is not enough), whose own error is
// below 2^-28 of a float's ULP. Usage: DeviceLibExhaustive [NAME...]; HET_MATH_STRIDE
// tries every n-th number only. Prints name, largest error, where, and CUDA's limit; the
// exit status is 1 when a limit is exceeded.

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Function {
  const char *name;
  float (*call)(float);
  double (*exact)(double);
  double limit;
};

const double pi = 3.14159265358979323846;

/// sin(pi x) for |x| <= 1/4 is sin's; the rest is symmetry, exact in double.
double sineOfPi(double x, int quarters) {
  double n = std::rint(2 * x), r = pi * (x - n / 2);
  int quadrant = static_cast<int>(n - 4 * std::floor(n / 4)) + quarters;
  double y = quadrant & 1 ? std::cos(r) : std::sin(r);
  return quadrant & 2 ? -y : y;
}
double exactSinpi(double x) {
  double y = std::isfinite(x) ? sineOfPi(x, 0) : NAN;
  return y == 0 ? std::copysign(0.0, x) : y;
}
double exactCospi(double x) { return std::isfinite(x) ? sineOfPi(x, 1) + 0.0 : NAN; }
double exactTanpi(double x) { return exactSinpi(x) / exactCospi(x); }
double exactErfcx(double x) {
  long double y = x;
  if (y > 50) {
    long double w = 1 / (2 * y * y);
    return double((1 - w * (1 - 3 * w * (1 - 5 * w))) / (y * std::sqrt(acosl(-1.0L))));
  }
  return double(std::exp(y * y) * std::erfc(y));
}
double exactNormcdf(double x) {
  return double(std::erfc(-static_cast<long double>(x) * 0.707106781186547524401L) / 2);
}
double exactRsqrt(double x) { return 1 / std::sqrt(x); }
double exactRcbrt(double x) { return 1 / std::cbrt(x); }
double exactExp10(double x) {
  return double(std::pow(10.0L, static_cast<long double>(x)));
}

#define HET_ALL(f)                                                                       \
  f(sin, sin) f(cos, cos) f(tan, tan) f(exp, exp) f(exp2, exp2) f(exp10, exactExp10)     \
      f(expm1, expm1) f(log, log) f(log2, log2) f(log10, log10) f(log1p, log1p)          \
          f(sinh, sinh) f(cosh, cosh) f(tanh, tanh) f(asin, asin) f(acos, acos)          \
              f(atan, atan) f(asinh, asinh) f(acosh, acosh) f(atanh, atanh)              \
                  f(sinpi, exactSinpi) f(cospi, exactCospi) f(tanpi, exactTanpi)         \
                      f(cbrt, cbrt) f(rcbrt, exactRcbrt) f(rsqrt, exactRsqrt)            \
                          f(erf, erf) f(erfc, erfc) f(erfcx, exactErfcx)                 \
                              f(normcdf, exactNormcdf)
enum Limits {
#define HET_MATH(signature, name, forms, overload, oracle, single, twice)                \
  name##Limit = static_cast<int>(single),
#include "../../../runtime/include/__het/math_functions.def"
  tanpiLimit = 4
};
#define HET_DECLARE(name, exact) extern "C" float __het_##name##_f32(float);
#define HET_ROW(name, exact) {#name, __het_##name##_f32, exact, name##Limit},
} // namespace
HET_ALL(HET_DECLARE)
namespace {
const Function functions[] = {HET_ALL(HET_ROW)};

float floatOf(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// As in Oracle.cpp: ULP of the exact result's place; an infinite result counts as 2^128.
double distanceInUlp(float result, double exact) {
  if (std::isnan(exact) || std::isnan(result))
    return std::isnan(exact) && std::isnan(result) ? 0 : INFINITY;
  if (result == 0 && exact == 0)
    return std::signbit(result) == std::signbit(exact) ? 0 : INFINITY;
  double value = std::isinf(result) ? std::copysign(0x1p128, result) : result;
  if (std::isinf(result) && std::fabs(exact) >= 0x1p128)
    return value * exact > 0 ? 0 : INFINITY;
  if (std::isinf(exact))
    return INFINITY;
  int exponent = exact == 0 ? -149 : std::max(std::ilogb(exact) - 23, -149);
  return std::fabs(value - exact) * std::ldexp(1.0, -std::min(exponent, 104));
}

struct Worst {
  double distance = 0;
  float x = 0;
};

Worst measure(const Function &function, uint64_t begin, uint64_t end, uint64_t stride) {
  Worst worst;
  for (uint64_t bits = begin; bits < end; bits += stride) {
    float x = floatOf(static_cast<uint32_t>(bits));
    double distance = distanceInUlp(function.call(x), function.exact(x));
    if (distance > worst.distance)
      worst = {distance, x};
  }
  return worst;
}

/// Chunks of 2^24 numbers, taken by as many threads as there are cores.
Worst measure(const Function &function, uint64_t stride) {
  unsigned count = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Worst> found(count);
  std::atomic<uint64_t> next{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < count; ++t)
    threads.emplace_back([&, t] {
      const uint64_t size = uint64_t(1) << 24;
      for (uint64_t chunk; (chunk = next++) < 256;) {
        Worst worst = measure(function, chunk * size, (chunk + 1) * size, stride);
        if (worst.distance > found[t].distance)
          found[t] = worst;
      }
    });
  Worst worst;
  for (unsigned t = 0; t < count; ++t) {
    threads[t].join();
    if (found[t].distance > worst.distance)
      worst = found[t];
  }
  return worst;
}

bool isWanted(const char *name, int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    if (!std::strcmp(argv[i], name))
      return true;
  return argc == 1;
}

} // namespace

int main(int argc, char **argv) {
  const char *text = std::getenv("HET_MATH_STRIDE");
  uint64_t stride = text ? std::max(1ull, std::strtoull(text, nullptr, 10)) : 1;
  bool good = true;
  for (const Function &function : functions) {
    if (!isWanted(function.name, argc, argv))
      continue;
    Worst worst = measure(function, stride);
    std::printf("%-8s %8.4f ULP at %a, limit %g\n", function.name, worst.distance,
                static_cast<double>(worst.x), function.limit);
    std::fflush(stdout);
    // The limits are distances from the rounded result, half an ULP from the exact one.
    good &= worst.distance <= function.limit + 0.5;
  }
  return good ? 0 : 1;
}
