/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Services (../../Support/Lowering/ServiceCode.h) in the words of this target: bitcode
 * with hetIR's pointers of 64 bits, linked into kernels before these become flat
 * addresses. LOCAL is a core's own memory.
 */
#include "../../Support/Lowering/ServiceCode.h"
#include "../TensixABI.h"

#define LOCAL __attribute__((address_space(5)))

typedef LOCAL HetTensixBlock Block;

/* Core/Start.c; does not return. */
extern void het_core_trap(Block *block, u32 fault);

static Services *servicesOf(Block *block) { return (Services *)block->services; }

void __het_tensix_trap(Block *block) {
  het_core_trap(block, HET_TENSIX_FAULT_TRAP);
}

void __het_tensix_assert(Block *block, const char *message, const char *file, u32 line,
                         const char *function) {
  u32 lane = block->currentLane, row = lane / block->blockDim[0];
  Position thread = {lane % block->blockDim[0], row % block->blockDim[1],
                     row / block->blockDim[1]};
  Position place = {block->blockId[0], block->blockId[1], block->blockId[2]};
  recordAssertion(servicesOf(block), message, file, line, function, thread, place);
  het_core_trap(block, HET_TENSIX_FAULT_ASSERT);
}

int32_t __het_tensix_printf(Block *block, const char *format, const char *arguments) {
  return recordOutput(servicesOf(block), format, arguments);
}

void __het_tensix_note_free(Block *block, u32 isFreed) {
  if (!isFreed)
    het_core_trap(block, HET_TENSIX_FAULT_FREE);
}
