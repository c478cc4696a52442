; Functions that may call themselves look whether the stack has room for them and what
; follows up to the next one that looks; the limit is the linker's symbol.
;
; REQUIRES: tensix-pass
; RUN: tensix-pass emit-wormhole %s | FileCheck %s
; RUN: tensix-pass emit-blackhole %s | FileCheck %s

@table = internal constant [1 x ptr] [ptr @pointed]

declare void @use(ptr)

define i32 @het_tensix_run(ptr %block, i32 %pc) {
; CHECK-LABEL: het_tensix_run:
; CHECK-NOT: hetStackLimit
  %a = call i32 @recursive(i32 %pc)
  %at = getelementptr ptr, ptr @table, i32 %a
  %slot = load ptr, ptr %at
  %b = call i32 %slot(i32 %a)
  ret i32 %b
}

define internal i32 @recursive(i32 %n) {
; CHECK-LABEL: recursive:
; CHECK: addi sp, sp, -[[#]]
; CHECK: lui [[LIMIT:[a-z0-9]+]], %hi(hetStackLimit)
; CHECK: bltu sp, [[LIMIT]], [[FULL:.*]]
; CHECK: call plain
; CHECK: [[FULL]]:
; CHECK: call het_core_overflow
  %last = icmp eq i32 %n, 0
  br i1 %last, label %end, label %more
more:
  %next = sub i32 %n, 1
  %a = call i32 @plain(i32 %next)
  %b = call i32 @recursive(i32 %a)
  %c = add i32 %b, %n
  br label %end
end:
  %result = phi i32 [ 1, %0 ], [ %c, %more ]
  ret i32 %result
}

define internal i32 @pointed(i32 %n) {
; CHECK-LABEL: pointed:
; CHECK: hetStackLimit
  ret i32 %n
}

define internal i32 @plain(i32 %n) noinline {
; CHECK-LABEL: plain:
; CHECK-NOT: hetStackLimit
  %here = alloca [400 x i8]
  call void @use(ptr %here)
  ret i32 %n
}

; 4096 are no data, 1000 the library's, 16 the frame of @recursive and 416 that of @plain.
; CHECK: # limit 5528
