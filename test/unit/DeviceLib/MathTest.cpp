// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function against MPFR: special values, and numbers of all exponents and signs.
// The largest distance must stay within the limit that CUDA documents for its own
// function. HET_MATH_SAMPLES sets how many numbers are tried (4000); HET_MATH_REPORT
// names a file that gets one line for each function: name, largest errors, limits.

#include "MathTable.h"
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <type_traits>

using namespace het::test;

namespace {

size_t sampleCount() {
  const char *text = std::getenv("HET_MATH_SAMPLES");
  return text ? std::strtoull(text, nullptr, 10) : 4000;
}

template <class T> T fromBits(uint64_t random) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  Bits bits = static_cast<Bits>(sizeof(T) == 4 ? random >> 32 : random);
  T x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

template <class T> std::vector<T> specialNumbers() {
  using L = std::numeric_limits<T>;
  std::vector<T> positive = {
      T(0), L::denorm_min(), L::denorm_min() * 3, L::min() / 2, L::min(), T(0.5), T(1),
      T(1) + L::epsilon(), T(1.5), T(2), T(3), T(10), T(88.5), T(0.7853982), T(1.5707964),
      T(3.14159274), L::max(), L::infinity(), L::quiet_NaN(), T(709.5),
      T(1) - L::epsilon() / 2,
      // Subnormal, but so near to normal that a test for those may take it for one.
      L::min() * T(0.8179), L::min() - L::denorm_min()};
  std::vector<T> all = positive;
  for (T x : positive)
    all.push_back(-x);
  return all;
}

/// Of three numbers one has any bits, one is of moderate size, one near 1.
template <class T> T sample(std::mt19937_64 &random, size_t i) {
  T any = fromBits<T>(random());
  T unit = std::ldexp(T(random() >> 11), -52) - 1;
  if (i % 3 == 0)
    return any;
  return i % 3 == 1 ? unit * 100 : std::ldexp(unit * 2, -int(random() % 12));
}

struct Worst {
  double distance = 0, x = 0, y = 0, result = 0;
};

template <class T> class Measurement {
public:
  Measurement(const MathFunction &function, T (*call)(T, T))
      : function(function), call(call) {}

  Worst run() {
    for (T x : specialNumbers<T>())
      if (function.operands == 1)
        measure(x, 0);
      else
        for (T y : specialNumbers<T>())
          measure(x, y);
    std::mt19937_64 random(12345);
    for (size_t i = 0, n = sampleCount(); i < n; ++i) {
      T x = sample<T>(random, i), y = sample<T>(random, random() % 3);
      measure(x, y);
    }
    return worst;
  }

private:
  bool excluded(double x) const {
    return x < function.low || x > function.high ||
           (x > function.gapLow && x < function.gapHigh);
  }

  void measure(T x, T y) {
    if (excluded(x))
      return;
    Wide wideX(x), wideY(y), exact;
    function.exact(exact, wideX, wideY);
    T result = call(x, y);
    auto format = sizeof(T) == 4 ? Format::binary32 : Format::binary64;
    double distance = distanceInUlp(result, exact, format);
    if (distance > worst.distance)
      worst = {distance, double(x), double(y), double(result)};
  }

  const MathFunction &function;
  T (*call)(T, T);
  Worst worst;
};

class MathTest : public testing::TestWithParam<MathFunction> {};

void expectWithin(const Worst &worst, double limit, const char *type) {
  EXPECT_LE(worst.distance, limit) << type << " at " << std::hexfloat << worst.x << ", "
                                   << worst.y << ": found " << worst.result;
}

TEST_P(MathTest, StaysWithinCudasLimits) {
  const MathFunction &function = GetParam();
  Worst single = Measurement<float>(function, function.single).run();
  Worst twice = Measurement<double>(function, function.twice).run();
  expectWithin(single, function.limitSingle, "float");
  expectWithin(twice, function.limitDouble, "double");
  if (const char *path = std::getenv("HET_MATH_REPORT"))
    std::ofstream(path, std::ios::app)
        << function.name << '\t' << single.distance << '\t' << function.limitSingle
        << '\t' << twice.distance << '\t' << function.limitDouble << '\n';
}

INSTANTIATE_TEST_SUITE_P(DeviceLibrary, MathTest, testing::ValuesIn(mathFunctions()),
                         [](const auto &info) { return info.param.name; });

} // namespace
