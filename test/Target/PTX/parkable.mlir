// Code for parkable launches: the option, what the header says, what becomes of the parts.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=loop --options=parkable %s > %t
// RUN: FileCheck --input-file=%t %s
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=loop %s | FileCheck --check-prefix=PLAIN %s
// RUN: python3 %S/Inputs/header.py %t | FileCheck --check-prefix=HEADER %s
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=numbered --options=parkable %s > %t.numbered
// RUN: python3 %S/Inputs/header.py %t.numbered | FileCheck --check-prefix=NUMBERED %s
// RUN: het-lower --target=ptx "--arch=sm_60;ptx80" --kernel=loop --options=parkable %s > %t.old
// RUN: python3 %S/Inputs/header.py %t.old | FileCheck --check-prefix=OLD %s
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=loop --options=parkable=entry %s > %t.entry
// RUN: python3 %S/Inputs/header.py %t.entry | FileCheck --check-prefix=OLD %s
// RUN: FileCheck --check-prefix=ENTRY --input-file=%t.entry %s
// RUN: not het-lower --target=ptx "--arch=sm_90;ptx88" --kernel=loop "--options=parkable parkable" %s \
// RUN:   2>&1 | FileCheck --check-prefix=TWICE %s

// One parameter more, which the packed arguments do not have.
// HEADER: loop: parameters [0, 8], parkable, layout {{[1-9][0-9]*}}, thread 16, shared 128
// Of a kernel that is not parked inside there is no layout.
// NUMBERED: numbered: parameters [], parkable, layout 0, thread 0, shared 0
// OLD: loop: parameters [0, 8], parkable, layout 0, thread 0, shared 0
// TWICE: found 'parkable', expected block=X,Y,Z, argument=INDEX:BYTES or parkable

// CHECK: .shared .align 16 .b8 het_parking_{{.*}}[32];
// CHECK-NOT: het_parking_{{.*}}[32];
// CHECK: .visible .entry loop(
// CHECK: .param .align 8 .b8 loop_param_2[96]
// CHECK-NOT: ld.global.b8
// The flag at the entry, then the kernel's own barriers and the poll.
// CHECK: ld.volatile.global.b32
// CHECK: bar.red.or.pred
// CHECK-DAG: bar.sync 0;
// CHECK-DAG: ld.volatile.global.b32
// CHECK-DAG: barrier.red.or.pred
// CHECK-DAG: atom.acq_rel.cta.shared.cas.b32
// CHECK-DAG: barrier.red.popc.u32
// CHECK-NOT: ld.global.b8
// How blocks stand is read by the form for launches of which some have begun.
// CHECK: .visible .entry loop$resume(
// CHECK: .param .align 8 .b8 loop$resume_param_2[96]
// CHECK: ld.global.b8
// CHECK: bar.red.or.pred
// CHECK: barrier.red.popc.u32

// Between blocks: one look at the flag, at the entry.
// ENTRY: ld.volatile.global.b32
// ENTRY-NOT: ld.volatile.global.b32
// ENTRY-NOT: $resume

// PLAIN-NOT: loop_param_2
// PLAIN-NOT: het_parking
// PLAIN-NOT: volatile
llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x i32> {
  %0 = llvm.mlir.undef : !llvm.array<32 x i32>
  llvm.return %0 : !llvm.array<32 x i32>
}
llvm.func @loop(%a: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %t = hetir.thread_id x
  %p = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.br ^head(%zero, %zero : i32, i32)
^head(%i: i32, %sum: i32):
  llvm.store %i, %p : i32, !llvm.ptr<3>
  hetir.barrier {hetir.aligned}
  %v = llvm.load %tile : !llvm.ptr<3> -> i32
  %more = llvm.add %v, %sum : i32
  hetir.barrier {hetir.aligned}
  %next = llvm.add %i, %one : i32
  %again = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %again, ^head(%next, %more : i32, i32), ^exit
^exit:
  llvm.store %more, %a : i32, !llvm.ptr
  llvm.return
}
llvm.func @numbered() attributes {hetir.kernel} {
  hetir.barrier id 3 {hetir.aligned}
  llvm.return
}
