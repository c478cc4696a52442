// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The 6-bit and 4-bit floating formats: each code's value, and each half's code to nearest
// and towards zero, against a search through all codes; pairs and fours.
// CUDA Math API: FP6 and FP4 Conversion and Data Movement.

#include "Inputs/check.h"
#include <cmath>
#include <cuda_fp4.h>
#include <cuda_fp6.h>

const int kinds = 6;

__global__ void convert(unsigned char *codes, float *values, unsigned *packed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half_raw half;
  half.x = (unsigned short)i;
  codes[i * kinds + 0] = __nv_cvt_halfraw_to_fp6(half, __NV_E2M3, cudaRoundNearest);
  codes[i * kinds + 1] = __nv_cvt_halfraw_to_fp6(half, __NV_E3M2, cudaRoundNearest);
  codes[i * kinds + 2] = __nv_fp4_e2m1(__half(half)).__x;
  codes[i * kinds + 3] = __nv_cvt_halfraw_to_fp6(half, __NV_E2M3, cudaRoundZero);
  codes[i * kinds + 4] = __nv_cvt_halfraw_to_fp6(half, __NV_E3M2, cudaRoundZero);
  codes[i * kinds + 5] = __nv_cvt_halfraw_to_fp4(half, __NV_E2M1, cudaRoundZero);
  if (i >= 64)
    return;
  __nv_fp6_e2m3 a;
  __nv_fp6_e3m2 b;
  __nv_fp4_e2m1 c;
  a.__x = b.__x = c.__x = (unsigned char)i;
  values[i] = (float)a;
  values[64 + i] = (float)b;
  values[128 + i] = (float)c;
  packed[i * 2] = __nv_fp6x4_e3m2(make_float4((float)i, -1.0f, 0.5f, 1e9f)).__x;
  packed[i * 2 + 1] = __nv_fp4x4_e2m1(make_float4((float)i, -1.0f, 0.5f, 1e9f)).__x;
}

static float valueOf(int code, int width, int digits) {
  const int bias = (1 << (width - 2 - digits)) - 1;
  const int rest = code & ((1 << (width - 1)) - 1), fraction = rest & ((1 << digits) - 1);
  const int exponent = rest >> digits;
  const float value = exponent ? std::ldexp((float)((1 << digits) + fraction), exponent - bias - digits)
                               : std::ldexp((float)fraction, 1 - bias - digits);
  return code >> (width - 1) & 1 ? -value : value;
}

// The nearest code, with the even one of two, or the nearest that is not larger.
static int codeOf(float x, int width, int digits, bool nearest) {
  const int largest = (1 << (width - 1)) - 1;
  if (x != x)
    return largest;
  const int sign = std::signbit(x) ? largest + 1 : 0;
  const float size = std::fabs(x);
  int best = 0;
  for (int code = 0; code <= largest; ++code) {
    const float distance = std::fabs(valueOf(code, width, digits) - size);
    const float least = std::fabs(valueOf(best, width, digits) - size);
    if (nearest ? distance < least || (distance == least && code % 2 == 0)
                : valueOf(code, width, digits) <= size)
      best = code;
  }
  return sign | (std::isinf(x) ? largest : best);
}

int main() {
  check::Array<unsigned char> codes(kinds * 65536);
  check::Array<float> values(3 * 64);
  check::Array<unsigned> packed(2 * 64);
  convert<<<256, 256>>>(codes, values, packed);
  codes.get();
  values.get();
  packed.get();
  const int widths[] = {6, 6, 4}, digits[] = {3, 2, 1};
  for (int i = 0; i < 65536; ++i) {
    __half_raw half;
    half.x = (unsigned short)i;
    const float x = __half2float(__half(half));
    for (int kind = 0; kind < kinds; ++kind)
      CHECK_AT(i * kinds + kind, (int)codes.host[i * kinds + kind],
               codeOf(x, widths[kind % 3], digits[kind % 3], kind < 3));
    // The host has the same.
    CHECK_AT(i, (int)__nv_cvt_halfraw_to_fp4(half, __NV_E2M1, cudaRoundNearest),
             (int)codes.host[i * kinds + 2]);
  }
  for (int i = 0; i < 64; ++i) {
    for (int kind = 0; kind < 3; ++kind)
      CHECK_AT(i, values.host[kind * 64 + i], valueOf(i, widths[kind], digits[kind]));
    CHECK_AT(i, packed.host[i * 2], (unsigned)codeOf((float)i, 6, 2, true) | 0x1f082c00u);
    CHECK_AT(i, packed.host[i * 2 + 1], (unsigned)codeOf((float)i, 4, 1, true) | 0x71a0u);
  }
  // Pairs, and values read from them.
  CHECK_EQ((int)__nv_cvt_float2_to_fp4x2(make_float2(1.5f, -6.0f), __NV_E2M1, cudaRoundNearest),
           0xf3);
  __nv_fp4x4_e2m1 four;
  four.__x = 0xf321;
  const float4 back = (float4)four;
  CHECK_EQ(back.x, 0.5f);
  CHECK_EQ(back.y, 1.0f);
  CHECK_EQ(back.z, 1.5f);
  CHECK_EQ(back.w, -6.0f);
  CHECK_EQ((int)__nv_cvt_fp6x2_to_halfraw2(0x1f20, __NV_E3M2).x, 0x8000);
  CHECK_EQ((int)__nv_cvt_fp6x2_to_halfraw2(0x1f20, __NV_E3M2).y, 0x4f00);
  CHECK_EQ((int)__nv_fp6_e2m3(-7.3), -7);
  return check::finish("small_fp6_fp4");
}
