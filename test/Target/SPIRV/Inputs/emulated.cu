// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computation with 64-bit floating point: every operation of the language on numbers of
// all kinds, the library's functions, conversions, atomics, teams, structures, printf.
// With -DSINGLE only functions of 32 bits that compute with 64 inside.
#include <cstdio>

using Word = unsigned long long;

__device__ Word bitsOf(double x) {
  return isnan(x) ? 0x7ff8000000000000ull : __double_as_longlong(x);
}
__device__ Word bitsOf(float x) { return isnan(x) ? 0x7fc00000u : __float_as_uint(x); }
__device__ void mix(Word &hash, Word word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  hash ^= hash >> 29;
}

#ifdef SINGLE
constexpr int parts = 12;
__global__ void functions(Word *hashes, const unsigned *in, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Word *hash = hashes + i * parts;
  float x = __uint_as_float(in[i]), y = __uint_as_float(in[(i * 7 + 3) % count]);
  int n;
  mix(hash[0], bitsOf(fmodf(x, y)));
  mix(hash[1], bitsOf(remainderf(x, y)));
  mix(hash[2], bitsOf(remquof(x, y, &n)));
  mix(hash[3], bitsOf(__frsqrt_rn(x)));
  mix(hash[4], bitsOf(jnf(i % 5, x)));
  mix(hash[5], bitsOf(ynf(i % 5, x)));
  mix(hash[6], bitsOf(powif(x, i % 9 - 4)));
  mix(hash[7], bitsOf(__fadd_rd(x, y)));
  mix(hash[8], bitsOf(__fmul_ru(x, y)));
  mix(hash[9], bitsOf(__fdiv_rz(x, y)));
  mix(hash[10], bitsOf(__fsqrt_rd(x)));
  mix(hash[11], bitsOf(__fmaf_rz(x, y, x)));
}
#else
constexpr int parts = 15;
__constant__ double factors[4] = {0.1, -3.0, 1e-310, 1e300};

struct Pair {
  double2 numbers;
  float single;
};
__device__ __noinline__ double norm(Pair pair, double scale) {
  return sqrt(pair.numbers.x * pair.numbers.x + pair.numbers.y * pair.numbers.y) * scale +
         pair.single;
}
__device__ __noinline__ double horner(double x, int n) {
  return n ? horner(x, n - 1) * x + n : 1.0;
}

__global__ void functions(Word *hashes, const double *in, int count, double offset,
                          Pair pair) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Word *hash = hashes + i * parts;
  double x = in[i], y = in[(i * 7 + 3) % count], z = in[(i * 5 + 1) % count];
  mix(hash[0], bitsOf(x + y));
  mix(hash[0], bitsOf(x - y));
  mix(hash[0], bitsOf(x * y));
  mix(hash[1], bitsOf(x / y));
  mix(hash[1], bitsOf(sqrt(x)));
  mix(hash[1], bitsOf(fma(x, y, z)));
  mix(hash[1], bitsOf(fmod(x, y)));
  int order = (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 |
              (x != y) << 5 | !(x < y) << 6 | !(x >= y) << 7 | isnan(x) << 8 |
              isinf(y) << 9 | isfinite(z) << 10 | isunordered(x, z) << 11 |
              islessgreater(x, y) << 12 | signbit(z) << 13;
  mix(hash[2], order);
  mix(hash[3], bitsOf(fmin(x, y)));
  mix(hash[3], bitsOf(fmax(x, z)));
  mix(hash[3], bitsOf(fabs(x) * -y));
  mix(hash[3], bitsOf(copysign(x, y) + z));
  mix(hash[4], bitsOf(rint(x) + floor(y)));
  mix(hash[4], bitsOf(ceil(x) + trunc(y)));
  mix(hash[4], bitsOf(round(x)));
  mix(hash[5], bitsOf((float)x));
  mix(hash[5], bitsOf((double)(float)y * offset));
  mix(hash[6], __double2ll_rz(x));
  mix(hash[6], __double2ull_rn(y));
  mix(hash[6], __double2int_ru(z) + __double2uint_rd(x));
  double few = fmod(fabs(z), 100.0); // in range of all types; 0 for a NaN
  few = few >= 0 ? few : 0;
  mix(hash[6], (Word)(signed char)-few + (Word)(unsigned char)few);
  mix(hash[6], (Word)(short)-few * (int)(unsigned short)few + (long long)-few);
  Word word = __double_as_longlong(x);
  mix(hash[7], bitsOf((double)word));
  mix(hash[7], bitsOf((double)(long long)word));
  mix(hash[7], bitsOf((double)(int)word + (double)(unsigned)(word >> 32)));
  mix(hash[7], bitsOf((double)(short)word + (double)(unsigned char)(word >> 32)));
  mix(hash[7], bitsOf((double)(bool)(word & 1)));
  mix(hash[8], bitsOf(exp(x) + log(fabs(y))));
  mix(hash[8], bitsOf(pow(fabs(x), y)));
  mix(hash[8], bitsOf(sin(x) * cos(y)));
  mix(hash[9], bitsOf(__dadd_rd(x, y)));
  mix(hash[9], bitsOf(__dmul_ru(x, y)));
  mix(hash[9], bitsOf(__ddiv_rz(x, y)));
  mix(hash[9], bitsOf(__fma_rz(x, y, z)));
  mix(hash[10], bitsOf(norm(pair, x)));
  mix(hash[10], bitsOf(factors[i & 3] * y));
  mix(hash[11], bitsOf(horner(x, i % 5)));
  double sum = x;
  for (int step = 16; step; step /= 2)
    sum += __shfl_xor_sync(~0u, sum, step);
  mix(hash[12], bitsOf(sum));
  __shared__ double shared[64];
  shared[threadIdx.x] = sum + y;
  __syncthreads();
  mix(hash[13], bitsOf(shared[63 - threadIdx.x] * 0.5));
  mix(hash[14], bitsOf((double)(__int128)word * 3.0 + (double)((__int128)1 << i % 100)));
}

