// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MT19937. Eight threads give out the words of a part; a thread has one of eight single
// words, then groups of seven words that follow one another. A word of all parts lies
// together, so that threads of neighbouring parts read neighbouring words.
//
// M. Matsumoto, T. Nishimura, "Mersenne Twister", ACM Transactions on Modeling and
// Computer Simulation 8 (1), 1998.

#include "Bits.cuh"

#include <algorithm>
#include <vector>

namespace het::rand {

namespace {

constexpr unsigned middle = 397, lanes = 8, threads = mersenneParts * lanes;
constexpr unsigned wordsOfLane = mersenneSize / lanes;

HET_BOTH unsigned recur(unsigned x, unsigned next, unsigned far) {
  const unsigned y = (x & 0x80000000u) | (next & 0x7fffffffu);
  return far ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
}
HET_BOTH unsigned temper(unsigned y) {
  y ^= y >> 11;
  y ^= y << 7 & 0x9d2c5680u;
  y ^= y << 15 & 0xefc60000u;
  return y ^ y >> 18;
}

/// The number that a lane's `turn`-th word has in the sequence.
HET_BOTH unsigned wordOf(unsigned lane, unsigned turn) {
  static constexpr unsigned short single[lanes] = {0, 113, 170, 283, 340, 397, 510, 567};
  static constexpr unsigned short groups[] = {1,   57,  114, 171, 227, 284,
                                              341, 398, 454, 511, 568};
  return turn == 0 ? single[lane] : groups[(turn - 1) / 7] + 7 * lane + (turn - 1) % 7;
}

struct Advance {
  unsigned *states;

