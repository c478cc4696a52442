/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libcudart_static.a: each function of libhetrt as a jump to it. The function's address is
 * looked up at its first call, by FindRuntime.c.
 */

/* The place of the address comes in %r11, the name in %r10. All registers that hold
 * arguments are kept. */
  .text
  .hidden hetResolveStub
  .globl hetResolveStub
  .type hetResolveStub, @function
hetResolveStub:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  pushq %rax
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  pushq %r11
  subq $128, %rsp
  .irp number, 0, 1, 2, 3, 4, 5, 6, 7
  movups %xmm\number, 16*\number(%rsp)
  .endr
  movq %r10, %rdi
  call hetFindFunction
  .irp number, 0, 1, 2, 3, 4, 5, 6, 7
  movups 16*\number(%rsp), %xmm\number
  .endr
  addq $128, %rsp
  popq %r11
  movq %rax, (%r11)
  movq %rax, %r11
  popq %r9
  popq %r8
  popq %rcx
  popq %rdx
  popq %rsi
  popq %rdi
  popq %rax
  popq %rbp
  .cfi_def_cfa %rsp, 8
  jmp *%r11
  .cfi_endproc
  .size hetResolveStub, . - hetResolveStub

/* A function, and what the runtime calls it. Weak: a program may have something of its own
 * under a name that it does not take from us, such as its own table of the driver's
 * functions. Protected: a library that holds these functions calls its own, whatever else
 * the process has loaded. */
.macro stub name, function
  .section .rodata.str1.1, "aMS", @progbits, 1
1:
  .asciz "\function"
  .bss
  .balign 8
2:
  .zero 8
  .text
  .balign 16
  .weak \name
  .protected \name
  .type \name, @function
\name:
  endbr64
  movq 2b(%rip), %r11
  testq %r11, %r11
  je 3f
  jmp *%r11
3:
  leaq 1b(%rip), %r10
  leaq 2b(%rip), %r11
  jmp hetResolveStub
  .size \name, . - \name
.endm

#include "Functions.inc"

  .section .note.GNU-stack, "", @progbits
