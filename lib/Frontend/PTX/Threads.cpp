// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads with each other, control, and others (PTX ISA, Parallel Synchronization and
// Communication Instructions; Control Flow Instructions; Miscellaneous Instructions).

#include "../GridDependencies.h"
#include "../ThreadExits.h"
#include "Emitter.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace het::ptx;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// `bar` is `barrier` of a team that comes together.
static bool isAligned(const Emitter &e) {
  return e.instruction.opcode == "bar" || e.has("aligned");
}

void het::ptx::emitBarrierSync(Emitter &e) {
  SmallVector<Value *> operands;
  for (unsigned i = 0; i < e.count(); ++i)
    operands.push_back(e.bits(i, 32));
  const bool hasCount = operands.size() > 1;
  Intrinsic::ID id;
  if (isAligned(e))
    id = hasCount ? Intrinsic::nvvm_barrier_cta_sync_aligned_count
                  : Intrinsic::nvvm_barrier_cta_sync_aligned_all;
  else
    id = hasCount ? Intrinsic::nvvm_barrier_cta_sync_count
                  : Intrinsic::nvvm_barrier_cta_sync_all;
  e.b.CreateIntrinsic(id, operands);
}

void het::ptx::emitBarrierArrival(Emitter &e) {
  e.b.CreateIntrinsic(isAligned(e) ? Intrinsic::nvvm_barrier_cta_arrive_aligned_count
                                   : Intrinsic::nvvm_barrier_cta_arrive_count,
                      {e.bits(0, 32), e.bits(1, 32)});
}

void het::ptx::emitClusterArrive(Emitter &e) {
  e.b.CreateIntrinsic(Intrinsic::nvvm_barrier_cluster_arrive, {});
}

void het::ptx::emitClusterWait(Emitter &e) {
  e.b.CreateIntrinsic(Intrinsic::nvvm_barrier_cluster_wait, {});
}

void het::ptx::emitGridDependency(Emitter &e) {
  FunctionCallee callee = e.body.module().getOrInsertFunction(
      e.has("wait") ? gridWaitFunction : gridTriggerFunction,
      FunctionType::get(e.b.getVoidTy(), false));
  cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
  e.b.CreateCall(callee);
}

void het::ptx::emitBarrierReduce(Emitter &e) {
  if (e.count() > 3)
    return e.fail("a reduction over a part of the block is not supported yet");
  const bool aligned = isAligned(e);
  Intrinsic::ID id;
  if (e.has("popc"))
    id = aligned ? Intrinsic::nvvm_barrier_cta_red_popc_aligned_all
                 : Intrinsic::nvvm_barrier_cta_red_popc_all;
  else if (e.has("and"))
    id = aligned ? Intrinsic::nvvm_barrier_cta_red_and_aligned_all
                 : Intrinsic::nvvm_barrier_cta_red_and_all;
  else
    id = aligned ? Intrinsic::nvvm_barrier_cta_red_or_aligned_all
                 : Intrinsic::nvvm_barrier_cta_red_or_all;
  e.result(e.b.CreateIntrinsic(id, {e.bits(1, 32), e.predicate(2)}));
}

void het::ptx::emitTeamSync(Emitter &e) {
  e.b.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {e.bits(0, 32)});
}

//===----------------------------------------------------------------------===//
// Teams
//===----------------------------------------------------------------------===//

static Intrinsic::ID shuffleOf(const Emitter &e) {
  if (e.has("up"))
    return Intrinsic::nvvm_shfl_sync_up_i32p;
  if (e.has("down"))
    return Intrinsic::nvvm_shfl_sync_down_i32p;
  return e.has("bfly") ? Intrinsic::nvvm_shfl_sync_bfly_i32p
                       : Intrinsic::nvvm_shfl_sync_idx_i32p;
}

/// d|p, value, source lane, clamp[, mask]; before Volta all lanes took part.
void het::ptx::emitShuffle(Emitter &e) {
  Value *mask = e.has("sync") ? e.bits(4, 32) : e.b.getInt32(-1);
  Value *both = e.b.CreateIntrinsic(shuffleOf(e),
                                    {mask, e.bits(1, 32), e.bits(2, 32), e.bits(3, 32)});
  const Operand &place = e.operand(0);
  const bool isPair = place.kind == Operand::Kind::Pair;
  e.result(isPair ? place.parts[0] : place, e.b.CreateExtractValue(both, 0));
  if (isPair)
    e.result(place.parts[1], e.b.CreateExtractValue(both, 1));
}

