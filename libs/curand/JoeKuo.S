// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initial direction numbers of Sobol sequences in 20000 dimensions, criterion D(6), by
// S. Joe and F. Y. Kuo, "Constructing Sobol Sequences with Better Two-Dimensional
// Projections", SIAM Journal on Scientific Computing 30 (5), 2008 (their file
// new-joe-kuo-6.21201). DirectionVectors.cpp says how they are packed.

  .section .rodata
  .globl hetJoeKuoNumbers
  .hidden hetJoeKuoNumbers
hetJoeKuoNumbers:
  .incbin "joe-kuo-d6.bin"
  .byte 0, 0, 0, 0, 0, 0, 0, 0
  .section .note.GNU-stack, "", @progbits
