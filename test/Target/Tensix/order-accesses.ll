; On Wormhole a load overtakes a store to its word if they begin at different bytes: parts of
; words are waited for. Blackhole's cores wait by themselves.
;
; REQUIRES: tensix-pass
; RUN: tensix-pass emit-wormhole %s | FileCheck %s --check-prefixes=CHECK,WORMHOLE
; RUN: tensix-pass emit-blackhole %s | FileCheck %s --check-prefixes=CHECK,BLACKHOLE

define i32 @het_tensix_run(ptr %p, i32 %i) {
; CHECK-LABEL: het_tensix_run:
; CHECK: sb a1, 3(a0)
; WORMHOLE-NEXT: lbu zero, 3(a0)
  %third = getelementptr i8, ptr %p, i32 3
  %byte = trunc i32 %i to i8
  store i8 %byte, ptr %third
; CHECK: sh a1, 6(a0)
; WORMHOLE-NEXT: lhu zero, 6(a0)
  %half = getelementptr i8, ptr %p, i32 6
  %short = trunc i32 %i to i16
  store i16 %short, ptr %half
; Words need nothing.
; CHECK: sw a1, 8(a0)
; CHECK-NOT: lw zero, 8(a0)
  %word = getelementptr i8, ptr %p, i32 8
  store i32 %i, ptr %word
  ret i32 0
}

define i32 @loads(ptr %p) {
; CHECK-LABEL: loads:
; WORMHOLE: addi tp, a0, 1
; WORMHOLE-NEXT: andi tp, tp, -4
; WORMHOLE-NEXT: lw zero, 0(tp)
; WORMHOLE-NEXT: lbu {{.*}}, 1(a0)
; BLACKHOLE-NOT: andi
; BLACKHOLE: lbu {{.*}}, 1(a0)
  %first = getelementptr i8, ptr %p, i32 1
  %byte = load i8, ptr %first
; A load that begins where its word does waits for its stores.
; WORMHOLE-NOT: lw zero
; CHECK: lhu {{.*}}, 4(a0)
  %half = getelementptr i8, ptr %p, i32 4
  %short = load i16, ptr %half, align 4
  %a = zext i8 %byte to i32
  %b = zext i16 %short to i32
  %sum = add i32 %a, %b
  ret i32 %sum
}

declare void @use(ptr)

define i32 @local(i32 %i) {
; The stack's pointer is aligned: one instruction is enough.
; CHECK-LABEL: local:
; WORMHOLE: lw zero, {{[0-9]*[048]}}(sp)
; WORMHOLE-NEXT: lbu a0, {{[0-9]*[13579]}}(sp)
; BLACKHOLE: lbu a0, {{[0-9]+}}(sp)
  %here = alloca [8 x i8], align 4
  call void @use(ptr %here)
  %at = getelementptr i8, ptr %here, i32 1
  %byte = load i8, ptr %at
  %wide = zext i8 %byte to i32
  ret i32 %wide
}
