// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The portable kernel, and what it is given. A launch computes one pass: the step of a
// large radix of Stockham's algorithm, for all lines along one axis. A block computes
// some lines' transforms of `radix` points in shared memory, by steps of small radices.

#ifndef HET_LIBS_CUFFT_KERNELS_H
#define HET_LIBS_CUFFT_KERNELS_H

#include "../Complex.h"

#include <cstddef>
#include <driver_types.h>

namespace het::fft {

using libs::Complex;
using libs::Index;

/// How numbers are stored: as the kernel computes, or narrower where that is float.
enum class Storage : int { Plain, Half, BFloat };

/// What is stored at one end of a pass.
enum class Form : int {
  Complex,
  Real,
  Hermitian, ///< Points 0 to n / 2; the others are their conjugates, backwards.
};

/// Quotients of numbers below 65536 by one of them.
struct Divisor {
  unsigned value = 1, factor = 0;
  Divisor() = default;
  explicit Divisor(unsigned value)
      : value(value),
        factor(value > 1 ? static_cast<unsigned>((1ull << 32) / value + 1) : 0) {}
};

/// A coordinate by which lines are counted, and what a step of it adds.
struct Counter {
  Index count = 1;
  Index from = 0, to = 0;           ///< To places in memory, in elements.
  Index fromPoint = 0, toPoint = 0; ///< To the number of the line's first point.
  Index twiddle = 0;                ///< To the factor of the line's twiddles.
};

/// Where a pass reads from or writes to. A line's i-th point has the number
/// (its first point's) + i * pointStep on its axis, and lies at (number) * step.
struct End {
  void *base = nullptr; ///< In the kernel's arguments.
  Storage storage = Storage::Plain;
  Form form = Form::Complex;
  Index step = 1, pointStep = 1;
  Index length = 0;              ///< Points of other numbers are zero, or not written.
  Index whole = 0;               ///< Hermitian: points that there are with conjugates.
  const void *factors = nullptr; ///< One for each number on the axis.
  /// Real: where not 0, two numbers so far apart are the parts of one point. Hermitian:
  /// the points of such pairs, of which there are half as many, by exp(-2 pi i x /
  /// whole).
  Index pairStep = 0;
  const void *pairRoots = nullptr;
  bool swapOuter = false; ///< Swaps real and imaginary parts, outside of factors,
  bool swapInner = false; ///< and inside.
  bool byPoint = false;   ///< Neighbours in memory are points, not lines.
};

constexpr int maxCounters = 5, maxSteps = 12, maxLines = 128, maxPrime = 13;
constexpr int blockThreads = 128;

/// Points that a block holds, for each type.
template <class R> inline constexpr int tilePoints = 16384 / sizeof(Complex<R>);

struct Pass {
  End from, to;
  int radix = 1;
  int lines = 1, lineBits = 0; ///< Of a block: 2^lineBits.
  int counters = 0;
  int steps = 0;
  Counter counter[maxCounters];
  int stepRadix[maxSteps] = {};
  Divisor stepDivisor[maxSteps]; ///< Points of a step's finished transforms, all lines.
  Divisor radixDivisor;
  const void *roots = nullptr; ///< exp(-2 pi i x / radix)
  /// exp(-2 pi i x / n) is fine[x % 2^fineBits] * coarse[x / 2^fineBits].
  const void *fine = nullptr, *coarse = nullptr;
  int fineBits = 0;
  Index allLines = 1;
};

/// R is float or double. A launch only puts work into a stream.
template <class R> cudaError_t transformLines(const Pass &pass, cudaStream_t stream);

} // namespace het::fft

#endif // HET_LIBS_CUFFT_KERNELS_H
