; Segments that are kept apart share the code of those that are alike but for a slot, an
; offset or a number that is stored. What differs in the same way is one argument.
; REQUIRES: host-pass
; RUN: host-pass share-segments %s | FileCheck %s

; CHECK-LABEL: define void @kernel
; CHECK: call fastcc void @k.segment.0.shared(ptr %f, i64 0, i32 0)
; CHECK-NEXT: call fastcc void @k.segment.0.shared(ptr %f, i64 8, i32 1)
; CHECK-NEXT: call fastcc void @k.segment.2(ptr %f)
; CHECK-NEXT: call fastcc void @k.segment.3(ptr %f)
; CHECK-NEXT: call fastcc void @k.segment.4(ptr %f)
; CHECK-NEXT: call fastcc void @k.segment.5(ptr %f)
; CHECK-NEXT: call fastcc void @k.segment.0.shared(ptr %f, i64 32, i32 -5)
; CHECK-NEXT: call fastcc void @k.segment.7(ptr %f)
; CHECK-NEXT: call fastcc void @k.segment.8(ptr %f)
; CHECK-NEXT: call fastcc void @k.segment.9.shared(ptr %f)
; CHECK-NEXT: call fastcc void @k.segment.9.shared(ptr %f)
; CHECK-NOT: @k.segment.1
; CHECK-NOT: @k.segment.6
; CHECK-NOT: @k.segment.10
define void @kernel(ptr %f) {
  call fastcc void @k.segment.0(ptr %f)
  call fastcc void @k.segment.1(ptr %f)
  call fastcc void @k.segment.2(ptr %f)
  call fastcc void @k.segment.3(ptr %f)
  call fastcc void @k.segment.4(ptr %f)
  call fastcc void @k.segment.5(ptr %f)
  call fastcc void @k.segment.6(ptr %f)
  call fastcc void @k.segment.7(ptr %f)
  call fastcc void @k.segment.8(ptr %f)
  call fastcc void @k.segment.9(ptr %f)
  call fastcc void @k.segment.10(ptr %f)
  ret void
}

define internal fastcc void @k.segment.0(ptr %f) noinline {
  %n = load i64, ptr %f
  %from = mul i64 %n, 24
  %to = mul i64 %n, 32
  %a = getelementptr inbounds i8, ptr %f, i64 %from
  %b = getelementptr inbounds i8, ptr %f, i64 %to
  %c = getelementptr inbounds i8, ptr %f, i64 4
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %v = load i32, ptr %a, !llvm.access.group !0
  %w = xor i32 %v, 5
  store i32 %w, ptr %b, !llvm.access.group !0
  store i32 %w, ptr %c, !llvm.access.group !0
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !1
end:
  store i32 7, ptr %f
  ret void
}

define internal fastcc void @k.segment.1(ptr %f) noinline {
  %n = load i64, ptr %f
  %from = mul i64 %n, 32
  %to = mul i64 %n, 40
  %a = getelementptr inbounds i8, ptr %f, i64 %from
  %b = getelementptr inbounds i8, ptr %f, i64 %to
  %c = getelementptr inbounds i8, ptr %f, i64 12
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %v = load i32, ptr %a, !llvm.access.group !2
  %w = xor i32 %v, 5
  store i32 %w, ptr %b, !llvm.access.group !2
  store i32 %w, ptr %c, !llvm.access.group !2
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !3
end:
  store i32 8, ptr %f
  ret void
}

; Another constant.
define internal fastcc void @k.segment.2(ptr %f) noinline {
  %n = load i64, ptr %f
  %from = mul i64 %n, 32
  %to = mul i64 %n, 40
  %a = getelementptr inbounds i8, ptr %f, i64 %from
  %b = getelementptr inbounds i8, ptr %f, i64 %to
  %c = getelementptr inbounds i8, ptr %f, i64 12
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %v = load i32, ptr %a, !llvm.access.group !4
  %w = xor i32 %v, 6
  store i32 %w, ptr %b, !llvm.access.group !4
  store i32 %w, ptr %c, !llvm.access.group !4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !5
end:
  store i32 8, ptr %f
  ret void
}

; An access that is not independent of other rounds.
define internal fastcc void @k.segment.3(ptr %f) noinline {
  %n = load i64, ptr %f
  %from = mul i64 %n, 32
  %to = mul i64 %n, 40
  %a = getelementptr inbounds i8, ptr %f, i64 %from
  %b = getelementptr inbounds i8, ptr %f, i64 %to
  %c = getelementptr inbounds i8, ptr %f, i64 12
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %v = load i32, ptr %a, !llvm.access.group !6
  %w = xor i32 %v, 5
  store i32 %w, ptr %b, !llvm.access.group !6
  store i32 %w, ptr %c, !llvm.access.group !8
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !7
end:
  store i32 8, ptr %f
  ret void
}

