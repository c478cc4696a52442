// A loop over a thread's share of 512 elements makes two rounds in code for blocks of 256
// threads, which LLVM unrolls.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck --check-prefix=GENERAL %s
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s --options=block=256,1,1 \
// RUN:   | FileCheck --check-prefix=BLOCK %s

// GENERAL: .visible .entry share(
// GENERAL: bra

// BLOCK: .visible .entry share(
// BLOCK-NOT: bra
// BLOCK: st.global.b32
// BLOCK: st.global.b32
// BLOCK-NOT: st.global.b32
// BLOCK: ret;
llvm.func @share(%out: !llvm.ptr) attributes {hetir.kernel} {
  %bound = llvm.mlir.constant(512 : i32) : i32
  %thread = hetir.thread_id x
  %size = hetir.block_dim x
  %some = llvm.icmp "ult" %thread, %bound : i32
  llvm.cond_br %some, ^loop(%thread : i32), ^end
^loop(%i: i32):
  %place = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %i, %place : i32, !llvm.ptr
  %next = llvm.add %i, %size : i32
  %again = llvm.icmp "ult" %next, %bound : i32
  llvm.cond_br %again, ^loop(%next : i32), ^end
^end:
  llvm.return
}
