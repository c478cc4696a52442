// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations that every generated program starts with: names of types, hashing,
// arithmetic that is defined for every operand, team operations that never read a
// lane outside the mask, and the host's buffers. An item ends at an empty line.

#include <cstdio>
#include <cstring>

typedef unsigned long long u64;

typedef long long i64;

#ifdef REFERENCE
#define LAUNCH(kernel, grid, block, shared, ...) \
  reference::launch(grid, block, shared, [&] { kernel(__VA_ARGS__); })
#define DYNAMIC_SHARED(name) unsigned char *name = reference::dynamicShared()
#else
#define LAUNCH(kernel, grid, block, shared, ...) kernel<<<grid, block, shared>>>(__VA_ARGS__)
#define DYNAMIC_SHARED(name) extern __shared__ __align__(16) unsigned char name[]
#endif

// Hashing. A NaN's bits are free, so each becomes the same number.

__device__ inline u64 hashOf(u64 v) { return v; }

__device__ inline u64 hashOf(i64 v) { return (u64)v; }

__device__ inline u64 hashOf(int v) { return (u64)(i64)v; }

__device__ inline u64 hashOf(unsigned v) { return v; }

__device__ inline u64 hashOf(short v) { return (u64)(i64)v; }

__device__ inline u64 hashOf(unsigned short v) { return v; }

__device__ inline u64 hashOf(unsigned char v) { return v; }

__device__ inline u64 hashOf(float v) { return v != v ? 0x7fc0u : __float_as_uint(v); }

__device__ inline u64 hashOf(double v) {
  return v != v ? 0x7ff8u : (u64)__double_as_longlong(v);
}

__device__ inline u64 mix(u64 h, u64 v) {
  h = (h ^ v) * 0x9e3779b97f4a7c15ull;
  return h ^ (h >> 29);
}

// Division: by zero, and of the least number by minus one, gives the dividend.

template <class T> __device__ inline T quotient(T a, T b) {
  return b == 0 || (T(-1) < T(0) && b == T(-1)) ? a : a / b;
}

template <class T> __device__ inline T remainderOf(T a, T b) {
  return b == 0 || (T(-1) < T(0) && b == T(-1)) ? a : a % b;
}

// From floating point to integers; what is out of range, or a NaN, gives 7.

template <class F> __device__ inline int toI32(F v) {
  return v > F(-2.0e9) && v < F(2.0e9) ? (int)v : 7;
}

template <class F> __device__ inline unsigned toU32(F v) {
  return v >= F(0) && v < F(4.0e9) ? (unsigned)v : 7u;
}

template <class F> __device__ inline i64 toI64(F v) {
  return v > F(-9.0e18) && v < F(9.0e18) ? (i64)v : 7;
}

template <class F> __device__ inline u64 toU64(F v) {
  return v >= F(0) && v < F(1.8e19) ? (u64)v : 7;
}

// Where a thread stands.

__device__ inline unsigned blockThreads() { return blockDim.x * blockDim.y * blockDim.z; }

__device__ inline unsigned threadNumber() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

__device__ inline unsigned blockNumber() {
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}

// The lanes of this thread's team that exist: the last team of a block may be partial.

__device__ inline unsigned teamMask() {
  unsigned left = blockThreads() - (threadNumber() & ~31u);
  return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}

// The two parts of a block: its first teams, `split` of them if there are so many, and
// the others. They meet at barriers of their own, `number` and the next one.

__device__ inline unsigned partOf(unsigned split) { return threadNumber() / 32 >= split; }

__device__ inline unsigned inPart(unsigned split, unsigned index) {
  unsigned end = split * 32 < blockThreads() ? split * 32 : blockThreads();
  return partOf(split) ? end + index % (blockThreads() - end) : index % end;
}

__device__ inline void meetPart(unsigned number, unsigned split) {
  unsigned teams = (blockThreads() + 31) / 32, first = split < teams ? split : teams;
  unsigned part = partOf(split);
  __barrier_sync_count(number + part, (part ? teams - first : first) * 32);
}

// Shuffles: a lane that names one outside the mask keeps its own value.

template <class T> __device__ inline T shuffleIdx(unsigned m, T v, unsigned from, unsigned width) {
  T r = __shfl_sync(m, v, (int)from, (int)width);
  unsigned source = (threadNumber() & 31 & ~(width - 1)) | (from & (width - 1));
  return (m >> source) & 1 ? r : v;
}

template <class T> __device__ inline T shuffleXor(unsigned m, T v, unsigned bits, unsigned width) {
  T r = __shfl_xor_sync(m, v, (int)bits, (int)width);
  unsigned lane = threadNumber() & 31, source = lane ^ bits;
  if (source > (lane | (width - 1)))
    source = lane;
  return (m >> source) & 1 ? r : v;
}

template <class T> __device__ inline T shuffleUp(unsigned m, T v, unsigned by, unsigned width) {
  T r = __shfl_up_sync(m, v, by, (int)width);
  unsigned lane = threadNumber() & 31, source = (lane & (width - 1)) >= by ? lane - by : lane;
  return (m >> source) & 1 ? r : v;
}

template <class T> __device__ inline T shuffleDown(unsigned m, T v, unsigned by, unsigned width) {
  T r = __shfl_down_sync(m, v, by, (int)width);
  unsigned lane = threadNumber() & 31;
  unsigned source = (lane & (width - 1)) + by < width ? lane + by : lane;
  return (m >> source) & 1 ? r : v;
}

