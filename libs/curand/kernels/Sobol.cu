// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sobol sequences. A dimension's results follow one another in memory; a thread makes
// every 2^k-th one, for which two vectors change its number.
//
// P. Bratley, B. L. Fox, "Algorithm 659", ACM Transactions on Mathematical Software 14
// (1), 1988.

#include "Bits.cuh"

namespace het::rand {

namespace {

/// How many threads a dimension has, as a power of two.
constexpr unsigned mostThreadBits = 12;

template <class Word> HET_BOTH Word lowestZero(Word x) {
  Word k = 0;
  for (; x & 1; x >>= 1)
    ++k;
  return k;
}

template <Kind kind, class Word> struct FillSobol {
  Sobol sobol;
  Output output;
  unsigned long long each; ///< Results of a dimension.
  unsigned threadBits;

  HET_BOTH void operator()(unsigned long long number) const {
    using Result = decltype(convert<kind>(Word(), output));
    constexpr unsigned bits = 8 * sizeof(Word);
    const unsigned long long dimension = number >> threadBits;
    const unsigned long long thread = number & ((1ull << threadBits) - 1);
    const Word *vectors = static_cast<const Word *>(sobol.vectors) + dimension * bits;
    Result *results = static_cast<Result *>(output.place) + dimension * each;
    Word index = static_cast<Word>(sobol.offset + thread);
    Word x = sobol.constants ? static_cast<const Word *>(sobol.constants)[dimension] : 0;
    const Word gray = index ^ (index >> 1);
    for (unsigned k = 0; k < bits; ++k)
      if (gray >> k & 1)
        x ^= vectors[k];
    for (unsigned long long i = thread; i < each; i += 1ull << threadBits) {
      results[i] = convert<kind>(x, output);
      // The bits of `index` from `threadBits` on count: one of Gray's code changes there,
      // and the one below.
      const Word k = lowestZero<Word>(index >> threadBits) + threadBits;
      if (k < bits)
        x ^= vectors[k];
      if (threadBits > 0)
        x ^= vectors[threadBits - 1];
      index += Word(1) << threadBits;
    }
  }
};

template <class Word>
cudaError_t fill(const Sobol &sobol, const Output &output, Place place) {
  return withKind(output.kind, [&](auto constant) {
    constexpr Kind kind = decltype(constant)::value;
    FillSobol<kind, Word> part{sobol, output, output.count / sobol.dimensions, 0};
    while (!place.host && part.threadBits < mostThreadBits &&
           1ull << part.threadBits < part.each)
      ++part.threadBits;
    return run(static_cast<unsigned long long>(sobol.dimensions) << part.threadBits,
               place, part);
  });
}

} // namespace

cudaError_t fillFromSobol(const Sobol &sobol, const Output &output, Place place) {
  return sobol.wide ? fill<unsigned long long>(sobol, output, place)
                    : fill<unsigned>(sobol, output, place);
}

} // namespace het::rand
