// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MT19937: 8192 parts of its sequence, which begin 2^2048 numbers apart. A part's state
// is that of another one, jumped: by a polynomial, a power of x modulo the generator's
// own.
//
// H. Haramoto, M. Matsumoto, T. Nishimura, F. Panneton, P. L'Ecuyer, "Efficient Jump
// Ahead for F2-Linear Random Number Generators", INFORMS Journal on Computing 20 (3),
// 2008.

#include "Library.h"

#include <algorithm>

namespace het::rand {

namespace {

constexpr unsigned degree = 19937, words = degree / 64 + 1;
constexpr unsigned distance = 2048; ///< Two to that power.

/// A polynomial over GF(2), the lowest coefficients first.
using Polynomial = std::vector<uint64_t>;

void add(Polynomial &sum, const Polynomial &x, unsigned shift) {
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t at = i + shift / 64;
    if (x[i] == 0)
      continue;
    sum.resize(std::max(sum.size(), at + 2));
    sum[at] ^= x[i] << shift % 64;
    if (shift % 64)
      sum[at + 1] ^= x[i] >> (64 - shift % 64);
  }
}

/// The generator's characteristic polynomial, as its authors give it (theorem B.1), by
/// the powers of x that are in it.
std::vector<unsigned> characteristic() {
  constexpr unsigned size = mersenneSize, middle = 397, low = 31, matrix = 0x9908b0df;
  std::vector<Polynomial> powers = {{1}}; // of x^(size - 1) + x^(middle - 1)
  for (unsigned i = 0; i < low; ++i) {
    Polynomial next;
    add(next, powers.back(), size - 1);
    add(next, powers.back(), middle - 1);
    powers.push_back(next);
  }
  Polynomial inner = powers[low];
  for (unsigned i = 0; i < low; ++i)
    if (matrix >> i & 1)
      add(inner, powers[low - 1 - i], 0);
  Polynomial sum;
  add(sum, inner, size);
  add(sum, inner, middle);
  if (matrix >> 31)
    add(sum, {1}, 0);
  std::vector<unsigned> exponents;
  for (unsigned i = 0; i < sum.size() * 64; ++i)
    if (sum[i / 64] >> i % 64 & 1)
      exponents.push_back(i);
  return exponents;
}

/// Squares a polynomial of `words` words modulo the characteristic one.
class Square {
public:
  Square() : exponents(characteristic()) { exponents.pop_back(); }

  void operator()(Polynomial &x) const {
    Polynomial square(2 * words + 1);
    for (unsigned i = 0; i < words; ++i) {
      square[2 * i] = spread(static_cast<uint32_t>(x[i]));
      square[2 * i + 1] = spread(static_cast<uint32_t>(x[i] >> 32));
    }
    // Whole words from above: what they become lies 64 bits below or more.
    for (unsigned at = 2 * words; at-- > degree / 64 + 1;)
      reduce(square, at, square[at]);
    const uint64_t rest = square[degree / 64] >> degree % 64;
    for (unsigned exponent : exponents)
      change(square, exponent, rest);
    square[degree / 64] &= (uint64_t(1) << degree % 64) - 1;
    x.assign(square.begin(), square.begin() + words);
  }

private:
  static uint64_t spread(uint64_t x) {
    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x << 2) & 0x3333333333333333;
    return (x | x << 1) & 0x5555555555555555;
  }
  static void change(Polynomial &x, unsigned exponent, uint64_t by) {
    x[exponent / 64] ^= by << exponent % 64;
    if (exponent % 64)
      x[exponent / 64 + 1] ^= by >> (64 - exponent % 64);
  }
  void reduce(Polynomial &x, unsigned at, uint64_t word) const {
    x[at] = 0;
    for (unsigned exponent : exponents)
      change(x, at * 64 - degree + exponent, word);
  }

  std::vector<unsigned> exponents; ///< Without the highest.
};

