// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a rank does for a collective operation, on memory that the host sees.

#ifndef HET_LIBS_NCCL_ALGORITHMS_H
#define HET_LIBS_NCCL_ALGORITHMS_H

#include "Links.h"
#include "Reduction.h"

#include <vector>

namespace het::nccl {

/// A collective operation, or a part of it: some elements of every array.
struct Collective {
  enum class Kind { AllReduce, Reduce, Broadcast, AllGather, ReduceScatter };
  Kind kind = Kind::AllReduce;
  const char *send = nullptr;
  char *receive = nullptr;
  size_t count = 0;  ///< Elements, of each rank where there are parts for each.
  size_t stride = 0; ///< Bytes between ranks' parts.
  int root = 0;
  Reduction reduction; ///< The type, also of operations that do not reduce.
  const Scalar *factor = nullptr;

  size_t bytes() const { return count * sizeOf(reduction.type); }
};

/// Memory that a rank keeps for its operations.
struct Scratch {
  std::vector<char> inputs, result;
};

/// Returns when this rank has what it gets and the others have what it gives. After a
/// failure the links are to be withdrawn.
Outcome perform(Links &links, Scratch &scratch, const Collective &collective);

} // namespace het::nccl

#endif // HET_LIBS_NCCL_ALGORITHMS_H
