// Team operations are the warp's own instructions; a reduction is a loop where there is
// no redux.sync.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s
// RUN: het-lower --target=ptx "--arch=sm_75;ptx64" %s | FileCheck %s --check-prefix=SM75
// RUN: not het-lower --target=ptx "--arch=sm_60;ptx64" %s 2>&1 | FileCheck %s --check-prefix=SM60

// SM60: 'hetir.ballot' needs compute capability 7.0, found 6.0

// CHECK-LABEL: .visible .entry votes(
// CHECK: vote.sync.ballot.b32
// CHECK: vote.sync.any.pred
// CHECK: vote.sync.all.pred
// CHECK: activemask.b32
// CHECK: bar.warp.sync
llvm.func @votes(%out: !llvm.ptr, %mask: i32, %p: i1) attributes {hetir.kernel} {
  %b = hetir.ballot %mask, %p
  %any = hetir.vote any %mask, %p
  %all = hetir.vote all %mask, %p
  %active = hetir.active_mask
  hetir.team_sync %mask
  %a = llvm.zext %any : i1 to i32
  %c = llvm.zext %all : i1 to i32
  %s0 = llvm.add %b, %a : i32
  %s1 = llvm.add %s0, %c : i32
  %s2 = llvm.add %s1, %active : i32
  llvm.store %s2, %out : i32, !llvm.ptr
  llvm.return
}

// Of 64 bits: two words. The predicate is taken only where it is used.
// CHECK-LABEL: .visible .entry shuffles(
// CHECK-COUNT-2: shfl.sync.down.b32
// CHECK: shfl.sync.bfly.b32 %r{{[0-9]+}}|%p{{[0-9]+}}
// CHECK-NOT: shfl
llvm.func @shuffles(%out: !llvm.ptr, %wide: !llvm.ptr, %x: f32, %d: f64) attributes {hetir.kernel} {
  %mask = llvm.mlir.constant(-1 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %clamp = llvm.mlir.constant(31 : i32) : i32
  %w, %in0 = hetir.shuffle down %mask, %d, %one, %clamp : f64
  llvm.store %w, %wide : f64, !llvm.ptr
  %v, %in1 = hetir.shuffle xor %mask, %x, %one, %clamp : f32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %r = llvm.select %in1, %v, %zero : i1, f32
  llvm.store %r, %out : f32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: .visible .entry reduces(
// CHECK: redux.sync.add.s32
// SM75-LABEL: .visible .entry reduces(
// SM75: shfl.sync.idx.b32
// SM75-NOT: redux
llvm.func @reduces(%out: !llvm.ptr, %mask: i32, %x: i32) attributes {hetir.kernel} {
  %r = hetir.team_reduce add %mask, %x
  llvm.store %r, %out : i32, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: .visible .entry matches(
// CHECK: match.any.sync.b64
// CHECK: match.all.sync.b32
llvm.func @matches(%out: !llvm.ptr, %mask: i32, %x: i32, %y: i64) attributes {hetir.kernel} {
  %a, %t = hetir.match any %mask, %y : i64
  %b, %s = hetir.match all %mask, %x : i32
  %z = llvm.zext %s : i1 to i32
  %c = llvm.add %a, %b : i32
  %d = llvm.add %c, %z : i32
  llvm.store %d, %out : i32, !llvm.ptr
  llvm.return
}
