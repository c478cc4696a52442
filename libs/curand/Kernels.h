// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generators' kernels, and what they are given. Each runs on a device, in a stream,
// or as a loop on the processor that calls, for generators whose results go into the
// program's memory.

#ifndef HET_LIBS_CURAND_KERNELS_H
#define HET_LIBS_CURAND_KERNELS_H

#include <cstddef>
#include <cstdint>
#include <driver_types.h>

namespace het::rand {

/// What becomes of random bits.
enum class Kind : int {
  Bits,
  Uniform,
  UniformDouble,
  Normal,
  NormalDouble,
  LogNormal,
  LogNormalDouble,
  Poisson,       ///< By a table.
  PoissonNormal, ///< By a normal distribution, where there would be much in a table.
};

/// A discrete distribution: its histogram, squared. Number floor(u * length) is the
/// result if u is below its threshold, else its alias is. Without aliases the thresholds
/// are sums of probabilities, and u counts those below it.
/// G. Marsaglia, W. W. Tsang, J. Wang, "Fast Generation of Discrete Random Variables",
/// Journal of Statistical Software 11 (3), 2004.
struct Histogram {
  const double *thresholds = nullptr;
  const unsigned *aliases = nullptr;
  unsigned length = 0, shift = 0;
};

/// Results that a call wants. Their type is that of `kind`, or 64 bits of the generator.
struct Output {
  Kind kind = Kind::Bits;
  void *place = nullptr;
  size_t count = 0;
  double mean = 0, deviation = 1; ///< Of PoissonNormal: lambda and its root.
  Histogram histogram;
};

/// Where a generator works: in a stream of the device, or on the calling processor.
struct Place {
  bool host = false;
  cudaStream_t stream = nullptr;
};

//===----------------------------------------------------------------------===//
// Many sequences of one generator; each makes a unit of one to four results
//===----------------------------------------------------------------------===//

enum class Source : int { Xorwow, Mrg32k3a, Philox };

/// How many results a sequence makes before the next one's turn.
constexpr unsigned unitWidth(Source source, Kind kind) {
  return source == Source::Philox                                ? 4
         : kind >= Kind::Normal && kind <= Kind::LogNormalDouble ? 2
                                                                 : 1;
}

struct Sequences {
  Source source = Source::Xorwow;
  void *states = nullptr;
  unsigned count = 4096;
  unsigned long long seed = 0;
  unsigned long long seedStep = 0; ///< Not 0: each sequence has a seed of its own.
  unsigned long long offset = 0;   ///< Units that are left out.
};

size_t stateSize(Source source);
/// Makes the states of `count` sequences from `first` on, in turns.
cudaError_t seedSequences(const Sequences &sequences, unsigned first, unsigned count,
                          Place place);
/// Goes on with unit `first`, whose first `skip` results were given before.
cudaError_t fillFromSequences(const Sequences &sequences, unsigned long long first,
                              unsigned skip, const Output &output, Place place);

//===----------------------------------------------------------------------===//
// Sobol sequences: a dimension behind the other
//===----------------------------------------------------------------------===//

/// Vectors and constants are of Word, which has 32 or 64 bits.
struct Sobol {
  const void *vectors = nullptr;
  const void *constants = nullptr; ///< Null: not scrambled.
  unsigned dimensions = 1;
  bool wide = false;
  unsigned long long offset = 0;
};

cudaError_t fillFromSobol(const Sobol &sobol, const Output &output, Place place);

//===----------------------------------------------------------------------===//
// MTGP32: generators whose parameters differ, in rows of 256 results each
//===----------------------------------------------------------------------===//

constexpr unsigned mtgpSize = 351, mtgpRow = 256, mtgpMostGenerators = 200;

struct Mtgp {
  unsigned *states = nullptr; ///< For each generator `mtgpSize`, at a row's begin.
  unsigned count = 192;
  unsigned long long position = 0;
};

/// Makes the states in host memory.
void seedMtgp(unsigned *states, unsigned count, unsigned long long seed);
cudaError_t fillFromMtgp(const Mtgp &mtgp, const Output &output, Place place);

//===----------------------------------------------------------------------===//
// MT19937: parts of one sequence, each given out by eight threads
//===----------------------------------------------------------------------===//

constexpr unsigned mersenneSize = 624, mersenneParts = 8192;
/// How many results all parts give out of their present states.
constexpr unsigned long long mersenneBlock =
    static_cast<unsigned long long>(mersenneSize) * mersenneParts;

/// Makes `count` parts out of the first `count`, each as far behind its own as the
/// polynomial says, which is given by the powers of x in it, here and on the device.
cudaError_t jumpMersenne(unsigned *states, unsigned count,
                         const unsigned short *exponents,
                         const unsigned short *deviceExponents, size_t exponentCount,
                         Place place);
/// Word w of part p is at w * mersenneParts + p.
cudaError_t advanceMersenne(unsigned *states, unsigned parts, Place place);
/// Gives results from `position` of the present block on, to its end at most.
cudaError_t fillFromMersenne(const unsigned *states, unsigned long long position,
                             const Output &output, Place place);

} // namespace het::rand

#endif // HET_LIBS_CURAND_KERNELS_H
