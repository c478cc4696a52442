// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating point of inline PTX: roundings, flushing, saturation, halves and pairs,
// comparisons, conversions, against what the ISA says.
// PTX ISA: Floating-Point Instructions; Half Precision; Comparison and Selection; cvt.

#include "Inputs/check.h"
#include <cfenv>
#include <cmath>
#include <limits>

typedef unsigned u32;
typedef unsigned long long u64;

static float flush(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }
static float clamp01(float x) { return x > 1 ? 1 : x > 0 ? x : 0; }
// In double a sum or product of floats rounds like one that has all digits, or is exact.
static float directed(double exact, int direction) {
  float nearest = (float)exact;
  if (direction > 0 && (double)nearest < exact)
    return std::nextafter(nearest, INFINITY);
  if (direction < 0 && (double)nearest > exact)
    return std::nextafter(nearest, -INFINITY);
  return nearest;
}
static float towardsZero(double exact) {
  return directed(exact, exact > 0 ? -1 : exact < 0 ? 1 : 0);
}
static float minimum(float x, float y) {
  if (x != x || y != y)
    return x != x ? y : x;
  return x < y || (x == y && std::signbit(x)) ? x : y;
}
static int toInt(float x, float rounded) {
  return x != x ? 0 : rounded >= 2147483648.0f ? INT32_MAX : rounded < -2147483648.0f ? INT32_MIN : (int)rounded;
}
static float fromBits(u32 x) {
  float made;
  memcpy(&made, &x, 4);
  return made;
}

static u32 bits(float x) {
  u32 made;
  memcpy(&made, &x, 4);
  return made;
}

#define B "%0, %1, %2;"
// text, reference in x, y
#define FLOATS(X)                                                                        \
  X("add.f32 " B, x + y)                                                                 \
  X("add.rn.ftz.f32 " B, flush(flush(x) + flush(y)))                                     \
  X("add.sat.f32 " B, clamp01(x + y))                                                    \
  X("mul.f32 " B, x *y)                                                                  \
  X("mul.rz.f32 " B, towardsZero((double)x * y))                                         \
  X("mul.rp.f32 " B, directed((double)x * y, 1))                                         \
  X("mul.rm.f32 " B, directed((double)x * y, -1))                                        \
  X("mul.ftz.sat.f32 " B, clamp01(flush(flush(x) * flush(y))))                           \
  X("sub.f32 " B, x - y)                                                                 \
  X("div.rn.f32 " B, x / y)                                                              \
  X("sqrt.rn.f32 %0, %1;", std::sqrt(x))                                                 \
  X("fma.rn.f32 %0, %1, %2, %1;", std::fma(x, y, x))                                     \
  X("min.f32 " B, minimum(x, y))                                                         \
  X("max.f32 " B, -minimum(-x, -y))                                                      \
  X("min.NaN.f32 " B, x != x || y != y ? NAN : minimum(x, y))                            \
  X("abs.f32 %0, %1;", std::fabs(x))                                                     \
  X("neg.ftz.f32 %0, %1;", -flush(x))                                                    \
  X("copysign.f32 " B, std::copysign(y, x))                                              \
  X("cvt.rni.f32.f32 %0, %1;", std::nearbyint(x))                                        \
  X("cvt.rmi.f32.f32 %0, %1;", std::floor(x))                                            \
  X("cvt.rzi.ftz.f32.f32 %0, %1;", std::trunc(flush(x)))                                 \
  X("cvt.sat.f32.f32 %0, %1;", clamp01(x))                                               \
  X("{ .reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h; }", (float)(_Float16)x)     \
  X("{ .reg .b32 p; .reg .b16 l, h; cvt.rn.f16x2.f32 p, %1, %2; mov.b32 {l, h}, p;"      \
    "  cvt.f32.f16 %0, h; }",                                                            \
    (float)(_Float16)x)                                                                  \
  X("{ .reg .b32 p; .reg .b16 l, h; cvt.rn.f16x2.f32 p, %1, %2; add.f16x2 p, p, p;"      \
    "  mov.b32 {l, h}, p; cvt.f32.f16 %0, l; }",                                         \
    (float)(_Float16)((float)(_Float16)y + (float)(_Float16)y))                          \
  X("{ .reg .b16 h, i; cvt.rn.f16.f32 h, %1; cvt.rn.f16.f32 i, %2; mul.f16 h, h, i;"     \
    "  cvt.f32.f16 %0, h; }",                                                            \
    (float)(_Float16)((float)(_Float16)x * (float)(_Float16)y))                          \
  X("{ .reg .s32 i; cvt.rni.s32.f32 i, %1; mov.b32 %0, i; }",                            \
    fromBits(toInt(x, std::nearbyint(x))))                                               \
  X("{ .reg .s32 i; cvt.rzi.s32.f32 i, %1; mov.b32 %0, i; }",                            \
    fromBits(toInt(x, std::trunc(x))))                                                   \
  X("{ .reg .s32 i; cvt.rpi.ftz.s32.f32 i, %1; mov.b32 %0, i; }",                        \
    fromBits(toInt(x, std::ceil(flush(x)))))                                             \
  X("{ .reg .u32 i; cvt.rzi.u8.f32 i, %1; mov.b32 %0, i; }",                             \
    fromBits(x > 255 ? 255 : x > 0 ? (u32)x : 0))                                        \
  X("{ .reg .pred p; setp.lt.f32 p, %1, %2; selp.f32 %0, 1.0, 0f00000000, p; }",         \
    x < y ? 1.0f : 0.0f)                                                                 \
  X("{ .reg .pred p; setp.ltu.f32 p, %1, %2; selp.f32 %0, 1.0, 0.0, p; }",               \
    !(x >= y) ? 1.0f : 0.0f)                                                             \
  X("{ .reg .pred p; setp.ne.f32 p, %1, %2; selp.f32 %0, 1.0, 0.0, p; }",                \
    x < y || x > y ? 1.0f : 0.0f)                                                        \
  X("{ .reg .pred p, q; setp.nan.f32 p|q, %1, %2; selp.f32 %0, 1.0, 0.0, q; }",          \
    x == x && y == y ? 1.0f : 0.0f)                                                      \
  X("{ .reg .pred p; testp.subnormal.f32 p, %1; selp.f32 %0, 1.0, 0.0, p; }",            \
    std::fpclassify(x) == FP_SUBNORMAL ? 1.0f : 0.0f)                                    \
  X("set.gt.f32.f32 " B, x > y ? 1.0f : 0.0f)                                            \
  X("slct.f32.f32 %0, %1, %2, %1;", x >= 0 ? x : y)                                      \
  X("cvt.rna.tf32.f32 %0, %1;",                                                          \
    std::isfinite(x) ? fromBits((bits(x) + 0x1000) & ~0x1fffu) : x)                      \
  X("{ .reg .f64 d; cvt.f64.f32 d, %1; mul.f64 d, d, d; cvt.rz.f32.f64 %0, d; }",        \
    towardsZero((double)x * x))                                                          \
  X("mov.f32 %0, %1;", x)

