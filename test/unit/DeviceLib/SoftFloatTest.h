// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that are hard for the floating point in integers, and comparison bit for bit
// with this machine's.

#ifndef HET_TEST_UNIT_DEVICELIB_SOFTFLOATTEST_H
#define HET_TEST_UNIT_DEVICELIB_SOFTFLOATTEST_H

#include "SoftFloat.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace soft {

struct F64 {
  using Number = double;
  using Word = uint64_t;
  static constexpr int digits = 52, bias = 1023;
};
struct F32 {
  using Number = float;
  using Word = uint32_t;
  static constexpr int digits = 23, bias = 127;
};
using Types = ::testing::Types<F64, F32>;

/// How often a test tries each operation with random numbers.
constexpr int rounds = 3000000;

template <class T> class Numbers {
public:
  using Word = typename T::Word;
  using Number = typename T::Number;
  static constexpr int bits = sizeof(Word) * 8, digits = T::digits;
  static constexpr Word one = Word(1) << digits;
  static constexpr int topExponent = 2 * T::bias + 1;

  explicit Numbers(uint64_t seed) : random(seed) {}

  static Number number(Word word) {
    Number result;
    std::memcpy(&result, &word, sizeof(word));
    return result;
  }
  static Word word(Number number) {
    Word result;
    std::memcpy(&result, &number, sizeof(number));
    return result;
  }
  static Word make(bool sign, int exponent, Word fraction) {
    return Word(sign) << (bits - 1) | Word(exponent) << digits | (fraction & (one - 1));
  }

  /// Zeros, subnormal and normal ends, infinities, NaNs, halves and whole numbers.
  static std::vector<Word> special() {
    std::vector<Word> found;
    for (int exponent : {0, 1, 2, digits, T::bias - digits - 1, T::bias - 2, T::bias - 1,
                         T::bias, T::bias + 1, T::bias + digits - 1, T::bias + digits,
                         T::bias + digits + 1, T::bias + 31, T::bias + 63, T::bias + 64,
                         topExponent - 2, topExponent - 1, topExponent})
      for (Word fraction : {Word(0), Word(1), Word(2), one / 2 - 1, one / 2, one / 2 + 1,
                            one - 2, one - 1})
        for (bool sign : {false, true})
          found.push_back(make(sign, exponent, fraction));
    return found;
  }

  int below(int bound) { return int(random() % unsigned(bound)); }
  int between(int low, int high) {
    return std::clamp(low + below(high - low + 1), 0, topExponent - 1);
  }
  /// Few bits set, few clear, its upper half alone, or any.
  Word fraction() {
    Word sparse = one >> below(digits + 1) | one >> below(digits + 1);
    switch (below(6)) {
    case 0:
      return sparse;
    case 1:
      return ~sparse;
    case 2:
      return sparse - Word(below(3)) + 1;
    case 3:
      return Word(random()) & ~((Word(1) << (digits / 2)) - 1);
    default:
      return Word(random());
    }
  }
  Word withExponent(int exponent) { return make(below(2), exponent, fraction()); }
  Word any() {
    switch (below(4)) {
    case 0:
      return Word(random());
    case 1: // a whole number or half of one
      return withExponent(between(T::bias - 2, T::bias + digits + 1));
    case 2: // near the least or the largest
      return withExponent(below(2) ? between(0, 3)
                                   : between(topExponent - 4, topExponent));
    default:
      return withExponent(below(topExponent));
    }
  }
  static int exponentOf(Word word) { return int(word >> digits) & topExponent; }

  struct Pair {
    Word a, b;
  };
  Pair pair() {
    Word a = any();
    int exponent = exponentOf(a);
    switch (below(6)) {
    case 0: // sums: much cancels, or nothing; all distances
      return {a, withExponent(between(exponent - 2, exponent + 2))};
    case 1:
      return {a, withExponent(between(exponent - digits - 3, exponent + digits + 3))};
    case 2: // the same but for some last digits
      return {a, Word(a ^ Word(below(8)) ^ Word(below(2)) << (bits - 1))};
    case 3: // products at the lower end
      return {a, withExponent(
                     between(T::bias - exponent - digits - 2, T::bias - exponent + 2))};
    case 4: // quotients at the lower end
      return {a, withExponent(
                     between(exponent + T::bias - 3, exponent + T::bias + digits + 2))};
    default:
      return {a, any()};
    }
  }

  std::mt19937_64 random;
};

template <class Word> std::string text(Word word) {
  char buffer[20];
  std::snprintf(buffer, sizeof(buffer), "%0*llx", int(sizeof(Word) * 2),
                static_cast<unsigned long long>(word));
  return buffer;
}

/// Equal bits, or two NaNs.
template <class T> bool agree(typename T::Word found, typename T::Word expected) {
  using N = Numbers<T>;
  return found == expected ||
         (std::isnan(N::number(found)) && std::isnan(N::number(expected)));
}

#define HET_SOFT_EXPECT(T, name, found, expected, ...)                                   \
  do {                                                                                   \
    auto foundWord = (found), expectedWord = (expected);                                 \
    if (!agree<T>(foundWord, expectedWord)) {                                            \
      std::string operands;                                                              \
      for (auto operand : {__VA_ARGS__})                                                 \
        operands += " " + text(operand);                                                 \
      ADD_FAILURE() << name << operands << ": found " << text(foundWord)                 \
                    << ", expected " << text(expectedWord);                              \
      return;                                                                            \
    }                                                                                    \
  } while (false)

} // namespace soft

#endif // HET_TEST_UNIT_DEVICELIB_SOFTFLOATTEST_H
