// Team operations go through memory that a team's lanes share, a loop over the lanes each.
//
// REQUIRES: host-pass
// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true --hetir-form-segments | host-pass convert - | FileCheck %s

// CHECK-LABEL: llvm.func internal @kernel(
// CHECK: %[[FRAME_AT:.*]] = llvm.getelementptr inbounds %arg0[24]
// CHECK-NEXT: %[[FRAME:.*]] = llvm.load %[[FRAME_AT]] invariant
// CHECK: llvm.call @kernel.segment.0(
// CHECK: llvm.getelementptr inbounds %[[FRAME]][
// CHECK: llvm.call @__het_block_shuffle_b32(
// CHECK-NEXT: llvm.call @kernel.segment.1(
// CHECK: llvm.call @__het_block_ballot(
// CHECK: llvm.call @kernel.segment.2(

// What a lane gives lies in the frame, which the whole block has.
// CHECK-LABEL: llvm.func internal @kernel.segment.0(
// CHECK: %[[MINE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: llvm.store %[[MINE]], %{{.*}} : f32
llvm.func @kernel(%p: !llvm.ptr<1>, %x: f32) attributes {hetir.kernel} {
  %mask = llvm.mlir.constant(-1 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %clamp = llvm.mlir.constant(31 : i32) : i32
  %t = hetir.thread_id x
  %at = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %mine = llvm.load %at : !llvm.ptr<1> -> f32
  %s, %in = hetir.shuffle down %mask, %mine, %one, %clamp : f32
  %b = hetir.ballot %mask, %in
  %bf = llvm.uitofp %b : i32 to f32
  %r = llvm.fadd %s, %bf : f32
  llvm.store %r, %at : f32, !llvm.ptr<1>
  llvm.return
}
