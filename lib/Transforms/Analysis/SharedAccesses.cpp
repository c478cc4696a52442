// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding the accesses to shared memory of a kernel, and where they lead.

#include "SharedAccesses.h"
#include "IncomingValue.h"
#include "het/IR/Module.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace het;
using namespace het::transforms;

//===----------------------------------------------------------------------===//
// Which are to shared memory
//===----------------------------------------------------------------------===//

/// Whether a pointer may be made of a shared one, also where several ways lead to it.
static bool isShared(Value pointer) {
  llvm::SetVector<Value> values;
  values.insert(pointer);
  for (size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    auto type = dyn_cast_or_null<LLVM::LLVMPointerType>(value ? value.getType() : Type());
    if (!type)
      continue;
    if (type.getAddressSpace() == ir::sharedSpace)
      return true;
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::SelectOp>(op)) {
      values.insert(op->operand_begin(), op->operand_end());
    } else if (auto argument = dyn_cast<BlockArgument>(value)) {
      Block *block = argument.getOwner();
      for (auto it = block->pred_begin(), e = block->pred_end(); it != e; ++it)
        values.insert(incomingValue(argument, it));
    }
  }
  return false;
}

SharedAccesses::SharedAccesses(LLVM::LLVMFuncOp kernel, const LoneBlocks &loneBlocks,
                               const UniformityAnalysis &uniformity)
    : loneBlocks(loneBlocks), uniformity(uniformity),
      layout(DataLayout::closest(kernel)) {
  for (Block &block : kernel.getBody())
    for (Operation &op : block)
      collect(op);
}

void SharedAccesses::collect(Operation &op) {
  llvm::TypeSwitch<Operation &>(op)
      .Case([&](LLVM::LoadOp load) {
        add(op, load.getAddr(), load.getType(), /*isStore=*/false, load.getVolatile_());
      })
      .Case([&](LLVM::StoreOp store) {
        add(op, store.getAddr(), store.getValue().getType(), /*isStore=*/true,
            store.getVolatile_());
      })
      .Case<LLVM::MemcpyOp, LLVM::MemmoveOp>([&](auto copy) {
        add(op, copy.getSrc(), {}, /*isStore=*/false, copy.getIsVolatile());
        add(op, copy.getDst(), {}, /*isStore=*/true, copy.getIsVolatile());
      })
      .Case([&](LLVM::MemsetOp set) {
        add(op, set.getDst(), {}, /*isStore=*/true, set.getIsVolatile());
      });
}

//===----------------------------------------------------------------------===//
// Where they lead
//===----------------------------------------------------------------------===//

bool het::transforms::isLaneNumber(Value value) {
  value = withoutCasts(value);
  if (auto mask = value.getDefiningOp<LLVM::AndOp>())
    value = withoutCasts(mask.getLhs());
  auto thread = value.getDefiningOp<ir::ThreadIdOp>();
  return value.getDefiningOp<ir::LaneIdOp>() ||
         (thread && thread.getDimension() == ir::Dim::X);
}

/// Whether a value is the same for 32 threads in a row, by its form: `x >> 5`.
static bool isOfTeam(Value value) {
  Operation *op = withoutCasts(value).getDefiningOp();
  APInt by;
  return isa_and_nonnull<LLVM::LShrOp, LLVM::AShrOp>(op) &&
         matchPattern(op->getOperand(1), m_ConstantInt(&by)) && by.uge(5);
}

