; Loops over lanes that contain loops become vectors under masks.
; REQUIRES: host-pass
; RUN: host-pass vectorize-all-lanes %s | FileCheck %s
; RUN: host-pass vectorize-lanes %s | FileCheck %s --check-prefix=FASTER

; Lanes leave the loop apart: those in it load neighbours, and their sum is kept when they
; leave. Few lanes keep the loop that there was.
; CHECK-LABEL: define void @sum
; CHECK: icmp uge i64 %{{.*}}, 4
; CHECK: lanes.behind:
; CHECK: call void @llvm.masked.store.v16f32.p0(
; CHECK: lanes.round:
; CHECK: %[[MASK:.*]] = phi <16 x i1>
; CHECK: call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %{{.*}}, <16 x i1> %[[MASK]], <16 x float> zeroinitializer)
; CHECK: fadd <16 x float>
; CHECK: select <16 x i1> %{{.*}}, <16 x float> %{{.*}}, <16 x float>
; CHECK: bitcast <16 x i1> %{{.*}} to i16
; FASTER-LABEL: define void @sum
; FASTER: call <16 x float> @llvm.masked.load
define void @sum(ptr %x, ptr %out, i64 %n, i64 %lanes) {
entry:
  br label %lane
lane:
  %t = phi i64 [ 0, %entry ], [ %t.next, %end ]
  %some = icmp slt i64 %t, %n
  br i1 %some, label %loop, label %end
loop:
  %i = phi i64 [ %t, %lane ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %lane ], [ %s.next, %loop ]
  %at = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %at, align 4, !llvm.access.group !0
  %s.next = fadd float %s, %v
  %i.next = add i64 %i, %lanes
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  %result = phi float [ 0.0, %lane ], [ %s.next, %loop ]
  %to = getelementptr float, ptr %out, i64 %t
  store float %result, ptr %to, align 4, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %again = icmp ult i64 %t.next, %lanes
  br i1 %again, label %lane, label %exit, !llvm.loop !1
exit:
  ret void
}

; A lane that is not in the loop divides by 1, and loads from nowhere. What costs more than
; lane by lane stays.
; CHECK-LABEL: define void @divide
; CHECK: call <16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 4 %{{.*}}, <16 x i1> %[[IN:.*]], <16 x i32> zeroinitializer)
; CHECK: select <16 x i1> %{{.*}}, <16 x i32> %{{.*}}, <16 x i32> splat (i32 1)
; CHECK: sdiv <16 x i32>
; FASTER-LABEL: define void @divide
; FASTER-NOT: <16 x
; FASTER: ret void
define void @divide(ptr %x, ptr %out, i64 %lanes) {
entry:
  br label %lane
lane:
  %t = phi i64 [ 0, %entry ], [ %t.next, %end ]
  br label %loop
loop:
  %i = phi i64 [ %t, %lane ], [ %i.next, %again ]
  %s = phi i32 [ 0, %lane ], [ %s.next, %again ]
  %at = getelementptr i32, ptr %x, i64 %i
  %v = load i32, ptr %at, align 4, !llvm.access.group !0
  %done = icmp eq i32 %v, 0
  br i1 %done, label %end, label %again
again:
  %q = sdiv i32 1000, %v
  %s.next = add nsw i32 %s, %q
  %i.next = mul i64 %i, 3
  br label %loop
end:
  %to = getelementptr i32, ptr %out, i64 %t
  store i32 %s, ptr %to, align 4, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %t.next, %lanes
  br i1 %more, label %lane, label %exit, !llvm.loop !1
exit:
  ret void
}

; A number of 32 bits that could wrap between two of the lanes: then their addresses are
; apart.
; CHECK-LABEL: define void @wrap
; CHECK: call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %{{.*}}, i32 15)
; CHECK: br i1 %{{.*}}, label %lanes.near, label %lanes.apart
; CHECK: lanes.near:
; CHECK: @llvm.masked.load
; CHECK: lanes.apart:
; CHECK: @llvm.masked.gather
define void @wrap(ptr %x, ptr %out, i32 %first, i64 %n, i64 %lanes) {
entry:
  br label %lane
lane:
  %t = phi i64 [ 0, %entry ], [ %t.next, %end ]
  %t32 = trunc i64 %t to i32
  %start = add i32 %first, %t32
  br label %loop
loop:
  %i = phi i64 [ 0, %lane ], [ %i.next, %loop ]
  %index = phi i32 [ %start, %lane ], [ %index.next, %loop ]
  %s = phi float [ 0.0, %lane ], [ %s.next, %loop ]
  %wide = zext i32 %index to i64
  %at = getelementptr float, ptr %x, i64 %wide
  %v = load float, ptr %at, align 4, !llvm.access.group !0
  %s.next = fadd float %s, %v
  %index.next = add i32 %index, 32
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr float, ptr %out, i64 %t
  store float %s.next, ptr %to, align 4, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %again = icmp ult i64 %t.next, %lanes
  br i1 %again, label %lane, label %exit, !llvm.loop !1
exit:
  ret void
}

