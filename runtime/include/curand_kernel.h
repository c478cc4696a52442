// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's generators for kernels: XORWOW, MRG32k3a, Philox and Sobol sequences, with the
// numbers that NVIDIA's give for the same seeds, and their distributions. MTGP32 has a
// header for what the host does (curand_mtgp32_host.h).
//
// Source: cuRAND documentation, "Device API".

#ifndef HET_CURAND_KERNEL_H
#define HET_CURAND_KERNEL_H
#define CURAND_KERNEL_H_

// What is there with CUDA's, for compilers of host code.
#ifndef __CUDACC_RTC__
#include <math.h>
#include <memory.h>
#include <stdlib.h>
#include <string.h>
#endif

#include "curand_discrete.h"
#include "curand_lognormal.h"
#include "curand_mtgp32_kernel.h"
#include "curand_poisson.h"

#endif // HET_CURAND_KERNEL_H
