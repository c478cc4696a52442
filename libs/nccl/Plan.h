// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a stream calls for a communicator, once or, in a graph, again and again.

#ifndef HET_LIBS_NCCL_PLAN_H
#define HET_LIBS_NCCL_PLAN_H

#include "Communicator.h"

namespace het::nccl {

/// A collective and the factor of this rank.
struct Step {
  Collective collective;
  Scalar factor;
  const void *factorPlace = nullptr; ///< Read when the plan is carried out.
};

struct Plan {
  std::shared_ptr<Gate> gate;
  bool isCaptured; ///< Then it is its graph's, and else the communicator's.
  std::vector<Step> steps;
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
};

/// How many elements of each array a communicator works on at once.
size_t elementsAtOnce(const ncclComm &comm, const Collective &collective);
/// Some elements of a collective.
Collective part(const Collective &collective, size_t first, size_t count);

/// Carries a plan out (cudaHostFn_t), which is gone afterwards unless it was captured.
void carryOut(void *plan);

} // namespace het::nccl

#endif // HET_LIBS_NCCL_PLAN_H
