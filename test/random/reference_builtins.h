// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA functions that generated programs call, for the reference.

template <class To, class From> inline To bitsTo(From v) {
  To r = To();
  memcpy(&r, &v, sizeof(To) < sizeof(From) ? sizeof(To) : sizeof(From));
  return r;
}

// Barriers and team operations.

inline void __syncthreads() { reference::barrier("plain", 0); }
inline int __syncthreads_count(int p) { return (int)reference::barrier("count", p); }
inline int __syncthreads_and(int p) { return (int)reference::barrier("and", p); }
inline int __syncthreads_or(int p) { return (int)reference::barrier("or", p); }
inline void __barrier_sync_count(unsigned n, unsigned count) {
  reference::meet(n, count);
}
inline void __syncwarp(unsigned m) { reference::team("sync", m, 0); }
inline unsigned __activemask() { return 1u << (reference::here->number & 31); }
inline unsigned __ballot_sync(unsigned m, int p) {
  return (unsigned)reference::team("ballot", m, p != 0);
}
inline int __any_sync(unsigned m, int p) { return __ballot_sync(m, p) != 0; }
inline int __all_sync(unsigned m, int p) { return __ballot_sync(m, p) == m; }

template <class T>
inline T shuffled(const char *what, unsigned m, T v, int by, int width) {
  return bitsTo<T>(
      reference::team(what, m, bitsTo<uint64_t>(v), width << 16 | (by & 0xffff)));
}

// The number of the lane counts modulo the width.
template <class T> inline T __shfl_sync(unsigned m, T v, int from, int width = 32) {
  return shuffled("idx", m, v, from & 31, width);
}
template <class T> inline T __shfl_xor_sync(unsigned m, T v, int bits, int width = 32) {
  return shuffled("xor", m, v, bits, width);
}
template <class T> inline T __shfl_up_sync(unsigned m, T v, unsigned by, int width = 32) {
  return shuffled("up", m, v, (int)by, width);
}
template <class T>
inline T __shfl_down_sync(unsigned m, T v, unsigned by, int width = 32) {
  return shuffled("down", m, v, (int)by, width);
}

template <class T> inline unsigned __match_any_sync(unsigned m, T v) {
  return (unsigned)reference::team("match", m, bitsTo<uint64_t>(v));
}
template <class T> inline unsigned __match_all_sync(unsigned m, T v, int *all) {
  unsigned equal = __match_any_sync(m, v);
  *all = equal == m;
  return *all ? m : 0;
}

inline unsigned __reduce_add_sync(unsigned m, unsigned v) {
  return (unsigned)reference::team("reduce add", m, v);
}
inline unsigned __reduce_min_sync(unsigned m, unsigned v) {
  return (unsigned)reference::team("reduce min", m, v);
}
inline unsigned __reduce_max_sync(unsigned m, unsigned v) {
  return (unsigned)reference::team("reduce max", m, v);
}
inline unsigned __reduce_and_sync(unsigned m, unsigned v) {
  return (unsigned)reference::team("reduce and", m, v);
}
inline unsigned __reduce_or_sync(unsigned m, unsigned v) {
  return (unsigned)reference::team("reduce or", m, v);
}
inline unsigned __reduce_xor_sync(unsigned m, unsigned v) {
  return (unsigned)reference::team("reduce xor", m, v);
}
inline int __reduce_add_sync(unsigned m, int v) {
  return (int)reference::team("reduce add", m, (unsigned)v);
}
inline int __reduce_min_sync(unsigned m, int v) {
  return (int)reference::team("reduce smin", m, (unsigned)v);
}
inline int __reduce_max_sync(unsigned m, int v) {
  return (int)reference::team("reduce smax", m, (unsigned)v);
}

// Atomics: fibers are never interrupted.

template <class T> inline T fetched(T *p, T v) {
  T old = *p;
  *p = v;
  return old;
}
template <class T> inline T atomicAdd(T *p, T v) { return fetched<T>(p, *p + v); }
template <class T> inline T atomicMin(T *p, T v) {
  return fetched<T>(p, std::min(*p, v));
}
template <class T> inline T atomicMax(T *p, T v) {
  return fetched<T>(p, std::max(*p, v));
}
template <class T> inline T atomicAnd(T *p, T v) { return fetched<T>(p, *p & v); }
template <class T> inline T atomicOr(T *p, T v) { return fetched<T>(p, *p | v); }
template <class T> inline T atomicXor(T *p, T v) { return fetched<T>(p, *p ^ v); }
inline unsigned atomicInc(unsigned *p, unsigned most) {
  return fetched<unsigned>(p, *p >= most ? 0 : *p + 1);
}
inline unsigned atomicCAS(unsigned *p, unsigned seen, unsigned v) {
  return fetched(p, *p == seen ? v : *p);
}

// Numbers.

inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __popcll(uint64_t v) { return __builtin_popcountll(v); }
inline int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
inline int __clzll(long long v) {
  return v ? __builtin_clzll((unsigned long long)v) : 64;
}
inline int __ffs(int v) { return __builtin_ffs(v); }
inline int __ffsll(long long v) { return __builtin_ffsll(v); }
inline unsigned long long __brevll(unsigned long long v) {
  unsigned long long r = 0;
  for (int i = 0; i < 64; ++i)
    r |= ((v >> i) & 1) << (63 - i);
  return r;
}
inline unsigned __brev(unsigned v) { return (unsigned)(__brevll(v) >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)((uint64_t)a * b >> 32);
}
inline int __mulhi(int a, int b) { return (int)((int64_t)a * b >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  uint64_t bytes = (uint64_t)b << 32 | a;
  unsigned r = 0;
  for (int i = 0; i < 4; ++i)
    r |= (unsigned)(bytes >> (((s >> 4 * i) & 7) * 8) & 255) << 8 * i;
  return r;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
  return (unsigned)((((uint64_t)high << 32 | low) << (by & 31)) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
  return (unsigned)(((uint64_t)high << 32 | low) >> (by & 31));
}
inline unsigned __float_as_uint(float v) { return bitsTo<unsigned>(v); }
inline long long __double_as_longlong(double v) { return bitsTo<long long>(v); }

template <class T> inline T min(T a, T b) { return b < a ? b : a; }
template <class T> inline T max(T a, T b) { return a < b ? b : a; }

// The host's functions.

typedef int cudaError_t;
const int cudaSuccess = 0;
inline int cudaMallocManaged(void **p, size_t bytes) {
  return (*p = malloc(bytes)) == nullptr;
}
inline int cudaFree(void *p) { return free(p), 0; }
inline int cudaDeviceSynchronize() { return 0; }
inline const char *cudaGetErrorString(int) { return ""; }
