// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of a block's threads and a team's (warp's) lanes together: barriers, fences,
// votes, matches, shuffles, reductions.

#ifndef HET_DEVICE_TEAMS_H
#define HET_DEVICE_TEAMS_H

#include "../device_launch_parameters.h"

#define HET_INLINE static __device__ __inline__ __attribute__((always_inline, unused))

// Barriers; __syncthreads itself is Clang's.
HET_INLINE int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
HET_INLINE int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
HET_INLINE int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
HET_INLINE void __syncwarp(unsigned int mask = 0xffffffffu) {
  __nvvm_bar_warp_sync(mask);
}
HET_INLINE void __barrier_sync(unsigned int id) { __nvvm_barrier_sync(id); }
HET_INLINE void __barrier_sync_count(unsigned int id, unsigned int count) {
  __nvvm_barrier_sync_cnt(id, count);
}

// Fences
HET_INLINE void __threadfence_block() { __nvvm_membar_cta(); }
HET_INLINE void __threadfence() { __nvvm_membar_gl(); }
HET_INLINE void __threadfence_system() { __nvvm_membar_sys(); }

// Votes
HET_INLINE unsigned int __activemask() { return __nvvm_activemask(); }
HET_INLINE int __all_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_all_sync(mask, predicate);
}
HET_INLINE int __any_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_any_sync(mask, predicate);
}
HET_INLINE int __uni_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_uni_sync(mask, predicate);
}
HET_INLINE unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate);
}

// Matches
#define HET_MATCH(type, width, bits)                                                     \
  HET_INLINE unsigned int __match_any_sync(unsigned int mask, type value) {              \
    return __nvvm_match_any_sync_i##width(mask, __builtin_bit_cast(bits, value));        \
  }                                                                                      \
  HET_INLINE unsigned int __match_all_sync(unsigned int mask, type value,                \
                                           int *predicate) {                             \
    return __nvvm_match_all_sync_i##width##p(mask, __builtin_bit_cast(bits, value),      \
                                             predicate);                                 \
  }
HET_MATCH(int, 32, unsigned int)
HET_MATCH(unsigned int, 32, unsigned int)
HET_MATCH(float, 32, unsigned int)
HET_MATCH(long, 64, unsigned long long)
HET_MATCH(unsigned long, 64, unsigned long long)
HET_MATCH(long long, 64, unsigned long long)
HET_MATCH(unsigned long long, 64, unsigned long long)
HET_MATCH(double, 64, unsigned long long)
#undef HET_MATCH

// Shuffles. The last operand of the instruction holds the clamp in bits 0-4 and
// the mask of the segment in bits 8-12. An 8-byte value is shuffled by halves.
#define HET_SHUFFLE(name, op, offset, clamp)                                             \
  HET_INLINE int name(unsigned int mask, int value, offset by, int width = warpSize) {   \
    return __nvvm_shfl_sync_##op##_i32(mask, value, (int)by,                             \
                                       (warpSize - width) << 8 | clamp);                 \
  }                                                                                      \
  HET_INLINE unsigned int name(unsigned int mask, unsigned int value, offset by,         \
                               int width = warpSize) {                                   \
    return (unsigned int)name(mask, (int)value, by, width);                              \
  }                                                                                      \
  HET_INLINE float name(unsigned int mask, float value, offset by,                       \
                        int width = warpSize) {                                          \
    return __nvvm_shfl_sync_##op##_f32(mask, value, (int)by,                             \
                                       (warpSize - width) << 8 | clamp);                 \
  }                                                                                      \
  HET_INLINE unsigned long long name(unsigned int mask, unsigned long long value,        \
                                     offset by, int width = warpSize) {                  \
    unsigned int low = name(mask, (unsigned int)value, by, width);                       \
    unsigned int high = name(mask, (unsigned int)(value >> 32), by, width);              \
    return (unsigned long long)high << 32 | low;                                         \
  }                                                                                      \
  HET_SHUFFLE_AS(name, long long, offset)                                                \
  HET_SHUFFLE_AS(name, long, offset)                                                     \
  HET_SHUFFLE_AS(name, unsigned long, offset)                                            \
  HET_SHUFFLE_AS(name, double, offset)
#define HET_SHUFFLE_AS(name, type, offset)                                               \
  HET_INLINE type name(unsigned int mask, type value, offset by, int width = warpSize) { \
    return __builtin_bit_cast(                                                           \
        type, name(mask, __builtin_bit_cast(unsigned long long, value), by, width));     \
  }
HET_SHUFFLE(__shfl_sync, idx, int, 0x1f)
HET_SHUFFLE(__shfl_up_sync, up, unsigned int, 0)
HET_SHUFFLE(__shfl_down_sync, down, unsigned int, 0x1f)
HET_SHUFFLE(__shfl_xor_sync, bfly, int, 0x1f)
#undef HET_SHUFFLE
#undef HET_SHUFFLE_AS

// Reductions over the lanes of mask, which programs for older architectures define
// themselves
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
HET_INLINE unsigned int __reduce_add_sync(unsigned int mask, unsigned int v) {
  return (unsigned int)__nvvm_redux_sync_add((int)v, (int)mask);
}
HET_INLINE int __reduce_add_sync(unsigned int mask, int v) {
  return __nvvm_redux_sync_add(v, (int)mask);
}
HET_INLINE unsigned int __reduce_min_sync(unsigned int mask, unsigned int v) {
  return __nvvm_redux_sync_umin(v, (int)mask);
}
HET_INLINE int __reduce_min_sync(unsigned int mask, int v) {
  return __nvvm_redux_sync_min(v, (int)mask);
}
HET_INLINE unsigned int __reduce_max_sync(unsigned int mask, unsigned int v) {
  return __nvvm_redux_sync_umax(v, (int)mask);
}
HET_INLINE int __reduce_max_sync(unsigned int mask, int v) {
  return __nvvm_redux_sync_max(v, (int)mask);
}
HET_INLINE unsigned int __reduce_and_sync(unsigned int mask, unsigned int v) {
  return (unsigned int)__nvvm_redux_sync_and((int)v, (int)mask);
}
HET_INLINE unsigned int __reduce_or_sync(unsigned int mask, unsigned int v) {
  return (unsigned int)__nvvm_redux_sync_or((int)v, (int)mask);
}
HET_INLINE unsigned int __reduce_xor_sync(unsigned int mask, unsigned int v) {
  return (unsigned int)__nvvm_redux_sync_xor((int)v, (int)mask);
}
#endif

// The forms without a mask, which speak for the lanes that are active.
HET_INLINE int __all(int predicate) { return __all_sync(__activemask(), predicate); }
HET_INLINE int __any(int predicate) { return __any_sync(__activemask(), predicate); }
HET_INLINE unsigned int __ballot(int predicate) {
  return __ballot_sync(__activemask(), predicate);
}
#define HET_SHUFFLE_ACTIVE(name, offset)                                                 \
  template <class T> HET_INLINE T name(T value, offset by, int width = warpSize) {       \
    return name##_sync(__activemask(), value, by, width);                                \
  }
HET_SHUFFLE_ACTIVE(__shfl, int)
HET_SHUFFLE_ACTIVE(__shfl_up, unsigned int)
HET_SHUFFLE_ACTIVE(__shfl_down, unsigned int)
HET_SHUFFLE_ACTIVE(__shfl_xor, int)
#undef HET_SHUFFLE_ACTIVE

#undef HET_INLINE

#endif // HET_DEVICE_TEAMS_H
