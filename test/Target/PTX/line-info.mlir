// Locations become line tables where the module asks for them: names are completed with
// the folder, what was inlined is at its own place, what has none is at no line.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=lines %s | FileCheck %s
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=nowhere %s \
// RUN:   | FileCheck --check-prefix=NOWHERE %s
// RUN: sed -e 's/attributes {hetir.line_info = "[^"]*"}//' %s \
// RUN:   | het-lower --target=ptx "--arch=sm_90;ptx88" - | FileCheck --check-prefix=PLAIN %s

// PLAIN-NOT: .loc
// NOWHERE-NOT: .loc

module attributes {hetir.line_info = "/src/project"} {

// CHECK-LABEL: .visible .entry lines(
// CHECK: .loc [[MAIN:[0-9]+]] 10 0
// CHECK: .loc [[OTHER:[0-9]+]] 3 7
// CHECK-NEXT: mul.rn.f32
// CHECK: .loc [[MAIN]] 12 4
// CHECK-NEXT: {{.*}}st.
// CHECK: .loc [[MAIN]] 13 1
// CHECK-NEXT: ret;
// CHECK-DAG: .file [[MAIN]] "/src/project/main.cu"
// CHECK-DAG: .file [[OTHER]] "/usr/lib/other.h"
llvm.func @lines(%out: !llvm.ptr<1>, %x: f32) attributes {hetir.kernel} {
  %a = llvm.fmul %x, %x : f32 loc(callsite("square"("/usr/lib/other.h":3:7) at "main.cu":11:9))
  llvm.call @called() : () -> () loc(unknown)
  llvm.store %a, %out : f32, !llvm.ptr<1> loc("main.cu":12:4)
  llvm.return loc("main.cu":13:1)
} loc("main.cu":10:0)

// Inlined at no line.
llvm.func @called() {
  hetir.barrier loc("main.cu":2:1)
  llvm.return loc("main.cu":3:1)
} loc("main.cu":1:0)

llvm.func @nowhere(%out: !llvm.ptr<1>, %x: f32) attributes {hetir.kernel} {
  llvm.store %x, %out : f32, !llvm.ptr<1> loc("main.cu":22:4)
  llvm.return loc(unknown)
} loc(unknown)

}
