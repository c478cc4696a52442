// Variables, shared memory, launch bounds, atomics.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s

module attributes {hetir.version = "0.1"} {

llvm.mlir.global external constant @weights() {addr_space = 4 : i32, hetir.variable} : !llvm.array<4 x f32>
llvm.mlir.global external @counter() {addr_space = 1 : i32, hetir.variable} : i32
llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<64 x f32> {
  %0 = llvm.mlir.undef : !llvm.array<64 x f32>
  llvm.return %0 : !llvm.array<64 x f32>
}

// CHECK-DAG: .extern .shared .align 16 .b8 het$dynamic_shared[]
// CHECK-DAG: .visible .const .align 8 .b8 het$variables[16]
// CHECK-LABEL: .visible .entry memory(
// CHECK: .maxntid 128
// CHECK: .minnctapersm 2
// CHECK: .shared .align 4 .b8 tile[256]
// CHECK-DAG: ld.const.b64 {{.*}}, [het$variables]
// CHECK-DAG: ld.const.b64 {{.*}}, [het$variables+8]
// CHECK-DAG: ld.global.nc.b32
// CHECK-DAG: st.shared.b32
// CHECK-DAG: atom.global.add.u32
llvm.func @memory(%out: !llvm.ptr) attributes {hetir.kernel, hetir.info = {max_threads = 128 : i32, min_blocks = 2 : i32}} {
  %x = hetir.thread_id x
  %w = llvm.mlir.addressof @weights : !llvm.ptr<4>
  %c = llvm.mlir.addressof @counter : !llvm.ptr<1>
  %t = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %d = hetir.dynamic_shared : <3>
  %wp = llvm.getelementptr %w[%x] : (!llvm.ptr<4>, i32) -> !llvm.ptr<4>, f32
  %v = llvm.load %wp : !llvm.ptr<4> -> f32
  %tp = llvm.getelementptr %t[%x] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  llvm.store %v, %tp : f32, !llvm.ptr<3>
  hetir.barrier
  %u = llvm.load %t : !llvm.ptr<3> -> f32
  %dp = llvm.getelementptr %d[%x] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  llvm.store %u, %dp : f32, !llvm.ptr<3>
  %one = llvm.mlir.constant(1 : i32) : i32
  %old = llvm.atomicrmw add %c, %one syncscope("team") monotonic : !llvm.ptr<1>, i32
  llvm.store %old, %out : i32, !llvm.ptr
  llvm.return
}
}
