// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mbarrier: barriers in shared memory (PTX ISA, mbarrier). Their 64 bits are opaque to
// programs; here they are
//
//   0..19  arrivals that the phase still waits for
//   20..39 arrivals that the next phase begins with
//   40     the phase's parity
//   41..63 bytes that the phase still waits for
//
// Each operation is one atomic addition; who brings both counts to zero alone sees that,
// and begins the next phase. Bulk copies are done at once, so the count of bytes only
// balances; others are waited for before the barrier hears of them.

#include "Emitter.h"
#include "Memory.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace het::ptx;
using namespace llvm;

static constexpr unsigned nextAt = 20, parityAt = 40, bytesAt = 41;
static constexpr uint64_t countMask = (1 << 20) - 1;

static unsigned spaceOf(const Emitter &e) { return e.space(); }

/// Who takes part: the block, or the cluster, which has the device's scope here.
static SyncScope::ID scopeOf(Emitter &e) {
  const bool isOfCluster = e.has("cluster") || e.has("shared::cluster");
  return e.b.getContext().getOrInsertSyncScopeID(isOfCluster ? "device" : "block");
}

static Value *wordOf(Emitter &e, unsigned index) {
  return e.b.CreateZExt(e.bits(index, 32), e.b.getInt64Ty());
}

void het::ptx::emitBarrierInit(Emitter &e) {
  Value *count = e.b.CreateAnd(wordOf(e, 1), countMask);
  StoreInst *store =
      e.b.CreateAlignedStore(e.b.CreateOr(count, e.b.CreateShl(count, nextAt)),
                             e.address(0, spaceOf(e)), Align(8));
  store->setAtomic(AtomicOrdering::Release, scopeOf(e));
}

/// Adds to the word and begins the next phase if nothing is awaited any more. Returns the
/// word as it was.
static Value *addTo(Emitter &e, Value *place, Value *amount) {
  IRBuilder<> &b = e.b;
  Value *old = b.CreateAtomicRMW(AtomicRMWInst::Add, place, amount, Align(8),
                                 AtomicOrdering::AcquireRelease, scopeOf(e));
  Value *now = b.CreateAdd(old, amount);
  Value *awaited = b.CreateAnd(now, countMask | ~uint64_t(0) << bytesAt);
  BasicBlock *last = e.body.createBlock(), *behind = e.body.createBlock();
  b.CreateCondBr(b.CreateIsNull(awaited), last, behind);
  b.SetInsertPoint(last);
  Value *count = b.CreateAnd(b.CreateLShr(now, nextAt), countMask);
  Value *isOdd = b.CreateAnd(b.CreateLShr(now, parityAt), 1);
  Value *flip = b.CreateSelect(b.CreateIsNull(isOdd), b.getInt64(uint64_t(1) << parityAt),
                               b.getInt64(0 - (uint64_t(1) << parityAt)));
  b.CreateAtomicRMW(AtomicRMWInst::Add, place, b.CreateAdd(count, flip), Align(8),
                    AtomicOrdering::AcquireRelease, scopeOf(e));
  b.CreateBr(behind);
  b.SetInsertPoint(behind);
  return old;
}

static Value *inBytes(Emitter &e, unsigned index) {
  return e.b.CreateShl(wordOf(e, index), bytesAt);
}

void het::ptx::emitBarrierExpect(Emitter &e) {
  addTo(e, e.address(0, spaceOf(e)), inBytes(e, 1));
}

void het::ptx::completeBytes(Emitter &e, unsigned barrier, uint64_t size) {
  addTo(e, e.address(barrier, Shared), e.b.getInt64(0 - (size << bytesAt)));
}

void het::ptx::completeBytesOf(Emitter &e, unsigned barrier, unsigned size) {
  addTo(e, e.address(barrier, Shared), e.b.CreateNeg(inBytes(e, size)));
}

void het::ptx::emitBarrierComplete(Emitter &e) {
  addTo(e, e.address(0, spaceOf(e)), e.b.CreateNeg(inBytes(e, 1)));
}

void het::ptx::emitBarrierArrive(Emitter &e) {
  IRBuilder<> &b = e.b;
  const bool isExpecting = e.has("expect_tx");
  if (isExpecting && e.count() < 3)
    return e.fail("found 2 operands, expected 3");
  Value *count = !isExpecting && e.count() > 2 ? wordOf(e, 2) : b.getInt64(1);
  Value *amount = count;
  if (e.instruction.modifiers.front() == "arrive_drop")
    amount = b.CreateAdd(amount, b.CreateShl(count, nextAt));
  amount = b.CreateNeg(amount);
  if (isExpecting)
    amount = b.CreateAdd(amount, inBytes(e, 2));
  e.result(addTo(e, e.address(1, spaceOf(e)), amount));
}

/// Whether the phase of a state, or of a parity, is over.
void het::ptx::emitBarrierTest(Emitter &e) {
  IRBuilder<> &b = e.b;
  LoadInst *word =
      b.CreateAlignedLoad(b.getInt64Ty(), e.address(1, spaceOf(e)), Align(8));
  word->setAtomic(e.has("relaxed") ? AtomicOrdering::Monotonic : AtomicOrdering::Acquire,
                  scopeOf(e));
  auto parity = [&](Value *state) {
    return b.CreateAnd(b.CreateLShr(state, parityAt), 1);
  };
  Value *expected =
      e.has("parity") ? b.CreateAnd(wordOf(e, 2), 1) : parity(e.bits(2, 64));
  e.result(b.CreateICmpNE(parity(word), expected));
}

void het::ptx::emitBarrierPending(Emitter &e) {
  e.result(e.b.CreateTrunc(e.b.CreateAnd(e.bits(1, 64), countMask), e.b.getInt32Ty()));
}

/// The thread's copies are done: it arrives. Without .noinc the count had not foreseen
/// it.
void het::ptx::emitBarrierCopied(Emitter &e) {
  e.b.CreateIntrinsic(Intrinsic::nvvm_cp_async_wait_all, {});
  if (e.has("noinc"))
    addTo(e, e.address(0, spaceOf(e)), e.b.getInt64(-1));
}
