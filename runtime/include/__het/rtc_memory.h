// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assert, and objects in the heap of kernels, which <assert.h> and <new> would bring.

#ifndef HET_RTC_MEMORY_H
#define HET_RTC_MEMORY_H

// One that takes commas, as templates have them.
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...)                                                                      \
  ((__VA_ARGS__) ? (void)0                                                               \
                 : ::__assertfail(#__VA_ARGS__, __FILE__, __LINE__, __PRETTY_FUNCTION__, \
                                  sizeof(char)))
#endif

#define HET_NEW __device__ inline
HET_NEW void *operator new(size_t size) { return ::malloc(size ? size : 1); }
HET_NEW void *operator new[](size_t size) { return ::malloc(size ? size : 1); }
HET_NEW void operator delete(void *p) noexcept { ::free(p); }
HET_NEW void operator delete[](void *p) noexcept { ::free(p); }
HET_NEW void operator delete(void *p, size_t) noexcept { ::free(p); }
HET_NEW void operator delete[](void *p, size_t) noexcept { ::free(p); }
#undef HET_NEW

__device__ inline
    __attribute__((always_inline)) void *operator new(size_t, void *p) noexcept {
  return p;
}
__device__ inline __attribute__((always_inline)) void *operator new[](size_t,
                                                                      void *p) noexcept {
  return p;
}
__device__ inline __attribute__((always_inline)) void operator delete(void *,
                                                                      void *) noexcept {}
__device__ inline __attribute__((always_inline)) void operator delete[](void *,
                                                                        void *) noexcept {
}

#endif // HET_RTC_MEMORY_H
