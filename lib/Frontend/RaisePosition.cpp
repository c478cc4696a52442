// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Special registers: where a thread stands, and clocks.

#include "Raise.h"

using namespace het;
using namespace mlir;

template <typename Op> static RaiseHandler position(ir::Dim dim) {
  return [=](RaisedCall &call) -> RaiseResult {
    return Op::create(call.builder, call.type(), dim).getResult();
  };
}

template <typename Op> static RaiseHandler index() {
  return [](RaisedCall &call) -> RaiseResult {
    return Op::create(call.builder, call.type()).getResult();
  };
}

static RaiseHandler clockOf(ir::ClockKind kind) {
  return [=](RaisedCall &call) -> RaiseResult {
    return ir::ClockOp::create(call.builder, call.type(), kind).getResult();
  };
}

/// How many teams a block has: its threads divided by 32, rounded up.
static RaiseResult teamCount(RaisedCall &call) {
  auto &b = call.builder;
  Value threads = ir::BlockDimOp::create(b, call.type(), ir::Dim::X);
  for (ir::Dim dim : {ir::Dim::Y, ir::Dim::Z})
    threads =
        LLVM::MulOp::create(b, threads, ir::BlockDimOp::create(b, call.type(), dim));
  Value rounded = LLVM::AddOp::create(b, threads, call.constant(ir::teamSize - 1));
  return LLVM::LShrOp::create(b, rounded, call.constant(5)).getResult();
}

/// Masks of the lanes before, behind and at this one.
static RaiseHandler laneMask(bool below, bool self, bool above) {
  return [=](RaisedCall &call) -> RaiseResult {
    auto &b = call.builder;
    Value lane = ir::LaneIdOp::create(b, call.type());
    Value own = LLVM::ShlOp::create(b, call.constant(1), lane);
    Value before = LLVM::SubOp::create(b, own, call.constant(1));
    if (!below && !above)
      return own;
    // The lanes up to a border; those above are the others.
    bool upToSelf = below == self;
    Value border =
        upToSelf ? Value(LLVM::OrOp::create(b, before, own).getResult()) : before;
    if (below)
      return border;
    return LLVM::XOrOp::create(b, border, call.constant(-1)).getResult();
  };
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

template <typename Op> static Value sizeOf(RaisedCall &call, ir::Dim dim) {
  return Op::create(call.builder, call.builder.getI32Type(), dim);
}

static Value indexInCluster(RaisedCall &call, ir::Dim dim) {
  return LLVM::URemOp::create(call.builder, sizeOf<ir::BlockIdOp>(call, dim),
                              sizeOf<ir::ClusterDimOp>(call, dim));
}

/// The index of a cluster, or how many there are.
template <typename Op> static RaiseHandler inClusters(ir::Dim dim) {
  return [=](RaisedCall &call) -> RaiseResult {
    return LLVM::UDivOp::create(call.builder, sizeOf<Op>(call, dim),
                                sizeOf<ir::ClusterDimOp>(call, dim))
        .getResult();
  };
}

static RaiseResult rankInCluster(RaisedCall &call) {
  auto &b = call.builder;
  Value rank = indexInCluster(call, ir::Dim::Z);
  for (ir::Dim dim : {ir::Dim::Y, ir::Dim::X})
    rank = LLVM::AddOp::create(
        b, LLVM::MulOp::create(b, rank, sizeOf<ir::ClusterDimOp>(call, dim)),
        indexInCluster(call, dim));
  return rank;
}

static RaiseResult blocksInCluster(RaisedCall &call) {
  Value blocks = sizeOf<ir::ClusterDimOp>(call, ir::Dim::X);
  for (ir::Dim dim : {ir::Dim::Y, ir::Dim::Z})
    blocks =
        LLVM::MulOp::create(call.builder, blocks, sizeOf<ir::ClusterDimOp>(call, dim));
  return blocks;
}

static RaiseResult isClusterGiven(RaisedCall &call) {
  auto &b = call.builder;
  Value given = ir::ClusterGivenOp::create(b, b.getI32Type());
  if (call.type().isInteger(32))
    return given;
  return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, given, call.constant(0))
      .getResult();
}

static void addClusterRaises(RaiseTable &table) {
  const std::string prefix = "llvm.nvvm.read.ptx.sreg.";
  for (auto [dim, letter] : {std::pair(ir::Dim::X, "x"), std::pair(ir::Dim::Y, "y"),
                             std::pair(ir::Dim::Z, "z")}) {
    const std::string name = std::string(".") + letter;
    table["__het_cluster_dim_" + std::string(letter)] = position<ir::ClusterDimOp>(dim);
    table[prefix + "cluster.nctaid" + name] = position<ir::ClusterDimOp>(dim);
    table[prefix + "cluster.ctaid" + name] = [dim =
                                                  dim](RaisedCall &call) -> RaiseResult {
      return indexInCluster(call, dim);
    };
    table[prefix + "clusterid" + name] = inClusters<ir::BlockIdOp>(dim);
    table[prefix + "nclusterid" + name] = inClusters<ir::GridDimOp>(dim);
  }
  table[prefix + "cluster.ctarank"] = rankInCluster;
  table[prefix + "cluster.nctarank"] = blocksInCluster;
  table["__het_cluster_block_rank"] = rankInCluster;
  table["__het_cluster_blocks"] = blocksInCluster;
  table["__het_cluster_given"] = isClusterGiven;
  table["llvm.nvvm.is_explicit_cluster"] = isClusterGiven;
}

void het::addPositionRaises(RaiseTable &table) {
  addClusterRaises(table);
  const std::string prefix = "llvm.nvvm.read.ptx.sreg.";
  for (auto [dim, name] : {std::pair(ir::Dim::X, ".x"), std::pair(ir::Dim::Y, ".y"),
                           std::pair(ir::Dim::Z, ".z")}) {
    table[prefix + "tid" + name] = position<ir::ThreadIdOp>(dim);
    table[prefix + "ntid" + name] = position<ir::BlockDimOp>(dim);
    table[prefix + "ctaid" + name] = position<ir::BlockIdOp>(dim);
    table[prefix + "nctaid" + name] = position<ir::GridDimOp>(dim);
  }
  table[prefix + "laneid"] = index<ir::LaneIdOp>();
  table[prefix + "warpid"] = index<ir::TeamIdOp>();
  table[prefix + "warpsize"] = index<ir::TeamSizeOp>();
  table["__het_cooperative"] = index<ir::CooperativeOp>();
  table[prefix + "nwarpid"] = teamCount;
  table[prefix + "lanemask.eq"] = laneMask(false, true, false);
  table[prefix + "lanemask.lt"] = laneMask(true, false, false);
  table[prefix + "lanemask.le"] = laneMask(true, true, false);
  table[prefix + "lanemask.gt"] = laneMask(false, false, true);
  table[prefix + "lanemask.ge"] = laneMask(false, true, true);
  table[prefix + "clock"] = clockOf(ir::ClockKind::Cycles32);
  table[prefix + "clock64"] = clockOf(ir::ClockKind::Cycles64);
  table[prefix + "globaltimer"] = clockOf(ir::ClockKind::Nanoseconds);
}
