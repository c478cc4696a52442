// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MTGP32: generators with parameters of their own take turns; each makes a row of 256
// results, which do not depend on one another.
//
// M. Saito, M. Matsumoto, "Variants of Mersenne Twister Suitable for Graphic Processors",
// ACM Transactions on Mathematical Software 39 (2), 2013.

#include "Bits.cuh"

#include <cstring>
#include <curand_mtgp32.h>

namespace het::rand {

namespace {

/// Rows of one generator in a call: every `count`-th one from `first` on.
template <Kind kind> struct FillRows {
  Mtgp mtgp;
  Output output;

  using Result = decltype(convert<kind>(0u, Output()));

  /// Where results of a row lie, as it begins; those of calls before have places below 0.
  HET_BOTH long long placeOf(unsigned long long row) const {
    return static_cast<long long>(row * mtgpRow - mtgp.position);
  }
  HET_BOTH unsigned long long firstRow() const { return mtgp.position / mtgpRow; }
  HET_BOTH unsigned long long endRow() const {
    return (mtgp.position + output.count + mtgpRow - 1) / mtgpRow;
  }
  /// A call that ends inside a row leaves the rest to the next one.
  HET_BOTH bool isWhole(unsigned long long row) const {
    return placeOf(row) + mtgpRow <= static_cast<long long>(output.count);
  }
  HET_BOTH void store(long long place, unsigned bits) const {
    if (place >= 0 && place < static_cast<long long>(output.count))
      static_cast<Result *>(output.place)[place] = convert<kind>(bits, output);
  }
};

template <Kind kind> __global__ void fillRows(FillRows<kind> job) {
  // A row's new words lie behind the state, which they then move.
  __shared__ unsigned state[mtgpSize + mtgpRow];
  const unsigned thread = threadIdx.x;
  const unsigned long long first = job.firstRow() + blockIdx.x;
  const unsigned generator = static_cast<unsigned>(first % job.mtgp.count);
  unsigned *kept = job.mtgp.states + generator * mtgpSize;
  const __het_mtgp_parameters &parameters = __het_mtgp_parameters_of(generator);
  for (unsigned i = thread; i < mtgpSize; i += mtgpRow)
    state[i] = kept[i];
  __syncthreads();
  for (unsigned long long row = first; row < job.endRow(); row += job.mtgp.count) {
    const unsigned next = __het_mtgp_next(parameters, state[thread], state[thread + 1],
                                          state[thread + parameters.pos]);
    job.store(job.placeOf(row) + thread,
              __het_mtgp_temper(parameters, next, state[thread + parameters.pos - 1]));
    if (!job.isWhole(row))
      break;
    state[mtgpSize + thread] = next;
    __syncthreads();
    const unsigned low = state[thread + mtgpRow];
    const unsigned high = thread + mtgpRow < mtgpSize ? state[thread + 2 * mtgpRow] : 0;
    __syncthreads();
    state[thread] = low;
    if (thread + mtgpRow < mtgpSize)
      state[thread + mtgpRow] = high;
    __syncthreads();
  }
  for (unsigned i = thread; i < mtgpSize; i += mtgpRow)
    kept[i] = state[i];
}

/// The same, word by word.
template <Kind kind> void fillHere(const FillRows<kind> &job) {
  for (unsigned long long row = job.firstRow(); row < job.endRow(); ++row) {
    const unsigned generator = static_cast<unsigned>(row % job.mtgp.count);
    unsigned *kept = job.mtgp.states + generator * mtgpSize;
    const __het_mtgp_parameters &parameters = __het_mtgp_parameters_of(generator);
    unsigned next[mtgpRow];
    for (unsigned i = 0; i < mtgpRow; ++i) {
      next[i] =
          __het_mtgp_next(parameters, kept[i], kept[i + 1], kept[i + parameters.pos]);
      job.store(job.placeOf(row) + i,
                __het_mtgp_temper(parameters, next[i], kept[i + parameters.pos - 1]));
    }
    if (!job.isWhole(row))
      return;
    std::memmove(kept, kept + mtgpRow, (mtgpSize - mtgpRow) * sizeof(unsigned));
    std::memcpy(kept + mtgpSize - mtgpRow, next, sizeof(next));
  }
}

} // namespace

void seedMtgp(unsigned *states, unsigned count, unsigned long long seed) {
  const __het_mtgp_parameters *sets = __het_mtgp_parameter_sets();
  for (unsigned i = 0; i < count; ++i)
    __het_mtgp_seed_words(states + i * mtgpSize, sets[i].table[2], sets[i].table[3],
                          static_cast<unsigned>(seed ^ (seed >> 32)) + i + 1);
}

cudaError_t fillFromMtgp(const Mtgp &mtgp, const Output &output, Place place) {
  return withKind(output.kind, [&](auto constant) {
    const FillRows<decltype(constant)::value> job{mtgp, output};
    if (place.host) {
      fillHere(job);
      return cudaSuccess;
    }
    const unsigned long long rows = job.endRow() - job.firstRow();
    fillRows<<<static_cast<unsigned>(rows < mtgp.count ? rows : mtgp.count), mtgpRow, 0,
               place.stream>>>(job);
    return cudaGetLastError();
  });
}

} // namespace het::rand
