// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// System functions of device code: printf, assert, the heap, memory functions, clocks,
// traps, and what kind of memory a pointer leads to.

#ifndef HET_DEVICE_SYSTEM_H
#define HET_DEVICE_SYSTEM_H

#include "../crt/host_defines.h"
#ifndef __CUDACC_RTC__
#include <stddef.h>
#endif

#define HET_INLINE static __device__ __inline__ __attribute__((always_inline, unused))

extern "C" {
// Clang makes vprintf of printf: the format and a buffer of the arguments.
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void free(void *) __attribute__((nothrow));

__device__ void __assertfail(const char *message, const char *file, unsigned int line,
                             const char *function, size_t charSize)
    __attribute__((nothrow));

// Called for a pure virtual function.
__device__ inline void __cxa_pure_virtual() { __builtin_trap(); }
__device__ inline void __cxa_deleted_virtual() { __builtin_trap(); }

HET_INLINE void *memcpy(void *to, const void *from, size_t n) {
  return __builtin_memcpy(to, from, n);
}
HET_INLINE void *memmove(void *to, const void *from, size_t n) {
  return __builtin_memmove(to, from, n);
}
HET_INLINE void *memset(void *to, int value, size_t n) {
  return __builtin_memset(to, value, n);
}
HET_INLINE int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = (const unsigned char *)a;
  const unsigned char *y = (const unsigned char *)b;
  for (size_t i = 0; i < n; ++i)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}
HET_INLINE clock_t clock() { return (clock_t)__nvvm_read_ptx_sreg_clock(); }
} // extern "C"

HET_INLINE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
HET_INLINE void __nanosleep(unsigned int ns) { __nvvm_nanosleep(ns); }
#endif
HET_INLINE void __trap() { __builtin_trap(); }
HET_INLINE void __brkpt() { __builtin_debugtrap(); }
HET_INLINE void __brkpt(int) { __builtin_debugtrap(); }
HET_INLINE void __prof_trigger(int) {}

// alloca of device code
#ifndef alloca
#define alloca(size) __builtin_alloca(size)
#endif

// A launch that need not wait for the one before it: raised to operations of hetIR of
// these names.
extern "C" __device__ __attribute__((noconvergent)) void __het_grid_dependency_wait(void);
extern "C" __device__ __attribute__((noconvergent)) void
__het_grid_dependency_trigger(void);
HET_INLINE void cudaGridDependencySynchronize() { __het_grid_dependency_wait(); }
HET_INLINE void cudaTriggerProgrammaticLaunchCompletion() {
  __het_grid_dependency_trigger();
}

// The cluster of the block: raised to operations of hetIR of these names.
extern "C" __device__ void __het_cluster_arrive(void);
extern "C" __device__ void __het_cluster_wait(void);
#define HET_CLUSTER(type) extern "C" __device__ __attribute__((const, noconvergent)) type
HET_CLUSTER(unsigned int) __het_cluster_given(void);
HET_CLUSTER(unsigned int) __het_cluster_dim_x(void);
HET_CLUSTER(unsigned int) __het_cluster_dim_y(void);
HET_CLUSTER(unsigned int) __het_cluster_dim_z(void);
HET_CLUSTER(unsigned int) __het_cluster_blocks(void);
HET_CLUSTER(unsigned int) __het_cluster_block_rank(void);
HET_CLUSTER(void *) __het_cluster_map(const void *, unsigned int rank);
HET_CLUSTER(unsigned int) __het_cluster_rank(const void *);
#undef HET_CLUSTER

HET_INLINE unsigned int __clusterDimIsSpecified() { return __het_cluster_given(); }
HET_INLINE dim3 __clusterDim() {
  return dim3(__het_cluster_dim_x(), __het_cluster_dim_y(), __het_cluster_dim_z());
}
HET_INLINE dim3 __clusterRelativeBlockIdx() {
  return dim3(blockIdx.x % __het_cluster_dim_x(), blockIdx.y % __het_cluster_dim_y(),
              blockIdx.z % __het_cluster_dim_z());
}
HET_INLINE dim3 __clusterIdx() {
  return dim3(blockIdx.x / __het_cluster_dim_x(), blockIdx.y / __het_cluster_dim_y(),
              blockIdx.z / __het_cluster_dim_z());
}
HET_INLINE dim3 __clusterGridDimInClusters() {
  return dim3(gridDim.x / __het_cluster_dim_x(), gridDim.y / __het_cluster_dim_y(),
              gridDim.z / __het_cluster_dim_z());
}
HET_INLINE unsigned int __clusterRelativeBlockRank() {
  return __het_cluster_block_rank();
}
HET_INLINE unsigned int __clusterSizeInBlocks() { return __het_cluster_blocks(); }
HET_INLINE void __cluster_barrier_arrive() { __het_cluster_arrive(); }
HET_INLINE void __cluster_barrier_arrive_relaxed() { __het_cluster_arrive(); }
HET_INLINE void __cluster_barrier_wait() { __het_cluster_wait(); }
HET_INLINE unsigned int __cluster_query_shared_rank(const void *p) {
  return __het_cluster_rank(p);
}
HET_INLINE void *__cluster_map_shared_rank(const void *p, unsigned int rank) {
  return __het_cluster_map(p, rank);
}

HET_INLINE unsigned int __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
HET_INLINE unsigned int __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
HET_INLINE unsigned int __isClusterShared(const void *p) {
  return __het_cluster_rank(p) != 0xFFFFFFFFu;
}
HET_INLINE unsigned int __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
HET_INLINE unsigned int __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
extern "C" __device__ __attribute__((const)) unsigned int
__het_is_grid_constant(const void *);
HET_INLINE unsigned int __isGridConstant(const void *p) {
  return __het_is_grid_constant(p);
}

#define HET_CVTA(name, space)                                                            \
  HET_INLINE size_t __cvta_generic_to_##name(const void *p) {                            \
    return (size_t)(const __attribute__((address_space(space))) void *)p;                \
  }                                                                                      \
  HET_INLINE void *__cvta_##name##_to_generic(size_t p) {                                \
    return (void *)(__attribute__((address_space(space))) void *)p;                      \
  }
HET_CVTA(global, 1)
HET_CVTA(shared, 3)
HET_CVTA(constant, 4)
HET_CVTA(local, 5)
#undef HET_CVTA

#ifndef __CUDACC_RTC__
// <cstdlib>, read before, knows the host's only.
namespace std {
using ::free;
using ::malloc;
} // namespace std
#endif

#undef HET_INLINE

#endif // HET_DEVICE_SYSTEM_H
