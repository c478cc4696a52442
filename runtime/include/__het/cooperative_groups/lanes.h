// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: lanes, masks, and shuffles of any trivially copyable
// type.

#ifndef HET_COOPERATIVE_GROUPS_LANES_H
#define HET_COOPERATIVE_GROUPS_LANES_H

#define HET_GROUP __device__ __inline__ __attribute__((always_inline))

// Waits for every thread of the grid: raised to hetir.grid_barrier.
extern "C" __device__ void __het_grid_barrier(void);
// Whether the grid may do that: raised to hetir.cooperative.
extern "C" __device__ __attribute__((const, noconvergent)) unsigned int
__het_cooperative(void);

namespace cooperative_groups {
namespace __v1 {
namespace __het_detail {

HET_GROUP unsigned int lane() { return (unsigned int)__nvvm_read_ptx_sreg_laneid(); }
HET_GROUP unsigned int lanesBelow() { return (1u << lane()) - 1; }
HET_GROUP unsigned int threadInBlock() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
HET_GROUP unsigned int threadsInBlock() { return blockDim.x * blockDim.y * blockDim.z; }

// Applies a shuffle of 32-bit words to each word of a value.
template <class T, class Shuffle>
HET_GROUP T shuffleWords(const T &value, Shuffle shuffle) {
  static_assert(sizeof(T) <= 32, "a shuffled value has at most 32 bytes");
  static_assert(__is_trivially_copyable(T), "a shuffled type must be trivially copyable");
  unsigned int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (unsigned int i = 0; i < (sizeof(T) + 3) / 4; ++i)
    words[i] = shuffle(words[i]);
  T result;
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}

// The lane of a mask's n-th member, counted from 0.
HET_GROUP unsigned int member(unsigned int mask, unsigned int n) {
  return __fns(mask, 0, (int)n + 1);
}
// Packs the bits of `bits` that `mask` names next to each other.
HET_GROUP unsigned int pack(unsigned int bits, unsigned int mask) {
  unsigned int packed = 0;
  for (unsigned int at = 0; mask; mask &= mask - 1, ++at)
    packed |= (bits & mask & -mask) ? 1u << at : 0u;
  return packed;
}

} // namespace __het_detail

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif // HET_COOPERATIVE_GROUPS_LANES_H
