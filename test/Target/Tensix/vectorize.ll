; A kernel that adds words, behind a guard, as code that pushes the vector unit's.
; REQUIRES: tensix-pass
; RUN: tensix-pass vectorize %s | FileCheck %s

declare i32 @het_vector_x() nounwind willreturn memory(none)

; The entry goes over the block's rows; a row says how many of its threads are done.
; CHECK-LABEL: define i32 @het_tensix_run
; CHECK: call void @het_vector_start()
; CHECK-DAG: call i32 @llvm.umin.i32(i32 %{{.*}}, i32 256)
; CHECK-DAG: call i32 @__het_vector_row(
; CHECK-DAG: ret i32 -1
define i32 @het_tensix_run(ptr addrspace(5) %block, i32 %pc) {
  %x = call i32 @het_vector_x()
  %n = load i32, ptr addrspace(5) %block
  %live = icmp slt i32 %x, %n
  br i1 %live, label %body, label %end
body:
  %i = sext i32 %x to i64
  %a = inttoptr i64 4294967296 to ptr addrspace(1)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %v = load i32, ptr addrspace(1) %p
  %w = add i32 %v, %n
  store i32 %w, ptr addrspace(1) %p
  br label %end
end:
  ret i32 -1
}

; CHECK-LABEL: define internal i32 @__het_vector_row(
; CHECK: call void @het_vector_load(i64 %{{.*}}, i32 %{{.*}}, i32 0)
; Where addresses wrap around, word by word.
; CHECK: call i32 @het_vector_stage()
; CHECK: call void @het_vector_fill(i32 %{{.*}}, i32 0)
; A step for every 32 threads: SETRWC with its row, two SFPLOADI of what threads share into
; L0; SFPLOAD L1, SFPIADD L1 = L0 + L1 and SFPSTORE L1, each turned left by two bits; then Dst rests (SFPNOP).
; CHECK: vector.step:
; CHECK: or i32 %{{.*}}, 922746884
; CHECK: or i32 %{{.*}}, 1895825408
; CHECK: or i32 %{{.*}}, 1896480768
; CHECK: call void asm sideeffect "\09.4byte 0xC0500001\0A\09.4byte 0xE4000051\0A\09.4byte 0xC8500041\0A\09.4byte 0x3C000002\0A
; CHECK: call void @het_vector_store(i64 %{{.*}}, i32 %{{.*}}, i32 1)
; Where the guard's first and last thread differ, those between are asked.
; CHECK: guard.count:
; CHECK: guard.thread:
