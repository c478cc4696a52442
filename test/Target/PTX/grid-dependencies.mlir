// Grids that begin before those have ended that they depend on: compute capability 9.0 and
// later, and code that is not suspended. Elsewhere there is nothing to wait for.
// OLDEST: sm_90
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s
// RUN: het-lower --target=ptx "--arch=sm_80;ptx88" %s | FileCheck %s --check-prefix=NONE
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --options=parkable %s | FileCheck %s --check-prefix=NONE

// Accesses stay on their side.
// CHECK-LABEL: .visible .entry waits(
// CHECK: ld.global{{.*}}b32
// CHECK: st.global{{.*}}b32
// CHECK: griddepcontrol.launch_dependents;
// CHECK-NOT: {{[ \t]}}ld.global
// CHECK: griddepcontrol.wait;
// CHECK: ld.global{{(\.b32|\.v|\.u)}}
// CHECK: st.global{{.*}}b32
// NONE-LABEL: .visible .entry waits(
// NONE-NOT: griddepcontrol
// NONE: ret;
llvm.func @waits(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {hetir.kernel} {
  %first = llvm.load %in : !llvm.ptr<1> -> i32
  llvm.store %first, %out : i32, !llvm.ptr<1>
  hetir.grid_dependency_trigger
  hetir.grid_dependency_wait
  %then = llvm.load %in : !llvm.ptr<1> -> i32
  %next = llvm.getelementptr %out[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %then, %next : i32, !llvm.ptr<1>
  llvm.return
}
