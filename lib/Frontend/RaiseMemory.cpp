// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Address spaces, cached loads, asynchronous copies, and the atomics for which
// the target has intrinsics of its own.

#include "Raise.h"

using namespace het;
using namespace mlir;

static RaiseHandler isSpace(ir::Space space) {
  return [=](RaisedCall &call) -> RaiseResult {
    return call.fromPredicate(ir::IsSpaceOp::create(
        call.builder, call.builder.getI1Type(), space, call.arguments[0]));
  };
}

//===----------------------------------------------------------------------===//
// Shared memory of a cluster
//===----------------------------------------------------------------------===//

static RaiseResult mapToCluster(RaisedCall &call) {
  return ir::ClusterMapOp::create(call.builder, call.type(), call.arguments[0],
                                  call.arguments[1])
      .getResult();
}

static Value rankOf(RaisedCall &call) {
  return ir::ClusterRankOp::create(call.builder, call.builder.getI32Type(),
                                   call.arguments[0]);
}

static RaiseResult rankInCluster(RaisedCall &call) { return rankOf(call); }

static RaiseResult isInCluster(RaisedCall &call) {
  return call.fromPredicate(LLVM::ICmpOp::create(call.builder, LLVM::ICmpPredicate::ne,
                                                 rankOf(call), call.constant(-1)));
}

static RaiseResult clusterAddress(RaisedCall &call) {
  return ir::ClusterAddressOp::create(call.builder, call.type(), call.arguments[0])
      .getResult();
}

static RaiseResult clusterPointer(RaisedCall &call) {
  return ir::ClusterPointerOp::create(call.builder, call.type(), call.arguments[0])
      .getResult();
}

static void addClusterMemory(RaiseTable &table) {
  table["__het_cluster_map"] = mapToCluster;
  table["__het_cluster_rank"] = rankInCluster;
  table["__het_cluster_address"] = clusterAddress;
  table["__het_cluster_pointer"] = clusterPointer;
  table["llvm.nvvm.mapa"] = mapToCluster;
  table["llvm.nvvm.getctarank"] = rankInCluster;
  table["llvm.nvvm.isspacep.shared.cluster"] = isInCluster;
}

/// A load through the read-only cache: (pointer, alignment).
static RaiseResult cachedLoad(RaisedCall &call) {
  unsigned alignment = call.constantArgument(1).value_or(0);
  return LLVM::LoadOp::create(call.builder, call.type(), call.arguments[0], alignment)
      .getResult();
}

/// cp.async (destination, source[, size]): a load and a store that says that it may be
/// done later.
static RaiseHandler copy(unsigned bytes, StringRef cache) {
  return [=](RaisedCall &call) -> RaiseResult {
    auto &b = call.builder;
    Type type = bytes == 16 ? Type(VectorType::get(4, b.getI32Type()))
                            : Type(b.getIntegerType(bytes * 8));
    Value destination = call.arguments[0], source = call.arguments[1];
    if (call.arguments.size() > 2)
      return std::string("a copy of a part is not supported yet");
    Value value = LLVM::LoadOp::create(b, type, source, bytes);
    auto store = LLVM::StoreOp::create(b, value, destination, bytes);
    store->setAttr(ir::copyAttrName, b.getStringAttr(cache));
    return Value();
  };
}

static RaiseResult groupCopies(RaisedCall &call) {
  ir::CopyGroupOp::create(call.builder);
  return Value();
}

/// cp.async.wait_group (pending) and .wait_all.
static RaiseResult waitForCopies(RaisedCall &call) {
  IntegerAttr pending;
  if (!call.arguments.empty()) {
    const auto count = call.constantArgument(0);
    if (!count || *count < 0 || *count > INT32_MAX)
      return std::string("the number of groups is no constant that is positive or 0");
    pending = call.builder.getI32IntegerAttr(static_cast<int32_t>(*count));
  }
  ir::CopyWaitOp::create(call.builder, pending);
  return Value();
}

/// Raises to nothing: a call that only asks for something to be done early.
static RaiseResult nothing(RaisedCall &) { return Value(); }

static RaiseHandler atomic(LLVM::AtomicBinOp kind, StringRef scope) {
  return [=](RaisedCall &call) -> RaiseResult {
    return LLVM::AtomicRMWOp::create(call.builder, kind, call.arguments[0],
                                     call.arguments[1], LLVM::AtomicOrdering::monotonic,
                                     scope)
        .getResult();
  };
}

static RaiseHandler compareExchange(StringRef scope) {
  return [=](RaisedCall &call) -> RaiseResult {
    auto &b = call.builder;
    Value pair = LLVM::AtomicCmpXchgOp::create(
        b, call.arguments[0], call.arguments[1], call.arguments[2],
        LLVM::AtomicOrdering::monotonic, LLVM::AtomicOrdering::monotonic, scope);
    return LLVM::ExtractValueOp::create(b, pair, 0).getResult();
  };
}

static void addAtomics(RaiseTable &table) {
  using Kind = LLVM::AtomicBinOp;
  static const struct {
    const char *name;
    Kind kind;
  } operations[] = {{"add.gen.i", Kind::add},       {"add.gen.f", Kind::fadd},
                    {"and.gen.i", Kind::_and},      {"or.gen.i", Kind::_or},
                    {"xor.gen.i", Kind::_xor},      {"exch.gen.i", Kind::xchg},
                    {"max.gen.i", Kind::max},       {"min.gen.i", Kind::min},
                    {"inc.gen.i", Kind::uinc_wrap}, {"dec.gen.i", Kind::udec_wrap}};
  for (auto [suffix, scope] : {std::pair(".cta", "block"), std::pair(".sys", "")}) {
    for (const auto &operation : operations)
      table[std::string("llvm.nvvm.atomic.") + operation.name + suffix] =
          atomic(operation.kind, scope);
    table[std::string("llvm.nvvm.atomic.cas.gen.i") + suffix] = compareExchange(scope);
  }
}

static void addCopies(RaiseTable &table) {
  for (unsigned bytes : {4u, 8u, 16u})
    for (const char *cache : {"ca", "cg"})
      table["llvm.nvvm.cp.async." + std::string(cache) + ".shared.global." +
            std::to_string(bytes)] = copy(bytes, cache);
  table["llvm.nvvm.cp.async.commit.group"] = groupCopies;
  table["llvm.nvvm.cp.async.wait.group"] = waitForCopies;
  table["llvm.nvvm.cp.async.wait.all"] = waitForCopies;
  for (const char *name : {"llvm.nvvm.prefetch.global.L1", "llvm.nvvm.prefetch.global.L2",
                           "llvm.nvvm.prefetch.L1", "llvm.nvvm.prefetch.L2"})
    table[name] = nothing;
}

void het::addMemoryRaises(RaiseTable &table) {
  addClusterMemory(table);
  table["llvm.nvvm.isspacep.global"] = isSpace(ir::Space::Global);
  table["llvm.nvvm.isspacep.shared"] = isSpace(ir::Space::Shared);
  table["llvm.nvvm.isspacep.const"] = isSpace(ir::Space::Constant);
  table["llvm.nvvm.isspacep.local"] = isSpace(ir::Space::Local);
  table["__het_is_grid_constant"] = isSpace(ir::Space::GridConstant);
  for (const char *kind : {"i", "f", "p"}) {
    table[std::string("llvm.nvvm.ldg.global.") + kind] = cachedLoad;
    table[std::string("llvm.nvvm.ldu.global.") + kind] = cachedLoad;
  }
  addAtomics(table);
  addCopies(table);
}
