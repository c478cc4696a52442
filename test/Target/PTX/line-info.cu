// -lineinfo gives line tables and changes no instruction; -G gives them as well; without
// either, and with -g, which is about the host, there are none.
//
// REQUIRES: hetcc, het-lower
// RUN: hetcc -lineinfo --het-emit=hetpkg %s -o %t.lines
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %t.lines | FileCheck %s
// RUN: hetcc -G --het-emit=hetpkg %s -o %t.debug
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %t.debug | FileCheck --check-prefix=DEBUG %s
// RUN: hetcc -g --het-emit=hetpkg %s -o %t.plain
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %t.plain | FileCheck --check-prefix=PLAIN %s
//
// What remains without directives, labels and numbers of registers is the same.
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %t.lines \
// RUN:   | sed -n '/^[[:space:]]*@*[%%a-z].*;$/p' > %t.a
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %t.plain \
// RUN:   | sed -n '/^[[:space:]]*@*[%%a-z].*;$/p' > %t.b
// RUN: FileCheck --check-prefix=SOME --input-file=%t.b %s
// RUN: diff %t.a %t.b
//
// The locations are hetIR's own; no metadata of LLVM's is in it.
// RUN: hetcc -lineinfo --het-emit=hetir %s -o - | FileCheck --check-prefix=HETIR %s

// DEBUG: .loc
// PLAIN-NOT: .loc
// PLAIN-NOT: .file
// PLAIN-NOT: .section
// SOME: fma.rz.f32

// HETIR-DAG: hetir.line_info = "/{{.*}}"
// HETIR-NOT: di_subprogram

#include "Inputs/scale.h"

// No ", debug": that would turn ptxas's optimisations off.
// CHECK: .target sm_90{{$}}
// CHECK-NOT: , debug
// Functions of CUDA's headers are no places; what the user's own functions are is.
// CHECK-LABEL: .visible .entry _Z5linesPfS_i(
// CHECK: .loc [[FILE:[0-9]+]] [[#@LINE+1]]
__global__ void lines(float *out, float *in, int n) {
// CHECK: .loc [[FILE]] [[#@LINE+2]]
// CHECK: mad.lo.s32
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
// CHECK: .loc [[OTHER:[0-9]+]] 3
// CHECK-NEXT: fma.rz.f32
// CHECK: .loc [[FILE]] [[#@LINE+1]]
    out[i] = scale(in[i], 3.0f);
// CHECK: .loc [[FILE]] [[#@LINE+1]]
}

// Loops carry places of their own, which are none of hetIR's.
__global__ void loop(float *out, float *in, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = in[i] / out[i + n];
}

// CHECK-DAG: .file [[FILE]] "/{{.*}}/line-info.cu"
// CHECK-DAG: .file [[OTHER]] "/{{.*}}/scale.h"
// CHECK-NOT: , debug
