// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bulk copies between global and shared memory (PTX ISA, cp.async.bulk,
// cp.reduce.async.bulk). As with cp.async, all is copied at once, by the thread that
// asks, which is one of the orders that it may have; so groups of copies are complete
// when they are committed. A barrier in memory gets its bytes behind the copy.

#include "Emitter.h"
#include "Memory.h"

using namespace het::ptx;
using namespace llvm;

/// Does something for each `step` bytes of the instruction's size, its operand 3.
static void eachStep(Emitter &e, unsigned step, function_ref<void(Value *offset)> make) {
  IRBuilder<> &b = e.b;
  Value *size = b.CreateZExt(e.bits(2, 32), b.getInt64Ty());
  BasicBlock *start = b.GetInsertBlock(), *test = e.body.createBlock(),
             *round = e.body.createBlock(), *behind = e.body.createBlock();
  b.CreateBr(test);
  b.SetInsertPoint(test);
  PHINode *offset = b.CreatePHI(b.getInt64Ty(), 2);
  offset->addIncoming(b.getInt64(0), start);
  b.CreateCondBr(b.CreateICmpULT(offset, size), round, behind);
  b.SetInsertPoint(round);
  make(offset);
  offset->addIncoming(b.CreateAdd(offset, b.getInt64(step)), b.GetInsertBlock());
  b.CreateBr(test);
  b.SetInsertPoint(behind);
}

/// The copy itself. Places and sizes are multiples of 16 bytes.
static void copyBulk(Emitter &e, unsigned toSpace, unsigned fromSpace) {
  llvm::Type *unit = FixedVectorType::get(e.b.getInt32Ty(), 4);
  Value *to = e.address(0, toSpace), *from = e.address(1, fromSpace);
  eachStep(e, 16, [&](Value *offset) {
    Value *loaded =
        e.b.CreateAlignedLoad(unit, e.b.CreatePtrAdd(from, offset), Align(16));
    e.b.CreateAlignedStore(loaded, e.b.CreatePtrAdd(to, offset), Align(16));
  });
}

void het::ptx::emitBulkLoad(Emitter &e) {
  copyBulk(e, Shared, e.has("global") ? Generic : Shared);
  completeBytesOf(e, 3, 2);
}

void het::ptx::emitBulkStore(Emitter &e) { copyBulk(e, Generic, Shared); }

/// Each element by itself, as an atomic operation on global memory.
void het::ptx::emitBulkReduction(Emitter &e) {
  const AtomicRMWInst::BinOp operation = atomicOperation(e);
  if (operation == AtomicRMWInst::BAD_BINOP)
    return e.fail("the operation has no such type");
  const unsigned bytes = e.type().bits / 8;
  Value *to = e.address(0, Generic), *from = e.address(1, Shared);
  eachStep(e, bytes, [&](Value *offset) {
    Value *loaded = e.b.CreateAlignedLoad(e.irType(e.type()),
                                          e.b.CreatePtrAdd(from, offset), Align(bytes));
    e.b.CreateAtomicRMW(operation, e.b.CreatePtrAdd(to, offset), loaded, Align(bytes),
                        AtomicOrdering::Monotonic,
                        e.b.getContext().getOrInsertSyncScopeID("device"));
  });
}
