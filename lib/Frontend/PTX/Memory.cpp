// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to memory and fences (PTX ISA, Data Movement and Conversion Instructions;
// Parallel Synchronization and Communication Instructions). What hints at caches or asks
// for something early means nothing here.

#include "Memory.h"
#include "Emitter.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace het::ptx;
using namespace llvm;
using PtxType = het::ptx::Type;

std::optional<AtomicOrdering> het::ptx::accessOrder(const Emitter &e) {
  if (e.has("relaxed"))
    return AtomicOrdering::Monotonic;
  if (e.has("acquire"))
    return AtomicOrdering::Acquire;
  if (e.has("release"))
    return AtomicOrdering::Release;
  if (e.has("acq_rel"))
    return AtomicOrdering::AcquireRelease;
  return std::nullopt;
}

/// The scope has the name that Clang gives it.
SyncScope::ID het::ptx::accessScope(Emitter &e, StringRef fallback) {
  const StringRef word = e.firstOf({"cta", "cluster", "gpu", "sys"});
  const StringRef name = StringSwitch<StringRef>(word)
                             .Case("cta", "block")
                             .Cases({"gpu", "cluster"}, "device")
                             .Case("sys", "")
                             .Default(fallback);
  return e.b.getContext().getOrInsertSyncScopeID(name);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

unsigned het::ptx::vectorElements(const Emitter &e) {
  const StringRef word = e.firstOf({"v2", "v4", "v8"});
  return word.empty() ? 1 : word[1] - '0';
}

static bool isVolatileAccess(const Emitter &e) {
  return e.has("volatile") || e.has("cv") || e.has("mmio") ||
         (e.body.isVolatile() && !e.has("nc"));
}

static const Operand *partsOf(Emitter &e, const Operand &operand, unsigned elements) {
  if (operand.kind != Operand::Kind::Vector)
    return elements == 1 ? &operand : nullptr;
  return operand.parts.size() == elements ? operand.parts.data() : nullptr;
}

static void fence(Emitter &e) {
  Intrinsic::ID id = Intrinsic::nvvm_membar_sys;
  if (e.has("cta"))
    id = Intrinsic::nvvm_membar_cta;
  else if (e.has("gl") || e.has("gpu") || e.has("cluster"))
    id = Intrinsic::nvvm_membar_gl;
  e.b.CreateIntrinsic(id, {});
}

namespace {

/// A load or store of several elements as single accesses of up to 16 bytes. The ISA lets
/// elements come by themselves, but GPUs do not do that, and programs count on seeing all
/// of them as one store left them: CUB passes a flag with its value so.
class WholeAccess {
public:
  WholeAccess(Emitter &e, unsigned elements, unsigned address)
      : e(e), elements(elements), bits(e.type().bits), base(e.address(address)),
        order(accessOrder(e)), isVolatile(order || isVolatileAccess(e)) {}

  unsigned step() const { return std::min(elements, std::max(1u, 128 / bits)); }
  SmallVector<Value *> load();
  void store(ArrayRef<Value *> values);

private:
  /// What is atomic has the type of an integer. There is none of 16 bytes on most
  /// devices, which load and store vectors of them at once.
  bool isAtomic() const {
    const unsigned all = step() * bits;
    return order && (step() == 1 || all == 32 || all == 64);
  }
  llvm::Type *type() const {
    if (step() == 1 || isAtomic())
      return e.integer(step() * bits);
    return FixedVectorType::get(e.integer(bits), step());
  }
  Value *place(unsigned first) const {
    return first == 0 ? base : e.b.CreatePtrAdd(base, e.b.getInt64(first * (bits / 8)));
  }
  /// Accesses of several elements are aligned as a whole.
  Align alignment(unsigned first) const {
    return commonAlignment(Align(bits / 8 * elements), first * (bits / 8));
  }
  template <class Access> void finish(Access *access) {
    if (isAtomic())
      access->setAtomic(*order, accessScope(e, ""));
    else
      access->setVolatile(isVolatile);
  }

  Emitter &e;
  unsigned elements, bits;
  Value *base;
  std::optional<AtomicOrdering> order;
  bool isVolatile;
};

} // namespace

SmallVector<Value *> WholeAccess::load() {
  SmallVector<Value *> values;
  for (unsigned first = 0; first < elements; first += step()) {
    LoadInst *load = e.b.CreateAlignedLoad(type(), place(first), alignment(first));
    finish(load);
    if (step() == 1) {
      values.push_back(load);
      continue;
    }
    Value *vector =
        e.b.CreateBitCast(load, FixedVectorType::get(e.integer(bits), step()));
    for (unsigned i = 0; i < step(); ++i)
      values.push_back(e.b.CreateExtractElement(vector, i));
  }
  if (order == AtomicOrdering::Acquire && !isAtomic())
    fence(e);
  return values;
}

void WholeAccess::store(ArrayRef<Value *> values) {
  if (order == AtomicOrdering::Release && !isAtomic())
    fence(e);
  for (unsigned first = 0; first < elements; first += step()) {
    Value *value = values[first];
    if (step() > 1) {
      value = PoisonValue::get(FixedVectorType::get(e.integer(bits), step()));
      for (unsigned i = 0; i < step(); ++i)
        value = e.b.CreateInsertElement(value, values[first + i], i);
      value = e.b.CreateBitCast(value, type());
    }
    finish(e.b.CreateAlignedStore(value, place(first), alignment(first)));
  }
}

void het::ptx::emitLoad(Emitter &e) {
  const unsigned elements = vectorElements(e);
  const Operand *parts = partsOf(e, e.operand(0), elements);
  if (!parts)
    return e.fail("operand 1 is not a vector of " + Twine(elements));
  const std::optional<AtomicOrdering> order = accessOrder(e);
  if (order == AtomicOrdering::Release || order == AtomicOrdering::AcquireRelease)
    return e.fail("a load does not release");
  // All are read before one is written, which the address may be in.
  const SmallVector<Value *> values = WholeAccess(e, elements, 1).load();
  for (unsigned i = 0; i < elements; ++i)
    e.result(parts[i], values[i], e.type().isSigned());
}

void het::ptx::emitStore(Emitter &e) {
  const unsigned elements = vectorElements(e);
  const Operand *parts = partsOf(e, e.operand(1), elements);
  if (!parts)
    return e.fail("operand 2 is not a vector of " + Twine(elements));
  SmallVector<Value *> values;
  for (unsigned i = 0; i < elements; ++i) {
    Value *value = e.narrow(parts[i], e.type());
    values.push_back(e.b.CreateBitCast(value, e.integer(e.type().bits)));
  }
  WholeAccess(e, elements, 0).store(values);
}

/// st.async: stored at once, behind which the barrier gets the bytes.
void het::ptx::emitStoreAsync(Emitter &e) {
  emitStore(e);
  completeBytes(e, 2, vectorElements(e) * e.type().bits / 8);
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

AtomicRMWInst::BinOp het::ptx::atomicOperation(const Emitter &e) {
  using Operation = AtomicRMWInst::BinOp;
  const PtxType type = e.type();
  const bool isFloat = type.isFloat(), isSigned = type.isSigned();
  const bool isBits = type.kind == PtxType::Kind::Bits;
  const StringRef name =
      e.firstOf({"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch"});
  const Operation operation =
      StringSwitch<Operation>(name)
          .Case("add", isFloat ? AtomicRMWInst::FAdd : AtomicRMWInst::Add)
          .Case("min", isSigned ? AtomicRMWInst::Min : AtomicRMWInst::UMin)
          .Case("max", isSigned ? AtomicRMWInst::Max : AtomicRMWInst::UMax)
          .Case("inc", AtomicRMWInst::UIncWrap)
          .Case("dec", AtomicRMWInst::UDecWrap)
          .Case("and", AtomicRMWInst::And)
          .Case("or", AtomicRMWInst::Or)
          .Case("xor", AtomicRMWInst::Xor)
          .Default(AtomicRMWInst::Xchg);
  const bool isOfBits = is_contained({"and", "or", "xor", "exch"}, name);
  const bool isCounter = name == "inc" || name == "dec";
  const bool isValid =
      isOfBits == isBits && (!isFloat || name == "add") &&
      (!isCounter || (type.kind == PtxType::Kind::Unsigned && type.bits == 32));
  return isValid ? operation : AtomicRMWInst::BAD_BINOP;
}

Value *het::ptx::changeElement(Emitter &e, Value *address, Value *operand) {
  const AtomicRMWInst::BinOp operation = atomicOperation(e);
  if (operation == AtomicRMWInst::BAD_BINOP) {
    e.fail("the operation has no such type");
    return nullptr;
  }
  return e.b.CreateAtomicRMW(operation, address, operand, Align(e.type().bits / 8),
                             accessOrder(e).value_or(AtomicOrdering::Monotonic),
                             accessScope(e, "device"));
}

static Value *change(Emitter &e, unsigned place) {
  return changeElement(e, e.address(place), e.source(place + 1));
}

void het::ptx::emitAtomic(Emitter &e) {
  if (Value *old = change(e, 1))
    e.result(old);
}
void het::ptx::emitReduction(Emitter &e) { change(e, 0); }

void het::ptx::emitReductionAsync(Emitter &e) {
  if (change(e, 0))
    completeBytes(e, 2, e.type().bits / 8);
}

void het::ptx::emitCompareExchange(Emitter &e) {
  const AtomicOrdering order = accessOrder(e).value_or(AtomicOrdering::Monotonic);
  Value *both = e.b.CreateAtomicCmpXchg(
      e.address(1), e.source(2), e.source(3), Align(e.type().bits / 8), order,
      AtomicCmpXchgInst::getStrongestFailureOrdering(order), accessScope(e, "device"));
  e.result(e.b.CreateExtractValue(both, 0));
}

void het::ptx::emitFence(Emitter &e) { fence(e); }

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

static Value *addressBits(Emitter &e, unsigned index, unsigned width) {
  return e.b.CreateZExtOrTrunc(e.bits(index, width), e.b.getInt64Ty());
}

void het::ptx::emitConvertAddress(Emitter &e) {
  IRBuilder<> &b = e.b;
  const unsigned space = e.space(), width = e.type().bits;
  if (space == Generic) // Global addresses are generic ones.
    return e.result(e.bits(1, width));
  Value *pointer;
  if (e.has("to")) {
    pointer = b.CreateIntToPtr(addressBits(e, 1, width), b.getPtrTy());
    pointer = b.CreateAddrSpaceCast(pointer, b.getPtrTy(space));
  } else {
    pointer = width == 32 && space == Shared
                  ? sharedFrom32(b, e.body.module(), e.bits(1, 32))
                  : b.CreateIntToPtr(addressBits(e, 1, width), b.getPtrTy(space));
    pointer = b.CreateAddrSpaceCast(pointer, b.getPtrTy());
  }
  e.result(b.CreatePtrToInt(pointer, e.integer(width)));
}

void het::ptx::emitIsSpace(Emitter &e) {
  Intrinsic::ID id = Intrinsic::nvvm_isspacep_global;
  if (e.has("shared::cluster"))
    id = Intrinsic::nvvm_isspacep_shared_cluster;
  else if (e.has("local"))
    id = Intrinsic::nvvm_isspacep_local;
  else if (e.space() == Shared)
    id = Intrinsic::nvvm_isspacep_shared;
  else if (e.space() == ConstantSpace)
    id = Intrinsic::nvvm_isspacep_const;
  Value *pointer = e.b.CreateIntToPtr(e.bits(1, 64), e.b.getPtrTy());
  e.result(e.b.CreateIntrinsic(id, {pointer}));
}

/// The generic pointer that an address in the shared memory of the cluster, or a generic
/// one, stands for.
static Value *clusterPlace(Emitter &e, unsigned index) {
  const unsigned width = e.typeCount() ? e.type().bits : 64;
  if (e.has("shared::cluster"))
    return clusterPointer(e.b, e.body.module(), e.bits(index, width));
  return e.b.CreateIntToPtr(addressBits(e, index, width), e.b.getPtrTy());
}

void het::ptx::emitMapAddress(Emitter &e) {
  FunctionCallee map =
      clusterFunction(e.body.module(), "__het_cluster_map", e.b.getPtrTy(),
                      {e.b.getPtrTy(), e.b.getInt32Ty()});
  Value *mapped = e.b.CreateCall(map, {clusterPlace(e, 1), e.bits(2, 32)});
  if (!e.has("shared::cluster"))
    return e.result(e.b.CreatePtrToInt(mapped, e.integer(e.type().bits)));
  FunctionCallee address = clusterFunction(e.body.module(), "__het_cluster_address",
                                           e.b.getInt32Ty(), e.b.getPtrTy());
  e.result(e.b.CreateZExt(e.b.CreateCall(address, mapped), e.integer(e.type().bits)));
}

void het::ptx::emitClusterRank(Emitter &e) {
  e.result(e.b.CreateIntrinsic(Intrinsic::nvvm_getctarank, {clusterPlace(e, 1)}));
}

//===----------------------------------------------------------------------===//
// Copies and hints
//===----------------------------------------------------------------------===//

void het::ptx::emitNothing(Emitter &) {}

void het::ptx::emitPolicy(Emitter &e) { e.result(e.b.getInt64(0)); }

/// The intrinsic of an asynchronous copy of whole words.
static Intrinsic::ID copyIntrinsic(uint64_t bytes, bool isGlobalOnly) {
  return isGlobalOnly  ? Intrinsic::nvvm_cp_async_cg_shared_global_16
         : bytes == 16 ? Intrinsic::nvvm_cp_async_ca_shared_global_16
         : bytes == 8  ? Intrinsic::nvvm_cp_async_ca_shared_global_8
                       : Intrinsic::nvvm_cp_async_ca_shared_global_4;
}

/// Copies `size` bytes and makes what is behind zero, at once, which is one of the orders
/// that cp.async may have.
static void copyPart(Emitter &e, Value *to, Value *from, Value *size, uint64_t bytes) {
  IRBuilder<> &b = e.b;
  llvm::Type *type = b.getIntNTy(static_cast<unsigned>(bytes * 8));
  if (bytes == 16)
    type = FixedVectorType::get(b.getInt32Ty(), 4);
  b.CreateAlignedStore(Constant::getNullValue(type), to, Align(bytes));
  size = b.CreateBinaryIntrinsic(Intrinsic::umin, size,
                                 b.getInt32(static_cast<uint32_t>(bytes)));
  BasicBlock *start = b.GetInsertBlock(), *loop = e.body.createBlock(),
             *behind = e.body.createBlock();
  b.CreateCondBr(b.CreateIsNull(size), behind, loop);
  b.SetInsertPoint(loop);
  PHINode *index = b.CreatePHI(b.getInt32Ty(), 2);
  index->addIncoming(b.getInt32(0), start);
  Value *next = b.CreateAdd(index, b.getInt32(1));
  index->addIncoming(next, loop);
  Value *distance = b.CreateZExt(index, b.getInt64Ty());
  b.CreateStore(b.CreateLoad(b.getInt8Ty(), b.CreatePtrAdd(from, distance)),
                b.CreatePtrAdd(to, distance));
  b.CreateCondBr(b.CreateICmpULT(next, size), loop, behind);
  b.SetInsertPoint(behind);
}

void het::ptx::emitCopy(Emitter &e) {
  IRBuilder<> &b = e.b;
  const uint64_t bytes = e.constant(2);
  if ((bytes != 4 && bytes != 8 && bytes != 16) || (e.has("cg") && bytes != 16))
    return e.fail("found a copy of " + Twine(bytes) +
                  " bytes, expected 4, 8 or 16 (.cg: 16)");
  Value *to = e.address(0, Shared);
  Value *from = b.CreateAddrSpaceCast(e.address(1, Generic), b.getPtrTy(Global));
  auto copyWhole = [&] {
    b.CreateIntrinsic(copyIntrinsic(bytes, e.has("cg")), {to, from});
  };
  const bool hasSize = e.count() - e.has("L2::cache_hint") > 3;
  if (!hasSize)
    return copyWhole();
  Value *size = e.bits(3, 32);
  BasicBlock *whole = e.body.createBlock(), *part = e.body.createBlock(),
             *behind = e.body.createBlock();
  b.CreateCondBr(b.CreateICmpEQ(size, b.getInt32(static_cast<uint32_t>(bytes))), whole,
                 part);
  b.SetInsertPoint(whole);
  copyWhole();
  b.CreateBr(behind);
  b.SetInsertPoint(part);
  copyPart(e, to, from, size, bytes);
  b.CreateBr(behind);
  b.SetInsertPoint(behind);
}

void het::ptx::emitCopyGroup(Emitter &e) {
  e.b.CreateIntrinsic(Intrinsic::nvvm_cp_async_commit_group, {});
}

void het::ptx::emitCopyWait(Emitter &e) {
  if (e.has("wait_all")) {
    e.b.CreateIntrinsic(Intrinsic::nvvm_cp_async_wait_all, {});
    return;
  }
  const uint64_t pending = e.constant(0);
  if (pending > INT32_MAX)
    return e.fail("found " + Twine(pending) + " groups, expected at most " +
                  Twine(INT32_MAX));
  e.b.CreateIntrinsic(Intrinsic::nvvm_cp_async_wait_group,
                      {e.b.getInt32(static_cast<uint32_t>(pending))});
}
