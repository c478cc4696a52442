// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory pools that processes of one machine share by a descriptor, and pointers into
// them. The descriptor is that of a page that names the pool; memory goes by handles as
// in IpcMemory.h, which name the pool as well.

#ifndef HET_RUNTIME_CUDA_POOLSHARING_H
#define HET_RUNTIME_CUDA_POOLSHARING_H

#include "MemoryPool.h"

namespace het::cuda {

/// Gives a new pool a name of its own.
cudaError_t makeShareable(CUmemPoolHandle_st &pool);

/// Whether memory is of an imported pool, and then lets go of it. Its device is waited
/// for.
bool freeImported(void *pointer, cudaError_t &error);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_POOLSHARING_H
