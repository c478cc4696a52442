// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding the accesses to shared memory of an operation, and where they lead.

#include "SharedAccesses.h"
#include "IncomingValue.h"
#include "het/IR/Module.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace het;
using namespace het::transforms;

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

/// The variable that a pointer points into, if that is known.
static Operation *variableOf(Value pointer) {
  Operation *op = pointer.getDefiningOp();
  while (isa_and_nonnull<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<LLVM::AddressOfOp>(op) ? op : nullptr;
}

AccessList het::transforms::accessesOf(Operation &op) {
  AccessList result;
  auto add = [&](Value pointer, bool isStore, bool isVolatile) {
    if (isShared(pointer))
      result.push_back({pointer, isStore, isVolatile});
  };
  llvm::TypeSwitch<Operation &>(op)
      .Case([&](LLVM::LoadOp load) { add(load.getAddr(), false, load.getVolatile_()); })
      .Case(
          [&](LLVM::StoreOp store) { add(store.getAddr(), true, store.getVolatile_()); })
      .Case<LLVM::MemcpyOp, LLVM::MemmoveOp>([&](auto copy) {
        add(copy.getSrc(), false, copy.getIsVolatile());
        add(copy.getDst(), true, copy.getIsVolatile());
      })
      .Case([&](LLVM::MemsetOp set) { add(set.getDst(), true, set.getIsVolatile()); });
  return result;
}

/// Whether a value is the same for 32 threads in a row, by its form: `x >> 5`.
static bool isOfTeam(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp>(op))
    op = op->getOperand(0).getDefiningOp();
  APInt by;
  return isa_and_nonnull<LLVM::LShrOp, LLVM::AShrOp>(op) &&
         matchPattern(op->getOperand(1), m_ConstantInt(&by)) && by.uge(5);
}

/// Whether an address is one for 32 threads in a row: a variable's, or by such indices.
static bool isUniform(const Place &place) {
  llvm::SetVector<Value> terms;
  terms.insert(place.base);
  if (place.index)
    terms.insert(place.index);
  for (size_t i = 0; i < terms.size(); ++i) {
    Operation *op = terms[i].getDefiningOp();
    if (!op)
      return false;
    if (isa<LLVM::AddressOfOp, LLVM::ConstantOp, ir::BlockIdOp>(op) || isOfTeam(terms[i]))
      continue;
    if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::AddOp, LLVM::SubOp, LLVM::MulOp,
             LLVM::ShlOp, LLVM::OrOp, LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp>(op))
      return false;
    terms.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

/// Whether an index has a stride: `lane * n + …` is a thread's own array.
static bool hasStride(Value index) {
  llvm::SetVector<Value> terms;
  terms.insert(index);
  for (size_t i = 0; i < terms.size(); ++i) {
    Operation *op = terms[i].getDefiningOp();
    if (isa_and_nonnull<LLVM::MulOp, LLVM::ShlOp>(op) && !isOfTeam(op->getOperand(0)))
      return true;
    if (isa_and_nonnull<LLVM::AddOp, LLVM::SubOp, LLVM::OrOp, LLVM::SExtOp, LLVM::ZExtOp,
                        LLVM::TruncOp>(op))
      terms.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// Whether places from this origin are a thread's own, each a stride from its
/// neighbour's.
static bool isOwnArray(const Place &place) {
  if (place.index)
    return hasStride(place.index);
  auto gep = place.base.getDefiningOp<LLVM::GEPOp>();
  return !gep || llvm::any_of(gep.getDynamicIndices(), hasStride);
}

static Value withoutExtension(Value value) {
  while (isa_and_nonnull<LLVM::SExtOp, LLVM::ZExtOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// Splits an index into what is not constant, or null, and the sum of constants.
static std::pair<Value, int64_t> splitIndex(Value index) {
  int64_t sum = 0;
  for (;;) {
    index = withoutExtension(index);
    APInt constant;
    if (matchPattern(index, m_ConstantInt(&constant)))
      return {Value(), sum + constant.getSExtValue()};
    auto add = index.getDefiningOp<LLVM::AddOp>();
    if (!add || !matchPattern(add.getRhs(), m_ConstantInt(&constant)))
      return {index, sum};
    sum += constant.getSExtValue();
    index = add.getLhs();
  }
}

/// Takes the address computation at the base into account, if it has one index.
static bool takeIndex(Place &place, const DataLayout &layout) {
  auto gep = place.base.getDefiningOp<LLVM::GEPOp>();
  if (!gep || gep.getRawConstantIndices().size() != 1)
    return false;
  const auto size = static_cast<int64_t>(layout.getTypeSize(gep.getElemType()));
  if (gep.getDynamicIndices().empty()) {
    place.offset += size * gep.getRawConstantIndices().front();
  } else {
    const auto [index, count] = splitIndex(gep.getDynamicIndices().front());
    if (index && place.index)
      return false;
    place.offset += size * count;
    if (index) {
      place.index = index;
      place.stride = size;
    }
  }
  place.base = gep.getBase();
  return true;
}

Place het::transforms::placeOf(const Access &access, const DataLayout &layout) {
  Place place{access.pointer};
  place.isVolatile = access.isVolatile;
  for (;;) {
    if (auto cast = place.base.getDefiningOp<LLVM::AddrSpaceCastOp>())
      place.base = cast.getArg();
    else if (!takeIndex(place, layout))
      break;
  }
  place.variable = variableOf(place.base);
  place.isOwn = isOwnArray(place);
  place.isUniform = isUniform(place);
  return place;
}