void het::ptx::emitVote(Emitter &e) {
  Intrinsic::ID id = Intrinsic::nvvm_vote_uni_sync;
  if (e.has("all"))
    id = Intrinsic::nvvm_vote_all_sync;
  else if (e.has("any"))
    id = Intrinsic::nvvm_vote_any_sync;
  e.result(e.b.CreateIntrinsic(id, {e.bits(2, 32), e.predicate(1)}));
}

void het::ptx::emitBallot(Emitter &e) {
  e.result(e.b.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync,
                               {e.bits(2, 32), e.predicate(1)}));
}

void het::ptx::emitMatch(Emitter &e) {
  const bool isWide = e.type().bits == 64;
  Value *value = e.source(1), *mask = e.bits(2, 32);
  if (e.has("any"))
    return e.result(e.b.CreateIntrinsic(isWide ? Intrinsic::nvvm_match_any_sync_i64
                                               : Intrinsic::nvvm_match_any_sync_i32,
                                        {mask, value}));
  Value *both = e.b.CreateIntrinsic(isWide ? Intrinsic::nvvm_match_all_sync_i64p
                                           : Intrinsic::nvvm_match_all_sync_i32p,
                                    {mask, value});
  const Operand &place = e.operand(0);
  const bool isPair = place.kind == Operand::Kind::Pair;
  e.result(isPair ? place.parts[0] : place, e.b.CreateExtractValue(both, 0));
  if (isPair)
    e.result(place.parts[1], e.b.CreateExtractValue(both, 1));
}

void het::ptx::emitActiveMask(Emitter &e) {
  e.result(e.b.CreateIntrinsic(Intrinsic::nvvm_activemask, {}));
}

void het::ptx::emitTeamReduce(Emitter &e) {
  const bool isSigned = e.type().isSigned();
  Intrinsic::ID id = Intrinsic::nvvm_redux_sync_xor;
  if (e.has("add"))
    id = Intrinsic::nvvm_redux_sync_add;
  else if (e.has("min"))
    id = isSigned ? Intrinsic::nvvm_redux_sync_min : Intrinsic::nvvm_redux_sync_umin;
  else if (e.has("max"))
    id = isSigned ? Intrinsic::nvvm_redux_sync_max : Intrinsic::nvvm_redux_sync_umax;
  else if (e.has("and"))
    id = Intrinsic::nvvm_redux_sync_and;
  else if (e.has("or"))
    id = Intrinsic::nvvm_redux_sync_or;
  e.result(e.b.CreateIntrinsic(id, {e.source(1), e.bits(2, 32)}));
}

/// The lowest lane of the mask is the one.
void het::ptx::emitElect(Emitter &e) {
  IRBuilder<> &b = e.b;
  Value *mask = e.bits(1, 32);
  b.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {mask});
  Value *first =
      b.CreateIntrinsic(Intrinsic::cttz, {b.getInt32Ty()}, {mask, b.getFalse()});
  Value *lane = b.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  const Operand &place = e.operand(0);
  if (place.kind != Operand::Kind::Pair)
    return e.fail("operand 1 is not a register and a predicate");
  e.result(place.parts[0], first);
  e.result(place.parts[1], b.CreateICmpEQ(lane, first));
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

void het::ptx::emitBranch(Emitter &e) {
  const Symbol *symbol = e.body.find(e.operand(0).name);
  if (!symbol || symbol->kind != Symbol::Kind::Label)
    return e.fail("'" + e.operand(0).name + "' is no label");
  e.b.CreateBr(symbol->block);
  e.body.startUnreached();
}

void het::ptx::emitExit(Emitter &e) {
  FunctionCallee marker = e.body.module().getOrInsertFunction(
      exitMarker, FunctionType::get(e.b.getVoidTy(), false));
  auto *function = cast<llvm::Function>(marker.getCallee());
  function->setDoesNotReturn();
  function->setDoesNotThrow();
  function->setConvergent();
  e.b.CreateCall(marker)->setConvergent();
  e.b.CreateUnreachable();
  e.body.startUnreached();
}

void het::ptx::emitSleep(Emitter &e) {
  e.b.CreateIntrinsic(Intrinsic::nvvm_nanosleep, {e.bits(0, 32)});
}

void het::ptx::emitTrap(Emitter &e) { e.b.CreateIntrinsic(Intrinsic::trap, {}); }
void het::ptx::emitBreakpoint(Emitter &e) {
  e.b.CreateIntrinsic(Intrinsic::debugtrap, {});
}
