// REQUIRES: hetcc
// RUN: hetcc --het-emit=hetir %s -o - | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: hetcc -use_fast_math --het-emit=hetir %s -o - | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: hetcc -prec-sqrt=true -use_fast_math -prec-div=true --het-emit=hetir %s -o - | FileCheck %s --check-prefixes=CHECK,PRECISE
// RUN: hetcc -prec-sqrt=false -prec-div=false --het-emit=hetir %s -o - | FileCheck %s --check-prefixes=CHECK,RELAXED
// RUN: hetcc --het-math=native --het-emit=hetir %s -o - | FileCheck %s --check-prefixes=NATIVE,CHECK

// The device may take its own functions: the choice stays open until it is known.
// EXACT-NOT: hetir.native_math
// NATIVE: module attributes {{.*}}hetir.native_math

// CHECK-LABEL: llvm.func @_Z9functionsPfPd(
// EXACT: hetir.math "sin"({{.*}}) exact {{.*}}: (f32) -> f32
// FAST: hetir.math "sin{{(_ftz)?}}"({{.*}}) approx {{.*}}: (f32) -> f32
// PRECISE: hetir.math "sin{{(_ftz)?}}"({{.*}}) approx {{.*}}: (f32) -> f32
// RELAXED: hetir.math "sin"({{.*}}) exact {{.*}}: (f32) -> f32
// CHECK: hetir.math "pow{{(_ftz)?}}"({{.*}}) exact {{.*}}: (f64, f64) -> f64
// CHECK: hetir.math "exp{{(_ftz)?}}"({{.*}}) approx {{.*}}: (f32) -> f32
// CHECK: hetir.math "add_rz{{(_ftz)?}}"({{.*}}) exact {{.*}}: (f32, f32) -> f32
// EXACT: hetir.math "rsqrt"({{.*}}) exact
// FAST: hetir.math "rsqrt_ftz"({{.*}}) approx
// RELAXED: hetir.math "rsqrt"({{.*}}) exact
__global__ void functions(float *f, double *d) {
  f[0] = sinf(f[1]);
  d[0] = pow(d[1], d[2]);
  f[2] = __expf(f[3]);
  f[4] = __fadd_rz(f[5], f[6]);
  f[7] = rsqrtf(f[8]);
}

// What LLVM defines to the bit needs no function, unless -prec-sqrt=false makes it one.
// CHECK-LABEL: llvm.func @_Z10intrinsicsPf(
// EXACT-NOT: hetir.math
// EXACT: llvm.intr.sqrt
// PRECISE: hetir.math "sqrt_ftz"({{.*}}) exact
// NATIVE: llvm.intr.sqrt
// FAST: hetir.math "sqrt{{(_ftz)?}}"({{.*}}) approx
// RELAXED: hetir.math "sqrt"({{.*}}) approx
// CHECK: llvm.intr.floor
// CHECK: {{"llvm.maximumnum.f32"|"maximumnum_ftz"}}
// CHECK: llvm.return
__global__ void intrinsics(float *f) {
  f[0] = sqrtf(f[1]);
  f[2] = floorf(f[3]);
  f[4] = fmaxf(f[5], f[6]);
}

// Multiply-adds are fused, but never those that are asked to round alone.
// CHECK-LABEL: llvm.func @_Z5fusedPf(
// CHECK: {{llvm.intr.fma|"fma_ftz"}}
// CHECK: {{llvm.fmul|"mul_ftz"}}
// CHECK: {{llvm.fadd|"add_ftz"}}
__global__ void fused(float *f) {
  f[0] = f[1] * f[2] + f[3];
  f[4] = __fadd_rn(__fmul_rn(f[5], f[6]), f[7]);
}

// Where divisions and square roots may be approximate, those that say how they round are
// not, nor those of double. __fdividef always is.
// CHECK-LABEL: llvm.func @_Z9divisionsPfPd(
// CHECK-NOT: fastmath
// EXACT-COUNT-2: llvm.fdiv {{.*}}: f32
// PRECISE-COUNT-2: hetir.math "div_ftz"({{.*}}) exact
// NATIVE-COUNT-2: llvm.fdiv {{.*}}: f32
// FAST: hetir.math "div{{(_ftz)?}}"({{.*}}) approx {{.*}}: (f32, f32) -> f32
// FAST: hetir.math "rcp{{(_ftz)?}}"({{.*}}) approx {{.*}}: (f32) -> f32
// RELAXED: hetir.math "div_full"({{.*}}) approx {{.*}}: (f32, f32) -> f32
// RELAXED: hetir.math "rcp"({{.*}}) approx {{.*}}: (f32) -> f32
// CHECK-COUNT-3: {{llvm.fdiv|"div_ftz"}}{{.*}}f32
// CHECK: hetir.math "div{{(_ftz)?}}"({{.*}}) approx {{.*}}: (f32, f32) -> f32
// CHECK: {{llvm.intr.sqrt|"sqrt_ftz"}}{{.*}} : (f32) -> f32
// CHECK: llvm.fdiv {{.*}}: f64
// CHECK: llvm.intr.sqrt{{.*}} : (f64) -> f64
// CHECK: llvm.return
__global__ void divisions(float *f, double *d) {
  f[0] = f[1] / f[2];
  f[17] = 1.0f / f[18];
  f[3] = __fdiv_rn(f[4], f[5]);
  f[6] = __frcp_rn(f[7]);
  asm("div.rn.f32 %0, %1, %2;" : "=f"(f[8]) : "f"(f[9]), "f"(f[10]));
  f[11] = __fdividef(f[12], f[13]);
  f[14] = __fsqrt_rn(f[15]);
  d[0] = d[1] / d[2];
  d[3] = sqrt(d[4]);
}

// Conversions to integers saturate, and NaN has one result.
// CHECK-LABEL: llvm.func @_Z8integersPfPdPi(
// CHECK: "llvm.fptosi.sat.i32.f32"
// CHECK: "llvm.fptosi.sat.i32.f64"
// CHECK: llvm.fcmp "uno"
// CHECK: llvm.select
__global__ void integers(float *f, double *d, int *i) {
  i[0] = f[0];
  i[1] = d[0];
}
