// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating point of 8 and 16 bits in PTX: conversions of each pattern and of values near
// the limits, halves in each direction, halves of double and integers, which are rounded
// once; comparisons of halves and pairs; reciprocals of double with few
// bits; atomic sums of halves and of vectors.
// PTX ISA: cvt; atom; red.

#include "Inputs/check.h"
#include <cmath>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;

/// The value of a byte with so many bits of mantissa; NaN for what is none.
static double byteValue(int byte, int mantissa, int bias, bool hasInfinity) {
  const int size = byte & 0x7F, exponent = size >> mantissa, digits = size & ((1 << mantissa) - 1);
  const int top = 0x7F >> mantissa;
  double value = exponent ? std::ldexp(1 + std::ldexp(digits, -mantissa), exponent - bias)
                          : std::ldexp(digits, 1 - bias - mantissa);
  if (hasInfinity && exponent == top)
    value = digits ? NAN : INFINITY;
  else if (!hasInfinity && size == 0x7F)
    value = NAN;
  return byte & 0x80 ? -value : value;
}

/// The byte whose value is nearest, that with an even pattern of two; by search.
static int nearestByte(double x, int mantissa, int bias, bool hasInfinity) {
  if (x != x)
    return 0x7F;
  const int sign = std::signbit(x) ? 0x80 : 0;
  int best = 0;
  double least = INFINITY;
  for (int byte = 0; byte < 0x7F; ++byte) {
    const double value = byteValue(byte, mantissa, bias, hasInfinity);
    if (!std::isfinite(value))
      continue;
    const double distance = std::isinf(x) ? -value : std::fabs(value - std::fabs(x));
    if (distance < least || (distance == least && !(byte & 1))) {
      least = distance;
      best = byte;
    }
  }
  return best | sign;
}

__global__ void toBytes(const float *in, int n, u16 *e4, u16 *e5) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(e4[i]) : "f"(in[i]), "f"(-in[i]));
  asm("cvt.rn.satfinite.relu.e5m2x2.f32 %0, %1, %2;" : "=h"(e5[i]) : "f"(in[i]), "f"(-in[i]));
}

__global__ void fromBytes(u32 *e4, u32 *e5, u16 *again) {
  const u16 pair = threadIdx.x | (threadIdx.x ^ 0x80) << 8;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(e4[threadIdx.x]) : "h"(pair));
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(e5[threadIdx.x]) : "h"(pair));
  asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(again[threadIdx.x]) : "r"(e4[threadIdx.x]));
}

constexpr int conversions = 8;

__global__ void toHalves(const double *in, const long long *whole, int n, u16 *out) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  const float x = in[i];
  u32 pair;
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(out[i * conversions]) : "f"(x));
  asm("cvt.rz.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(x), "f"(-x));
  out[i * conversions + 1] = pair >> 16;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(out[i * conversions + 2]) : "d"(in[i]));
  asm("cvt.rn.f16.s64 %0, %1;" : "=h"(out[i * conversions + 3]) : "l"(whole[i]));
  asm("cvt.rn.bf16.s64 %0, %1;" : "=h"(out[i * conversions + 4]) : "l"(whole[i]));
  asm("cvt.rp.f16.u32 %0, %1;" : "=h"(out[i * conversions + 5]) : "r"((u32)whole[i]));
  asm("cvt.rm.f16.f32 %0, %1;" : "=h"(out[i * conversions + 6]) : "f"(x));
  asm("cvt.rp.bf16.f64 %0, %1;" : "=h"(out[i * conversions + 7]) : "d"(in[i]));
}

/// Each value that halves and bfloat16 hold for whole numbers up to 256 is exact.
__global__ void sums(u16 *half, u32 *pair, float *four) {
  const u16 one = 0x3C00, oneB = 0x3F80;
  u16 old;
  asm volatile("atom.global.add.noftz.f16 %0, [%1], %2;" : "=h"(old) : "l"(half + 1), "h"(one) : "memory");
  asm volatile("red.relaxed.gpu.global.add.noftz.bf16 [%0], %1;" ::"l"(half + 2), "h"(oneB) : "memory");
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(pair), "r"(0x3C00u | 0x4000u << 16) : "memory");
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %1, %2};" ::"l"(four), "f"(1.0f), "f"(2.0f) : "memory");
  half[4 + threadIdx.x] = old;
}

static u16 bitsOf(_Float16 x) {
  u16 bits;
  memcpy(&bits, &x, 2);
  return bits;
}

static double halfValue(u16 bits) {
  _Float16 x;
  memcpy(&x, &bits, 2);
  return x;
}

static double bfloatValue(u16 bits) {
  const u32 wide = (u32)bits << 16;
  float x;
  memcpy(&x, &wide, 4);
  return x;
}

