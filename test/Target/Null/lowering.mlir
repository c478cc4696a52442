// The least that a target can be: LLVM IR, in which a block is one thread.
//
// RUN: het-lower --target=null %s --kernel=scale | FileCheck %s --check-prefix=SCALE
// RUN: het-lower --target=null %s --kernel=reads | FileCheck %s --check-prefix=READS
// RUN: het-lower --target=null %s --kernel=prints | FileCheck %s --check-prefix=PRINTS
// RUN: not het-lower --target=null %s --kernel=loops --options=parkable 2>&1 | FileCheck %s --check-prefix=RESUME
// RUN: not het-lower --target=null %s --kernel=scale --options=block=1,1,1 2>&1 | FileCheck %s --check-prefix=OPTIONS
// RUN: not het-lower --target=null %s --kernel=asks 2>&1 | FileCheck %s --check-prefix=ASKS

// The kernel's arguments come off the packed ones.
// SCALE: define {{.*}}i32 @het_null_run(ptr{{.*}} %0, i32{{.*}} %1)
// SCALE: load i64, ptr %0
// SCALE: fmul {{.*}}float
// OPTIONS: options: found 'block=1,1,1', expected none for this target
llvm.func @scale(%p: !llvm.ptr<1>, %f: f32) attributes {hetir.kernel} {
  %t = hetir.thread_id x
  %at = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %v = llvm.load %at : !llvm.ptr<1> -> f32
  %w = llvm.fmul %v, %f : f32
  hetir.barrier
  llvm.store %w, %at : f32, !llvm.ptr<1>
  llvm.return
}

// Variables are in a table of addresses, at offset 8 of the record.
// READS: [[FIELD:%[^ ]+]] = getelementptr {{.*}}i8, ptr %0, i64 8
// READS: load i64, ptr [[FIELD]]
llvm.mlir.global external @counter() {addr_space = 1 : i32, hetir.variable} : i32
llvm.func @reads(%p: !llvm.ptr<1>) attributes {hetir.kernel} {
  %c = llvm.mlir.addressof @counter : !llvm.ptr<1>
  %v = llvm.load %c : !llvm.ptr<1> -> i32
  llvm.store %v, %p : i32, !llvm.ptr<1>
  llvm.return
}

// Services are functions of the target's, which take the block first.
// PRINTS: call i32 @het_null_printf(ptr {{.*}}%0, ptr
llvm.mlir.global internal constant @text("hello\00") {addr_space = 4 : i32}
llvm.func @prints() attributes {hetir.kernel} {
  %t = llvm.mlir.addressof @text : !llvm.ptr<4>
  %none = llvm.mlir.zero : !llvm.ptr
  %n = hetir.printf %t, %none : !llvm.ptr<4>, !llvm.ptr
  llvm.return
}

// What no hook takes is named.
// ASKS: the null target can not tell whether a pointer leads to local memory
llvm.func @asks(%p: !llvm.ptr) attributes {hetir.kernel} {
  %is = hetir.is_space local %p : !llvm.ptr
  llvm.store %is, %p : i1, !llvm.ptr
  llvm.return
}

// A kernel that could be suspended is refused: nothing here would resume it.
// RESUME: blocks that are suspended have no way back in on this target
llvm.func @loops(%b: !llvm.ptr<1>, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  hetir.barrier
  llvm.store volatile %i, %b : i32, !llvm.ptr<1>
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^head(%next : i32), ^exit
^exit:
  llvm.return
}
