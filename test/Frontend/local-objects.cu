// REQUIRES: hetcc
// RUN: not hetcc --het-emit=hetir %s -o %t.mlir 2>&1 | FileCheck %s
// RUN: not hetcc -G --het-emit=hetir %s -o %t.mlir 2>&1 | FileCheck %s
// RUN: not hetcc -DARRAY --het-emit=hetir %s -o %t.mlir 2>&1 | FileCheck %s --check-prefix=ARRAY
// RUN: hetcc -DRIGHT --het-emit=hetir %s -o - | FileCheck %s --check-prefix=RIGHT

// The size of a local object is known when the program is compiled.

struct Node {
  Node *next;
  int value;
};

__device__ __noinline__ void look(int *p) {
  asm volatile("" ::: "memory");
  p[0] += p[1];
}

#if defined(ARRAY)

__global__ void array(int *out, int n) {
  // ARRAY: local-objects.cu:[[#@LINE+1]]:{{.*}} error: cannot use variable-length arrays in __global__ functions
  int values[n];
  out[0] = values[n - 1];
}

#elif !defined(RIGHT)

// CHECK: local-objects.cu:[[#@LINE+2]]:{{.*}} error: a local object of 'calls(int*, int)'{{.*}} a size that varies, expected a constant; use the largest size that there can be
__global__ void calls(int *out, int n) {
  int *p = (int *)alloca(n * sizeof(int));
  for (int i = 0; i < n; ++i)
    p[i] = out[i];
  out[threadIdx.x] = p[n - 1 - threadIdx.x];
}

__global__ void later(int *out, int n) {
  if (n < 100) {
    // CHECK: local-objects.cu:[[#@LINE+1]]:{{.*}} error: a local object of 'later(int*, int)'{{.*}} a size that varies
    int *p = (int *)__builtin_alloca(n * sizeof(int));
    for (int i = 0; i < n; ++i)
      p[i] = out[i];
    out[threadIdx.x] = p[n - 1 - threadIdx.x];
  }
}

__global__ void list(int *out, int n) {
  Node *first = nullptr;
  for (int i = 0; i < n; ++i) {
    // CHECK: local-objects.cu:[[#@LINE+1]]:{{.*}} error: a local object of 'list(int*, int)': found alloca in a loop that may look at the objects of earlier rounds, expected one object; call alloca before the loop
    Node *node = (Node *)alloca(sizeof(Node));
    node->next = first;
    node->value = out[i];
    first = node;
  }
  int sum = 0;
  for (Node *node = first; node; node = node->next)
    sum = sum * 3 + node->value;
  out[0] = sum;
}

__global__ void pair(int *out, int n) {
  int *before = out;
  for (int i = 0; i < n; ++i) {
    // CHECK: local-objects.cu:[[#@LINE+1]]:{{.*}} error: a local object of 'pair(int*, int)': found alloca in a loop that may look
    int *now = (int *)alloca(16 * sizeof(int));
    now[i % 16] = before[(i + 1) % 16];
    before = now;
  }
  out[0] = before[n % 16];
}

// CHECK: 4 errors generated.

#else

// One object of the frame.
// RIGHT-LABEL: llvm.func @_Z8constantPii(
// RIGHT: llvm.alloca
// RIGHT-NOT: llvm.alloca
// RIGHT-NOT: stacksave
// RIGHT: llvm.return
__global__ void constant(int *out, int n) {
  for (int round = 0; round < n; ++round) {
    int *p = (int *)alloca(32 * sizeof(int));
    for (int i = 0; i < 32; ++i)
      p[i] = out[i * round];
    for (int *at = p; at < p + 32; at += 2)
      look(at);
    out[threadIdx.x] = p[31 - threadIdx.x];
  }
}

#endif