/// Of a format whose patterns grow with their values: what x becomes to the nearest (n),
/// toward zero (z), down (d) or up (u).
template <class Value> static u16 search(double x, char direction, int infinity, Value value) {
  const double size = std::fabs(x);
  int pattern = 0;
  while (pattern + 1 < infinity && value(pattern + 1) <= size)
    ++pattern;
  // Behind the largest the next one would be as far as the last.
  const double step = pattern + 1 < infinity ? value(pattern + 1) - value(pattern)
                                             : value(pattern) - value(pattern - 1);
  const double middle = value(pattern) + step / 2;
  const bool isExact = value(pattern) == size;
  if (direction == 'n')
    pattern += size > middle || (size == middle && pattern % 2);
  else if (!isExact && (direction == 'u' ? x > 0 : direction == 'd' && x < 0))
    ++pattern;
  return pattern | (std::signbit(x) ? 0x8000 : 0);
}

static void checkBytes() {
  std::vector<float> values{0.0f, -0.0f, INFINITY, NAN, 448, 449, 463, 464, 465, 1e9f, 57344, 61440, 1e-9f};
  for (int i = -220; i < 220; ++i)
    for (float scale : {1.0f, 1.0f / 1024, 3.0f, 0.0625f})
      values.push_back(i * scale);
  const int n = values.size();
  float *in;
  u16 *e4, *e5, *again;
  u32 *wide4, *wide5;
  CUDA(cudaMallocManaged(&in, n * sizeof(float)));
  CUDA(cudaMallocManaged(&e4, n * sizeof(u16)));
  CUDA(cudaMallocManaged(&e5, n * sizeof(u16)));
  CUDA(cudaMallocManaged(&again, 256 * sizeof(u16)));
  CUDA(cudaMallocManaged(&wide4, 256 * sizeof(u32)));
  CUDA(cudaMallocManaged(&wide5, 256 * sizeof(u32)));
  memcpy(in, values.data(), n * sizeof(float));
  toBytes<<<(n + 127) / 128, 128>>>(in, n, e4, e5);
  fromBytes<<<1, 256>>>(wide4, wide5, again);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    const float x = values[i];
    CHECK_AT(i, (int)e4[i], nearestByte(x, 3, 7, false) << 8 | nearestByte(-x, 3, 7, false));
    const auto positive = [](float v) { return v > 0 || v != v ? v : 0.0f; };
    CHECK_AT(i, (int)e5[i],
             nearestByte(positive(x), 2, 15, true) << 8 | nearestByte(positive(-x), 2, 15, true));
  }
  for (int byte = 0; byte < 256; ++byte) {
    CHECK_AT(byte, halfValue(wide4[byte]), byteValue(byte, 3, 7, false));
    CHECK_AT(byte, halfValue(wide4[byte] >> 16), byteValue(byte ^ 0x80, 3, 7, false));
    CHECK_AT(byte, halfValue(wide5[byte]), byteValue(byte, 2, 15, true));
    if ((byte & 0x7F) != 0x7F)
      CHECK_AT(byte, (int)again[byte], byte | (byte ^ 0x80) << 8);
  }
}

static void checkHalves() {
  // Between two halves, and a little beside the middle, which float does not see.
  const double values[] = {1.0, 1 + 0x1p-11, 1 + 0x1p-11 + 0x1p-40, 1 + 0x3p-11 - 0x1p-45, -65504, -65519.999999, 65520, 1e30, 0x1p-25, 0x1.00000001p-25, -0x1p-30, 0.1, -1234.567};
  const long long wholes[] = {0, 1, 2049, 2051, -4098, 65519, 65520, 1ll << 40, (1ll << 24) + (1ll << 15) + 1, 257, 259, -((1ll << 40) + (1ll << 32) + 1), 12345};
  constexpr int n = sizeof(values) / sizeof(values[0]);
  double *in;
  long long *whole;
  u16 *out;
  CUDA(cudaMallocManaged(&in, sizeof(values)));
  CUDA(cudaMallocManaged(&whole, sizeof(wholes)));
  CUDA(cudaMallocManaged(&out, n * conversions * sizeof(u16)));
  memcpy(in, values, sizeof(values));
  memcpy(whole, wholes, sizeof(wholes));
  toHalves<<<1, 32>>>(in, whole, n, out);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    const float x = values[i];
    const double w = wholes[i];
    const auto half = [](double v, char direction) { return search(v, direction, 0x7C00, halfValue); };
    const auto bfloat = [](double v, char direction) { return search(v, direction, 0x7F80, bfloatValue); };
    const u16 want[conversions] = {half(x, 'z'), bfloat(x, 'z'),        half(values[i], 'n'),
                                   half(w, 'n'), bfloat(w, 'n'),        half((u32)wholes[i], 'u'),
                                   half(x, 'd'), bfloat(values[i], 'u')};
    for (int k = 0; k < conversions; ++k)
      CHECK_AT(i * 10 + k, out[i * conversions + k], want[k]);
  }
}

