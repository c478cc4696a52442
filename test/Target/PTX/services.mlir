// Services are the driver's functions; but what parkable code allocates has to move.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --options=parkable %s \
// RUN:   | FileCheck %s --check-prefix=PARKABLE --implicit-check-not=" malloc" --implicit-check-not=" free"
// RUN: het-lower --target=ptx "--arch=sm_60;ptx86" %s | FileCheck %s --check-prefix=OLD
// RUN: het-lower --target=ptx "--arch=sm_70;ptx60" %s | FileCheck %s --check-prefix=OLD

// Machines that can not sleep do not.
// OLD-LABEL: .visible .entry services(
// OLD-NOT: nanosleep
// OLD: call.uni free

// PARKABLE: .const .align 8 .b8 het$variables[8]
// PARKABLE: .entry services(
// PARKABLE: call.uni {{.*}}__het_malloc
// PARKABLE: call.uni {{.*}}__het_free

// CHECK-DAG: .extern .func (.param .b32 func_retval0) vprintf
// CHECK-DAG: .extern .func __assertfail
// CHECK-DAG: .extern .func (.param .b64 func_retval0) malloc
// CHECK-LABEL: .visible .entry services(
// CHECK: call.uni (retval0), malloc
// CHECK: call.uni (retval0), vprintf
// CHECK: mov.u64 {{.*}}, %clock64
// CHECK: nanosleep.u32
// CHECK: call.uni free
// CHECK: __assertfail
// CHECK: trap;
llvm.mlir.global external @het.heap() {addr_space = 1 : i32, hetir.variable} : !llvm.array<64 x i8>

llvm.func @services(%out: !llvm.ptr, %n: i64, %m: i32) attributes {hetir.kernel} {
  %heap = llvm.mlir.addressof @het.heap : !llvm.ptr<1>
  %p = hetir.malloc %n from %heap : !llvm.ptr<1> -> !llvm.ptr
  %k = hetir.printf %p, %out : !llvm.ptr, !llvm.ptr
  %c = hetir.clock cycles64 : i64
  llvm.store %c, %out : i64, !llvm.ptr
  hetir.sleep %m
  hetir.free %p to %heap : !llvm.ptr<1> : !llvm.ptr
  %zero = llvm.mlir.constant(0 : i32) : i32
  %bad = llvm.icmp "eq" %k, %zero : i32
  llvm.cond_br %bad, ^fail, ^end
^fail:
  hetir.assert_fail %p, %p, %m, %p : !llvm.ptr, !llvm.ptr, !llvm.ptr
  hetir.trap
  llvm.unreachable
^end:
  llvm.return
}
