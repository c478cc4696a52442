// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The 8-bit floating formats: each code's value, and each half's nearest code with and
// without saturation, against a search through all codes; pairs and fours.
// CUDA Math API: FP8 Conversion and Data Movement.

#include "Inputs/check.h"
#include <cmath>
#include <cuda_fp8.h>

__global__ void convert(unsigned char *codes, float *values, unsigned *packed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half_raw half;
  half.x = (unsigned short)i;
  codes[i * 4 + 0] = __nv_cvt_halfraw_to_fp8(half, __NV_NOSAT, __NV_E4M3);
  codes[i * 4 + 1] = __nv_cvt_halfraw_to_fp8(half, __NV_SATFINITE, __NV_E4M3);
  codes[i * 4 + 2] = __nv_cvt_halfraw_to_fp8(half, __NV_NOSAT, __NV_E5M2);
  codes[i * 4 + 3] = __nv_fp8_e5m2(__half(half)).__x;
  if (i >= 256)
    return;
  __nv_fp8_e4m3 a;
  __nv_fp8_e5m2 b;
  __nv_fp8_e8m0 c;
  a.__x = b.__x = c.__x = (unsigned char)i;
  values[i] = (float)a;
  values[256 + i] = (float)b;
  values[512 + i] = (float)c;
  packed[i] = __nv_fp8x4_e4m3(make_float4((float)i, -1.0f, 0.5f, 1e9f)).__x;
}

static float valueOf(int code, int digits, int bias) {
  const int exponent = (code & 0x7f) >> digits, rest = code & ((1 << digits) - 1);
  const float value = exponent ? std::ldexp((float)((1 << digits) + rest), exponent - bias - digits)
                               : std::ldexp((float)rest, 1 - bias - digits);
  return code & 0x80 ? -value : value;
}

// The nearest of the finite codes, with the even one of two; what is beyond the middle
// between the largest and the next is too large.
static int nearest(float x, int digits, int bias, int largest, int tooLarge, bool saturates) {
  if (x != x)
    return 0x7f;
  const int sign = std::signbit(x) ? 0x80 : 0;
  const float size = std::fabs(x);
  int best = 0;
  for (int code = 0; code <= largest + 1; ++code) {
    const float distance = std::fabs(valueOf(code, digits, bias) - size);
    const float least = std::fabs(valueOf(best, digits, bias) - size);
    if (distance < least || (distance == least && code % 2 == 0))
      best = code;
  }
  if (std::isinf(x) || best > largest)
    best = saturates ? largest : tooLarge;
  return sign | best;
}

int main() {
  check::Array<unsigned char> codes(4 * 65536);
  check::Array<float> values(3 * 256);
  check::Array<unsigned> packed(256);
  convert<<<256, 256>>>(codes, values, packed);
  codes.get();
  values.get();
  packed.get();
  for (int i = 0; i < 65536; ++i) {
    __half_raw half;
    half.x = (unsigned short)i;
    const float x = __half2float(__half(half));
    CHECK_AT(i, (int)codes.host[i * 4 + 0], nearest(x, 3, 7, 0x7e, 0x7f, false));
    CHECK_AT(i, (int)codes.host[i * 4 + 1], nearest(x, 3, 7, 0x7e, 0x7f, true));
    CHECK_AT(i, (int)codes.host[i * 4 + 2], nearest(x, 2, 15, 0x7b, 0x7c, false));
    CHECK_AT(i, (int)codes.host[i * 4 + 3], nearest(x, 2, 15, 0x7b, 0x7c, true));
    // The host has the same.
    CHECK_AT(i, (int)__nv_cvt_halfraw_to_fp8(half, __NV_NOSAT, __NV_E4M3),
             (int)codes.host[i * 4]);
  }
  for (int i = 0; i < 256; ++i) {
    CHECK_AT(i, values.host[i], (i & 0x7f) == 0x7f ? NAN : valueOf(i, 3, 7));
    const float wide = (i & 0x7f) > 0x7c ? NAN : valueOf(i, 2, 15);
    CHECK_AT(i, values.host[256 + i], (i & 0x7f) == 0x7c ? std::copysign(INFINITY, wide) : wide);
    CHECK_AT(i, values.host[512 + i], i == 255 ? NAN : std::ldexp(1.0f, i - 127));
    CHECK_AT(i, packed.host[i],
             (unsigned)nearest((float)i, 3, 7, 0x7e, 0x7f, true) | 0x7e30b800u);
  }
  CHECK_EQ((int)__nv_fp8_e8m0(3.0f).__x, 129);
  CHECK_EQ((float)__nv_fp8_e4m3(-17.0), -16.0f);
  return check::finish("small_fp8");
}
