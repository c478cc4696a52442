// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the instructions of memory share.

#ifndef HET_LIB_FRONTEND_PTX_MEMORY_H
#define HET_LIB_FRONTEND_PTX_MEMORY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace het::ptx {

class Emitter;

/// The order that the modifiers name.
std::optional<llvm::AtomicOrdering> accessOrder(const Emitter &e);
/// The scope that they name, or `fallback`.
llvm::SyncScope::ID accessScope(Emitter &e, llvm::StringRef fallback);
/// How many elements an access has: 1 without `.v2` and its kin.
unsigned vectorElements(const Emitter &e);
/// Does the instruction's atomic operation on one element; returns it as it was. Null,
/// with a fault, if the operation has no such type.
llvm::Value *changeElement(Emitter &e, llvm::Value *address, llvm::Value *operand);

/// The operation that an atomic instruction names; BAD_BINOP if its type has none.
llvm::AtomicRMWInst::BinOp atomicOperation(const Emitter &e);

/// Tells the barrier in memory, operand `barrier`, that so many bytes have come.
void completeBytes(Emitter &e, unsigned barrier, uint64_t size);
/// The same, with the size in an operand.
void completeBytesOf(Emitter &e, unsigned barrier, unsigned size);

} // namespace het::ptx

#endif // HET_LIB_FRONTEND_PTX_MEMORY_H