// The lane number `from`, or the own one where that is not in the mask.

__device__ inline unsigned laneIn(unsigned m, unsigned from) {
  return (m >> (from & 31)) & 1 ? from & 31 : threadNumber() & 31;
}

// A value that one lane has goes to all, by way of functions that all lanes give one.

template <class T> __device__ inline T giveByValue(T v, unsigned m, unsigned from) {
  return __shfl_sync(m, v, (int)from);
}

template <class T> __device__ inline T giveByReference(const T &v, unsigned m, unsigned from) {
  return __shfl_sync(m, v, (int)from);
}

template <class T> __device__ __noinline__ T giveFromCall(T v, unsigned m, unsigned from) {
  return giveByValue(v, m, from);
}

template <class T> struct Giver {
  T value;
  __device__ T operator()(unsigned m, unsigned from) const { return __shfl_sync(m, value, (int)from); }
};

// Functions that give a value only under a condition.

template <class T> __attribute__((no_sanitize("return"))) __device__ inline T onlyIf(bool has, T v) {
  if (has)
    return v;
}

template <class T> __device__ inline void setIf(bool has, T &to, T v) {
  if (has)
    to = v;
}

// Division as the device has it, and for the reference, by zero 0: where a lane divides
// by zero, nobody looks.

#ifdef REFERENCE
template <class T> T divided(T a, T b) { return b ? a / b : 0; }
#else
template <class T> __device__ inline T divided(T a, T b) { return b == 0 ? 0 : a / b; }
#endif

// Puts two places, or two pairs of places, in order.

template <class T> __device__ inline void exchange(T &a, T &b, unsigned way) {
  if ((a > b) == way) {
    T t = a;
    a = b;
    b = t;
  }
}

template <class T, class U> __device__ inline void exchangePair(T &a, U &x, T &b, U &y, unsigned way) {
  if ((a > b) == way) {
    T t = a;
    a = b;
    b = t;
    U u = x;
    x = y;
    y = u;
  }
}

// An atomic addition made of compare and swap.

__device__ inline void addBySwap(unsigned *p, unsigned v) {
  unsigned seen = 0, old;
  do {
    old = seen;
    seen = atomicCAS(p, old, old + v);
  } while (seen != old);
}

// What results are gathered in by atomics. A member takes one operation only, so
// that the order does not count; floating-point sums are of small integers.

struct Gather {
  unsigned add, least, most, all, any, odd, swapped, counted;
  int signedLeast, signedMost;
  float sum;
  u64 add64, least64, most64, all64, any64, odd64;
  i64 signedLeast64, signedMost64;
  double sum64;
};

__host__ __device__ inline void clearGather(Gather *g) {
  g->add = g->most = g->any = g->odd = g->swapped = g->counted = 0;
  g->least = g->all = 0xffffffffu;
  g->signedLeast = 0x7fffffff;
  g->signedMost = -0x7fffffff - 1;
  g->sum = 0;
  g->add64 = g->most64 = g->any64 = g->odd64 = 0;
  g->least64 = g->all64 = ~0ull;
  g->signedLeast64 = 0x7fffffffffffffffll;
  g->signedMost64 = -0x7fffffffffffffffll - 1;
  g->sum64 = 0;
}

// The host's part: buffers, and the hash of what the launches left in them. A
// launch reads in() and seen(), and writes out(), next() and gather().

const unsigned kSlots = 1024;

struct Host {
  u64 *results;
  unsigned *words;
  Gather *gathers;
  u64 hash;
  unsigned turn;
  Host() : hash(1), turn(0) {
    cudaMallocManaged((void **)&results, kSlots * sizeof(u64));
    cudaMallocManaged((void **)&words, 2 * kSlots * sizeof(unsigned));
    cudaMallocManaged((void **)&gathers, 2 * sizeof(Gather));
    for (unsigned i = 0; i < 2 * kSlots; ++i)
      words[i] = i * 2654435761u ^ (i << 7);
    memset(results, 0, kSlots * sizeof(u64));
    clearGather(gathers);
    clearGather(gathers + 1);
  }
  ~Host() {
    cudaFree(results);
    cudaFree(words);
    cudaFree(gathers);
  }
  const unsigned *in() { return words + turn * kSlots; }
  unsigned *next() { return words + (1 - turn) * kSlots; }
  const Gather *seen() { return gathers + turn; }
  Gather *gather() { return gathers + 1 - turn; }
  void fold(u64 v) {
    hash = (hash ^ v) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 31;
  }
  void finish() {
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
      printf("error: %s\n", cudaGetErrorString(error));
    foldGather(gather());
    for (unsigned i = 0; i < kSlots; ++i) {
      fold(results[i]);
      fold(next()[i]);
    }
    turn = 1 - turn;
    clearGather(gather());
  }
  void foldGather(const Gather *g) {
    fold(g->add), fold(g->least), fold(g->most), fold(g->all), fold(g->any), fold(g->odd);
    fold(g->swapped), fold(g->counted), fold(g->signedLeast), fold(g->signedMost);
    fold((u64)(i64)g->sum), fold(g->add64), fold(g->least64), fold(g->most64), fold(g->all64);
    fold(g->any64), fold(g->odd64), fold(g->signedLeast64), fold(g->signedMost64);
    fold((u64)(i64)g->sum64);
  }
};
