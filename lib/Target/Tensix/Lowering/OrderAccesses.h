// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wormhole's cores let a load overtake a store to the same word if they begin at
// different bytes (tt-isa-documentation,
// WormholeB0/TensixTile/BabyRISCV/MemoryOrdering.md).

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_ORDERACCESSES_H
#define HET_LIB_TARGET_TENSIX_LOWERING_ORDERACCESSES_H

namespace llvm {
class Pass;
}

namespace het::tensix {

/// Over machine code with its registers, before branches are placed.
llvm::Pass *createOrderAccesses();

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_ORDERACCESSES_H
