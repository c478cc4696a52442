// A loop that reads memory has as many loads under way as it has copies: 32 where the
// number of rounds is known, 4 where it takes a division to know it. A loop that only
// computes is LLVM's to judge, and one with a barrier is left.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=known %s | FileCheck --check-prefix=KNOWN %s
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=strided %s | FileCheck --check-prefix=STRIDED %s
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=meets %s | FileCheck --check-prefix=MEETS %s

// KNOWN-COUNT-32: ld.global
// KNOWN-NOT: ld.global
llvm.func @known(%out: !llvm.ptr, %in: !llvm.ptr {llvm.noalias, llvm.readonly}) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %end = llvm.mlir.constant(4096 : i64) : i64
  %start = llvm.mlir.constant(0 : i32) : i32
  llvm.br ^loop(%zero, %start : i64, i32)
^loop(%i: i64, %sum: i32):
  %p = llvm.getelementptr inbounds %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<64 x i32>
  %x = llvm.load %p : !llvm.ptr -> i32
  %s = llvm.add %sum, %x : i32
  %n = llvm.add %i, %one overflow<nsw, nuw> : i64
  %done = llvm.icmp "eq" %n, %end : i64
  llvm.cond_br %done, ^exit, ^loop(%n, %s : i64, i32)
^exit:
  llvm.store %s, %out : i32, !llvm.ptr
  llvm.return
}

// STRIDED: div.u32
// STRIDED-COUNT-5: ld.global
// STRIDED-NOT: ld.global
llvm.func @strided(%out: !llvm.ptr, %in: !llvm.ptr {llvm.noalias, llvm.readonly}, %end: i32) attributes {hetir.kernel} {
  %start = llvm.mlir.constant(0 : i32) : i32
  %step = hetir.block_dim x
  %first = hetir.thread_id x
  %any = llvm.icmp "ult" %first, %end : i32
  llvm.cond_br %any, ^loop(%first, %start : i32, i32), ^exit(%start : i32)
^loop(%i: i32, %sum: i32):
  %wide = llvm.zext %i : i32 to i64
  %p = llvm.getelementptr inbounds %in[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %x = llvm.load %p : !llvm.ptr -> i32
  %s = llvm.add %sum, %x : i32
  %n = llvm.add %i, %step overflow<nsw, nuw> : i32
  %more = llvm.icmp "ult" %n, %end : i32
  llvm.cond_br %more, ^loop(%n, %s : i32, i32), ^exit(%s : i32)
^exit(%r: i32):
  llvm.store %r, %out : i32, !llvm.ptr
  llvm.return
}

// MEETS-COUNT-1: ld.global
// MEETS-NOT: ld.global
llvm.func @meets(%out: !llvm.ptr, %in: !llvm.ptr, %end: i32) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%one : i32)
^loop(%i: i32):
  %wide = llvm.zext %i : i32 to i64
  %p = llvm.getelementptr inbounds %in[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %x = llvm.load %p : !llvm.ptr -> i32
  hetir.barrier
  llvm.store %x, %out : i32, !llvm.ptr
  %n = llvm.add %i, %one overflow<nsw, nuw> : i32
  %more = llvm.icmp "ult" %n, %end : i32
  llvm.cond_br %more, ^loop(%n : i32), ^exit
^exit:
  llvm.return
}