constexpr int floats = 0
#define X(text, ...) +1
    FLOATS(X);
#undef X

__global__ void onFloats(const float *in, int n, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * n)
    return;
  const float x = in[i % n], y = in[i / n];
  float *own = out + (size_t)i * floats;
  float r;
#define X(text, ...)                                                                     \
  asm volatile(text : "=&f"(r) : "f"(x), "f"(y));                                        \
  *own++ = r;
  FLOATS(X)
#undef X
}

int main() {
  std::vector<float> values = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 1.5f, 2.5f, -2.5f, 0.1f, 3.0f,
                               1e-40f, -1e-40f, 1e-38f, 3e38f, -3e38f, 65504.0f, 65520.0f, 70000.0f,
                               6e-8f, 255.5f, 300.0f, 2147483648.0f, -2147483904.0f, INFINITY, -INFINITY, NAN};
  u32 seed = 99;
  for (int i = 0; i < 30; ++i) {
    seed = seed * 1664525 + 1013904223;
    // Products of these are exact in double.
    values.push_back(fromBits((seed & 0x81ffffff) | 0x3c000000 | (seed & 3) << 24));
  }
  const int n = values.size(), count = n * n;
  check::Array<float> in(values), out((size_t)count * floats);
  onFloats<<<(count + 127) / 128, 128>>>(in, n, out);
  out.get();
  for (int i = 0; i < count; ++i) {
    const float x = values[i % n], y = values[i / n];
    size_t at = (size_t)i * floats;
#define X(text, ...) check::equal(text, __LINE__, i, out.host[at++], (float)(__VA_ARGS__));
    FLOATS(X)
#undef X
  }
  return check::finish("floats");
}
