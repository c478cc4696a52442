; REQUIRES: host-pass
; RUN: host-pass shared-atomics %s | FileCheck %s

; A block's threads are one thread of the process: atomics on its shared memory, which the
; record's third field leads to, are plain accesses. All others stay.
; CHECK-LABEL: define i32 @shared
; CHECK-NOT: atomicrmw
; CHECK: load i32
; CHECK: add i32
; CHECK: store i32
; CHECK-NOT: cmpxchg
; CHECK: ret i32
define i32 @shared(ptr %block) {
  %field = getelementptr i8, ptr %block, i64 16
  %base = load ptr, ptr %field, align 8, !invariant.load !0
  %at = getelementptr i8, ptr %base, i64 64
  %a = atomicrmw add ptr %at, i32 1 monotonic
  %c = cmpxchg ptr %at, i32 1, i32 2 monotonic monotonic
  %b = extractvalue { i32, i1 } %c, 0
  %r = add i32 %a, %b
  ret i32 %r
}

; CHECK-LABEL: define i32 @volatile
; CHECK: atomicrmw volatile add
define i32 @volatile(ptr %block) {
  %field = getelementptr i8, ptr %block, i64 16
  %base = load ptr, ptr %field, align 8, !invariant.load !0
  %a = atomicrmw volatile add ptr %base, i32 1 monotonic
  ret i32 %a
}

; Another field, and one that may change.
; CHECK-LABEL: define i32 @global
; CHECK: atomicrmw add
; CHECK: atomicrmw sub
define i32 @global(ptr %block) {
  %base = load ptr, ptr %block, align 8, !invariant.load !0
  %a = atomicrmw add ptr %base, i32 1 monotonic
  %field = getelementptr i8, ptr %block, i64 16
  %other = load ptr, ptr %field, align 8
  %b = atomicrmw sub ptr %other, i32 %a monotonic
  ret i32 %b
}

!0 = !{}
