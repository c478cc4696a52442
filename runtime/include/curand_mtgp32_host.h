// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program does before kernels use MTGP32: it puts the sets of parameters and the
// states of blocks into the device's memory.
//
// cuRAND documentation: Bit Generation with the MTGP32 generator.

#ifndef HET_CURAND_MTGP32_HOST_H
#define HET_CURAND_MTGP32_HOST_H
#define CURAND_MTGP32_HOST_H

#include "curand.h"
#include "curand_mtgp32.h"
#include "curand_mtgp32dc_p_11213.h"
#include <stdlib.h>
#include <string.h>

#if defined(__cplusplus)

/// Puts all sets of parameters into the device's memory.
static inline curandStatus_t
curandMakeMTGP32Constants(const mtgp32_params_fast_t params[],
                          mtgp32_kernel_params_t *p) {
  mtgp32_kernel_params_t *made = (mtgp32_kernel_params_t *)calloc(1, sizeof(*made));
  if (!made)
    return CURAND_STATUS_ALLOCATION_FAILED;
  made->mask[0] = params[0].mask;
  for (int i = 0; i < CURAND_NUM_MTGP32_PARAMS; ++i) {
    made->pos_tbl[i] = params[i].pos;
    made->sh1_tbl[i] = params[i].sh1;
    made->sh2_tbl[i] = params[i].sh2;
    memcpy(made->param_tbl[i], params[i].tbl, sizeof(params[i].tbl));
    memcpy(made->temper_tbl[i], params[i].tmp_tbl, sizeof(params[i].tmp_tbl));
    memcpy(made->single_temper_tbl[i], params[i].flt_tmp_tbl,
           sizeof(params[i].flt_tmp_tbl));
  }
  const cudaError_t error = cudaMemcpy(p, made, sizeof(*made), cudaMemcpyHostToDevice);
  free(made);
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS
                              : CURAND_STATUS_INITIALIZATION_FAILED;
}

/// Makes states for n blocks, at most 200, each with a set of parameters of its own.
static inline curandStatus_t curandMakeMTGP32KernelState(curandStateMtgp32_t *s,
                                                         mtgp32_params_fast_t params[],
                                                         mtgp32_kernel_params_t *k, int n,
                                                         unsigned long long seed) {
  if (n < 0 || n > CURAND_NUM_MTGP32_PARAMS)
    return CURAND_STATUS_OUT_OF_RANGE;
  curandStateMtgp32_t *made = (curandStateMtgp32_t *)calloc(n ? n : 1, sizeof(*made));
  if (!made)
    return CURAND_STATUS_ALLOCATION_FAILED;
  for (int i = 0; i < n; ++i) {
    __het_mtgp_seed_words(made[i].s, params[i].tbl[4], params[i].tbl[8],
                          (unsigned int)(seed ^ (seed >> 32)) + i + 1);
    made[i].pIdx = i;
    made[i].k = k;
  }
  const cudaError_t error =
      cudaMemcpy(s, made, n * sizeof(*made), cudaMemcpyHostToDevice);
  free(made);
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS
                              : CURAND_STATUS_INITIALIZATION_FAILED;
}

#endif

#endif // HET_CURAND_MTGP32_HOST_H
