// Every operation and attribute: text is a fixed point, and bytecode keeps all.
//
// RUN: het-opt %s -split-input-file | FileCheck %s
// RUN: het-opt %s --mlir-print-op-generic | het-opt | FileCheck %s
// RUN: het-opt %s --emit-bytecode | het-opt | FileCheck %s

// CHECK: module attributes {hetir.version = "0.1"}
module attributes {hetir.version = "0.1"} {

// CHECK: llvm.mlir.global external @table() {{.*}}hetir.variable
llvm.mlir.global external @table() {addr_space = 1 : i32, hetir.variable} : !llvm.array<4 x i32>

// CHECK-LABEL: llvm.func @position
// CHECK-SAME: hetir.info = {max_threads = 256 : i32}, hetir.kernel
llvm.func @position() attributes {hetir.kernel, hetir.info = {max_threads = 256 : i32}} {
  // CHECK: hetir.thread_id x
  %0 = hetir.thread_id x
  // CHECK: hetir.thread_id y
  %1 = hetir.thread_id y
  // CHECK: hetir.thread_id z {hetir.uniform = #hetir<level divergent>}
  %2 = hetir.thread_id z {hetir.uniform = #hetir<level divergent>}
  // CHECK: hetir.block_id x {hetir.uniform = #hetir<level block>}
  %3 = hetir.block_id x {hetir.uniform = #hetir<level block>}
  // CHECK: hetir.block_dim y {hetir.uniform = #hetir<level grid>}
  %4 = hetir.block_dim y {hetir.uniform = #hetir<level grid>}
  // CHECK: hetir.grid_dim z
  %5 = hetir.grid_dim z
  // CHECK: hetir.lane_id
  %6 = hetir.lane_id
  // CHECK: hetir.team_id {hetir.uniform = #hetir<level team>}
  %7 = hetir.team_id {hetir.uniform = #hetir<level team>}
  // CHECK: hetir.team_size
  %8 = hetir.team_size
  // CHECK: hetir.cooperative {hetir.uniform = #hetir<level grid>}
  %9 = hetir.cooperative {hetir.uniform = #hetir<level grid>}
  llvm.return
}

// CHECK-LABEL: llvm.func @matrices
llvm.func @matrices(%mask: i32, %r: i32, %w: i64, %p: !llvm.ptr<3>) {
  // CHECK: %{{.*}}:4 = hetir.matrix_multiply multiply 16 x 8 x 16 f16, f16, f32 -> f32, %{{.*}}(
  %0:4 = hetir.matrix_multiply multiply 16 x 8 x 16 f16, f16, f32 -> f32, %mask(%r, %r, %r, %r, %r, %r, %r, %r, %r, %r) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> (i32, i32, i32, i32)
  // CHECK: hetir.matrix_multiply multiply 8 x 8 x 16 s8, u8, s32 -> s32 saturate, %{{.*}}(
  %1:2 = hetir.matrix_multiply multiply 8 x 8 x 16 s8, u8, s32 -> s32 saturate, %mask(%r, %r, %r, %r) : (i32, i32, i32, i32) -> (i32, i32)
  // CHECK: hetir.matrix_multiply and_count 8 x 8 x 128 b1, b1, s32 -> s32, %{{.*}}(
  %2:2 = hetir.matrix_multiply and_count 8 x 8 x 128 b1, b1, s32 -> s32, %mask(%r, %r, %r, %r) : (i32, i32, i32, i32) -> (i32, i32)
  // CHECK: hetir.matrix_multiply multiply 8 x 8 x 4 f64, f64, f64 -> f64, %{{.*}}({{.*}}) : (i64, i64, i64, i64) -> (i64, i64)
  %3:2 = hetir.matrix_multiply multiply 8 x 8 x 4 f64, f64, f64 -> f64, %mask(%w, %w, %w, %w) : (i64, i64, i64, i64) -> (i64, i64)
  // CHECK: %{{.*}}:2 = hetir.matrix_load %{{.*}}, %{{.*}} : (!llvm.ptr<3>) -> (i32, i32)
  %4:2 = hetir.matrix_load %mask, %p : (!llvm.ptr<3>) -> (i32, i32)
  // CHECK: hetir.matrix_load transposed %{{.*}}, %{{.*}} : (!llvm.ptr<3>) -> i32
  %5 = hetir.matrix_load transposed %mask, %p : (!llvm.ptr<3>) -> (i32)
  // CHECK: %{{.*}}:4 = hetir.matrix_load_rows depth 2 %{{.*}}, %{{.*}} : (!llvm.ptr<3>) -> (i32, i32, i32, i32)
  %7:4 = hetir.matrix_load_rows depth 2 %p, %w : (!llvm.ptr<3>) -> (i32, i32, i32, i32)
  // CHECK: hetir.matrix_load_rows transposed downwards depth 1 %{{.*}}, %{{.*}} : (!llvm.ptr<3>) -> i32
  %8 = hetir.matrix_load_rows transposed downwards depth 1 %p, %w : (!llvm.ptr<3>) -> (i32)
  // CHECK: hetir.matrix_store %{{.*}}, %{{.*}}(%{{.*}}) : <3>, i32
  hetir.matrix_store %mask, %p(%r) : <3>, i32
  // CHECK: hetir.matrix_store transposed %{{.*}}, %{{.*}}(%{{.*}}, %{{.*}}) : <3>, i32, i32
  hetir.matrix_store transposed %mask, %p(%r, %r) : <3>, i32, i32
  // CHECK: hetir.matrix_transpose %{{.*}}, %{{.*}}
  %6 = hetir.matrix_transpose %mask, %r
  llvm.return
}

// CHECK-LABEL: llvm.func @order
llvm.func @order(%predicate: i1, %count: i32) {
  // CHECK: hetir.barrier{{$}}
  hetir.barrier
  // CHECK: hetir.barrier id 3{{$}}
  hetir.barrier id 3
  // CHECK: hetir.barrier id 15 count %{{.*}}
  hetir.barrier id 15 count %count
  // CHECK: hetir.barrier count %{{.*}}
  hetir.barrier count %count
  // CHECK: hetir.barrier {hetir.aligned}
  hetir.barrier {hetir.aligned}
  // CHECK: hetir.named_barrier %{{.*}}{{$}}
  hetir.named_barrier %count
  // CHECK: hetir.named_barrier %{{.*}} count %{{.*}}
  hetir.named_barrier %count count %count
  // CHECK: hetir.barrier_arrive %{{.*}} count %{{.*}} {hetir.aligned}
  hetir.barrier_arrive %count count %count {hetir.aligned}
  // CHECK: hetir.copy_group{{$}}
  hetir.copy_group
  // CHECK: hetir.copy_wait{{$}}
  hetir.copy_wait
  // CHECK: hetir.copy_wait 2{{$}}
  hetir.copy_wait 2
  // CHECK: hetir.grid_dependency_wait{{$}}
  hetir.grid_dependency_wait
  // CHECK: hetir.grid_dependency_trigger{{$}}
  hetir.grid_dependency_trigger
  // CHECK: hetir.barrier_reduce and %{{.*}}
  %0 = hetir.barrier_reduce and %predicate
  // CHECK: hetir.barrier_reduce or %{{.*}}
  %1 = hetir.barrier_reduce or %predicate
  // CHECK: hetir.barrier_reduce count %{{.*}}
  %2 = hetir.barrier_reduce count %predicate
  // CHECK: hetir.team_sync %{{.*}}
  hetir.team_sync %count
  // CHECK: hetir.grid_barrier
  hetir.grid_barrier
  // CHECK: hetir.cluster_arrive
  hetir.cluster_arrive
  // CHECK: hetir.grid_barrier cluster
  hetir.grid_barrier cluster
  // CHECK: hetir.fence team
  hetir.fence team
  // CHECK: hetir.fence block
  hetir.fence block
  // CHECK: hetir.fence device
  hetir.fence device
  // CHECK: hetir.fence system
  hetir.fence system
  llvm.return
}

// CHECK-LABEL: llvm.func @teams
llvm.func @teams(%mask: i32, %p: i1, %a: i32, %b: i64, %c: f32, %d: f64, %e: f16, %f: bf16) {
  // CHECK: hetir.ballot %{{.*}}, %{{.*}}
  %0 = hetir.ballot %mask, %p
  // CHECK: hetir.vote any %{{.*}}, %{{.*}}
  %1 = hetir.vote any %mask, %p
  // CHECK: hetir.vote all
  %2 = hetir.vote all %mask, %p
  // CHECK: hetir.vote uni
  %3 = hetir.vote uni %mask, %p
  // CHECK: hetir.active_mask
  %4 = hetir.active_mask
  // CHECK: %{{.*}}, %{{.*}} = hetir.match any %{{.*}}, %{{.*}} : i32
  %5, %6 = hetir.match any %mask, %a : i32
  // CHECK: hetir.match all %{{.*}}, %{{.*}} : i64
  %7, %8 = hetir.match all %mask, %b : i64
  // CHECK: %{{.*}}, %{{.*}} = hetir.shuffle idx %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : i32
  %9, %10 = hetir.shuffle idx %mask, %a, %a, %a : i32
  // CHECK: hetir.shuffle up {{.*}} : i64
  %11, %12 = hetir.shuffle up %mask, %b, %a, %a : i64
  // CHECK: hetir.shuffle down {{.*}} : f32
  %13, %14 = hetir.shuffle down %mask, %c, %a, %a : f32
  // CHECK: hetir.shuffle xor {{.*}} : f64
  %15, %16 = hetir.shuffle xor %mask, %d, %a, %a : f64
  // CHECK: hetir.shuffle xor {{.*}} : f16
  %17, %18 = hetir.shuffle xor %mask, %e, %a, %a : f16
  // CHECK: hetir.shuffle xor {{.*}} : bf16
  %19, %20 = hetir.shuffle xor %mask, %f, %a, %a : bf16
  // CHECK: hetir.team_reduce add %{{.*}}, %{{.*}}
  %21 = hetir.team_reduce add %mask, %a
  // CHECK: hetir.team_reduce min
  %22 = hetir.team_reduce min %mask, %a
  // CHECK: hetir.team_reduce max
  %23 = hetir.team_reduce max %mask, %a
  // CHECK: hetir.team_reduce umin
  %24 = hetir.team_reduce umin %mask, %a
  // CHECK: hetir.team_reduce umax
  %25 = hetir.team_reduce umax %mask, %a
  // CHECK: hetir.team_reduce and
  %26 = hetir.team_reduce and %mask, %a
  // CHECK: hetir.team_reduce or
  %27 = hetir.team_reduce or %mask, %a
  // CHECK: hetir.team_reduce xor
  %28 = hetir.team_reduce xor %mask, %a
  llvm.return
}

// CHECK-LABEL: llvm.func @memory
llvm.func @memory(%p: !llvm.ptr, %x: i32) {
  // CHECK: hetir.dynamic_shared : <3>
  %0 = hetir.dynamic_shared : !llvm.ptr<3>
  // CHECK: hetir.is_space global %{{.*}} : !llvm.ptr
  %1 = hetir.is_space global %p : !llvm.ptr
  // CHECK: hetir.is_space shared
  %2 = hetir.is_space shared %p : !llvm.ptr
  // CHECK: hetir.is_space constant
  %3 = hetir.is_space constant %p : !llvm.ptr
  // CHECK: hetir.is_space local
  %4 = hetir.is_space local %p : !llvm.ptr
  // CHECK: hetir.is_space grid_constant
  %grid_constant = hetir.is_space grid_constant %p : !llvm.ptr
  // CHECK: llvm.atomicrmw add {{.*}} syncscope("device") monotonic
  %5 = llvm.atomicrmw add %p, %x syncscope("device") monotonic : !llvm.ptr, i32
  llvm.return
}

// CHECK-LABEL: llvm.func @math
llvm.func @math(%x: f32, %y: f64, %n: i32) {
  // CHECK: hetir.math "sin"(%{{.*}}) exact : (f32) -> f32
  %0 = hetir.math "sin"(%x) exact : (f32) -> f32
  // CHECK: hetir.math "pow"(%{{.*}}, %{{.*}}) approx : (f64, f64) -> f64
  %1 = hetir.math "pow"(%y, %y) approx : (f64, f64) -> f64
  // CHECK: hetir.math "jn"(%{{.*}}, %{{.*}}) exact : (i32, f64) -> f64
  %2 = hetir.math "jn"(%n, %y) exact : (i32, f64) -> f64
  // CHECK: hetir.math "lrint"(%{{.*}}) exact : (f64) -> i64
  %3 = hetir.math "lrint"(%y) exact : (f64) -> i64
  llvm.return
}

// CHECK-LABEL: llvm.func @system
llvm.func @system(%p: !llvm.ptr, %s: !llvm.ptr<4>, %heap: !llvm.ptr<1>, %n: i64,
                  %line: i32) {
  // CHECK: hetir.printf %{{.*}}, %{{.*}} : <4>, !llvm.ptr
  %0 = hetir.printf %s, %p : !llvm.ptr<4>, !llvm.ptr
  // CHECK: hetir.assert_fail %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : <4>, !llvm.ptr, !llvm.ptr
  hetir.assert_fail %s, %p, %line, %p : !llvm.ptr<4>, !llvm.ptr, !llvm.ptr
  // CHECK: hetir.trap
  hetir.trap
  // CHECK: hetir.malloc %{{.*}} from %{{.*}} : !llvm.ptr<1> -> !llvm.ptr
  %1 = hetir.malloc %n from %heap : !llvm.ptr<1> -> !llvm.ptr
  // CHECK: hetir.free %{{.*}} to %{{.*}} : !llvm.ptr<1> : !llvm.ptr
  hetir.free %1 to %heap : !llvm.ptr<1> : !llvm.ptr
  // CHECK: hetir.malloc %{{.*}} -> !llvm.ptr
  %old = hetir.malloc %n -> !llvm.ptr
  // CHECK: hetir.free %{{.*}} : !llvm.ptr
  hetir.free %old : !llvm.ptr
  // CHECK: hetir.clock cycles32 : i32
  %2 = hetir.clock cycles32 : i32
  // CHECK: hetir.clock cycles64 : i64
  %3 = hetir.clock cycles64 : i64
  // CHECK: hetir.clock nanoseconds : i64
  %4 = hetir.clock nanoseconds : i64
  // CHECK: %{{.*}} = hetir.texture_units
  %units = hetir.texture_units
  // CHECK: hetir.texture_fetch %{{.*}}[%{{.*}}] : (i32) -> vector<4xi32>
  %texels = hetir.texture_fetch %n[%line] : (i32) -> vector<4xi32>
  // CHECK: hetir.sleep %{{.*}}
  hetir.sleep %line
  llvm.return
}

// CHECK-LABEL: llvm.func @state
llvm.func @state(%a: i32, %b: f32, %v: vector<4xf32>) -> i32 {
  // CHECK: hetir.safe_point 0 entry{{$}}
  hetir.safe_point 0 entry
  // CHECK: %{{.*}}:3 = hetir.safe_point 1 barrier(%{{.*}}, %{{.*}}, %{{.*}} : i32, f32, vector<4xf32>) {hetir.slots = array<i32: 0, 1, 2>}
  %0:3 = hetir.safe_point 1 barrier(%a, %b, %v : i32, f32, vector<4xf32>) {hetir.slots = array<i32: 0, 1, 2>}
  // CHECK: hetir.safe_point 2 loop
  %1 = hetir.safe_point 2 loop(%0#0 : i32)
  // CHECK: hetir.safe_point 3 team
  %2 = hetir.safe_point 3 team(%1 : i32)
  // CHECK: hetir.frame : !llvm.ptr
  %3 = hetir.frame : !llvm.ptr
  // CHECK: hetir.note_lane %{{.*}}
  hetir.note_lane %2
  llvm.return %2 : i32
}

}

// CHECK-LABEL: llvm.func @cluster
llvm.func @cluster(%pointer: !llvm.ptr, %rank: i32) {
  // CHECK: hetir.cluster_dim x
  %0 = hetir.cluster_dim x
  // CHECK: hetir.cluster_given
  %1 = hetir.cluster_given
  // CHECK: hetir.cluster_map %{{.*}}, %{{.*}} : !llvm.ptr -> !llvm.ptr
  %2 = hetir.cluster_map %pointer, %rank : !llvm.ptr -> !llvm.ptr
  // CHECK: hetir.cluster_rank %{{.*}} : !llvm.ptr
  %3 = hetir.cluster_rank %2 : !llvm.ptr
  // CHECK: hetir.cluster_address %{{.*}} : !llvm.ptr
  %4 = hetir.cluster_address %2 : !llvm.ptr
  // CHECK: hetir.cluster_pointer %{{.*}} : !llvm.ptr
  %5 = hetir.cluster_pointer %4 : !llvm.ptr
  llvm.return
}
