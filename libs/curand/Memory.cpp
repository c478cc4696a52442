// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of generators, and failures of the runtime as cuRAND says them.

#include "Library.h"
#include "common/Aside.h"

#include <cstring>
#include <new>

using namespace het;
using namespace het::rand;

curandStatus_t het::rand::convert(cudaError_t error) {
  switch (error) {
  case cudaSuccess:
    return CURAND_STATUS_SUCCESS;
  case cudaErrorMemoryAllocation:
    return CURAND_STATUS_ALLOCATION_FAILED;
  case cudaErrorNoDevice:
  case cudaErrorInitializationError:
  case cudaErrorInsufficientDriver:
    return CURAND_STATUS_INITIALIZATION_FAILED;
  default:
    return CURAND_STATUS_LAUNCH_FAILURE;
  }
}

Memory::~Memory() {
  const libs::RelaxedCapture relaxed;
  if (there)
    (void)cudaFree(there);
}

cudaError_t Memory::allocate(size_t size, Place place) {
  if (size <= bytes)
    return cudaSuccess;
  if (place.host) {
    try {
      here.resize(size);
    } catch (const std::bad_alloc &) {
      return cudaErrorMemoryAllocation;
    }
    bytes = size;
    return cudaSuccess;
  }
  const libs::RelaxedCapture relaxed;
  if (there)
    if (const cudaError_t error = cudaFree(there); error != cudaSuccess)
      return error;
  there = nullptr;
  bytes = 0;
  const cudaError_t error = cudaMalloc(&there, size);
  if (error == cudaSuccess)
    bytes = size;
  return error;
}

cudaError_t Memory::put(const void *from, size_t size, Place place) {
  if (const cudaError_t error = allocate(size, place); error != cudaSuccess)
    return error;
  if (!place.host)
    return cudaMemcpyAsync(there, from, size, cudaMemcpyHostToDevice, place.stream);
  std::memcpy(here.data(), from, size);
  return cudaSuccess;
}
