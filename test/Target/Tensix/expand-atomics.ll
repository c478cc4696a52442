; REQUIRES: tensix-pass
; RUN: tensix-pass expand-atomics %s | FileCheck %s

; Between a lock and its release, past the cache; nothing is written that is not new.
; CHECK-LABEL: define float @update
; CHECK: %[[FLAT:.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK-NEXT: call void @het_core_lock(i64 %[[FLAT]])
; CHECK-NEXT: %[[OLD:.*]] = load volatile float, ptr addrspace(1) %p
; CHECK-NEXT: %[[NEW:.*]] = fadd float %[[OLD]], %x
; CHECK: %[[DIFFERS:.*]] = icmp ne
; CHECK-NEXT: br i1 %[[DIFFERS]]
; CHECK: store volatile float %[[NEW]], ptr addrspace(1) %p
; CHECK: call void @het_core_unlock(i64 %[[FLAT]])
; CHECK-NOT: het_core_fence
; CHECK: ret float %[[OLD]]
define float @update(ptr addrspace(1) %p, float %x) {
  %r = atomicrmw fadd ptr addrspace(1) %p, float %x monotonic
  ret float %r
}

; CHECK-LABEL: define i1 @exchange
; CHECK: call void @het_core_fence()
; CHECK: call void @het_core_lock
; CHECK: icmp eq i64
; CHECK: call void @het_core_unlock
; CHECK: call void @het_core_fence()
define i1 @exchange(ptr %p, i64 %x, i64 %y) {
  %r = cmpxchg ptr %p, i64 %x, i64 %y acq_rel monotonic
  %e = extractvalue { i64, i1 } %r, 1
  ret i1 %e
}

; The core's own memory is one thread's.
; CHECK-LABEL: define i32 @shared
; CHECK-NOT: call
; CHECK: load i32, ptr addrspace(3) %p
; CHECK: store i32 %{{.*}}, ptr addrspace(3) %p
define i32 @shared(ptr addrspace(3) %p, i32 %x) {
  %r = atomicrmw add ptr addrspace(3) %p, i32 %x acq_rel
  ret i32 %r
}

; CHECK-LABEL: define void @order
; CHECK-NEXT: call void @het_core_fence()
; CHECK-NEXT: call void @het_core_fence()
; CHECK: call void @het_core_lock
; CHECK: store volatile i32 1
; CHECK: call void @het_core_unlock
; CHECK: ret void
define void @order(ptr addrspace(1) %p) {
  fence seq_cst
  fence syncscope("singlethread") seq_cst
  store atomic i32 1, ptr addrspace(1) %p release, align 4
  ret void
}
