// There is one address space, so where a pointer leads is a comparison with the ranges
// that are known: the block's frame and stack, its shared memory, the arguments.
//
// REQUIRES: host-pass
// RUN: het-opt %s --hetir-insert-safe-points=team-ops=true --hetir-form-segments | host-pass convert - | FileCheck %s

// CHECK-LABEL: llvm.func internal @kernel.segment.0(
// CHECK: %[[P:.*]] = llvm.ptrtoint %arg1
// The stack, from what is used of it now to where the block was started (104).
// CHECK: llvm.intr.stacksave
// CHECK: llvm.getelementptr inbounds %arg0[104]
// CHECK: %[[FROM_STACK:.*]] = llvm.sub %[[P]],
// CHECK: %[[IN_STACK:.*]] = llvm.icmp "ult" %[[FROM_STACK]]
// The frame (24).
// CHECK: llvm.getelementptr inbounds %arg0[24]
// CHECK: %[[FROM_FRAME:.*]] = llvm.sub %[[P]],
// CHECK: %[[IN_FRAME:.*]] = llvm.icmp "ult" %[[FROM_FRAME]]
// CHECK: %[[LOCAL:.*]] = llvm.or %[[IN_STACK]], %[[IN_FRAME]]
// Shared memory (16), as long as its static and its dynamic part (48, 52).
// CHECK: llvm.getelementptr inbounds %arg0[16]
// CHECK: llvm.getelementptr inbounds %arg0[48]
// CHECK: llvm.getelementptr inbounds %arg0[52]
// CHECK: %[[SHARED:.*]] = llvm.icmp "ult"
// CHECK: llvm.or %[[LOCAL]], %[[SHARED]]
llvm.func @kernel(%p: !llvm.ptr, %out: !llvm.ptr<1>) attributes {hetir.kernel} {
  %local = hetir.is_space local %p : !llvm.ptr
  %shared = hetir.is_space shared %p : !llvm.ptr
  %either = llvm.or %local, %shared : i1
  %value = llvm.zext %either : i1 to i32
  llvm.store %value, %out : i32, !llvm.ptr<1>
  llvm.return
}