__global__ void update(double *sums, Word *greatest) {
  double x = threadIdx.x * 0.25 - 3; // sums are exact in any order
  atomicAdd(&sums[0], x);
  atomicAdd_block(&sums[1], -x);
  double was = atomicExch((Word *)&sums[2], __double_as_longlong(x)) * 0.0;
  Word *place = (Word *)&sums[3], old = *place, expected;
  do {
    expected = old;
    old = atomicCAS(place, expected,
                    __double_as_longlong(fmax(__longlong_as_double(expected), x + was)));
  } while (old != expected);
  if (threadIdx.x == 5)
    printf("%g %a %.17g %d\n", x * 3, sqrt(x * x + 2), x / 3, (int)(x * 100));
}
#endif

int main() {
  const int count = 1 << 11;
  Word *hashes, state = 1;
  cudaMallocManaged(&hashes, count * parts * sizeof(Word));
  for (int i = 0; i < count * parts; ++i)
    hashes[i] = 0;
  auto next = [&] { return state = state * 6364136223846793005ull + 1442695040888963407ull; };
#ifdef SINGLE
  unsigned *in;
  cudaMallocManaged(&in, count * sizeof(*in));
  for (int i = 0; i < count; ++i) { // all kinds, then ones near 1
    unsigned word = unsigned(next() >> 32);
    in[i] = i & 1 ? word : (word & 0x807fffff) | (120 + (word >> 24) % 16) << 23;
  }
  functions<<<count / 64, 64>>>(hashes, in, count);
#else
  Word *in;
  double *sums;
  cudaMallocManaged(&in, count * sizeof(*in));
  cudaMallocManaged(&sums, 4 * sizeof(double));
  const double special[] = {0.0, -0.0, 1.0, -1.5, 4e-324, 1e-310, 1.7e308, 2147483647.5,
                            -9.3e18, 0.5, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, 2.5, -0.25};
  for (int i = 0; i < count; ++i) {
    Word word = next() ^ next() >> 32;
    in[i] = i & 1 ? word
                  : (word & 0x800fffffffffffffull) | (1015 + (word >> 52) % 24) << 52;
    if (i < 15 * 16)
      in[i] = reinterpret_cast<const Word *>(special)[i % 15];
  }
  for (int i = 0; i < 4; ++i)
    sums[i] = 0;
  functions<<<count / 64, 64>>>(hashes, (double *)in, count, 1.0 / 3,
                                Pair{make_double2(0.3, -1e200), 0.7f});
  update<<<1, 128>>>(sums, hashes);
#endif
  cudaDeviceSynchronize();
  for (int part = 0; part < parts; ++part) {
    Word all = 0;
    for (int i = 0; i < count; ++i)
      all = (all ^ hashes[i * parts + part]) * 0x9e3779b97f4a7c15ull;
    printf("%d %016llx\n", part, all);
  }
#ifndef SINGLE
  printf("%a %a %a\n", sums[0], sums[1], sums[3]);
#endif
  cudaError_t error = cudaGetLastError();
  printf("computed: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
