/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions that a tool can be told of, by the names that programs call: each is a load,
 * a test and a jump to the function itself, until a tool has set a table of others
 * (ToolInterface.h). All registers that hold arguments are kept. */

  .bss
  .balign 8
  .hidden hetApiHooks
  .globl hetApiHooks
hetApiHooks:
  .zero 8

  .section .data.rel.ro, "aw", @progbits
  .balign 8
  .hidden hetApiFunctions
  .globl hetApiFunctions
hetApiFunctions:

.macro entry name
  .section .data.rel.ro, "aw", @progbits
  .quad _hetApi_\name
  .text
  .balign 16
  .globl \name
  .type \name, @function
\name:
  endbr64
  movq hetApiHooks(%rip), %r11
  testq %r11, %r11
  jne 1f
2:
  jmp _hetApi_\name
1:
  movq 8*\@(%r11), %r11
  testq %r11, %r11
  je 2b
  jmp *%r11
  .size \name, . - \name
.endm

#define HET_HOOKED_RUNTIME(name, version, number, parameters, arguments) entry name
#define HET_HOOKED_RUNTIME_PLAIN(name, version, number) entry name
#define HET_HOOKED_DRIVER(name, number, parameters, arguments) entry name
#define HET_HOOKED_DRIVER_PLAIN(name, number) entry name
#include "HookedFunctions.def"

  .section .note.GNU-stack, "", @progbits
