// Code for constants of launches: the block's shape and arguments of numbers.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=scale %s | FileCheck --check-prefix=GENERAL %s
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=scale %s \
// RUN:   "--options=block=256,1,1 argument=1:04000000 argument=2:0000803f" | FileCheck --check-prefix=SPECIAL %s
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=scale %s \
// RUN:   "--options=argument=0:0000000000000000" | FileCheck --check-prefix=POINTER %s
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=bounds %s \
// RUN:   "--options=block=8,4,2" | FileCheck --check-prefix=BOUNDS %s
// RUN: not het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=scale %s \
// RUN:   --options=grid=1,1,1 2>&1 | FileCheck --check-prefix=WORD %s
// RUN: not het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=scale %s \
// RUN:   --options=block=32,0,1 2>&1 | FileCheck --check-prefix=BLOCK %s
// RUN: not het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=scale %s \
// RUN:   --options=argument=3:00 2>&1 | FileCheck --check-prefix=NUMBER %s
// RUN: not het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=scale %s \
// RUN:   --options=argument=1:0 2>&1 | FileCheck --check-prefix=DIGITS %s

// The loop has a trip count of 4 and a factor of 1: nothing is left of either.
// GENERAL: .visible .entry scale(
// GENERAL-NOT: .reqntid
// GENERAL: %ntid.x
// GENERAL: bra

// SPECIAL: .visible .entry scale(
// SPECIAL-NOT: .reqntid
// SPECIAL: .maxntid 256, 1, 1
// SPECIAL-NOT: %ntid
// SPECIAL-NOT: mul.{{(rn.)?}}f32
// SPECIAL-NOT: bra
// SPECIAL: ret;

// An address is none.
// POINTER: .visible .entry scale(
// POINTER: ld.param.b64 {{.*}}, [scale_param_0]
llvm.func @scale(%out: !llvm.ptr, %n: i32, %factor: f32) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %block = hetir.block_id x
  %size = hetir.block_dim x
  %thread = hetir.thread_id x
  %first = llvm.mul %block, %size : i32
  %start = llvm.add %first, %thread : i32
  llvm.br ^head(%zero, %start : i32, i32)
^head(%i: i32, %at: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^end
^body:
  %wide = llvm.zext %at : i32 to i64
  %place = llvm.getelementptr %out[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %old = llvm.load %place : !llvm.ptr -> f32
  %new = llvm.fmul %old, %factor : f32
  llvm.store volatile %new, %place : f32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  %beyond = llvm.add %at, %size : i32
  llvm.br ^head(%next, %beyond : i32, i32)
^end:
  llvm.return
}

// Launch bounds of the source: the shape takes the place of the most threads.
// BOUNDS: .visible .entry bounds(
// BOUNDS: .maxntid 8, 4, 2
// BOUNDS: .minnctapersm 2
llvm.func @bounds(%out: !llvm.ptr) attributes {
    hetir.kernel, hetir.info = {max_threads = 256 : i32, min_blocks = 2 : i32}} {
  %team = hetir.team_id
  llvm.store %team, %out : i32, !llvm.ptr
  llvm.return
}

// WORD: options: found 'grid=1,1,1', expected block=X,Y,Z, argument=INDEX:BYTES or parkable
// BLOCK: options: found 'block=32,0,1'
// NUMBER: constants: found argument 3, expected less than 3
// DIGITS: options: found 'argument=1:0'
