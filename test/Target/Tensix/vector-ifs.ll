; Branches that differ between threads become selections; what a row shares stays a branch.
; REQUIRES: tensix-pass
; RUN: tensix-pass vector-ifs %s | FileCheck %s

declare i32 @het_vector_x() nounwind willreturn memory(none)

; CHECK-LABEL: define i32 @nested
; CHECK-NOT: br
; CHECK: %[[INNER:.*]] = select i1 %small, i32 %twice, i32 %x
; CHECK: select i1 %odd, i32 %[[INNER]], i32 7
; CHECK: ret
define i32 @nested() {
  %x = call i32 @het_vector_x()
  %bit = and i32 %x, 1
  %odd = icmp ne i32 %bit, 0
  br i1 %odd, label %then, label %join
then:
  %small = icmp ult i32 %x, 10
  br i1 %small, label %less, label %met
less:
  %twice = shl i32 %x, 1
  br label %met
met:
  %inner = phi i32 [ %twice, %less ], [ %x, %then ]
  br label %join
join:
  %result = phi i32 [ %inner, %met ], [ 7, %0 ]
  ret i32 %result
}

; CHECK-LABEL: define i32 @shared
; CHECK: br i1 %c
define i32 @shared(i1 %c, ptr %p) {
  %x = call i32 @het_vector_x()
  br i1 %c, label %then, label %join
then:
  %y = add i32 %x, 1
  br label %join
join:
  %result = phi i32 [ %y, %then ], [ %x, %0 ]
  ret i32 %result
}

; Memory is not touched for threads that do not ask for it.
; CHECK-LABEL: define i32 @memory
; CHECK: br i1 %odd
define i32 @memory(ptr %p) {
  %x = call i32 @het_vector_x()
  %odd = trunc i32 %x to i1
  br i1 %odd, label %then, label %join
then:
  %y = load i32, ptr %p
  br label %join
join:
  %result = phi i32 [ %y, %then ], [ %x, %0 ]
  ret i32 %result
}
