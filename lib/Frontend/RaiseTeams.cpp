// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raises barriers, fences and team operations.

#include "GridDependencies.h"
#include "Raise.h"

using namespace het;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Barriers and fences
//===----------------------------------------------------------------------===//

/// Why a barrier's number or count cannot be, where they are constants.
static std::optional<std::string> problemOf(std::optional<int64_t> number,
                                            std::optional<int64_t> count) {
  if (number && static_cast<uint32_t>(*number) > 15)
    return "the barrier's number: found " +
           std::to_string(static_cast<uint32_t>(*number)) + ", expected 0 to 15";
  uint32_t threads = count.value_or(ir::teamSize);
  if (threads == 0 || threads % ir::teamSize != 0)
    return "the barrier's count: found " + std::to_string(threads) +
           ", expected a multiple of " + std::to_string(ir::teamSize);
  return std::nullopt;
}

/// `isAligned`: the lanes of a team come together.
static void markAligned(Operation *barrier, bool isAligned) {
  if (isAligned)
    barrier->setAttr(ir::alignedAttrName, UnitAttr::get(barrier->getContext()));
}

/// (number, and if `hasCount` the count)
static RaiseHandler barrier(bool isAligned, bool hasCount) {
  return [=](RaisedCall &call) -> RaiseResult {
    std::optional<int64_t> number = call.constantArgument(0);
    if (auto problem =
            problemOf(number, hasCount ? call.constantArgument(1) : std::nullopt))
      return *problem;
    Value count = hasCount ? call.arguments[1] : Value();
    if (number)
      markAligned(ir::BarrierOp::create(call.builder, *number, count), isAligned);
    else
      markAligned(ir::NamedBarrierOp::create(call.builder, call.arguments[0], count),
                  isAligned);
    return Value();
  };
}

static RaiseHandler barrierArrive(bool isAligned) {
  return [=](RaisedCall &call) -> RaiseResult {
    if (auto problem = problemOf(call.constantArgument(0), call.constantArgument(1)))
      return *problem;
    markAligned(
        ir::BarrierArriveOp::create(call.builder, call.arguments[0], call.arguments[1]),
        isAligned);
    return Value();
  };
}

static RaiseHandler barrierReduce(ir::BarrierReduceKind kind, bool isAligned) {
  return [=](RaisedCall &call) -> RaiseResult {
    if (call.arguments.size() != 2 || call.constantArgument(0) != 0)
      return std::string("only barrier 0 over the whole block is supported");
    auto &b = call.builder;
    auto reduction =
        ir::BarrierReduceOp::create(b, b.getI32Type(), kind, call.predicate(1));
    markAligned(reduction, isAligned);
    Value result = reduction;
    if (call.type().isInteger(32))
      return result;
    return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, result, call.constant(0))
        .getResult();
  };
}

static RaiseHandler fence(ir::FenceScope scope) {
  return [=](RaisedCall &call) -> RaiseResult {
    ir::FenceOp::create(call.builder, scope);
    return Value();
  };
}

static RaiseResult gridBarrier(RaisedCall &call) {
  ir::GridBarrierOp::create(call.builder, /*cluster=*/false);
  return Value();
}

static RaiseResult clusterArrive(RaisedCall &call) {
  ir::ClusterArriveOp::create(call.builder);
  return Value();
}

static RaiseResult clusterWait(RaisedCall &call) {
  ir::GridBarrierOp::create(call.builder, /*cluster=*/true);
  return Value();
}

static RaiseResult waitForGrids(RaisedCall &call) {
  ir::GridDependencyWaitOp::create(call.builder);
  return Value();
}

static RaiseResult triggerGrids(RaisedCall &call) {
  ir::GridDependencyTriggerOp::create(call.builder);
  return Value();
}

static RaiseResult teamSync(RaisedCall &call) {
  ir::TeamSyncOp::create(call.builder, call.arguments[0]);
  return Value();
}

static void addOrder(RaiseTable &table) {
  for (bool isAligned : {true, false}) {
    std::string prefix = "llvm.nvvm.barrier.cta.";
    std::string form = isAligned ? ".aligned" : "";
    table[prefix + "sync" + form + ".all"] = barrier(isAligned, false);
    table[prefix + "sync" + form + ".count"] = barrier(isAligned, true);
    table[prefix + "arrive" + form + ".count"] = barrierArrive(isAligned);
    for (auto [name, kind] : {std::pair("and", ir::BarrierReduceKind::And),
                              std::pair("or", ir::BarrierReduceKind::Or),
                              std::pair("popc", ir::BarrierReduceKind::Count)})
      table[prefix + "red." + name + form + ".all"] = barrierReduce(kind, isAligned);
  }
  table["__het_grid_barrier"] = gridBarrier;
  table[gridWaitFunction] = waitForGrids;
  table[gridTriggerFunction] = triggerGrids;
  table["__het_cluster_arrive"] = clusterArrive;
  table["__het_cluster_wait"] = clusterWait;
  for (const char *form : {"", ".aligned"}) {
    const std::string prefix = "llvm.nvvm.barrier.cluster.";
    table[prefix + "arrive" + form] = clusterArrive;
    table[prefix + "arrive.relaxed" + form] = clusterArrive;
    table[prefix + "wait" + form] = clusterWait;
  }
  table["llvm.nvvm.bar.warp.sync"] = teamSync;
  table["llvm.nvvm.membar.cta"] = fence(ir::FenceScope::Block);
  table["llvm.nvvm.membar.gl"] = fence(ir::FenceScope::Device);
  table["llvm.nvvm.membar.sys"] = fence(ir::FenceScope::System);
}

