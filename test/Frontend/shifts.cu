// REQUIRES: hetcc

// A shift by the width or more has a result, as on a GPU; what cannot be one has no test.

// RUN: hetcc -w --het-emit=hetir %s -o - | FileCheck %s

// CHECK-LABEL: llvm.func @words
// CHECK: llvm.icmp "{{ult|ugt}}"
// CHECK-DAG: llvm.shl
// CHECK-DAG: llvm.lshr
// CHECK-DAG: llvm.intr.umin
// CHECK-DAG: llvm.ashr
// CHECK: llvm.return
extern "C" __global__ void words(unsigned *out, unsigned x, int n) {
  out[0] = x << n;
  out[1] = x >> n;
  out[2] = int(x) >> n;
}

// CHECK-LABEL: llvm.func @left
// CHECK: llvm.shl
// CHECK: llvm.select
// CHECK: llvm.return
extern "C" __global__ void left(unsigned *out, unsigned x, int n) { *out = x << n; }

// CHECK-LABEL: llvm.func @wide
// CHECK: llvm.lshr {{.*}} : i64
// CHECK: llvm.select {{.*}} : i1, i64
// CHECK: llvm.return
extern "C" __global__ void wide(unsigned long long *out, int n) { *out = ~0ull >> (64 - n); }

// CHECK-LABEL: llvm.func @constants
// CHECK-NOT: llvm.sh
// CHECK-NOT: llvm.lshr
// CHECK: llvm.return
template <int n> __device__ unsigned up(unsigned x) { return x << n; }
extern "C" __global__ void constants(unsigned *out, unsigned x) {
  out[0] = up<32>(x);
  out[1] = up<-1>(x);
  int n = 40;
  out[2] = x >> n;
}

// What programs shift by most often.
// CHECK-LABEL: llvm.func @plain
// CHECK-NOT: llvm.select
// CHECK-NOT: llvm.icmp
// CHECK-NOT: umin
// CHECK: llvm.return
__device__ unsigned rotated(unsigned x, int n) { return x << n | x >> (32 - n); }
extern "C" __global__ void plain(unsigned *out, unsigned k, int i, int signedValue) {
  k *= 0xcc9e2d51;
  k = rotated(k, 15);
  k ^= k >> 16;
  k ^= k << 13;
  out[0] = k;
  out[1] = 1u << (i & 31);
  out[2] = 1u << (threadIdx.x % 32);
  out[3] = signedValue >> (i & 31);
#pragma unroll
  for (int step = 16; step > 0; step /= 2)
    out[4] += k >> step;
}

// A rotation stays one, and so do two words that are shifted as one.
// CHECK-LABEL: llvm.func @funnel
// CHECK-NOT: llvm.select
// CHECK-COUNT-4: llvm.intr.fsh
// CHECK-NOT: llvm.select
// CHECK: llvm.return
extern "C" __global__ void funnel(unsigned *out, unsigned long long *wide, unsigned x,
                                  unsigned y, unsigned long long z, int n) {
  out[0] = rotated(x, n);
  out[1] = x >> n | x << (32 - n);
  n &= 31;
  out[2] = x << n | y >> (32 - n);
  *wide = z << n | wide[1] >> (64 - n);
}
