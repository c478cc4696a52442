// Device code calls nothing by name but what the front end raises: arithmetic,
// bit functions, atomics and cached loads are plain LLVM IR.
//
// DEFINE: %{cuda} = clang++ -x cuda --cuda-path=/nonexistent -nocudainc -nocudalib
// DEFINE: %{arch} = --cuda-gpu-arch=sm_90 -Xclang -target-sdk-version=12.9
// DEFINE: %{ours} = -isystem %het_src/runtime/include -include __het_cuda_prelude.h
// DEFINE: %{llvm} = --cuda-device-only -O1 -S -emit-llvm -o -
// RUN: %{cuda} %{arch} --cuda-feature=+ptx86 %{ours} %{llvm} %s | FileCheck %s
// RUN: %{cuda} %{arch} --cuda-feature=+ptx86 %{ours} %{llvm} %s | FileCheck --check-prefix=NAMES %s

// CHECK: @variable = {{.*}}addrspace(1)
// CHECK: c"het.managed\00"
__managed__ int variable = 3;

// CHECK-LABEL: define {{.*}}bits
// CHECK: call {{.*}} @llvm.ctpop.i32
// CHECK: call {{.*}} @llvm.ctlz.i32
// CHECK: call {{.*}} @llvm.bitreverse.i32
__device__ unsigned bits(unsigned x) {
  return __popc(x) + __clz(x) + __brev(x) + __byte_perm(x, x, 0x1032) +
         __funnelshift_l(x, x, 5) + __umulhi(x, x) + __vadd4(x, x) +
         __dp4a(x, x, x) + __float_as_uint(__uint_as_float(x));
}

// CHECK-LABEL: define {{.*}}atomics
// CHECK: atomicrmw fadd ptr {{.*}}, float {{.*}} monotonic
// CHECK: atomicrmw fadd ptr {{.*}}, double {{.*}} monotonic
// CHECK: atomicrmw umax ptr {{.*}}, i64 {{.*}} monotonic
// CHECK: cmpxchg ptr {{.*}}, i16
// CHECK: atomicrmw uinc_wrap
__device__ void atomics(float *f, double *d, unsigned long long *q,
                        unsigned short *s, unsigned *u) {
  atomicAdd(f, 1.0f);
  atomicAdd(d, 1.0);
  atomicMax(q, 5ull);
  atomicCAS(s, (unsigned short)1, (unsigned short)2);
  atomicInc(u, 7);
}

// CHECK-LABEL: define {{.*}}loads
// CHECK: load float{{.*}}!nontemporal
// CHECK: load float
__device__ float loads(const float *p) { return __ldcs(p) + __ldg(p + 1); }

// Neither is fused: no instruction has the contract flag.
// CHECK-LABEL: define {{.*}}nearest
// CHECK: fmul float
// CHECK-NEXT: fadd float
__device__ float nearest(float a, float b, float c) {
  return __fadd_rn(__fmul_rn(a, b), c);
}

// CHECK-LABEL: define {{.*}}mathematics
// CHECK: call {{.*}} @__nv_sinf
// CHECK: call {{.*}} @__nv_sin(
// CHECK: call {{.*}} @__nv_fast_expf
// CHECK: call {{.*}} @llvm.sqrt.f32
// CHECK: call {{.*}} @llvm.maximumnum.f32
__device__ double mathematics(float x, double y) {
  return sin(x) + sin(y) + __expf(x) + sqrtf(x) + max(x, 2.0f);
}

// NAMES-NOT: asm
// NAMES-NOT: declare {{.*}}@__het
// NAMES-NOT: declare {{.*}}@{{(__nv_(popc|clz|max|fabs|float_as)|_Z)}}
