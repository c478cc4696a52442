// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generators whose states are their own: which results are next, and what they are made
// of. MT19937 is in Mersenne.cpp.

#include "Library.h"

#include <algorithm>

namespace het::rand {

namespace {

/// XORWOW, MRG32k3a and Philox. States of sequences are made when their turn comes first.
class SequencesEngine : public Engine {
public:
  explicit SequencesEngine(const Settings &settings) {
    const bool legacy = settings.ordering == CURAND_ORDERING_PSEUDO_LEGACY;
    switch (settings.type) {
    case CURAND_RNG_PSEUDO_MRG32K3A:
      sequences.source = Source::Mrg32k3a;
      sequences.count = legacy ? 4096 : 81920;
      break;
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
      sequences.source = Source::Philox;
      sequences.count = 65536;
      break;
    default:
      sequences.source = Source::Xorwow;
      sequences.count = 4096;
      if (settings.ordering == CURAND_ORDERING_PSEUDO_SEEDED)
        sequences.seedStep = 3133713;
    }
    sequences.seed = settings.seed;
    const unsigned width = unitWidth(sequences.source, Kind::Bits);
    sequences.offset = next = settings.offset / width;
    skip = settings.offset % width;
  }

  cudaError_t prepare(Place place) override { return seed(sequences.count, place); }

  cudaError_t fill(const Output &output, Place place) override {
    const unsigned width = unitWidth(sequences.source, output.kind);
    const unsigned long long results = skip + output.count,
                             units = (results + width - 1) / width;
    cudaError_t error = seed(next - sequences.offset + units, place);
    if (error == cudaSuccess)
      error = fillFromSequences(sequences, next, skip, output, place);
    if (error == cudaSuccess) {
      next += results / width;
      skip = results % width;
    }
    return error;
  }

private:
  /// Makes the states of those that have their turn among the first `wanted` units.
  cudaError_t seed(unsigned long long wanted, Place place) {
    const unsigned count =
        static_cast<unsigned>(std::min<unsigned long long>(wanted, sequences.count));
    if (count <= seeded)
      return cudaSuccess;
    cudaError_t error =
        memory.allocate(stateSize(sequences.source) * sequences.count, place);
    sequences.states = memory.get();
    if (error == cudaSuccess)
      error = seedSequences(
          sequences, static_cast<unsigned>((sequences.offset + seeded) % sequences.count),
          count - seeded, place);
    if (error == cudaSuccess)
      seeded = count;
    return error;
  }

  Sequences sequences;
  Memory memory;
  unsigned seeded = 0;
  unsigned long long next = 0; ///< The unit, of which `skip` results were given.
  unsigned skip = 0;
};

class SobolEngine : public Engine {
public:
  explicit SobolEngine(const Settings &settings) {
    sobol.dimensions = settings.dimensions;
    sobol.offset = settings.offset;
    sobol.wide = settings.type == CURAND_RNG_QUASI_SOBOL64 ||
                 settings.type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
    scrambled = settings.type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 ||
                settings.type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  }

  cudaError_t prepare(Place place) override {
    if (sobol.vectors)
      return cudaSuccess;
    const void *tables[2] = {nullptr, nullptr};
    if (sobol.wide)
      tables[0] = directionVectors64(scrambled);
    else
      tables[0] = directionVectors32(scrambled);
    if (scrambled && sobol.wide)
      tables[1] = scrambleConstants64();
    else if (scrambled)
      tables[1] = scrambleConstants32();
    if (place.host) {
      sobol.constants = tables[1];
      sobol.vectors = tables[0];
      return cudaSuccess;
    }
    const size_t word = sobol.wide ? 8 : 4;
    cudaError_t error = vectors.put(tables[0], sobol.dimensions * word * 8 * word, place);
    if (error == cudaSuccess && scrambled)
      error = constants.put(tables[1], sobol.dimensions * word, place);
    if (error == cudaSuccess) {
      sobol.constants = constants.get();
      sobol.vectors = vectors.get();
    }
    return error;
  }

  cudaError_t fill(const Output &output, Place place) override {
    cudaError_t error = prepare(place);
    if (error == cudaSuccess)
      error = fillFromSobol(sobol, output, place);
    if (error == cudaSuccess)
      sobol.offset += output.count / sobol.dimensions;
    return error;
  }

private:
  Sobol sobol;
  bool scrambled = false;
  Memory vectors, constants;
};

class MtgpEngine : public Engine {
public:
  explicit MtgpEngine(const Settings &settings) : seed(settings.seed) {
    mtgp.count = settings.ordering == CURAND_ORDERING_PSEUDO_LEGACY ? 64 : 192;
  }

  cudaError_t prepare(Place place) override {
    if (mtgp.states)
      return cudaSuccess;
    std::vector<unsigned> states(mtgp.count * mtgpSize);
    seedMtgp(states.data(), mtgp.count, seed);
    const cudaError_t error =
        memory.put(states.data(), states.size() * sizeof(unsigned), place);
    if (error == cudaSuccess)
      mtgp.states = static_cast<unsigned *>(memory.get());
    return error;
  }

  cudaError_t fill(const Output &output, Place place) override {
    cudaError_t error = prepare(place);
    if (error == cudaSuccess)
      error = fillFromMtgp(mtgp, output, place);
    if (error == cudaSuccess)
      mtgp.position += output.count;
    return error;
  }

private:
  Mtgp mtgp;
  unsigned long long seed;
  Memory memory;
};

} // namespace

std::unique_ptr<Engine> makeSequences(const Settings &settings) {
  return std::make_unique<SequencesEngine>(settings);
}
std::unique_ptr<Engine> makeSobol(const Settings &settings) {
  return std::make_unique<SobolEngine>(settings);
}
std::unique_ptr<Engine> makeMtgp(const Settings &settings) {
  return std::make_unique<MtgpEngine>(settings);
}

} // namespace het::rand
