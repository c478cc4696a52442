// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true --hetir-form-segments | FileCheck %s
// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true --hetir-form-segments=schedule=true | FileCheck %s --check-prefix=SCHED

// Operations on matrices are calls of one function for each shape, which is told where the
// first registers lie; the others follow, constants too.
// CHECK-LABEL: llvm.func @matrices(
// CHECK: llvm.call @__het_block_matrix_load(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (i64, !llvm.ptr, i32, i64, !llvm.ptr, !llvm.ptr) -> ()
// CHECK: llvm.call @__het_block_matrix_i8_16_8_16(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (i64, !llvm.ptr, i32, i64, !llvm.ptr, !llvm.ptr) -> ()
// CHECK: llvm.func internal @matrices.segment.1
// CHECK-COUNT-7: llvm.store %{{.*}}, %{{.*}} {access_groups = {{.*}}} : i32
// CHECK: llvm.func internal @matrices.segment.2
// SCHED-LABEL: llvm.func @matrices(
// SCHED: llvm.call @__het_team_matrix_load(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (i32, i32, i32, i64, !llvm.ptr, !llvm.ptr) -> ()
// SCHED: llvm.call @__het_team_matrix_i8_16_8_16(
llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8> {
  %0 = llvm.mlir.undef : !llvm.array<512 x i8>
  llvm.return %0 : !llvm.array<512 x i8>
}
llvm.func @matrices(%out: !llvm.ptr) attributes {hetir.kernel} {
  %mask = llvm.mlir.constant(-1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %lane = hetir.lane_id
  %p = llvm.getelementptr %tile[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<16 x i8>
  %0:4 = hetir.matrix_load %mask, %p : (!llvm.ptr<3>) -> (i32, i32, i32, i32)
  %1:4 = hetir.matrix_multiply multiply 16 x 8 x 16 s8, s8, s32 -> s32, %mask(%0#0, %0#1, %0#2, %zero, %zero, %zero, %zero) : (i32, i32, i32, i32, i32, i32, i32) -> (i32, i32, i32, i32)
  %q = llvm.getelementptr %out[%lane] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %1#3, %q : i32, !llvm.ptr
  llvm.return
}
