// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values in memory that streams write and wait for: as calls, and as nodes of graphs.

#ifndef HET_RUNTIME_CUDA_STREAMVALUES_H
#define HET_RUNTIME_CUDA_STREAMVALUES_H

#include "Operation.h"

namespace het::cuda {

/// Checks a list of operations, and that streams reach the memory.
cudaError_t makeValues(const CUstreamBatchMemOpParams *list, unsigned count,
                       unsigned flags, ValuesOperation &values);

/// Puts them into a stream that is not capturing.
cudaError_t runValues(CUstream_st &stream, const ValuesOperation &values);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_STREAMVALUES_H
