// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes addresses apart.

#include "LinearAddress.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace het::transforms;

static int64_t low32(int64_t value) { return static_cast<int32_t>(value); }

Value het::transforms::withoutCasts(Value value) {
  while (
      isa_and_nonnull<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

LinearAddress::LinearAddress(Value pointer, const DataLayout &layout) : base(pointer) {
  for (;;) {
    if (auto cast = base.getDefiningOp<LLVM::AddrSpaceCastOp>()) {
      base = cast.getArg();
    } else if (auto gep = base.getDefiningOp<LLVM::GEPOp>()) {
      addIndices(gep, layout);
      base = gep.getBase();
    } else {
      break;
    }
  }
  llvm::erase_if(terms, [](const Term &term) { return term.factor == 0; });
}

LinearAddress LinearAddress::ofIndex(Value index) {
  LinearAddress result;
  result.add(index, 1);
  return result;
}

int64_t LinearAddress::factorOf(Value value) const {
  const auto *it = llvm::find_if(terms, [&](const Term &t) { return t.value == value; });
  return it == terms.end() ? 0 : it->factor;
}

int64_t het::transforms::memberOffset(LLVM::LLVMStructType structure, int64_t member,
                                      const DataLayout &layout) {
  uint64_t at = 0;
  for (auto [number, part] : llvm::enumerate(structure.getBody())) {
    if (!structure.isPacked())
      at = llvm::alignTo(at, layout.getTypeABIAlignment(part));
    if (static_cast<int64_t>(number) == member)
      break;
    at += layout.getTypeSize(part);
  }
  return static_cast<int64_t>(at);
}

void LinearAddress::addIndices(LLVM::GEPOp gep, const DataLayout &layout) {
  const bool isNearest = terms.empty();
  Type type = gep.getElemType();
  int64_t bytes = 1;
  bool isFirst = true;
  for (auto index : gep.getIndices()) {
    if (auto structure = dyn_cast<LLVM::LLVMStructType>(type); structure && !isFirst) {
      const int64_t member = cast<IntegerAttr>(index).getInt();
      offset = low32(offset + memberOffset(structure, member, layout));
      type = structure.getBody()[member];
      continue;
    }
    if (!std::exchange(isFirst, false)) {
      auto array = dyn_cast<LLVM::LLVMArrayType>(type);
      type = array ? array.getElementType() : cast<VectorType>(type).getElementType();
    }
    bytes = low32(static_cast<int64_t>(layout.getTypeSize(type)));
    addIndex(index, bytes);
  }
  if (isNearest && !terms.empty())
    element = bytes;
}

void LinearAddress::addIndex(llvm::PointerUnion<IntegerAttr, Value> index,
                             int64_t bytes) {
  if (auto constant = dyn_cast<IntegerAttr>(index))
    offset = low32(offset + low32(constant.getInt()) * bytes);
  else
    add(cast<Value>(index), bytes);
}

static bool isSum(Operation *op) {
  auto either = dyn_cast_or_null<LLVM::OrOp>(op);
  return isa_and_nonnull<LLVM::AddOp, LLVM::SubOp>(op) ||
         (either && either.getIsDisjoint());
}

/// The constant that a value is multiplied by, or 0.
static int64_t multiplierOf(Operation *op) {
  APInt constant;
  if (!isa_and_nonnull<LLVM::MulOp, LLVM::ShlOp>(op) ||
      !matchPattern(op->getOperand(1), m_ConstantInt(&constant)) ||
      constant.getActiveBits() > 31)
    return 0;
  const auto by = static_cast<int64_t>(constant.getZExtValue());
  if (isa<LLVM::MulOp>(op))
    return by;
  return by < 31 ? int64_t(1) << by : 0;
}

void LinearAddress::add(Value value, int64_t factor) {
  value = withoutCasts(value);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    offset = low32(offset + low32(constant.sextOrTrunc(64).getSExtValue()) * factor);
    return;
  }
  Operation *op = value.getDefiningOp();
  if (isSum(op) && sumsLeft > 0) {
    --sumsLeft;
    add(op->getOperand(0), factor);
    add(op->getOperand(1), isa<LLVM::SubOp>(op) ? low32(-factor) : factor);
    return;
  }
  if (int64_t by = multiplierOf(op))
    return add(op->getOperand(0), low32(factor * by));
  for (Term &term : terms)
    if (term.value == value) {
      term.factor = low32(term.factor + factor);
      return;
    }
  terms.push_back({value, factor});
}
