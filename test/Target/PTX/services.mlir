// Services are the driver's functions.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s

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
llvm.func @services(%out: !llvm.ptr, %n: i64, %m: i32) attributes {hetir.kernel} {
  %p = hetir.malloc %n : <0>
  %k = hetir.printf %p, %out : !llvm.ptr, !llvm.ptr
  %c = hetir.clock cycles64 : i64
  llvm.store %c, %out : i64, !llvm.ptr
  hetir.sleep %m
  hetir.free %p : <0>
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