__global__ void comparisons(const u16 *in, int n, u32 *out) {
  const int i = threadIdx.x, x = i % n, y = i / n % n;
  const u32 a = in[x] | (u32)in[y] << 16, b = in[y] | (u32)in[x] << 16;
  u16 narrow;
  asm("set.lt.f16x2.f16x2 %0, %1, %2;" : "=r"(out[i * 4]) : "r"(a), "r"(b));
  asm("set.geu.u32.f16x2 %0, %1, %2;" : "=r"(out[i * 4 + 1]) : "r"(a), "r"(b));
  asm("set.eq.f16.f16 %0, %1, %2;" : "=h"(narrow) : "h"(in[x]), "h"(in[y]));
  out[i * 4 + 2] = narrow;
  asm("{ .reg.pred p, q; setp.gt.f16x2 p|q, %1, %2; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }"
      : "=r"(out[i * 4 + 3])
      : "r"(a), "r"(b));
}

static void checkComparisons() {
  const u16 values[] = {0x0000, 0x8000, 0x3C00, 0xBC00, 0x0001, 0x7C00, 0x7E00, 0x4000};
  constexpr int n = sizeof(values) / sizeof(values[0]);
  u16 *in;
  u32 *out;
  CUDA(cudaMallocManaged(&in, sizeof(values)));
  CUDA(cudaMallocManaged(&out, n * n * 4 * sizeof(u32)));
  memcpy(in, values, sizeof(values));
  comparisons<<<1, n * n>>>(in, n, out);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n * n; ++i) {
    const double x = halfValue(values[i % n]), y = halfValue(values[i / n]);
    CHECK_AT(i, out[i * 4], (x < y ? 0x3C00u : 0) | (y < x ? 0x3C000000u : 0));
    CHECK_AT(i, out[i * 4 + 1], (x < y ? 0 : 0xFFFFu) | (y < x ? 0 : 0xFFFF0000u));
    CHECK_AT(i, out[i * 4 + 2], x == y ? 0x3C00u : 0);
    CHECK_AT(i, out[i * 4 + 3], (x > y ? 1u : 0) | (y > x ? 2u : 0));
  }
}

__global__ void gross(const double *in, double *out) {
  const double x = in[threadIdx.x];
  double *own = out + threadIdx.x * 3;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(own[0]) : "d"(x));
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(own[1]) : "d"(x));
  asm("rsqrt.approx.f64 %0, %1;" : "=d"(own[2]) : "d"(x));
}

/// Reciprocals with 20 bits, whose lower word is zero.
static void checkGross() {
  unsigned long long quiet = 0x7FF0000000000001; // a NaN by its lower word alone
  double nan;
  memcpy(&nan, &quiet, 8);
  const double values[] = {3, 0.1, 1e300, 1e-300, 0.0, -0.0, INFINITY, nan, 1e-310, -1e-310, 2, -5};
  constexpr int n = sizeof(values) / sizeof(values[0]);
  double *in, *out;
  CUDA(cudaMallocManaged(&in, sizeof(values)));
  CUDA(cudaMallocManaged(&out, n * 3 * sizeof(double)));
  memcpy(in, values, sizeof(values));
  gross<<<1, n>>>(in, out);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    const double x = values[i], flushed = std::fabs(x) < 0x1p-1022 ? std::copysign(0.0, x) : x;
    const double exact[] = {1 / flushed, 1 / std::sqrt(flushed), 1 / std::sqrt(x)};
    for (int k = 0; k < 3; ++k) {
      const double found = out[i * 3 + k], want = exact[k];
      u32 low;
      memcpy(&low, &found, 4);
      const bool isNear = std::fabs(found - want) <= std::fabs(want) * 0x1p-20;
      CHECK_TRUE(std::isfinite(want) ? isNear : want != want ? found != found : found == want);
      CHECK_TRUE(k == 2 || low == 0);
    }
  }
}

static void checkSums() {
  constexpr int threads = 64;
  u16 *half;
  u32 *pair;
  float *four;
  CUDA(cudaMallocManaged(&half, (4 + threads) * sizeof(u16)));
  CUDA(cudaMallocManaged(&pair, sizeof(u32)));
  CUDA(cudaMallocManaged(&four, 4 * sizeof(float)));
  for (int i = 0; i < 4; ++i)
    half[i] = 0x1234;
  half[1] = half[2] = 0;
  *pair = 0;
  for (int i = 0; i < 4; ++i)
    four[i] = i;
  sums<<<1, threads>>>(half, pair, four);
  CUDA(cudaDeviceSynchronize());
  CHECK_EQ(half[0], (u16)0x1234);
  CHECK_EQ(half[1], bitsOf(threads));
  CHECK_EQ(half[2], (u16)0x4280); // 64 as bfloat16
  CHECK_EQ(half[3], (u16)0x1234);
  CHECK_EQ(*pair, bitsOf(threads) | (u32)bitsOf(2 * threads) << 16);
  for (int i = 0; i < 4; ++i)
    CHECK_AT(i, four[i], float(i + threads * (1 + i % 2)));
  // Each number that it had on the way was seen once.
  bool seen[threads] = {};
  for (int i = 0; i < threads; ++i)
    seen[(int)halfValue(half[4 + i])] = true;
  for (bool one : seen)
    CHECK_TRUE(one);
}

int main() {
  checkBytes();
  checkHalves();
  checkComparisons();
  checkGross();
  checkSums();
  return check::finish("narrow");
}
