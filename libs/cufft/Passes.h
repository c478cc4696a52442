// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launches that solve a problem, in their order, and what memory is between them.

#ifndef HET_LIBS_CUFFT_PASSES_H
#define HET_LIBS_CUFFT_PASSES_H

#include "Problem.h"
#include "Tables.h"

#include <vector>

namespace het::fft {

enum class Buffer : int { Input, Output, WorkA, WorkB };

struct PlannedPass {
  Pass pass; ///< Without places.
  Buffer source = Buffer::Input, target = Buffer::Output;
  Table roots, fine, coarse, fromFactors, toFactors, fromPairRoots, toPairRoots;
};

struct Schedule {
  std::vector<PlannedPass> passes;
  size_t workBytes[2] = {0, 0}; ///< Of WorkA and WorkB.
  size_t totalBytes() const { return workBytes[0] + workBytes[1]; }
};

/// `inPlace`: the input and the output are one array. CUFFT_INVALID_SIZE if an axis is
/// too long.
cufftResult makeSchedule(const Problem &problem, bool inPlace, Schedule &schedule);

} // namespace het::fft

#endif // HET_LIBS_CUFFT_PASSES_H
