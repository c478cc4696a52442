// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, comparisons and roundings of the floating point in integers.

#include "SoftFloatTest.h"

namespace soft {
namespace {

#define HET_BY_TYPE(name)                                                                \
  [](auto... words) {                                                                    \
    if constexpr (sizeof(typename T::Word) == 8)                                         \
      return __het_soft_##name##_f64(words...);                                          \
    else                                                                                 \
      return __het_soft_##name##_f32(words...);                                          \
  }

template <class T> class SoftFloat : public ::testing::Test {
protected:
  using N = Numbers<T>;
  using Word = typename T::Word;
  using Number = typename T::Number;

  template <class Soft, class Machine>
  void checkUnary(const char *name, Soft soft, Machine machine) {
    auto check = [&](Word a) {
      HET_SOFT_EXPECT(T, name, soft(a), N::word(machine(N::number(a))), a);
    };
    for (Word a : N::special())
      check(a);
    N numbers(1);
    for (int i = 0; i < rounds && !this->HasFailure(); ++i)
      check(numbers.any());
  }
  template <class Soft, class Machine>
  void checkBinary(const char *name, Soft soft, Machine machine, int count = rounds) {
    auto check = [&](Word a, Word b) {
      HET_SOFT_EXPECT(T, name, soft(a, b), N::word(machine(N::number(a), N::number(b))),
                      a, b);
    };
    for (Word a : N::special())
      for (Word b : N::special())
        check(a, b);
    N numbers(2);
    for (int i = 0; i < count && !this->HasFailure(); ++i) {
      auto [a, b] = numbers.pair();
      check(a, b);
    }
  }
  template <class Soft, class Machine>
  void checkComparison(const char *name, Soft soft, Machine machine) {
    auto asWord = [](bool is) { return Word(is); };
    checkBinary(
        name, [&](Word a, Word b) { return Word(soft(a, b)); },
        [&](Number a, Number b) { return N::number(asWord(machine(a, b))); });
  }
  /// A third of the addends cancels the product, or all but its last digits.
  Word addend(N &numbers, Word a, Word b) {
    Number product = N::number(a) * N::number(b);
    Word word = N::word(-product);
    int exponent = N::exponentOf(word);
    switch (numbers.below(6)) {
    case 0:
      return word + Word(numbers.below(5)) - 2;
    case 1: // the product's own rounding error
      return N::word(-std::fma(N::number(a), N::number(b), -product)) +
             Word(numbers.below(3)) - 1;
    case 2:
      return numbers.withExponent(numbers.between(exponent - 2, exponent + 2));
    case 3:
      return numbers.withExponent(
          numbers.between(exponent - 3 * T::digits, exponent + 3 * T::digits));
    default:
      return numbers.any();
    }
  }
};
TYPED_TEST_SUITE(SoftFloat, Types);

#define HET_SOFT_TEST(name)                                                              \
  TYPED_TEST(SoftFloat, name) {                                                          \
    using T = TypeParam;                                                                 \
    using Number = typename T::Number;                                                   \
    using Word [[maybe_unused]] = typename T::Word;

HET_SOFT_TEST(Add)
this->checkBinary("add", HET_BY_TYPE(add), [](Number a, Number b) { return a + b; });
}
HET_SOFT_TEST(Subtract)
this->checkBinary("sub", HET_BY_TYPE(sub), [](Number a, Number b) { return a - b; });
}
HET_SOFT_TEST(Multiply)
this->checkBinary("mul", HET_BY_TYPE(mul), [](Number a, Number b) { return a * b; });
}
HET_SOFT_TEST(Divide)
this->checkBinary("div", HET_BY_TYPE(div), [](Number a, Number b) { return a / b; });
}
HET_SOFT_TEST(Remainder)
this->checkBinary(
    "rem", HET_BY_TYPE(rem), [](Number a, Number b) { return std::fmod(a, b); },
    rounds / 10);
}

HET_SOFT_TEST(Root)
using N = Numbers<T>;
auto root = HET_BY_TYPE(sqrt);
this->checkUnary("sqrt", root, [](Number a) { return std::sqrt(a); });
// Squares, and their neighbours.
auto check = [&](Word a) {
  HET_SOFT_EXPECT(T, "sqrt", root(a), N::word(std::sqrt(N::number(a))), a);
};
N numbers(3);
for (int i = 0; i < rounds && !this->HasFailure(); ++i) {
  Number base = N::number(numbers.any());
  check(N::word(base * base) + Word(numbers.below(3)) - 1);
}
}

HET_SOFT_TEST(MultiplyAdd)
using N = Numbers<T>;
auto soft = HET_BY_TYPE(fma);
auto check = [&](Word a, Word b, Word c) {
  Number expected = std::fma(N::number(a), N::number(b), N::number(c));
  HET_SOFT_EXPECT(T, "fma", soft(a, b, c), N::word(expected), a, b, c);
};
// All special numbers twice, a fifth of them a third time: primes do not meet.
std::vector<Word> special = N::special();
for (Word a : special)
  for (Word b : special)
    for (size_t i = (a + b) % 5; i < special.size(); i += 5)
      check(a, b, special[i]);
N numbers(4);
for (int i = 0; i < rounds && !this->HasFailure(); ++i) {
  auto [a, b] = numbers.pair();
  check(a, b, this->addend(numbers, a, b));
}
}

HET_SOFT_TEST(Compare)
this->checkComparison("eq", HET_BY_TYPE(eq), [](Number a, Number b) { return a == b; });
this->checkComparison("lt", HET_BY_TYPE(lt), [](Number a, Number b) { return a < b; });
this->checkComparison("le", HET_BY_TYPE(le), [](Number a, Number b) { return a <= b; });
this->checkComparison("uno", HET_BY_TYPE(uno),
                      [](Number a, Number b) { return std::isnan(a) || std::isnan(b); });
}

template <class Number> Number smaller(Number a, Number b) {
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
template <class Number> Number greater(Number a, Number b) {
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}
HET_SOFT_TEST(MinMax)
auto numberOf = [](auto choose) {
  return [choose](Number a, Number b) {
    return std::isnan(a) ? b : std::isnan(b) ? a : choose(a, b);
  };
};
auto spreading = [](auto choose) {
  return [choose](Number a, Number b) {
    return std::isnan(a) || std::isnan(b) ? Number(NAN) : choose(a, b);
  };
};
this->checkBinary("minnum", HET_BY_TYPE(minnum), numberOf(smaller<Number>));
this->checkBinary("maxnum", HET_BY_TYPE(maxnum), numberOf(greater<Number>));
this->checkBinary("minimum", HET_BY_TYPE(minimum), spreading(smaller<Number>));
this->checkBinary("maximum", HET_BY_TYPE(maximum), spreading(greater<Number>));
}

HET_SOFT_TEST(Round)
this->checkUnary("rint", HET_BY_TYPE(rint), [](Number a) { return std::rint(a); });
this->checkUnary("floor", HET_BY_TYPE(floor), [](Number a) { return std::floor(a); });
this->checkUnary("ceil", HET_BY_TYPE(ceil), [](Number a) { return std::ceil(a); });
this->checkUnary("trunc", HET_BY_TYPE(trunc), [](Number a) { return std::trunc(a); });
this->checkUnary("round", HET_BY_TYPE(round), [](Number a) { return std::round(a); });
}

} // namespace
} // namespace soft
