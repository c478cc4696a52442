// REQUIRES: hetcc
// RUN: hetcc --het-emit=llvm %s -o - | FileCheck %s

// Instructions of inline PTX become what they mean; of constants, their values.

__device__ unsigned field(unsigned x, unsigned position, unsigned length) {
  unsigned y;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(y) : "r"(x), "r"(position), "r"(length));
  return y;
}

__device__ int signedField(int x, unsigned position, unsigned length) {
  int y;
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(y) : "r"(x), "r"(position), "r"(length));
  return y;
}

__device__ unsigned insert(unsigned x, unsigned into, unsigned position) {
  unsigned y;
  asm("bfi.b32 %0, %1, %2, %3, 8;" : "=r"(y) : "r"(x), "r"(into), "r"(position));
  return y;
}

__device__ unsigned permute(unsigned a, unsigned b, unsigned selector) {
  unsigned y;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(y) : "r"(a), "r"(b), "r"(selector));
  return y;
}

// CHECK-LABEL: @_Z6valuesPVj(
// CHECK: store volatile i32 103,
// CHECK: store volatile i32 0,
// CHECK: store volatile i32 -1,
// CHECK: store volatile i32 -2023405999,
// CHECK: call i32 @het.math.permute_bytes.exact.i32i32i32({{.*}}1144201745, {{.*}}-2005440939, {{.*}}13123)
// CHECK: call i32 @het.math.permute_bytes.exact.i32i32i32({{.*}}128, {{.*}}0, {{.*}}30584)
// CHECK: ret void
__global__ void values(volatile unsigned *p) {
  p[0] = field(0x12345678, 4, 7) & 0xff;
  p[1] = field(0x12345678, 4, 0);
  p[2] = signedField(0x80000000, 40, 8);
  p[3] = insert(0x65, 0x87654321 & ~0xff0, 4) | 0x1;
  p[4] = permute(0x44332211, 0x88776655, 0x3343);
  p[5] = permute(0x80, 0, 0x7778);
}

// CHECK-LABEL: @_Z9registersPjf(
// CHECK-DAG: @llvm.nvvm.read.ptx.sreg.laneid
// CHECK-DAG: call float @het.math.exp2_ftz.approx.f32
// CHECK: ret void
__global__ void registers(unsigned *p, float x) {
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(p[0]));
  asm volatile("" ::: "memory");
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  p[1] = y;
  asm("add.u32 %0, %0, %1;" : "+r"(p[2]) : "r"(p[3]));
}

// Several elements are one access, whatever its order is: what one store leaves is seen as
// a whole.
// CHECK-LABEL: @_Z8togetherPjPyPt(
// CHECK: load atomic i64, {{.*}} syncscope("device") monotonic
// CHECK: load volatile <2 x i64>,
// CHECK-NEXT: call void @llvm.nvvm.membar.gl()
// CHECK: load atomic i64, {{.*}} syncscope("device") monotonic
// CHECK: load <4 x i32>,
// CHECK: store atomic i64 {{.*}} syncscope("device") release
// CHECK: call void @llvm.nvvm.membar.cta()
// CHECK: store volatile <4 x i32> {{.*}}
// CHECK: store volatile <2 x i32> {{.*}}
// CHECK: ret void
__global__ void together(unsigned *p, unsigned long long *w, unsigned short *h) {
  unsigned a, b, c, d;
  unsigned long long x, y;
  unsigned short s, t, u, v;
  asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(p));
  asm volatile("ld.acquire.gpu.v2.u64 {%0, %1}, [%2];" : "=l"(x), "=l"(y) : "l"(w));
  asm volatile("ld.relaxed.gpu.v4.u16 {%0, %1, %2, %3}, [%4];"
               : "=h"(s), "=h"(t), "=h"(u), "=h"(v)
               : "l"(h));
  asm("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
      : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
      : "l"(p + 4));
  asm volatile("st.release.gpu.v2.u32 [%0], {%1, %2};" ::"l"(p), "r"(b), "r"(a + s + t));
  asm volatile("st.release.cta.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p + 8), "r"(d), "r"(c),
               "r"((unsigned)x), "r"((unsigned)y));
  asm volatile("st.volatile.v2.u32 [%0], {%1, %2};" ::"l"(p), "r"((unsigned)u), "r"((unsigned)v));
}
