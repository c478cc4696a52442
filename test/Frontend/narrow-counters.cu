// Counters of loops keep the width of the source: sums of 64 bits are dearer on GPUs.
// RUN: hetcc -O3 --het-emit=hetir %s -o - | FileCheck %s

// CHECK-LABEL: llvm.func @_Z3sumPfPKfi(
// CHECK: ^[[LOOP:bb[0-9]+]]({{.*}}: i32{{.*}}): // 2 preds: {{.*}}, ^[[LOOP]]
// CHECK-DAG: llvm.sext
// CHECK-DAG: llvm.add {{.*}} overflow<nsw> {{.*}} : i32
// CHECK-NOT: llvm.add {{.*}} : i64
// CHECK: llvm.return
__global__ void sum(float *out, const float *in, int count) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;
  float total = 0;
  for (int at = first; at < count; at += step)
    total += in[at];
  out[first] = total;
}
