// The program's functions are inlined though they are large, and then read the kernel's argument
// as its parameter; but not those that are not to be, or that call themselves.
//
// RUN: hetcc -O3 --het-emit=hetpkg %s -o %t.hetpkg
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=_Z6kernelPf6Values %t.hetpkg -o %t
// RUN: FileCheck %s < %t

// CHECK-NOT: .func{{.*}} _Z5large
// CHECK: .visible .entry _Z6kernelPf6Values(
// CHECK-NOT: ld.b32
// CHECK: call{{.*}} _Z4kept
// CHECK-NOT: ld.b32
// CHECK: call{{.*}} _Z5again
// CHECK-NOT: ld.b32
// CHECK: ret;

struct Values {
  float of[64];
};

#define ONCE(i) result = result * values.of[(first + i) & 63] + i;
#define EIGHT(i)                                                                         \
  ONCE(i) ONCE(i + 1) ONCE(i + 2) ONCE(i + 3) ONCE(i + 4) ONCE(i + 5) ONCE(i + 6) ONCE(i + 7)
#define MANY(i)                                                                          \
  EIGHT(i) EIGHT(i + 8) EIGHT(i + 16) EIGHT(i + 24) EIGHT(i + 32) EIGHT(i + 40)

// Some 1,000 instructions; a loop would be inlined before it is unrolled.
__device__ float large(const Values &values, int first) {
  float result = first;
  MANY(0) MANY(50) MANY(100) MANY(150)
  return result;
}

__noinline__ __device__ float kept(float value) { return value * value; }

__device__ float again(float value) {
  return value < 1 ? value : again(value / 2) * again(value / 3);
}

__global__ void kernel(float *out, Values values) {
  const float sum = large(values, threadIdx.x) + large(values, blockIdx.x);
  out[threadIdx.x] = again(kept(sum));
}
