; What is known not to fit is refused, and what can not be known.
;
; REQUIRES: tensix-pass
; RUN: split-file %s %t
; RUN: not tensix-pass emit-wormhole %t/large.ll 2>&1 | FileCheck %s --check-prefix=LARGE
; LARGE: error: its calls need 71032 bytes of a core's stack, of which there are 61440; make local arrays smaller
; RUN: not tensix-pass emit-wormhole %t/grows.ll 2>&1 | FileCheck %s --check-prefix=GROWS
; GROWS: error: 'grows' takes memory of a size that is known only when it runs (alloca), which is not supported on this target

;--- large.ll
declare void @use(ptr)
define void @below() noinline {
  %here = alloca [40000 x i8]
  call void @use(ptr %here)
  ret void
}
define i32 @het_tensix_run(ptr %block, i32 %pc) {
  %here = alloca [30000 x i8]
  call void @use(ptr %here)
  call void @below()
  ret i32 0
}

;--- grows.ll
declare void @use(ptr)
define void @grows(i32 %n) {
  %here = alloca i8, i32 %n
  call void @use(ptr %here)
  ret void
}
define i32 @het_tensix_run(ptr %block, i32 %pc) {
  call void @grows(i32 %pc)
  ret i32 0
}
