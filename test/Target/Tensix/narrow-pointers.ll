; Pointers to the core's own memory (spaces 3 and 5) get 32 bits, all others become flat
; addresses of 64 bits; in memory all keep hetIR's 64.
;
; REQUIRES: tensix-pass
; RUN: tensix-pass narrow-pointers %s | FileCheck %s

; Objects keep hetIR's layout: a pointer of 32 bits and 32 of zeros.
; CHECK: @table = internal constant <{ i32, [4 x i8], <{ ptr, i32 }>, i64 }> <{ i32 7, [4 x i8] zeroinitializer, <{ ptr, i32 }> <{ ptr @text, i32 0 }>, i64 -144115188075855872 }>
@text = internal addrspace(5) constant [3 x i8] c"hi\00", align 1
@table = internal addrspace(5) constant { i32, ptr, ptr } { i32 7, ptr addrspacecast (ptr addrspace(5) @text to ptr), ptr inttoptr (i64 -144115188075855872 to ptr) }, align 8

; CHECK-LABEL: define i32 @far(i64 %p, i64 %i)
; CHECK: %[[OFFSET:.*]] = mul nsw i64 %i, 4
; CHECK: %[[ADDRESS:.*]] = add i64 %p, %[[OFFSET]]
; CHECK: %[[PLACE:.*]] = call ptr @het_core_read(i64 %[[ADDRESS]], i32 4)
; CHECK: load i32, ptr %[[PLACE]], align 4
define i32 @far(ptr addrspace(1) %p, i64 %i) {
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %i
  %v = load i32, ptr addrspace(1) %q, align 4
  ret i32 %v
}

; CHECK-LABEL: define void @near(ptr %p, i64 %i, float %x)
; CHECK-NOT: call
; CHECK: %[[OFFSET:.*]] = trunc i64 %{{.*}} to i32
; CHECK: %[[PLACE:.*]] = getelementptr i8, ptr %p, i32 %[[OFFSET]]
; CHECK: store float %x, ptr %[[PLACE]], align 4
; CHECK: ret void
define void @near(ptr addrspace(3) %p, i64 %i, float %x) {
  %q = getelementptr float, ptr addrspace(3) %p, i64 %i
  store float %x, ptr addrspace(3) %q, align 4
  ret void
}

; A volatile store leaves at once; a volatile load looks again.
; CHECK-LABEL: define i64 @volatile(i64 %p)
; CHECK: call ptr @het_core_read_fresh(i64 %p, i32 8)
; CHECK: call ptr @het_core_place(i64 %p, i32 8)
; CHECK: store volatile i64
; CHECK: call void @het_core_publish(i64 %p)
define i64 @volatile(ptr %p) {
  %v = load volatile i64, ptr %p, align 8
  store volatile i64 1, ptr %p, align 8
  ret i64 %v
}

; What may lie across lines goes by a copy.
; CHECK-LABEL: define i64 @unaligned(i64 %p)
; CHECK: %[[COPY:.*]] = alloca i64, align 4
; CHECK: call void @het_core_copy(i64 %{{.*}}, i64 %p, i32 8)
; CHECK: load i64, ptr %[[COPY]], align 4
define i64 @unaligned(ptr addrspace(1) %p) {
  %v = load i64, ptr addrspace(1) %p, align 4
  ret i64 %v
}

; A pointer that is stored is 64 bits wide, whatever it leads to.
; CHECK-LABEL: define ptr @stored(ptr %p, ptr %q)
; CHECK: %[[WIDE:.*]] = ptrtoint ptr %q to i64
; CHECK: store i64 %[[WIDE]], ptr %p, align 8
; CHECK: %[[LOADED:.*]] = load i64, ptr %p, align 8
; CHECK: %[[NARROW:.*]] = trunc i64 %[[LOADED]] to i32
; CHECK: inttoptr i32 %[[NARROW]] to ptr
define ptr addrspace(5) @stored(ptr addrspace(5) %p, ptr addrspace(5) %q) {
  store ptr addrspace(5) %q, ptr addrspace(5) %p, align 8
  %r = load ptr addrspace(5), ptr addrspace(5) %p, align 8
  ret ptr addrspace(5) %r
}

; CHECK-LABEL: define i64 @chosen(i1 %c, ptr %p, i64 %q)
; CHECK: %[[FLAT:.*]] = ptrtoint ptr %p to i64
; CHECK: select i1 %c, i64 %[[FLAT]], i64 %q
; CHECK: icmp eq i64 %{{.*}}, 0
define ptr @chosen(i1 %c, ptr addrspace(5) %p, ptr %q) {
  %g = addrspacecast ptr addrspace(5) %p to ptr
  %r = select i1 %c, ptr %g, ptr %q
  %n = icmp eq ptr %r, null
  %s = select i1 %n, ptr null, ptr %r
  ret ptr %s
}

; CHECK-LABEL: define void @copies(ptr %p, ptr %q, i64 %g)
; CHECK: call void @llvm.memcpy.p0.p0.i32(ptr align 8 %p, ptr align 8 %q, i32 64, i1 false)
; CHECK: %[[FLAT:.*]] = ptrtoint ptr %p to i64
; CHECK: call void @het_core_copy(i64 %[[FLAT]], i64 %g, i32 100)
; CHECK: call void @het_core_fill(i64 %g, i32 0, i32 8)
define void @copies(ptr addrspace(5) %p, ptr addrspace(5) %q, ptr %g) {
  call void @llvm.memcpy.p5.p5.i64(ptr addrspace(5) align 8 %p, ptr addrspace(5) align 8 %q, i64 64, i1 false)
  call void @llvm.memcpy.p5.p0.i64(ptr addrspace(5) %p, ptr %g, i64 100, i1 false)
  call void @llvm.memset.p0.i64(ptr %g, i8 0, i64 8, i1 false)
  ret void
}

; An object of this function; a structure's size is hetIR's.
; CHECK-LABEL: define void @object()
; CHECK: %[[OBJECT:.*]] = alloca [16 x i8], align 8
; CHECK: %[[FLAT:.*]] = ptrtoint ptr %[[OBJECT]] to i64
; CHECK: call void @use(i64 %[[FLAT]])
declare void @use(ptr)
define void @object() {
  %o = alloca { ptr, i32 }, align 8, addrspace(5)
  %g = addrspacecast ptr addrspace(5) %o to ptr
  call void @use(ptr nonnull %g)
  ret void
}
