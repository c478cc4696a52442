/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Functions that CUDA calls approximate (__sinf, __expf, -use_fast_math, tanh.approx). A
 * device may use its own instruction; elsewhere these serve. Where the exact function
 * costs little more, it is the approximate one too: then there is no `_approx` name here,
 * and a target takes the exact one (sin, cos, exp, exp2, log, log2, log10, exp10, tanh,
 * rsqrt).
 */
#include "math.h"

float __het_sin_f32(float);
float __het_cos_f32(float);
float __het_exp2_f32(float);
float __het_log2_f32(float);

HET_MATH float __het_tan_approx_f32(float x) {
  return __het_sin_f32(x) / __het_cos_f32(x);
}
HET_MATH float __het_pow_approx_f32(float x, float y) {
  return __het_exp2_f32(y * __het_log2_f32(x));
}
/* __fdividef: 0 where the divisor is too large for a hardware reciprocal. */
HET_MATH float __het_fdivide_approx_f32(float x, float y) {
  float q = x / y;
  int large = abs32(y) > 0x1p126f && isFinite32(y);
  return large ? (isInf32(x) ? NAN32 : sign32(0.0f, q)) : q;
}
HET_MATH float __het_fdivide_f32(float x, float y) { return x / y; }
HET_MATH float __het_div_approx_f32(float x, float y) { return x / y; }
/* The same without that exception: -prec-div=false. */
HET_MATH float __het_div_full_approx_f32(float x, float y) { return x / y; }
HET_MATH float __het_rcp_approx_f32(float x) { return 1.0f / x; }
HET_MATH float __het_sqrt_approx_f32(float x) { return sqrt32(x); }
HET_MATH float __het_saturate_f32(float x) {
  /* A NaN becomes 0. */
  float y = x > 0.0f ? x : 0.0f;
  return y < 1.0f ? y : 1.0f;
}
