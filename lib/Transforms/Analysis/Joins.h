// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Immediate post-dominators of a graph of numbered nodes, some of which are its ends.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_JOINS_H
#define HET_LIB_TRANSFORMS_ANALYSIS_JOINS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"

namespace het::transforms {

/// For each node the nearest other that all ways from it to an end pass, or the number of
/// nodes where there is none. Every node must reach an end; ways stop there.
llvm::SmallVector<unsigned>
findJoins(llvm::ArrayRef<llvm::SmallVector<unsigned, 2>> successors,
          const llvm::BitVector &ends);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_JOINS_H
