// REQUIRES: hetcc
// RUN: hetcc --het-emit=llvm %s -o - | FileCheck %s

// Asm statements without text leave their values, and what a loop does to one place each
// round.

// CHECK-LABEL: @_Z4waitPiS_(
// CHECK: load volatile i32
// CHECK: ret void
__global__ void wait(int *flag, int *out) {
  while (*flag == 0)
    asm volatile("" ::: "memory");
  *out = *flag;
}

// CHECK-LABEL: @_Z5countPii(
// CHECK: store volatile i32
// CHECK: ret void
__global__ void count(int *progress, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    *progress = i;
    asm volatile("" ::: "memory");
  }
}

// Places that differ with each round, and loops without such a statement, stay as they are.
// CHECK-LABEL: @_Z5plainPii(
// CHECK-NOT: volatile
// CHECK: ret void
__global__ void plain(int *values, int n) {
  for (int i = 0; i < n; ++i) {
    values[i] += 1;
    asm volatile("" ::: "memory");
  }
  for (int i = 0; i < n; ++i)
    values[0] ^= values[i];
}

// CHECK-LABEL: @_Z6valuesPijf(
// CHECK-NOT: asm
// CHECK: ret void
__global__ void values(int *p, unsigned x, float f) {
  asm volatile("" : "+r"(x), "+f"(f)::"memory");
  asm volatile("" ::"l"(p), "r"(x), "n"(3), "m"(*p));
  unsigned y, z;
  asm("" : "=r"(y), "=r"(z) : "0"(x));
  p[0] = y + (unsigned)f;
  if (x == 7)
    p[1] = z;
}
