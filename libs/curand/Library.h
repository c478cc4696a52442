// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of cuRAND share: generators, memory, the results of launches.

#ifndef HET_LIBS_CURAND_LIBRARY_H
#define HET_LIBS_CURAND_LIBRARY_H

#include "Kernels.h"

#include <cuda_runtime_api.h>
#include <memory>
#include <vector>

#pragma GCC visibility push(default)
#include <curand.h>
#pragma GCC visibility pop

namespace het::rand {

class VendorGenerator;

/// A failed call of the runtime, as cuRAND says it.
curandStatus_t convert(cudaError_t error);

/// Memory of a generator's: of the device, or of the program for generators there. It
/// stays until the generator is destroyed, while kernels may still use it.
class Memory {
public:
  Memory() = default;
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  ~Memory();

  /// Makes room for `size` bytes, without what was there.
  cudaError_t allocate(size_t size, Place place);
  /// Copies from the program's memory, in the stream's order.
  cudaError_t put(const void *from, size_t size, Place place);
  void *get() const { return here.empty() ? there : here.data(); }
  size_t size() const { return bytes; }

private:
  void *there = nullptr;
  mutable std::vector<unsigned char> here;
  size_t bytes = 0;
};

/// What a program has set.
struct Settings {
  curandRngType_t type;
  curandOrdering_t ordering;
  unsigned long long seed = 0, offset = 0;
  unsigned dimensions = 1;
};

/// A generator with its state, which begins by the settings.
class Engine {
public:
  virtual ~Engine() = default;
  /// Prepares what the first call to `fill` would prepare.
  virtual cudaError_t prepare(Place place) = 0;
  virtual cudaError_t fill(const Output &output, Place place) = 0;
};

std::unique_ptr<Engine> makeSequences(const Settings &settings);
std::unique_ptr<Engine> makeSobol(const Settings &settings);
std::unique_ptr<Engine> makeMtgp(const Settings &settings);
std::unique_ptr<Engine> makeMersenne(const Settings &settings);

/// Vectors of all dimensions with 64 bits, those of 32 bits being their upper halves; and
/// what a scrambled sequence begins with. Made by the first call.
constexpr unsigned sobolDimensions = 20000;
const curandDirectionVectors64_t *directionVectors64(bool scrambled);
const curandDirectionVectors32_t *directionVectors32(bool scrambled);
const unsigned long long *scrambleConstants64();
const unsigned *scrambleConstants32();

/// A Poisson distribution's squared histogram, or sums of its probabilities.
struct PoissonTable {
  std::vector<double> thresholds;
  std::vector<unsigned> aliases;
  unsigned shift = 0;
};
/// From this mean on a normal distribution stands for it.
constexpr double mostPoissonTable = 2000, mostPoissonSums = 8000;
PoissonTable poissonTable(double lambda);
PoissonTable poissonSums(double lambda);

} // namespace het::rand

/// A generator. One thread uses it at a time.
struct curandGenerator_st {
  het::rand::Settings settings;
  het::rand::Place place;
  std::unique_ptr<het::rand::Engine> engine; ///< Null: the settings have changed.
  std::unique_ptr<het::rand::VendorGenerator> vendor; ///< Where that is the back end.

  curandGenerator_st();
  ~curandGenerator_st();

  /// The Poisson distribution that was last asked for.
  double lambda = -1;
  het::rand::PoissonTable table;
  het::rand::Memory thresholds, aliases;

  bool isQuasi() const { return settings.type >= CURAND_RNG_QUASI_DEFAULT; }
  bool isWide() const {
    return settings.type == CURAND_RNG_QUASI_SOBOL64 ||
           settings.type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  }
  /// Whether Poisson numbers are to grow with the bits, as sums give them.
  bool wantsSums(double mean) const {
    return isWide() || (isQuasi() && mean >= 10) ||
           (settings.type == CURAND_RNG_PSEUDO_MTGP32 && mean >= 32);
  }
  /// Whether Poisson numbers are by a table at all.
  bool wantsTable(double mean) const {
    return mean <= het::rand::mostPoissonTable ||
           (wantsSums(mean) && !isWide() && mean <= het::rand::mostPoissonSums);
  }
  cudaError_t makeEngine();
};

#endif // HET_LIBS_CURAND_LIBRARY_H