/// Whether a value is one for 32 threads in a row: a constant, or made of such terms.
static bool isUniform(Value value) {
  llvm::SetVector<Value> terms;
  terms.insert(value);
  for (size_t i = 0; i < terms.size(); ++i) {
    Operation *op = terms[i].getDefiningOp();
    if (!op)
      return false;
    if (isa<LLVM::ConstantOp, ir::BlockIdOp>(op) || isOfTeam(terms[i]))
      continue;
    if (!isa<LLVM::AddOp, LLVM::SubOp, LLVM::MulOp, LLVM::ShlOp, LLVM::OrOp, LLVM::SExtOp,
             LLVM::ZExtOp, LLVM::TruncOp>(op))
      return false;
    terms.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

/// Whether a term has a stride: `lane * n + …` is a thread's own array.
static bool hasStride(const LinearAddress::Term &term, int64_t element) {
  Operation *op = term.value.getDefiningOp();
  if (isa_and_nonnull<LLVM::MulOp, LLVM::ShlOp>(op) && !isOfTeam(op->getOperand(0)))
    return true;
  return std::abs(term.factor) > element && !isOfTeam(term.value);
}

/// Whether a term is what numbers lanes where neighbours access neighbouring elements.
static bool isOfLane(const LinearAddress::Term &term, int64_t element) {
  return term.factor == element && isLaneNumber(term.value);
}

/// Makes the base one value for all accesses to one object.
void SharedAccesses::unifyBase(Access &access) {
  Value &base = access.address.base;
  if (auto variable = base.getDefiningOp<LLVM::AddressOfOp>())
    base = variables.try_emplace(variable.getGlobalNameAttr(), base).first->second;
  else if (base.getDefiningOp<ir::DynamicSharedOp>())
    base = dynamicMemory = dynamicMemory ? dynamicMemory : base;
  else
    return;
  access.isInObject = true;
}

void SharedAccesses::add(Operation &op, Value pointer, Type type, bool isStore,
                         bool isVolatile) {
  if (!isShared(pointer))
    return;
  Access access(LinearAddress(pointer, layout), isStore, isVolatile);
  unifyBase(access);
  int64_t element = access.address.element;
  if (element == 1 && type)
    element = static_cast<int64_t>(layout.getTypeSize(type));
  classify(access, element);
  nameLane(access, op.getBlock(), element);
  number(access);
  accesses[&op].push_back(std::move(access));
}

/// Finds out whose place it is.
void SharedAccesses::classify(Access &access, int64_t element) const {
  const auto &terms = access.address.terms;
  for (const LinearAddress::Term &term : terms) {
    access.isOwn |= hasStride(term, element);
    if (isOfLane(term, element))
      access.lane = term.value;
    const int64_t distance = std::abs(term.factor);
    access.stride = access.stride == 1 ? distance : std::min(access.stride, distance);
  }
  access.isOwn = !access.lane && (access.isOwn || terms.empty());
  access.isUniform = access.isInObject && llvm::all_of(terms, [](auto &term) {
                       return isUniform(term.value);
                     });
}

/// Where one lane comes alone, `lane == n`, its number may not be among the terms any
/// more: adds it, and takes n elements away.
void SharedAccesses::nameLane(Access &access, Block *block, int64_t element) const {
  if (access.lane || access.isUniform || access.address.terms.empty())
    return;
  auto lane = loneBlocks.laneOf(block);
  if (!lane || access.address.factorOf(lane->number) != 0 ||
      std::abs(lane->constant) >= 1024) // of which a block has no more
    return;
  access.address.terms.push_back({lane->number, element});
  access.address.offset -= element * lane->constant;
  access.lane = lane->number;
  access.stride = std::min(access.stride, element);
  access.isOwn = false;
}

/// Whether a term is a number of rows: the block's width, times what is one for a team.
bool SharedAccesses::isColumn(const LinearAddress::Term &term) const {
  auto isWidth = [](Value value) {
    auto width = withoutCasts(value).getDefiningOp<ir::BlockDimOp>();
    return width && width.getDimension() == ir::Dim::X;
  };
  if (isWidth(term.value))
    return true;
  Operation *op = term.value.getDefiningOp();
  return isa_and_nonnull<LLVM::MulOp, LLVM::ShlOp>(op) &&
         llvm::any_of(op->getOperands(), isWidth) &&
         uniformity.valueLevel(term.value) <= ir::Level::Team;
}

void SharedAccesses::number(Access &access) {
  const LinearAddress &address = access.address;
  Sum origin{address.base.getAsOpaquePointer(), {}}, column;
  const bool hasColumns =
      access.lane && llvm::all_of(address.terms, [&](const LinearAddress::Term &term) {
        return term.value == access.lane || isColumn(term);
      });
  for (const auto &[value, factor] : address.terms)
    (hasColumns && value != access.lane ? column : origin)
        .second.push_back({value.getAsOpaquePointer(), factor});
  llvm::sort(origin.second);
  llvm::sort(column.second);
  access.origin = origins.try_emplace(std::move(origin), origins.size()).first->second;
  access.column = columns.try_emplace(std::move(column), columns.size()).first->second;
}