/// Jumps by the distance, twice, four times ... as far, for all generators.
class Jumps {
public:
  Jumps() : polynomial(words) {
    polynomial[0] = 2;
    for (unsigned i = 0; i < distance; ++i)
      square(polynomial);
    while (1u << all.size() < mersenneParts) {
      all.emplace_back();
      for (unsigned i = 0; i < degree; ++i)
        if (polynomial[i / 64] >> i % 64 & 1)
          all.back().push_back(static_cast<unsigned short>(i));
      square(polynomial);
    }
  }
  const std::vector<unsigned short> &operator[](size_t number) const {
    return all[number];
  }

private:
  Square square;
  Polynomial polynomial;
  std::vector<std::vector<unsigned short>> all;
};

const Jumps &jumps() {
  static const Jumps made;
  return made;
}

class MersenneEngine : public Engine {
public:
  explicit MersenneEngine(const Settings &settings)
      : seed(static_cast<unsigned>(settings.seed)) {}

  cudaError_t prepare(Place place) override { return makeParts(mersenneParts, place); }

  cudaError_t fill(const Output &output, Place place) override {
    Output rest = output;
    while (rest.count > 0) {
      if (const cudaError_t error = fillPart(rest, place); error != cudaSuccess)
        return error;
    }
    return cudaSuccess;
  }

private:
  /// Gives what the present block has, and takes it off what is wanted.
  cudaError_t fillPart(Output &rest, Place place) {
    cudaError_t error = cudaSuccess;
    if (position == mersenneBlock) {
      error = advanceMersenne(states(), mersenneParts, place);
      position = 0;
    }
    const size_t count =
        std::min<unsigned long long>(rest.count, mersenneBlock - position);
    if (error == cudaSuccess)
      error = makeParts((position + count + 7) / 8, place);
    Output now = rest;
    now.count = count;
    if (error == cudaSuccess)
      error = fillFromMersenne(states(), position, now, place);
    position += count;
    rest.place = static_cast<char *>(rest.place) + count * sizeOf(rest.kind);
    rest.count -= count;
    return error;
  }

  /// Makes the first block of at least so many parts; anew if there were fewer.
  cudaError_t makeParts(unsigned long long wanted, Place place) {
    wanted = std::min<unsigned long long>(wanted, mersenneParts);
    if (wanted <= made)
      return cudaSuccess;
    unsigned count = 1;
    while (count < wanted)
      count *= 2;
    // The first part is the generator as it is seeded; the others' places do not matter.
    std::vector<unsigned> first(mersenneSize * mersenneParts);
    unsigned word = seed;
    for (unsigned i = 0; i < mersenneSize; ++i) {
      first[size_t(i) * mersenneParts] = word;
      word = 1812433253u * (word ^ word >> 30) + i + 1;
    }
    cudaError_t error = memory.put(first.data(), first.size() * sizeof(unsigned), place);
    for (unsigned k = 0; error == cudaSuccess && 1u << k < count; ++k)
      error = jump(k, place);
    if (error == cudaSuccess)
      error = advanceMersenne(states(), count, place);
    if (error == cudaSuccess)
      made = count;
    return error;
  }

  cudaError_t jump(unsigned k, Place place) {
    const std::vector<unsigned short> &exponents = jumps()[k];
    if (place.host)
      return jumpMersenne(states(), 1u << k, exponents.data(), exponents.data(),
                          exponents.size(), place);
    const size_t size = exponents.size() * sizeof(unsigned short);
    const cudaError_t error = polynomials[k].put(exponents.data(), size, place);
    return error != cudaSuccess
               ? error
               : jumpMersenne(states(), 1u << k, exponents.data(),
                              static_cast<unsigned short *>(polynomials[k].get()),
                              exponents.size(), place);
  }

  static size_t sizeOf(Kind kind) {
    return kind == Kind::UniformDouble || kind == Kind::NormalDouble ||
                   kind == Kind::LogNormalDouble
               ? sizeof(double)
               : sizeof(unsigned);
  }
  unsigned *states() const { return static_cast<unsigned *>(memory.get()); }

  unsigned seed;
  Memory memory, polynomials[13];
  unsigned made = 0;
  unsigned long long position = 0; ///< Results of the block that were given.
};

} // namespace

std::unique_ptr<Engine> makeMersenne(const Settings &settings) {
  return std::make_unique<MersenneEngine>(settings);
}

} // namespace het::rand
