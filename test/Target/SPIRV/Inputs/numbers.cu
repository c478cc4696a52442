// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complements next to minima and maxima; numbers that are made integers and numbers
// again, of which none is -0; zero divided by what may be zero. Prints a
// hash of each, for blocks that are a whole number of vectors and others.
#include <cstdio>

__device__ unsigned bitsOf(float x) { return x != x ? 7 : __float_as_uint(x); }
__device__ unsigned bitsOf(double x) {
  return x != x ? 7 : (unsigned)(__double_as_longlong(x) >> 32);
}

// A function each: in one function they would share what they compute.
#define CASE(name, value)                                                                \
  __device__ __noinline__ unsigned name##Of(int v, int w, float f, double d) {           \
    return value;                                                                        \
  }                                                                                      \
  __global__ void name(const int *words, const float *floats, unsigned *results) {       \
    int i = threadIdx.x;                                                                 \
    results[i] = name##Of(words[i], words[i + 64], floats[i], floats[i]);                \
  }                                                                                      \
  __global__ void name##Inlined(const int *words, const float *floats,                   \
                                unsigned *results) {                                     \
    int i = threadIdx.x, v = words[i], w = words[i + 64];                                \
    float f = floats[i];                                                                 \
    double d = f;                                                                        \
    results[i] = value;                                                                  \
  }

CASE(leastOfComplement, min(~v, w))
CASE(leastUnsigned, min(~(unsigned)v, (unsigned)w))
CASE(mostOfComplement, max(~v, w))
CASE(complementOfLeast, ~min(v, w))
CASE(complementOfMost, ~max((unsigned)v, (unsigned)w))
CASE(leastOfBoth, min(~v, v))
CASE(mostOfThree, max(~v, max(w, v * 3)))
CASE(floatAgain, bitsOf((float)(int)f))
CASE(doubleAgain, bitsOf((double)(int)d))
CASE(floatOfDouble, bitsOf((float)(int)d))
CASE(chosenAgain, bitsOf((double)(d > -2e9 && d < 2e9 ? (int)d : 7)))
CASE(halves, bitsOf((float)(int)(f * 2.0f) * 0.5f))
CASE(reciprocal, bitsOf(1.0f / (float)(int)f))
CASE(unsignedAgain, bitsOf((float)(unsigned)fabsf(f)))
CASE(zeroTimes, bitsOf(0.0f / (float)(unsigned)(v & 3) * f))
CASE(zeroTimesZero, bitsOf(0.0f / (float)(unsigned)(v & 3) * 0.0f))
CASE(signedZeroTimes, bitsOf(0.0f / (float)(v % 3) * 2.5f))
CASE(zeroOverTwice, bitsOf(0.0f / ((float)(v % 3) * 2.0f) * f))
CASE(zeroOverMost, bitsOf(0.0f / fmaxf((float)(v % 3), -1.0f) * f))
CASE(minusZeroTimes, bitsOf(-0.0 / (double)(v % 3) * 2.5))

static int *words;
static float *floats;
static unsigned *results;

static void run(const char *name, void (*kernel)(const int *, const float *, unsigned *)) {
  for (int threads : {7, 37, 64}) {
    kernel<<<1, threads>>>(words, floats, results);
    cudaDeviceSynchronize();
    unsigned hash = 1;
    for (int i = 0; i < threads; ++i)
      hash = (hash ^ results[i]) * 2654435761u, hash ^= hash >> 15;
    printf("%s, %d threads: %08x\n", name, threads, hash);
  }
}

#define RUN(name) run(#name, name), run(#name " inlined", name##Inlined)

int main() {
  cudaMallocManaged(&words, 128 * sizeof(int));
  cudaMallocManaged(&floats, 64 * sizeof(float));
  cudaMallocManaged(&results, 64 * sizeof(unsigned));
  const float some[] = {-0.0f, 0.0f, -0.5f, 0.25f, -1.75f, 3.5f};
  for (int i = 0; i < 128; ++i)
    words[i] = i * 2654435761u ^ (i << 7);
  for (int i = 0; i < 64; ++i)
    floats[i] = some[i % 6];
  RUN(leastOfComplement), RUN(leastUnsigned), RUN(mostOfComplement);
  RUN(complementOfLeast), RUN(complementOfMost), RUN(leastOfBoth), RUN(mostOfThree);
  RUN(floatAgain), RUN(doubleAgain), RUN(floatOfDouble), RUN(chosenAgain);
  RUN(halves), RUN(reciprocal), RUN(unsignedAgain);
  RUN(zeroTimes), RUN(zeroTimesZero), RUN(signedZeroTimes), RUN(minusZeroTimes);
  RUN(zeroOverTwice), RUN(zeroOverMost);
  printf("computed: %s\n", cudaGetErrorString(cudaGetLastError()));
}