//===----------------------------------------------------------------------===//
// Votes, matches, reductions
//===----------------------------------------------------------------------===//

static RaiseHandler vote(ir::VoteKind kind) {
  return [=](RaisedCall &call) -> RaiseResult {
    auto &b = call.builder;
    Value result =
        ir::VoteOp::create(b, b.getI1Type(), kind, call.arguments[0], call.predicate(1));
    return call.fromPredicate(result);
  };
}

static RaiseResult ballot(RaisedCall &call) {
  return ir::BallotOp::create(call.builder, call.builder.getI32Type(), call.arguments[0],
                              call.predicate(1))
      .getResult();
}

static RaiseResult activeMask(RaisedCall &call) {
  return ir::ActiveMaskOp::create(call.builder, call.builder.getI32Type()).getResult();
}

static RaiseHandler match(ir::MatchKind kind) {
  return [=](RaisedCall &call) -> RaiseResult {
    auto &b = call.builder;
    auto op = ir::MatchOp::create(b, b.getI32Type(), b.getI1Type(), kind,
                                  call.arguments[0], call.arguments[1]);
    if (isa<LLVM::LLVMStructType>(call.type()))
      return call.pack(op.getLanes(), op.getAll());
    return op.getLanes();
  };
}

/// The intrinsic takes the value first and the mask second.
static RaiseHandler reduce(ir::ReduceKind kind) {
  return [=](RaisedCall &call) -> RaiseResult {
    return ir::TeamReduceOp::create(call.builder, call.type(), kind, call.arguments[1],
                                    call.arguments[0])
        .getResult();
  };
}

static void addVotes(RaiseTable &table) {
  table["llvm.nvvm.vote.all.sync"] = vote(ir::VoteKind::All);
  table["llvm.nvvm.vote.any.sync"] = vote(ir::VoteKind::Any);
  table["llvm.nvvm.vote.uni.sync"] = vote(ir::VoteKind::Uni);
  table["llvm.nvvm.vote.ballot.sync"] = ballot;
  table["llvm.nvvm.activemask"] = activeMask;
  for (const char *width : {"i32", "i64"})
    for (const char *pair : {"", "p"}) {
      std::string suffix = std::string(".sync.") + width + pair;
      table["llvm.nvvm.match.any" + suffix] = match(ir::MatchKind::Any);
      table["llvm.nvvm.match.all" + suffix] = match(ir::MatchKind::All);
    }
  for (auto [name, kind] :
       {std::pair("add", ir::ReduceKind::Add), std::pair("min", ir::ReduceKind::Min),
        std::pair("max", ir::ReduceKind::Max), std::pair("umin", ir::ReduceKind::UMin),
        std::pair("umax", ir::ReduceKind::UMax), std::pair("and", ir::ReduceKind::And),
        std::pair("or", ir::ReduceKind::Or), std::pair("xor", ir::ReduceKind::Xor)})
    table[std::string("llvm.nvvm.redux.sync.") + name] = reduce(kind);
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// `synchronous`: the first argument is the mask; before Volta there was none,
/// and all lanes took part.
static RaiseHandler shuffle(ir::ShuffleKind kind, bool synchronous) {
  return [=](RaisedCall &call) -> RaiseResult {
    unsigned first = synchronous;
    Value mask = synchronous ? call.arguments[0] : call.constant(-1);
    Value value = call.arguments[first];
    auto &b = call.builder;
    auto op = ir::ShuffleOp::create(b, value.getType(), b.getI1Type(), kind, mask, value,
                                    call.arguments[first + 1], call.arguments[first + 2]);
    if (isa<LLVM::LLVMStructType>(call.type()))
      return call.pack(op.getResult(), op.getInRange());
    return op.getResult();
  };
}

static void addShuffles(RaiseTable &table) {
  for (auto [name, kind] :
       {std::pair("idx", ir::ShuffleKind::Idx), std::pair("up", ir::ShuffleKind::Up),
        std::pair("down", ir::ShuffleKind::Down),
        std::pair("bfly", ir::ShuffleKind::Xor)})
    for (const char *type : {".i32", ".f32", ".i32p", ".f32p"}) {
      table[std::string("llvm.nvvm.shfl.sync.") + name + type] = shuffle(kind, true);
      table[std::string("llvm.nvvm.shfl.") + name + type] = shuffle(kind, false);
    }
}

void het::addTeamRaises(RaiseTable &table) {
  addOrder(table);
  addVotes(table);
  addShuffles(table);
  addMatrixRaises(table);
}
