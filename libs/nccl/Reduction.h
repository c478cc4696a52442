// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of arrays of the ranks, element by element, in the order of the ranks.

#ifndef HET_LIBS_NCCL_REDUCTION_H
#define HET_LIBS_NCCL_REDUCTION_H

#include "Library.h"

#include <vector>

namespace het::nccl {

/// A number of any type, as its bits.
struct Scalar {
  unsigned char bytes[8] = {};
};

/// What is done with the elements of all ranks.
struct Reduction {
  ncclDataType_t type = ncclFloat32;
  ncclRedOp_t op = ncclSum; ///< A built-in one; ncclSum where there are factors.
  bool hasFactors = false;  ///< Each rank's elements are multiplied by its factor.
};

/// Writes the reduction of `count` elements of each input to `out`, which may be one of
/// the inputs. `factors` has one for each, or is empty.
void reduce(const Reduction &reduction, const std::vector<const void *> &inputs,
            const std::vector<Scalar> &factors, size_t count, void *out);

} // namespace het::nccl

#endif // HET_LIBS_NCCL_REDUCTION_H
