// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector that grows in place: addresses are reserved once, memory is put behind them
// piece by piece, and goes to other addresses with what it holds. CUDA Driver API: Virtual
// Memory Management.

#include "Inputs/check.h"

#include <cuda.h>

#define CU(call) CHECK_EQ(call, CUDA_SUCCESS)

// Not every element, so that slow devices have less to do.
const int stride = 509;

__global__ void fill(int *data, int from, int count) {
  for (int i = threadIdx.x * stride; i < count; i += blockDim.x * stride)
    data[from + i] = from + i;
}

__global__ void compare(const int *data, int from, int count, int *wrong) {
  for (int i = threadIdx.x * stride; i < count; i += blockDim.x * stride)
    if (data[from + i] != from + i)
      atomicAdd(wrong, 1);
}

static void checkAll(CUdeviceptr base, int pieces, int each, int *wrong) {
  *wrong = 0;
  for (int piece = 0; piece < pieces; ++piece)
    compare<<<1, 64>>>((const int *)base, piece * each, each, wrong);
  CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*wrong, 0);
}

int main() {
  CUDA(cudaFree(0));
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  size_t granule = 0;
  CU(cuMemGetAllocationGranularity(&granule, &properties,
                                   CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  const int pieces = 3;
  const int each = (int)(granule / sizeof(int));
  CUdeviceptr base = 0, other = 0;
  CU(cuMemAddressReserve(&base, pieces * granule, 0, 0, 0));
  CU(cuMemAddressReserve(&other, pieces * granule, 0, 0, 0));
  CUmemGenericAllocationHandle handles[pieces];
  CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  for (int piece = 0; piece < pieces; ++piece) {
    CU(cuMemCreate(&handles[piece], granule, &properties, 0));
    CU(cuMemMap(base + piece * granule, granule, 0, handles[piece], 0));
    CU(cuMemSetAccess(base + piece * granule, granule, &access, 1));
    fill<<<1, 64>>>((int *)base, piece * each, each);
  }
  int *wrong;
  CUDA(cudaMallocManaged(&wrong, sizeof(int)));
  checkAll(base, pieces, each, wrong);

  CU(cuMemUnmap(base, pieces * granule));
  for (int piece = 0; piece < pieces; ++piece) {
    CU(cuMemMap(other + piece * granule, granule, 0, handles[piece], 0));
    CU(cuMemRelease(handles[piece]));
  }
  CU(cuMemSetAccess(other, pieces * granule, &access, 1));
  checkAll(other, pieces, each, wrong);
  int first = 0; // of the last piece
  CUDA(cudaMemcpy(&first, (int *)other + (pieces - 1) * each, sizeof(int),
                  cudaMemcpyDeviceToHost));
  CHECK_EQ(first, (pieces - 1) * each);
  CU(cuMemUnmap(other, pieces * granule));
  CU(cuMemAddressFree(base, pieces * granule));
  CU(cuMemAddressFree(other, pieces * granule));
  CUDA(cudaFree(wrong));
  return check::finish("virtual_memory");
}