  HET_BOTH void operator()(unsigned long long part) const {
    unsigned *word = states + part;
    unsigned x = word[0];
    for (unsigned i = 0; i < mersenneSize; ++i) {
      const unsigned next = word[(i + 1) % mersenneSize * mersenneParts];
      word[i * mersenneParts] =
          recur(x, next, word[(i + middle) % mersenneSize * mersenneParts]);
      x = next;
    }
  }
};

/// The numbers that a jump adds up are taken in pieces of `piece`.
constexpr unsigned piece = 2048, pieces = (19937 + piece - 1) / piece;
/// Threads of a block, each for three words; fewer than words that one step makes.
constexpr unsigned jumpers = 224;

struct Jump {
  unsigned *states;
  unsigned count;
  const unsigned short *exponents;
  unsigned begin[pieces + 1]; ///< Of each piece's powers.
};

/// A block for each part: adds up the words that lie as far ahead as the powers say.
__global__ void jumpParts(__grid_constant__ const Jump jump) {
  // Behind the last piece lies room that threads without a third word read.
  __shared__ unsigned sequence[3 * jumpers + piece];
  __shared__ unsigned ahead[piece];
  const unsigned thread = threadIdx.x;
  unsigned sum0 = 0, sum1 = 0, sum2 = 0;
  for (unsigned i = thread; i < mersenneSize; i += jumpers)
    sequence[i] = jump.states[i * mersenneParts + blockIdx.x];
  __syncthreads();
#pragma unroll 1
  for (unsigned number = 0; number < pieces; ++number) {
    const unsigned count = jump.begin[number + 1] - jump.begin[number];
    for (unsigned k = thread; k < count; k += jumpers)
      ahead[k] = jump.exponents[jump.begin[number] + k] - number * piece;
#pragma unroll 1
    for (unsigned first = 0; first < piece; first += jumpers) {
      const unsigned i = first + thread;
      if (i < piece)
        sequence[mersenneSize + i] =
            recur(sequence[i], sequence[i + 1], sequence[i + middle]);
      __syncthreads();
    }
    for (unsigned k = 0; k < count; ++k) {
      const unsigned *words = sequence + ahead[k];
      sum0 ^= words[thread];
      sum1 ^= words[thread + jumpers];
      sum2 ^= words[thread + 2 * jumpers];
    }
    __syncthreads();
    for (unsigned i = thread; i < mersenneSize; i += jumpers)
      sequence[i] = sequence[piece + i];
    __syncthreads();
  }
  unsigned *made = jump.states + blockIdx.x + jump.count;
  made[thread * mersenneParts] = sum0;
  made[(thread + jumpers) * mersenneParts] = sum1;
  if (thread + 2 * jumpers < mersenneSize)
    made[(thread + 2 * jumpers) * mersenneParts] = sum2;
}

/// The same here: four powers at a time, whose sums are made before.
void jumpHere(unsigned *states, unsigned count,
              const std::vector<unsigned char> &powers) {
  constexpr unsigned length = mersenneSize + 19940;
  std::vector<unsigned> sums(16 * length);
  for (unsigned part = 0; part < count; ++part) {
    unsigned *sequence = sums.data() + length;
    for (unsigned i = 0; i < mersenneSize; ++i)
      sequence[i] = states[i * mersenneParts + part];
    for (unsigned i = mersenneSize; i < length; ++i)
      sequence[i] = recur(sequence[i - mersenneSize], sequence[i - mersenneSize + 1],
                          sequence[i - mersenneSize + middle]);
    for (unsigned bits = 2; bits < 16; ++bits) {
      const unsigned lowest = bits & -bits, shift = __builtin_ctz(bits);
      unsigned *sum = sums.data() + bits * length;
      const unsigned *rest = sums.data() + (bits - lowest) * length;
      for (unsigned i = 0; i + shift < length; ++i)
        sum[i] = sequence[i + shift] ^ rest[i];
    }
    unsigned result[mersenneSize] = {};
    for (unsigned k = 0; k < powers.size(); ++k)
      if (powers[k])
        for (unsigned i = 0; i < mersenneSize; ++i)
          result[i] ^= sums[powers[k] * length + 4 * k + i];
    for (unsigned i = 0; i < mersenneSize; ++i)
      states[i * mersenneParts + part + count] = result[i];
  }
}

/// As curand_uniform and its kin, but exact before rounding.
template <Kind kind> HET_BOTH auto convertExactly(unsigned x, const Output &output) {
  const double u = (x + 0.5) * CURAND_2POW32_INV_DOUBLE;
  if constexpr (kind == Kind::Uniform)
    return static_cast<float>(u);
  else if constexpr (kind == Kind::UniformDouble)
    return u;
  else
    return convert<kind>(x, output);
}

template <Kind kind> struct GiveOut {
  const unsigned *states;
  unsigned long long position;
  Output output;

  HET_BOTH void operator()(unsigned long long number) const {
    const unsigned long long at = position + number;
    const unsigned thread = static_cast<unsigned>(at % threads);
    const unsigned word = wordOf(thread % lanes, static_cast<unsigned>(at / threads));
    const unsigned bits = temper(states[word * mersenneParts + thread / lanes]);
    using Result = decltype(convertExactly<kind>(bits, output));
    static_cast<Result *>(output.place)[number] = convertExactly<kind>(bits, output);
  }
};

static_assert(mersenneBlock == static_cast<unsigned long long>(threads) * wordsOfLane);

} // namespace

cudaError_t jumpMersenne(unsigned *states, unsigned count,
                         const unsigned short *exponents,
                         const unsigned short *deviceExponents, size_t exponentCount,
                         Place place) {
  if (place.host) {
    std::vector<unsigned char> powers(19937 / 4 + 1);
    for (size_t i = 0; i < exponentCount; ++i)
      powers[exponents[i] / 4] |= 1 << exponents[i] % 4;
    jumpHere(states, count, powers);
    return cudaSuccess;
  }
  Jump jump{states, count, deviceExponents, {}};
  for (unsigned number = 0; number <= pieces; ++number)
    jump.begin[number] = static_cast<unsigned>(
        std::lower_bound(exponents, exponents + exponentCount, number * piece) -
        exponents);
  jumpParts<<<count, jumpers, 0, place.stream>>>(jump);
  return cudaGetLastError();
}

cudaError_t advanceMersenne(unsigned *states, unsigned parts, Place place) {
  return run(parts, place, Advance{states});
}

cudaError_t fillFromMersenne(const unsigned *states, unsigned long long position,
                             const Output &output, Place place) {
  return withKind(output.kind, [&](auto constant) {
    return run(output.count, place,
               GiveOut<decltype(constant)::value>{states, position, output});
  });
}

} // namespace het::rand