; A loop of another kind.
define internal fastcc void @k.segment.4(ptr %f) noinline {
  %n = load i64, ptr %f
  %from = mul i64 %n, 32
  %to = mul i64 %n, 40
  %a = getelementptr inbounds i8, ptr %f, i64 %from
  %b = getelementptr inbounds i8, ptr %f, i64 %to
  %c = getelementptr inbounds i8, ptr %f, i64 12
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %v = load i32, ptr %a, !llvm.access.group !6
  %w = xor i32 %v, 5
  store i32 %w, ptr %b, !llvm.access.group !6
  store i32 %w, ptr %c, !llvm.access.group !6
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !9
end:
  store i32 8, ptr %f
  ret void
}

; Other values.
define internal fastcc void @k.segment.5(ptr %f) noinline {
  %n = load i64, ptr %f
  %from = mul i64 %n, 32
  %to = mul i64 %n, 40
  %a = getelementptr inbounds i8, ptr %f, i64 %from
  %b = getelementptr inbounds i8, ptr %f, i64 %to
  %c = getelementptr inbounds i8, ptr %f, i64 12
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %v = load i32, ptr %b, !llvm.access.group !6
  %w = xor i32 %v, 5
  store i32 %w, ptr %a, !llvm.access.group !6
  store i32 %w, ptr %c, !llvm.access.group !6
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !7
end:
  store i32 8, ptr %f
  ret void
}

define internal fastcc void @k.segment.6(ptr %f) noinline {
  %n = load i64, ptr %f
  %from = mul i64 %n, 56
  %to = mul i64 %n, 64
  %a = getelementptr inbounds i8, ptr %f, i64 %from
  %b = getelementptr inbounds i8, ptr %f, i64 %to
  %c = getelementptr inbounds i8, ptr %f, i64 36
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %v = load i32, ptr %a, !llvm.access.group !10
  %w = xor i32 %v, 5
  store i32 %w, ptr %b, !llvm.access.group !10
  store i32 %w, ptr %c, !llvm.access.group !10
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !11
end:
  store i32 2, ptr %f
  ret void
}

; A part of a local object.
define internal fastcc void @k.segment.7(ptr %f) noinline {
  %local = alloca [2 x i32]
  %part = getelementptr i8, ptr %local, i64 0
  call void @use(ptr %part)
  ret void
}
define internal fastcc void @k.segment.8(ptr %f) noinline {
  %local = alloca [2 x i32]
  %part = getelementptr i8, ptr %local, i64 4
  call void @use(ptr %part)
  ret void
}
declare void @use(ptr)

; The same.
define internal fastcc void @k.segment.9(ptr %f) noinline {
  store i8 0, ptr %f
  ret void
}
define internal fastcc void @k.segment.10(ptr %f) noinline {
  store i8 0, ptr %f
  ret void
}

; What may be inlined, what is no segment, and what is not called alone.
; CHECK: @k.segment.11(
; CHECK: @k.segment.12(
; CHECK: @other(
; CHECK: @another(
; CHECK: @k.segment.13(
; CHECK: @k.segment.14(
define internal void @k.segment.11(ptr %f) {
  store i16 0, ptr %f
  ret void
}
define internal void @k.segment.12(ptr %f) {
  store i16 0, ptr %f
  ret void
}
define internal void @other(ptr %f) noinline {
  store i16 0, ptr %f
  ret void
}
define internal void @another(ptr %f) noinline {
  store i16 0, ptr %f
  ret void
}
define internal void @k.segment.13(ptr %f) noinline {
  store i64 0, ptr %f
  ret void
}
define internal void @k.segment.14(ptr %f) noinline {
  store i64 0, ptr %f
  ret void
}
@table = constant [2 x ptr] [ptr @k.segment.13, ptr @k.segment.14]

; CHECK: define internal fastcc void @k.segment.0.shared(ptr %0, i64 %1, i32 %2) #[[APART:[0-9]+]] {
; CHECK-DAG: [[FIRST:%.*]] = add i64 %1, 24
; CHECK-DAG: [[SECOND:%.*]] = add i64 %1, 32
; CHECK-DAG: [[OFFSET:%.*]] = add i64 %1, 4
; CHECK-DAG: [[NEXT:%.*]] = add i32 %2, 7
; CHECK: %from = mul i64 %n, [[FIRST]]
; CHECK: %to = mul i64 %n, [[SECOND]]
; CHECK: getelementptr inbounds i8, ptr %0, i64 [[OFFSET]]
; CHECK: xor i32 %{{.*}}, 5
; CHECK: store i32 [[NEXT]], ptr %0
; CHECK: attributes #[[APART]] = { noinline }

!0 = distinct !{}
!1 = distinct !{!1, !12}
!12 = !{!"llvm.loop.parallel_accesses", !0}
!2 = distinct !{}
!3 = distinct !{!3, !13}
!13 = !{!"llvm.loop.parallel_accesses", !2}
!4 = distinct !{}
!5 = distinct !{!5, !14}
!14 = !{!"llvm.loop.parallel_accesses", !4}
!6 = distinct !{}
!7 = distinct !{!7, !15}
!15 = !{!"llvm.loop.parallel_accesses", !6}
!8 = distinct !{}
!9 = distinct !{!9, !15, !16}
!16 = !{!"llvm.loop.vectorize.enable", i1 false}
!10 = distinct !{}
!11 = distinct !{!11, !17}
!17 = !{!"llvm.loop.parallel_accesses", !10}
