; Structures are read and written by their elements, where hetIR's layout has them.
;
; REQUIRES: tensix-pass
; RUN: tensix-pass split-accesses %s | FileCheck %s

; CHECK-LABEL: define void @copy
; CHECK: %[[A:.*]] = getelementptr i8, ptr %p, i64 0
; CHECK: load i32, ptr %[[A]], align 8
; CHECK: %[[B:.*]] = getelementptr i8, ptr %p, i64 8
; CHECK: load ptr, ptr %[[B]], align 8
; CHECK: %[[C:.*]] = getelementptr i8, ptr %q, i64 8
; CHECK: store ptr %{{.*}}, ptr %[[C]], align 8
define void @copy(ptr %p, ptr %q) {
  %v = load { i32, ptr }, ptr %p, align 8
  store { i32, ptr } %v, ptr %q, align 8
  ret void
}

; CHECK-LABEL: define void @pass
; CHECK: %[[COPY:.*]] = alloca { i32, ptr }, align 8, addrspace(5)
; CHECK: call void @llvm.memcpy.p5.p0.i64(ptr addrspace(5) align 8 %[[COPY]], ptr align 8 %p, i64 16, i1 false)
; CHECK: call void @take(ptr align 8 %{{.*}})
declare void @take(ptr byval({ i32, ptr }))
define void @pass(ptr %p) {
  call void @take(ptr byval({ i32, ptr }) align 8 %p)
  ret void
}
