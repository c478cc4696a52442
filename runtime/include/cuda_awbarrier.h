// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in shared memory, as a class.

#ifndef HET_CUDA_AWBARRIER_H
#define HET_CUDA_AWBARRIER_H

#include "cuda_awbarrier_primitives.h"

#if defined(__CUDACC__) && defined(__cplusplus)
namespace nvcuda {
namespace experimental {

class awbarrier {
public:
  class arrival_token {
  public:
    arrival_token() = default;
    __device__ uint32_t pending_count() const {
      return __mbarrier_token_pending_count(token);
    }

  private:
    __device__ arrival_token(__mbarrier_token_t token) : token(token) {}
    __mbarrier_token_t token;
    friend awbarrier;
  };

  awbarrier() = default;
  awbarrier(const awbarrier &) = delete;
  awbarrier &operator=(const awbarrier &) = delete;

  __device__ arrival_token arrive() { return __mbarrier_arrive(&barrier); }
  __device__ arrival_token arrive_and_drop() {
    return __mbarrier_arrive_and_drop(&barrier);
  }
  __device__ bool timed_wait(arrival_token token, uint32_t) {
    return __mbarrier_test_wait(&barrier, token.token);
  }
  __device__ bool timed_wait_parity(bool phase, uint32_t) {
    return __mbarrier_test_wait_parity(&barrier, phase);
  }
  __device__ void wait(arrival_token token) {
    while (!__mbarrier_test_wait(&barrier, token.token))
      ;
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ void inval() { __mbarrier_inval(&barrier); }
  static __device__ constexpr ptrdiff_t max() { return (1 << 20) - 1; }

private:
  __mbarrier_t barrier;
  friend __device__ inline void init(awbarrier *where, ptrdiff_t count) {
    __mbarrier_init(&where->barrier, static_cast<uint32_t>(count));
  }
  friend class pipeline;
};

} // namespace experimental
} // namespace nvcuda
#endif

#endif // HET_CUDA_AWBARRIER_H
