// REQUIRES: hetcc
// RUN: hetcc --het-emit=hetir %s -o - | FileCheck %s
// RUN: not hetcc --het-emit=hetir -DWRONG %s -o - 2>&1 | FileCheck %s --check-prefix=WRONG

// Barriers by number: what is constant is an attribute; `aligned` where the source says
// that a warp comes together.

// CHECK-LABEL: llvm.func @_Z9functionsjj(
// CHECK: hetir.barrier {hetir.aligned}
// CHECK: hetir.barrier id 3{{$}}
// CHECK: hetir.barrier id 4 count %{{[^ ]*}}{{$}}
// CHECK: hetir.named_barrier %{{[^ ]*}} count %{{[^ ]*}}{{$}}
// CHECK: hetir.named_barrier %{{[^ ]*}} {hetir.aligned}
__global__ void functions(unsigned number, unsigned count) {
  __syncthreads();
  __barrier_sync(3);
  __barrier_sync_count(4, count);
  __nvvm_barrier_sync_cnt(number, 64);
  __nvvm_bar_sync(number);
}

// CHECK-LABEL: llvm.func @_Z10statementsjj(
// CHECK: hetir.barrier id 1 {hetir.aligned}
// CHECK: hetir.barrier id 2 count %{{[^ ]*}} {hetir.aligned}
// CHECK: hetir.barrier id 3{{$}}
// CHECK: hetir.named_barrier %{{[^ ]*}} count %{{[^ ]*}}{{$}}
// CHECK: hetir.barrier id 5 {hetir.aligned}
// CHECK: hetir.barrier id 6 {hetir.aligned}
// CHECK: hetir.barrier id 7 count %{{[^ ]*}} {hetir.aligned}
// CHECK: hetir.barrier_arrive %{{[^ ]*}} count %{{[^ ]*}} {hetir.aligned}
// CHECK: hetir.barrier_arrive %{{[^ ]*}} count %{{[^ ]*}}{{$}}
// CHECK: hetir.barrier_arrive %{{[^ ]*}} count %{{[^ ]*}} {hetir.aligned}
// CHECK: hetir.barrier_arrive %{{[^ ]*}} count %{{[^ ]*}}{{$}}
__global__ void statements(unsigned number, unsigned count) {
  asm volatile("bar.sync 1;" ::: "memory");
  asm volatile("bar.sync 2, %0;" ::"r"(count) : "memory");
  asm volatile("barrier.sync 3;" ::: "memory");
  asm volatile("barrier.cta.sync %0, %1;" ::"r"(number), "r"(count) : "memory");
  asm volatile("barrier.sync.aligned %0;" ::"n"(5) : "memory");
  asm volatile("barrier.cta.sync.aligned 6;" ::: "memory");
  asm volatile("bar.cta.sync 7, 32;" ::: "memory");
  asm volatile("bar.arrive 8, 64;" ::: "memory");
  asm volatile("barrier.arrive %0, 64;" ::"r"(number) : "memory");
  asm volatile("barrier.cta.arrive.aligned 10, %0;" ::"r"(count) : "memory");
  asm volatile("barrier.cta.arrive 11, %0;" ::"n"(96) : "memory");
}

#ifdef WRONG
// WRONG: error: {{.*}}: the barrier's number: found 16, expected 0 to 15
// WRONG: named-barriers.cu:[[#@LINE+8]]:3: note: called from here
// WRONG: error: {{.*}}: the barrier's count: found 33, expected a multiple of 32
// WRONG: named-barriers.cu:[[#@LINE+7]]:3: note: called from here
// WRONG: named-barriers.cu:[[#@LINE+7]]:3: error: {{.*}}: the barrier's count: found 0, expected a multiple of 32
// WRONG: named-barriers.cu:[[#@LINE+7]]:3: error: inline assembly: the PTX instruction 'bar.arrive': found 1 operand, expected 2
// WRONG: named-barriers.cu:[[#@LINE+7]]:3: error: inline assembly: the PTX instruction 'bar.sync': found 3 operands, expected 1 or 2
// WRONG: named-barriers.cu:[[#@LINE+7]]:3: error: 'llvm.nvvm.barrier.cta.red.popc.aligned.all': only barrier 0 over the whole block is supported
__global__ void wrong(unsigned number) {
  __barrier_sync(16);
  __barrier_sync_count(1, 33);
  asm volatile("bar.arrive 1, 0;");
  asm volatile("bar.arrive 1;");
  asm volatile("bar.sync 1, 32, 2;");
  asm volatile("bar.red.popc.u32 %0, 1, 2;" : "=r"(number) :);
}
#endif
