; A function that is given nothing but addresses of the core's own memory takes those.
;
; REQUIRES: tensix-pass
; RUN: tensix-pass infer-arguments %s | FileCheck %s

; One of the two calls gives something else for g.
; CHECK: call i32 @frame(ptr addrspace(5) %p, ptr %f)
; CHECK: call i32 @frame(ptr addrspace(5) %p, ptr %q)
define i32 @caller(ptr addrspace(5) %p, ptr %q) {
  %f = addrspacecast ptr addrspace(5) %p to ptr
  %a = call i32 @frame(ptr %f, ptr %f)
  %b = call i32 @frame(ptr %f, ptr %q)
  %r = add i32 %a, %b
  ret i32 %r
}

; CHECK: define internal i32 @frame(ptr addrspace(5) %f, ptr %g)
; CHECK: addrspacecast ptr addrspace(5) %f to ptr
define internal i32 @frame(ptr %f, ptr %g) {
  %a = load i32, ptr %f, align 4
  %b = load i32, ptr %g, align 4
  %r = add i32 %a, %b
  ret i32 %r
}
