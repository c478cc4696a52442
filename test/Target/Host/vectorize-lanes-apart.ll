; What differs between lanes that leave a loop in different rounds, though no branch that
; varies lies between: values of the loop behind it, and which exit was taken. And objects
; of a lane's own.
; REQUIRES: host-pass
; RUN: host-pass vectorize-all-lanes %s | FileCheck %s

; The last value that a lane has read is its own, so neighbours do not store to neighbours.
; CHECK-LABEL: define void @lcssa(
; CHECK: call void @llvm.masked.scatter.v16i64
; CHECK-NOT: call void @llvm.masked.store
; CHECK: ret void
define void @lcssa(ptr %u, ptr %n, ptr %y, i64 %lanes) "target-cpu"="skylake-avx512" {
entry:
  br label %lane
lane:
  %t = phi i64 [ 0, %entry ], [ %t.next, %end ]
  %np = getelementptr i64, ptr %n, i64 %t
  %nn = load i64, ptr %np, align 8, !llvm.access.group !0
  br label %loop
loop:
  %i = phi i64 [ 0, %lane ], [ %i.next, %loop ]
  %up = getelementptr i64, ptr %u, i64 %i
  %v = load i64, ptr %up, align 8, !llvm.access.group !0
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %nn
  br i1 %more, label %loop, label %end
end:
  %at = add i64 %v, %t
  %yp = getelementptr i64, ptr %y, i64 %at
  store i64 %t, ptr %yp, align 8, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %again = icmp ult i64 %t.next, %lanes
  br i1 %again, label %lane, label %exit, !llvm.loop !1
exit:
  ret void
}

; Both exits depend on what is the same for all lanes, in other rounds for each of them.
; CHECK-LABEL: define void @exits(
; CHECK: select <16 x i1> %{{.*}}, <16 x i64> splat (i64 20), <16 x i64> splat (i64 10)
; CHECK: ret void
define void @exits(ptr %u, ptr %w, ptr %x, ptr %y, i64 %lanes) "target-cpu"="skylake-avx512" {
entry:
  br label %lane
lane:
  %t = phi i64 [ 0, %entry ], [ %t.next, %end ]
  %xp = getelementptr i64, ptr %x, i64 %t
  %xx = load i64, ptr %xp, align 8, !llvm.access.group !0
  br label %loop
loop:
  %i = phi i64 [ 0, %lane ], [ %i.next, %latch ]
  %skip = icmp ult i64 %i, %xx
  br i1 %skip, label %latch, label %e1
e1:
  %up = getelementptr i64, ptr %u, i64 %i
  %v = load i64, ptr %up, align 8, !llvm.access.group !0
  %c1 = icmp eq i64 %v, 1
  br i1 %c1, label %end, label %e2
e2:
  %wp = getelementptr i64, ptr %w, i64 %i
  %v2 = load i64, ptr %wp, align 8, !llvm.access.group !0
  %c2 = icmp eq i64 %v2, 1
  br i1 %c2, label %end, label %latch
latch:
  %i.next = add i64 %i, 1
  br label %loop
end:
  %r = phi i64 [ 10, %e1 ], [ 20, %e2 ]
  %yp = getelementptr i64, ptr %y, i64 %t
  store i64 %r, ptr %yp, align 8, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %again = icmp ult i64 %t.next, %lanes
  br i1 %again, label %lane, label %exit, !llvm.loop !1
exit:
  ret void
}

; A lane's own object is not beside its neighbours', though it is indexed by the lane.
; CHECK-LABEL: define void @object(
; CHECK: call <16 x i32> @llvm.masked.gather.v16i32
; CHECK: ret void
define void @object(ptr %x, ptr %n, ptr %y, i64 %lanes) "target-cpu"="skylake-avx512" {
entry:
  %a = alloca [64 x i32], align 4
  br label %lane
lane:
  %t = phi i64 [ 0, %entry ], [ %t.next, %end ]
  %np = getelementptr i64, ptr %n, i64 %t
  %nn = load i64, ptr %np, align 8, !llvm.access.group !0
  br label %loop
loop:
  %i = phi i64 [ 0, %lane ], [ %i.next, %loop ]
  %xp = getelementptr i64, ptr %x, i64 %i
  %v = load i64, ptr %xp, align 8, !llvm.access.group !0
  %w = and i64 %v, 63
  %sp = getelementptr [64 x i32], ptr %a, i64 0, i64 %w
  %t32 = trunc i64 %t to i32
  store i32 %t32, ptr %sp, align 4, !llvm.access.group !0
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %nn
  br i1 %more, label %loop, label %end
end:
  %lp = getelementptr [64 x i32], ptr %a, i64 0, i64 %t
  %r = load i32, ptr %lp, align 4, !llvm.access.group !0
  %yp = getelementptr i32, ptr %y, i64 %t
  store i32 %r, ptr %yp, align 4, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %again = icmp ult i64 %t.next, %lanes
  br i1 %again, label %lane, label %exit, !llvm.loop !1
exit:
  ret void
}

; Nor is there one for all lanes where only a part of it is named in the loop.
; CHECK-LABEL: define void @hoisted(
; CHECK-NOT: <16 x i32>
; CHECK: ret void
define void @hoisted(ptr %x, ptr %n, ptr %y, i64 %lanes) "target-cpu"="skylake-avx512" {
entry:
  %a = alloca [9 x i32], align 4
  %a1 = getelementptr i8, ptr %a, i64 4
  br label %lane
lane:
  %t = phi i64 [ 0, %entry ], [ %t.next, %end ]
  %np = getelementptr i64, ptr %n, i64 %t
  %nn = load i64, ptr %np, align 8, !llvm.access.group !0
  br label %loop
loop:
  %i = phi i64 [ 0, %lane ], [ %i.next, %loop ]
  %w = and i64 %i, 7
  %sp = getelementptr i32, ptr %a1, i64 %w
  %old = load i32, ptr %sp, align 4, !llvm.access.group !0
  %t32 = trunc i64 %t to i32
  %new = add i32 %old, %t32
  store i32 %new, ptr %sp, align 4, !llvm.access.group !0
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %nn
  br i1 %more, label %loop, label %end
end:
  %k = and i64 %nn, 7
  %lp = getelementptr i32, ptr %a1, i64 %k
  %r = load i32, ptr %lp, align 4, !llvm.access.group !0
  %yp = getelementptr i32, ptr %y, i64 %t
  store i32 %r, ptr %yp, align 4, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %again = icmp ult i64 %t.next, %lanes
  br i1 %again, label %lane, label %exit, !llvm.loop !1
exit:
  ret void
}

!0 = distinct !{}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.parallel_accesses", !0}
