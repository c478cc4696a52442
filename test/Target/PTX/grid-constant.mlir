// A struct that all threads only read stays where the launch has put it, also when its
// address is taken and where an index is not known; any other that is written is copied.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s

!table = !llvm.array<64 x i32>

// CHECK-LABEL: .visible .entry constant_table(
// CHECK-NOT: .local
// CHECK: ld.param.b32
// CHECK-NOT: .local
// CHECK: ret;
llvm.func @constant_table(%out: !llvm.ptr<1>, %table: !llvm.ptr {llvm.byval = !table, llvm.align = 4 : i64, hetir.grid_constant}, %i: i64) attributes {hetir.kernel} {
  %p = llvm.getelementptr %table[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !table
  %v = llvm.load %p : !llvm.ptr -> i32
  llvm.store %v, %out : i32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: .visible .entry constant_address(
// CHECK-NOT: .local
// CHECK: cvta.param.u64
// CHECK-NOT: .local
// CHECK: ret;
llvm.func @constant_address(%out: !llvm.ptr<1>, %table: !llvm.ptr {llvm.byval = !table, llvm.align = 4 : i64, hetir.grid_constant}) attributes {hetir.kernel} {
  llvm.store %table, %out : !llvm.ptr, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: .visible .entry own_copy(
// CHECK: .local
llvm.func @own_copy(%out: !llvm.ptr<1>, %table: !llvm.ptr {llvm.byval = !table, llvm.align = 4 : i64}, %i: i64) attributes {hetir.kernel} {
  %p = llvm.getelementptr %table[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !table
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.store %one, %p : i32, !llvm.ptr
  %first = llvm.load %table : !llvm.ptr -> i32
  llvm.store %first, %out : i32, !llvm.ptr<1>
  llvm.return
}