; Lanes that skip the test at the loop's end in a round (`continue`) do not leave with the
; others, though all leave there.
; CHECK-LABEL: define void @passOver
; CHECK: lanes.round:
; CHECK: phi <16 x i1>
; CHECK: ret void
define void @passOver(ptr %x, ptr %out, i64 %n, i64 %lanes) {
entry:
  br label %lane
lane:
  %t = phi i64 [ 0, %entry ], [ %t.next, %end ]
  br label %loop
loop:
  %i = phi i64 [ 0, %lane ], [ %i.next, %next ]
  %i.next = add i64 %i, 1
  %at = getelementptr i32, ptr %x, i64 %t
  %v = load i32, ptr %at, align 4, !llvm.access.group !0
  %lower = trunc i64 %i to i32
  %skips = icmp slt i32 %v, %lower
  br i1 %skips, label %next, label %test
test:
  %done = icmp uge i64 %i.next, %n
  br i1 %done, label %end, label %next
next:
  br label %loop
end:
  %to = getelementptr i64, ptr %out, i64 %t
  store i64 %i, ptr %to, align 8, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %again = icmp ult i64 %t.next, %lanes
  br i1 %again, label %lane, label %exit, !llvm.loop !1
exit:
  ret void
}

; A lane could wait for another one in a loop that looks at memory until it changes.
; CHECK-LABEL: define void @waits
; CHECK-NOT: <16 x
; CHECK: ret void
define void @waits(ptr %x, ptr %out, i64 %lanes) {
entry:
  br label %lane
lane:
  %t = phi i64 [ 0, %entry ], [ %t.next, %end ]
  br label %loop
loop:
  %v = load volatile i32, ptr %x, align 4
  %done = icmp eq i32 %v, 0
  br i1 %done, label %loop, label %end
end:
  %to = getelementptr i32, ptr %out, i64 %t
  store i32 %v, ptr %to, align 4, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %t.next, %lanes
  br i1 %more, label %lane, label %exit, !llvm.loop !1
exit:
  ret void
}

; What was an atomic on shared memory depends on other lanes': it is not in their group.
; CHECK-LABEL: define void @counts
; CHECK-NOT: <16 x
; CHECK: ret void
define void @counts(ptr %x, ptr %out, i64 %n, i64 %lanes) {
entry:
  br label %lane
lane:
  %t = phi i64 [ 0, %entry ], [ %t.next, %end ]
  br label %loop
loop:
  %i = phi i64 [ %t, %lane ], [ %i.next, %loop ]
  %at = getelementptr i64, ptr %x, i64 %i
  %bin = load i64, ptr %at, align 8, !llvm.access.group !0
  %to = getelementptr i64, ptr %out, i64 %bin
  %old = load i64, ptr %to, align 8
  %new = add i64 %old, 1
  store i64 %new, ptr %to, align 8
  %i.next = add i64 %i, %lanes
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  %t.next = add nuw nsw i64 %t, 1
  %again = icmp ult i64 %t.next, %lanes
  br i1 %again, label %lane, label %exit, !llvm.loop !1
exit:
  ret void
}

; A sum over the rounds is nothing that lanes have.
; CHECK-LABEL: define i32 @carries
; CHECK-NOT: <16 x
; CHECK: ret i32
define i32 @carries(ptr %x, i64 %n, i64 %lanes) {
entry:
  br label %lane
lane:
  %t = phi i64 [ 0, %entry ], [ %t.next, %end ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %end ]
  br label %loop
loop:
  %i = phi i64 [ %t, %lane ], [ %i.next, %loop ]
  %c = phi i32 [ %s, %lane ], [ %s.next, %loop ]
  %s.next = add i32 %c, 3
  %i.next = add i64 %i, 7
  %again = icmp slt i64 %i.next, %n
  br i1 %again, label %loop, label %end
end:
  %t.next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %t.next, %lanes
  br i1 %more, label %lane, label %exit, !llvm.loop !1
exit:
  ret i32 %s.next
}

; Loops of no lanes stay.
; CHECK-LABEL: define void @plain
; CHECK-NOT: <16 x
; CHECK: ret void
define void @plain(ptr %x, i64 %n, i64 %lanes) {
entry:
  br label %lane
lane:
  %t = phi i64 [ 0, %entry ], [ %t.next, %end ]
  br label %loop
loop:
  %i = phi i64 [ %t, %lane ], [ %i.next, %loop ]
  %at = getelementptr i64, ptr %x, i64 %i
  store i64 %t, ptr %at, align 8
  %i.next = add i64 %i, 7
  %again = icmp slt i64 %i.next, %n
  br i1 %again, label %loop, label %end
end:
  %t.next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %t.next, %lanes
  br i1 %more, label %lane, label %exit
exit:
  ret void
}

!0 = distinct !{}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.parallel_accesses", !0}
