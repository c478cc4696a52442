// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the instructions of memory share.

#ifndef HET_LIB_FRONTEND_PTX_MEMORY_H
#define HET_LIB_FRONTEND_PTX_MEMORY_H

#include "llvm/IR/Instructions.h"

namespace het::ptx {

class Emitter;

/// The operation that an atomic instruction names; BAD_BINOP if its type has none.
llvm::AtomicRMWInst::BinOp atomicOperation(const Emitter &e);

/// Tells the barrier in memory, operand `barrier`, that so many bytes have come.
void completeBytes(Emitter &e, unsigned barrier, uint64_t size);
/// The same, with the size in an operand.
void completeBytesOf(Emitter &e, unsigned barrier, unsigned size);

} // namespace het::ptx

#endif // HET_LIB_FRONTEND_PTX_MEMORY_H
