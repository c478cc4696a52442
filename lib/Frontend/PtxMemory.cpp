// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX instructions that access memory: atom and red, ld and st of one value. Their names
// are read part by part, since parts may be left out and compilers take them in several
// orders. Source: PTX ISA, Parallel Synchronization and Communication Instructions; Data
// Movement Instructions.

#include "InlineAssembly.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"

using namespace het;
using namespace llvm;

namespace {

/// What a name says.
struct Access {
  enum class Kind { Atomic, Reduction, Load, Store };
  Kind kind = Kind::Load;
  std::optional<AtomicOrdering> order; ///< Nothing: as the kind has it.
  std::optional<StringRef> scope;
  StringRef operation; ///< Of atom and red.
  char type = 0;       ///< 'b', 'u', 's', 'f'
  unsigned bits = 0;
  bool isVolatile = false;
  bool isReadOnly = false; ///< .nc

  bool isAtomic() const { return kind == Kind::Atomic || kind == Kind::Reduction; }
};

} // namespace

/// Takes a part of a name in. False if it has no meaning here.
static bool addPart(Access &access, StringRef part) {
  using Order = AtomicOrdering;
  auto order = StringSwitch<std::optional<Order>>(part)
                   .Case("relaxed", Order::Monotonic)
                   .Case("acquire", Order::Acquire)
                   .Case("release", Order::Release)
                   .Case("acq_rel", Order::AcquireRelease)
                   .Default(std::nullopt);
  if (order) {
    const bool first = !access.order;
    access.order = order;
    return first;
  }
  auto scope = StringSwitch<std::optional<StringRef>>(part)
                   .Case("cta", "block")
                   .Cases({"gpu", "cluster"}, "device")
                   .Case("sys", "")
                   .Default(std::nullopt);
  if (scope) {
    const bool first = !access.scope;
    access.scope = scope;
    return first;
  }
  if (part == "global" || part == "weak")
    return true;
  if (!access.isAtomic()) {
    access.isVolatile |= part == "volatile" || part == "cv";
    access.isReadOnly |= part == "nc";
    // Hints for caches.
    if (is_contained({"volatile", "nc", "ca", "cg", "cs", "cv", "lu", "wb", "wt"},
                     part) ||
        part.starts_with("L1::") || part.starts_with("L2::"))
      return true;
  } else if (access.operation.empty() && is_contained({"add", "min", "max", "inc", "dec",
                                                       "and", "or", "xor", "exch", "cas"},
                                                      part)) {
    access.operation = part;
    return true;
  }
  if (access.type || part.size() < 2 || !StringRef("busf").contains(part.front()) ||
      part.drop_front().getAsInteger(10, access.bits))
    return false;
  access.type = part.front();
  return is_contained({8u, 16u, 32u, 64u}, access.bits);
}

static std::optional<Access> readName(StringRef name) {
  auto [kind, rest] = name.split('.');
  Access access;
  if (kind == "atom")
    access.kind = Access::Kind::Atomic;
  else if (kind == "red")
    access.kind = Access::Kind::Reduction;
  else if (kind == "st")
    access.kind = Access::Kind::Store;
  else if (kind != "ld")
    return std::nullopt;
  SmallVector<StringRef> parts;
  rest.split(parts, '.');
  if (!all_of(parts, [&](StringRef part) { return addPart(access, part); }) ||
      !access.type)
    return std::nullopt;
  return access;
}

//===----------------------------------------------------------------------===//
// Making the access
//===----------------------------------------------------------------------===//

namespace {

/// Makes one access in LLVM IR.
class AccessBuilder {
public:
  AccessBuilder(const Access &access, PtxInstruction &instruction)
      : access(access), instruction(instruction), builder(instruction.builder),
        scope(builder.getContext().getOrInsertSyncScopeID(access.scope.value_or(
            access.isAtomic() ? StringRef("device") : StringRef("")))),
        align(access.bits / 8) {}

