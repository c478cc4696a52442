// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MTGP32 in kernels: all threads of a block, of which there are up to 256, call together
// and share a state.
//
// cuRAND documentation: Bit Generation with the MTGP32 generator.

#ifndef HET_CURAND_MTGP32_KERNEL_H
#define HET_CURAND_MTGP32_KERNEL_H
#define CURAND_MTGP32_KERNEL_H

#include "curand_mtgp32.h"
#include "curand_normal.h"

#if defined(__CUDACC__)

/// Makes word `index` of the next `count`, and its result by a table for tempering.
__device__ static __forceinline__ unsigned int __het_mtgp_make(curandStateMtgp32_t *state,
                                                               unsigned int index,
                                                               unsigned int count,
                                                               bool single) {
  const mtgp32_kernel_params_t &sets = *state->k;
  const int set = state->pIdx;
  const unsigned int begin = (unsigned int)state->offset + index;
  const unsigned int pos = sets.pos_tbl[set];
  const auto word = [state, begin](unsigned int ahead) -> unsigned int & {
    return state->s[(begin + ahead) & MTGP32_STATE_MASK];
  };
  unsigned int x = (word(0) & sets.mask[0]) ^ word(1);
  x ^= x << sets.sh1_tbl[set];
  const unsigned int y = x ^ (word(pos) >> sets.sh2_tbl[set]);
  const unsigned int next = y ^ sets.param_tbl[set][y & 0x0f];
  word(MTGPDC_N) = next;
  unsigned int before = word(pos - 1);
  before ^= before >> 16;
  before ^= before >> 8;
  const unsigned int result =
      single ? (next >> 9) ^ sets.single_temper_tbl[set][before & 0x0f]
             : next ^ sets.temper_tbl[set][before & 0x0f];
  __syncthreads();
  if (index == 0)
    state->offset = (state->offset + count) & MTGP32_STATE_MASK;
  __syncthreads();
  return result;
}

__device__ static __forceinline__ unsigned int __het_mtgp_threads() {
  return blockDim.x * blockDim.y * blockDim.z;
}
__device__ static __forceinline__ unsigned int __het_mtgp_thread() {
  return (blockDim.y * threadIdx.z + threadIdx.y) * blockDim.x + threadIdx.x;
}

__device__ static __forceinline__ unsigned int curand(curandStateMtgp32_t *state) {
  return __het_mtgp_make(state, __het_mtgp_thread(), __het_mtgp_threads(), false);
}
/// For `n` threads, of which the caller is number `index`.
__device__ static __forceinline__ unsigned int
curand_mtgp32_specific(curandStateMtgp32_t *state, unsigned char index, unsigned char n) {
  return __het_mtgp_make(state, index, n, false);
}
/// A float from 1 (left out 2).
__device__ static __forceinline__ float curand_mtgp32_single(curandStateMtgp32_t *state) {
  return __uint_as_float(
      __het_mtgp_make(state, __het_mtgp_thread(), __het_mtgp_threads(), true));
}
__device__ static __forceinline__ float
curand_mtgp32_single_specific(curandStateMtgp32_t *state, unsigned char index,
                              unsigned char n) {
  return __uint_as_float(__het_mtgp_make(state, index, n, true));
}

// Pairs would be of two calls: normal numbers are by the inverse of the distribution
// function, one of each.
__device__ static __forceinline__ float curand_normal(curandStateMtgp32_t *state) {
  return _curand_normal_icdf(curand(state));
}
__device__ static __forceinline__ double
curand_normal_double(curandStateMtgp32_t *state) {
  return _curand_normal_icdf_double(curand(state));
}
__device__ static __forceinline__ float curand_log_normal(curandStateMtgp32_t *state,
                                                          float mean, float stddev) {
  return expf(mean + stddev * curand_normal(state));
}
__device__ static __forceinline__ double
curand_log_normal_double(curandStateMtgp32_t *state, double mean, double stddev) {
  return exp(mean + stddev * curand_normal_double(state));
}

#endif

#endif // HET_CURAND_MTGP32_KERNEL_H
