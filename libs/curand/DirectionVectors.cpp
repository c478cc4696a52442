// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sobol sequences' direction vectors, made of what Joe and Kuo found: for each dimension
// but the first a primitive polynomial over GF(2) and as many first numbers as its degree
// is. The polynomials are all there are, in order, so only the numbers are kept: the k-th
// is odd and has k bits, of which the lowest is left out.
//
// Scrambled ones are multiplied by a lower triangular matrix of random bits. The bits are
// ours: with NVIDIA's the sequences have the same properties, not the same numbers.
// J. Matoušek, "On the L2-Discrepancy for Anchored Boxes", Journal of Complexity 14,
// 1998.

#include "Library.h"

#include <cstring>

extern "C" const unsigned char hetJoeKuoNumbers[];

namespace het::rand {

namespace {

/// Polynomials as bits, modulo one of them.
unsigned multiply(unsigned a, unsigned b, unsigned modulus, unsigned degree) {
  unsigned product = 0;
  for (; b; b >>= 1) {
    if (b & 1)
      product ^= a;
    a <<= 1;
    if (a >> degree)
      a ^= modulus;
  }
  return product;
}

unsigned power(unsigned exponent, unsigned modulus, unsigned degree) {
  unsigned result = 1, x = degree == 1 ? 1 : 2;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1)
      result = multiply(result, x, modulus, degree);
    x = multiply(x, x, modulus, degree);
  }
  return result;
}

/// Whether x generates all that is not 0 modulo the polynomial.
bool isPrimitive(unsigned polynomial, unsigned degree) {
  const unsigned order = (1u << degree) - 1;
  if (power(order, polynomial, degree) != 1)
    return false;
  unsigned rest = order;
  for (unsigned prime = 3; rest > 1; prime += 2) {
    if (prime * prime > rest)
      prime = rest;
    if (rest % prime)
      continue;
    if (power(order / prime, polynomial, degree) == 1)
      return false;
    while (rest % prime == 0)
      rest /= prime;
  }
  return true;
}

/// Reads the numbers one after the other.
class Numbers {
public:
  unsigned next(unsigned bits) {
    uint64_t word;
    std::memcpy(&word, hetJoeKuoNumbers + place / 8, sizeof(word));
    const uint64_t value = word >> place % 8 & ((uint64_t(1) << bits) - 1);
    place += bits;
    return static_cast<unsigned>(value);
  }

private:
  size_t place = 0;
};

/// Vectors by the recurrence of the polynomial from its degree on.
void makeVectors(curandDirectionVectors64_t &vectors, unsigned polynomial,
                 unsigned degree, Numbers &numbers) {
  for (unsigned k = 0; k < degree; ++k)
    vectors[k] = (uint64_t(numbers.next(k)) << 1 | 1) << (63 - k);
  for (unsigned k = degree; k < 64; ++k) {
    vectors[k] = vectors[k - degree] ^ vectors[k - degree] >> degree;
    for (unsigned i = 1; i < degree; ++i)
      if (polynomial >> (degree - i) & 1)
        vectors[k] ^= vectors[k - i];
  }
}

/// Philox's numbers, by their place alone.
uint64_t randomBits(unsigned dimension, unsigned place) {
  uint32_t counter[4] = {place, dimension, 0, 0}, key[2] = {0x5c7a3b1e, 0x1f83d9ab};
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t(0xd2511f53) * counter[0],
                   b = uint64_t(0xcd9e8d57) * counter[2];
    counter[0] = static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key[0];
    counter[2] = static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key[1];
    counter[1] = static_cast<uint32_t>(b);
    counter[3] = static_cast<uint32_t>(a);
    key[0] += 0x9e3779b9;
    key[1] += 0xbb67ae85;
  }
  return uint64_t(counter[0]) << 32 | counter[1];
}

struct Tables {
  std::vector<uint64_t> plain, scrambled, constants;
  std::vector<uint32_t> plain32, scrambled32, constants32;

  Tables();

private:
  void scramble(unsigned dimension);
};

Tables::Tables()
    : plain(sobolDimensions * 64), scrambled(plain.size()), constants(sobolDimensions),
      plain32(sobolDimensions * 32), scrambled32(plain32.size()),
      constants32(sobolDimensions) {
  auto *vectors = reinterpret_cast<curandDirectionVectors64_t *>(plain.data());
  for (unsigned k = 0; k < 64; ++k)
    vectors[0][k] = uint64_t(1) << (63 - k);
  Numbers numbers;
  unsigned dimension = 1;
  for (unsigned degree = 1; dimension < sobolDimensions; ++degree)
    for (unsigned polynomial = 1u << degree | 1;
         polynomial >> degree == 1 && dimension < sobolDimensions; polynomial += 2)
      if (isPrimitive(polynomial, degree))
        makeVectors(vectors[dimension++], polynomial, degree, numbers);
  for (dimension = 0; dimension < sobolDimensions; ++dimension)
    scramble(dimension);
  for (size_t i = 0; i < plain32.size(); ++i) {
    const size_t from = i / 32 * 64 + i % 32;
    plain32[i] = static_cast<uint32_t>(plain[from] >> 32);
    scrambled32[i] = static_cast<uint32_t>(scrambled[from] >> 32);
  }
}

void Tables::scramble(unsigned dimension) {
  uint64_t columns[64];
  for (unsigned k = 0; k < 64; ++k)
    columns[k] = (randomBits(dimension, k) >> k) | uint64_t(1) << (63 - k);
  for (unsigned k = 0; k < 64; ++k) {
    uint64_t sum = 0;
    for (uint64_t rest = plain[dimension * 64 + k]; rest; rest &= rest - 1)
      sum ^= columns[63 - __builtin_ctzll(rest)];
    scrambled[dimension * 64 + k] = sum;
  }
  constants[dimension] = randomBits(dimension, 64);
  constants32[dimension] = static_cast<uint32_t>(constants[dimension] >> 32);
}

const Tables &tables() {
  static const Tables made;
  return made;
}

} // namespace

const curandDirectionVectors64_t *directionVectors64(bool scrambled) {
  return reinterpret_cast<const curandDirectionVectors64_t *>(
      (scrambled ? tables().scrambled : tables().plain).data());
}
const curandDirectionVectors32_t *directionVectors32(bool scrambled) {
  return reinterpret_cast<const curandDirectionVectors32_t *>(
      (scrambled ? tables().scrambled32 : tables().plain32).data());
}
const unsigned long long *scrambleConstants64() {
  return reinterpret_cast<const unsigned long long *>(tables().constants.data());
}
const unsigned *scrambleConstants32() { return tables().constants32.data(); }

} // namespace het::rand
