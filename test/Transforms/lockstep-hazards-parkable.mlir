// Lanes that go round a loop together are stopped where they rely on lockstep also when
// the loop is cut into strips, of which each lane has its own.
//
// RUN: het-opt %s --hetir-insert-safe-points="team-ops parkable" | FileCheck %s

// CHECK-LABEL: llvm.func @rounds
// CHECK: llvm.ptrtoint
// CHECK: hetir.safe_point {{[0-9]+}} loop
// CHECK-NEXT: llvm.getelementptr
// CHECK-NEXT: llvm.load %{{.*}} !llvm.ptr<3>
// CHECK: hetir.safe_point {{[0-9]+}} poll
// CHECK-NOT: hetir.stop
llvm.func @rounds(%p: !llvm.ptr, %n: i32, %all: i32, %repeats: i32) attributes {hetir.kernel} {
  %m = hetir.dynamic_shared : !llvm.ptr<3>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  %to = llvm.getelementptr %m[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %way = llvm.getelementptr %p[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.br ^outer(%zero : i32)
^outer(%repeat: i32):
  llvm.store %repeat, %to : i32, !llvm.ptr<3>
  hetir.barrier
  %kept = llvm.load %way : !llvm.ptr -> i32
  %isIn = llvm.icmp "slt" %kept, %n : i32
  llvm.cond_br %isIn, ^head(%all : i32), ^behind
^head(%by: i32):
  %next = llvm.add %t, %by : i32
  %from = llvm.getelementptr %m[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %value = llvm.load %from : !llvm.ptr<3> -> i32
  %isFew = llvm.icmp "slt" %t, %by : i32
  llvm.cond_br %isFew, ^store, ^latch
^store:
  llvm.store %value, %to : i32, !llvm.ptr<3>
  llvm.br ^latch
^latch:
  %half = llvm.lshr %by, %one : i32
  %more = llvm.icmp "sgt" %half, %one : i32
  llvm.cond_br %more, ^head(%half : i32), ^behind
^behind:
  hetir.barrier
  %following = llvm.add %repeat, %one : i32
  %again = llvm.icmp "slt" %following, %repeats : i32
  llvm.cond_br %again, ^outer(%following : i32), ^end
^end:
  llvm.return
}