  Value *make() {
    switch (access.kind) {
    case Access::Kind::Load:
      return load();
    case Access::Kind::Store:
      store();
      return nullptr;
    case Access::Kind::Reduction:
      change();
      return nullptr;
    case Access::Kind::Atomic:
      return access.operation == "cas" ? exchange() : change();
    }
    llvm_unreachable("unknown kind");
  }

private:
  Type *type() const {
    if (access.type == 'f' && access.bits == 32)
      return builder.getFloatTy();
    if (access.type == 'f' && access.bits == 64)
      return builder.getDoubleTy();
    return builder.getIntNTy(access.bits);
  }
  Value *address() const {
    Value *value = instruction.sources[0];
    return value->getType()->isPointerTy()
               ? value
               : builder.CreateIntToPtr(value, builder.getPtrTy());
  }
  /// A volatile statement is no more moved or repeated than the instruction would be.
  bool isVolatile() const {
    const auto *assembly = cast<InlineAsm>(instruction.call.getCalledOperand());
    return access.isVolatile || (assembly->hasSideEffects() && !access.isReadOnly);
  }

  Value *load() {
    LoadInst *load = builder.CreateAlignedLoad(type(), address(), align,
                                               !access.order && isVolatile());
    if (access.order)
      load->setAtomic(*access.order, scope);
    // A register that is wider has the sign of .s8 and .s16.
    if (access.type == 's' && access.bits < 32)
      return builder.CreateSExt(load, builder.getInt32Ty());
    return load;
  }

  void store() {
    StoreInst *store = builder.CreateAlignedStore(
        instruction.source(1, type()), address(), align, !access.order && isVolatile());
    if (access.order)
      store->setAtomic(*access.order, scope);
  }

  AtomicOrdering order() const {
    return access.order.value_or(AtomicOrdering::Monotonic);
  }

  Value *change() {
    using Operation = AtomicRMWInst::BinOp;
    const bool isFloat = access.type == 'f', isSigned = access.type == 's';
    auto operation = StringSwitch<Operation>(access.operation)
                         .Case("add", isFloat ? AtomicRMWInst::FAdd : AtomicRMWInst::Add)
                         .Case("min", isSigned ? AtomicRMWInst::Min : AtomicRMWInst::UMin)
                         .Case("max", isSigned ? AtomicRMWInst::Max : AtomicRMWInst::UMax)
                         .Case("inc", AtomicRMWInst::UIncWrap)
                         .Case("dec", AtomicRMWInst::UDecWrap)
                         .Case("and", AtomicRMWInst::And)
                         .Case("or", AtomicRMWInst::Or)
                         .Case("xor", AtomicRMWInst::Xor)
                         .Case("exch", AtomicRMWInst::Xchg)
                         .Default(AtomicRMWInst::BAD_BINOP);
    return builder.CreateAtomicRMW(operation, address(), instruction.source(1, type()),
                                   align, order(), scope);
  }

  Value *exchange() {
    // A comparison that fails does not release.
    AtomicOrdering failure = AtomicCmpXchgInst::getStrongestFailureOrdering(order());
    Value *both = builder.CreateAtomicCmpXchg(address(), instruction.source(1, type()),
                                              instruction.source(2, type()), align,
                                              order(), failure, scope);
    return builder.CreateExtractValue(both, 0);
  }

  const Access &access;
  PtxInstruction &instruction;
  IRBuilder<> &builder;
  SyncScope::ID scope;
  Align align;
};

} // namespace

/// Whether PTX has an access with these parts.
static bool isValid(const Access &access) {
  using Order = AtomicOrdering;
  if (access.kind == Access::Kind::Load)
    return access.order != Order::Release && access.order != Order::AcquireRelease;
  if (access.kind == Access::Kind::Store)
    return access.order != Order::Acquire && access.order != Order::AcquireRelease;
  const bool isFloat = access.type == 'f';
  const bool isBits = is_contained({"and", "or", "xor", "exch", "cas"}, access.operation);
  if ((access.operation == "inc" || access.operation == "dec") &&
      (access.type != 'u' || access.bits != 32))
    return false;
  return !access.operation.empty() && access.bits >= 32 &&
         (!isFloat || access.operation == "add") && isBits == (access.type == 'b') &&
         (access.kind == Access::Kind::Atomic ||
          (access.operation != "exch" && access.operation != "cas"));
}

std::optional<PtxEntry> het::readPtxAccess(StringRef name) {
  std::optional<Access> access = readName(name);
  if (!access || !isValid(*access))
    return std::nullopt;
  unsigned sources = 2;
  if (access->kind == Access::Kind::Load)
    sources = 1;
  else if (access->operation == "cas")
    sources = 3;
  return PtxEntry{sources, [access = *access](PtxInstruction &instruction) {
                    return AccessBuilder(access, instruction).make();
                  }};
}
