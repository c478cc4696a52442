// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies to shared memory that a thread waits for later, as a class.

#ifndef HET_CUDA_PIPELINE_H
#define HET_CUDA_PIPELINE_H

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

#if defined(__CUDACC__) && defined(__cplusplus)
namespace nvcuda {
namespace experimental {

class pipeline {
public:
  pipeline() = default;
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;

  // The number of the group, for wait().
  __device__ size_t commit() {
    __pipeline_commit();
    return groups++;
  }
  __device__ void commit_and_wait() {
    commit();
    wait_prior<0>();
  }
  __device__ void wait(size_t group) { __pipeline_wait_prior(groups - 1 - group); }
  template <unsigned count> __device__ void wait_prior() { __pipeline_wait_prior(count); }
  __device__ void arrive_on(awbarrier &barrier) {
    __pipeline_arrive_on(&barrier.barrier);
  }

private:
  size_t groups = 0;
};

// One object, in the largest pieces that its size and alignment allow.
template <class To, class From>
__device__ inline void memcpy_async(To &to, const From &from, pipeline &) {
  static_assert(sizeof(To) == sizeof(From), "both have the same size");
  constexpr size_t least = alignof(To) < alignof(From) ? alignof(To) : alignof(From);
  constexpr size_t piece = least < 16 ? least : 16;
  if constexpr (piece >= 4 && sizeof(To) % piece == 0) {
    for (size_t at = 0; at < sizeof(To); at += piece)
      __pipeline_memcpy_async(reinterpret_cast<char *>(&to) + at,
                              reinterpret_cast<const char *>(&from) + at, piece);
  } else {
    for (size_t at = 0; at < sizeof(To); ++at)
      reinterpret_cast<char *>(&to)[at] = reinterpret_cast<const char *>(&from)[at];
  }
}

} // namespace experimental
} // namespace nvcuda
#endif

#endif // HET_CUDA_PIPELINE_H
