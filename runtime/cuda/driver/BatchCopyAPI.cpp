// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: batches of copies, and places of managed memory. The two APIs' structures
// and numbers are the same.

#include "Driver.h"

using namespace het::cuda;
using namespace het::cuda::driver;

static_assert(sizeof(CUmemcpyAttributes) == sizeof(cudaMemcpyAttributes));
static_assert(sizeof(CUDA_MEMCPY3D_BATCH_OP) == sizeof(cudaMemcpy3DBatchOp));
static_assert(sizeof(CUmemLocation) == sizeof(cudaMemLocation));

CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes,
                            size_t count, CUmemcpyAttributes *attributes, size_t *firsts,
                            size_t number, size_t *failed, CUstream stream) try {
  return through([&] {
    return cudaMemcpyBatchAsync(reinterpret_cast<void **>(to),
                                reinterpret_cast<void **>(from), sizes, count,
                                reinterpret_cast<cudaMemcpyAttributes *>(attributes),
                                firsts, number, failed, stream);
  });
}
HET_CATCH

CUresult cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP *list, size_t *failed,
                              unsigned long long flags, CUstream stream) try {
  return through([&] {
    return cudaMemcpy3DBatchAsync(count, reinterpret_cast<cudaMemcpy3DBatchOp *>(list),
                                  failed, flags, stream);
  });
}
HET_CATCH

static cudaMemLocation placeOf(const CUmemLocation &location) {
  return {static_cast<cudaMemLocationType>(location.type), location.id};
}

CUresult cuMemAdvise_v2(CUdeviceptr address, size_t count, CUmem_advise advice,
                        CUmemLocation location) try {
  return through([&] {
    return cudaMemAdvise_v2(pointerOf(address), count,
                            static_cast<cudaMemoryAdvise>(advice), placeOf(location));
  });
}
HET_CATCH

CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t count, CUmemLocation location,
                               unsigned flags, CUstream stream) try {
  return through([&] {
    return cudaMemPrefetchAsync_v2(pointerOf(address), count, placeOf(location), flags,
                                   stream);
  });
}
HET_CATCH
