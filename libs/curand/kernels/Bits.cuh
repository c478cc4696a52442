// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generators that make each result of one word of random bits.

#ifndef HET_LIBS_CURAND_BITS_CUH
#define HET_LIBS_CURAND_BITS_CUH

#include "Units.cuh"

namespace het::rand {

/// A result of a word of 32 or 64 bits.
template <Kind kind, class Word> HET_BOTH auto convert(Word x, const Output &output) {
  if constexpr (kind == Kind::Bits)
    return x;
  else if constexpr (kind == Kind::Uniform)
    return _curand_uniform(x);
  else if constexpr (kind == Kind::UniformDouble)
    return _curand_uniform_double(x);
  else if constexpr (kind == Kind::Poisson)
    return discrete(_curand_uniform_double(x), output.histogram);
  else if constexpr (kind == Kind::Normal || kind == Kind::LogNormal)
    return scaled<kind>(_curand_normal_icdf(x), output);
  else if constexpr (kind == Kind::PoissonNormal) // of the upper bits
    return scaled<kind>(
        _curand_normal_icdf_double(static_cast<unsigned>(x >> (8 * sizeof(Word) - 32))),
        output);
  else
    return scaled<kind>(_curand_normal_icdf_double(x), output);
}

} // namespace het::rand

#endif // HET_LIBS_CURAND_BITS_CUH
