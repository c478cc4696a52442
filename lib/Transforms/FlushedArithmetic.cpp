// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flushing, written out. A subnormal operand counts as a zero of its sign. A result is a
// zero of its sign where it is tiny once it has been rounded to 24 bits as if exponents
// had no end (IEEE 754, 7.5, tininess after rounding), as NVIDIA's instructions and x86's
// MXCSR.FTZ have it. That is not to flush what IEEE 754 makes of it: numbers that are
// less than the least normal one by up to 2^-24 of it may round to that one, since
// subnormal numbers have fewer bits. Products are computed once more, 2^24 times as
// large, and asked; so are quotients and conversions that are not rounded to nearest.
// Sums can be tiny only where they are exact, and quotients to nearest come not so near
// to a power of two from below, so their results show it.

#include "het/Transforms/FlushedArithmetic.h"
#include "het/IR/Module.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace het::transforms {
bool FlushedValues::contains(Value value) {
  assumed.clear();
  open.assign(1, value);
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (flushed.contains(next) || !assumed.insert(next).second)
      continue;
    if (others.contains(next) || !mayContain(next)) {
      others.insert(value);
      return false;
    }
  }
  flushed.insert(assumed.begin(), assumed.end());
  return true;
}

/// Whether a value is flushed if those are that it leaves open.
bool FlushedValues::mayContain(Value value) {
  if (auto point = value.getDefiningOp<ir::SafePointOp>()) // it hands on what it keeps
    return add(point.getLive()[cast<OpResult>(value).getResultNumber()]);
  return isa<BlockArgument>(value) ? addGiven(cast<BlockArgument>(value))
                                   : isFlushed(value.getDefiningOp());
}

bool FlushedValues::add(ValueRange values) {
  llvm::append_range(open, values);
  return true;
}

bool FlushedValues::isFlushed(Operation *op) {
  APFloat number(0.0f);
  if (matchPattern(op, m_ConstantFloat(&number)))
    return !number.isDenormal();
  if (auto math = dyn_cast<ir::MathOp>(op))
    return ir::flushes(math);
  if (auto select = dyn_cast<LLVM::SelectOp>(op))
    return add({select.getTrueValue(), select.getFalseValue()});
  if (isa<LLVM::FNegOp, LLVM::FAbsOp>(op))
    return add(op->getOperand(0));
  if (auto extended = dyn_cast<LLVM::FPExtOp>(op))
    return extended.getArg().getType().isF16();
  return isa<LLVM::SIToFPOp, LLVM::UIToFPOp>(op);
}

/// Leaves open what a block is given by those before it.
bool FlushedValues::addGiven(BlockArgument argument) {
  Block *block = argument.getOwner();
  if (block->isEntryBlock())
    return false;
  for (auto it = block->pred_begin(), end = block->pred_end(); it != end; ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    Value given =
        branch
            ? branch.getSuccessorOperands(it.getSuccessorIndex())[argument.getArgNumber()]
            : Value();
    if (!given)
      return false;
    add(given);
  }
  return true;
}

bool isChoice(StringRef function) {
  return function.starts_with("min") || function.starts_with("max");
}

Value computeUnflushed(ImplicitLocOpBuilder &builder, ir::MathOp op, StringRef function,
                       ValueRange operands) {
  if (function == "float")
    return LLVM::FPTruncOp::create(builder, op.getType(), operands[0]);
  const ir::FlushedOperation *known = op.getAccuracy() == ir::Accuracy::Exact
                                          ? ir::findFlushedOperation(function)
                                          : nullptr;
  if (!known)
    return ir::MathOp::create(builder, op.getType(), function, op.getAccuracy(),
                              operands);
  if (known->isIntrinsic)
    return LLVM::CallIntrinsicOp::create(builder, op.getType(),
                                         builder.getStringAttr(known->operation + ".f32"),
                                         operands)
        .getResult(0);
  return builder
      .create(builder.getLoc(), builder.getStringAttr(known->operation), operands,
              op->getResultTypes())
      ->getResult(0);
}

namespace {

/// Operands that have to be flushed.
SmallVector<unsigned> operandsToFlush(ir::MathOp op, FlushedValues &known) {
  SmallVector<unsigned> indices;
  for (auto [index, operand] : llvm::enumerate(op.getArguments()))
    if (operand.getType().isF32() && !known.contains(operand))
      indices.push_back(index);
  return indices;
}

class Expansion {
public:
  explicit Expansion(ir::MathOp op)
      : op(op), builder(op.getLoc(), op), function(op.getFunction()) {
    function.consume_back(ir::flushSuffix);
  }

  /// Returns the functions that are left.
  SmallVector<ir::MathOp> expand(ArrayRef<unsigned> toFlush) {
    Value result = expanded(toFlush);
    op.replaceAllUsesWith(result);
    op.erase();
    return std::move(functions);
  }

private:
  Value expanded(ArrayRef<unsigned> toFlush) {
    SmallVector<Value> operands(op.getArguments());
    for (unsigned index : toFlush)
      operands[index] = flush(operands[index], isSubnormal(operands[index]));
    if (function == ir::flushFunction)
      return operands[0];
    Value result = compute(operands);
    if (!result.getType().isF32() || isChoice(function))
      return result;
    return flush(result, isTiny(result, operands));
  }

  Value constant(double number, Type type) {
    return LLVM::ConstantOp::create(builder, builder.getFloatAttr(type, number));
  }
  Value word(int32_t bits) {
    return LLVM::ConstantOp::create(builder, builder.getI32IntegerAttr(bits));
  }
  Value bitsOf(Value value) {
    return LLVM::BitcastOp::create(builder, builder.getI32Type(), value);
  }

  Value compute(ValueRange operands) {
    Value result = computeUnflushed(builder, op, function, operands);
    if (auto left = result.getDefiningOp<ir::MathOp>())
      functions.push_back(left);
    return result;
  }

  /// Whether the exponent's bits are 0.
  Value isSubnormal(Value value) {
    Value exponent = LLVM::AndOp::create(builder, bitsOf(value), word(0x7F800000));
    return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, exponent, word(0));
  }

  Value isBelow(Value value, double bound) {
    Value size = LLVM::FAbsOp::create(builder, value);
    return LLVM::FCmpOp::create(builder, LLVM::FCmpPredicate::olt, size,
                                constant(bound, value.getType()));
  }

  /// Whether the result, rounded with any exponent, is below 2^-126.
  Value isTiny(Value result, ArrayRef<Value> operands) {
    if (function == "float") // below what rounds to 2^-126
      return isBelow(operands[0], 0x1.ffffffp-127);
    auto [name, direction] = function.rsplit('_');
    const unsigned count =
        llvm::StringSwitch<unsigned>(name)
            .Case("fma", 3)
            .Case("mul", 2)
            .Case("div", direction.empty() ? 0 : 2)
            .Cases({"rcp", "float_from_double"}, direction.empty() ? 0 : 1)
            .Default(0);
    if (!count || operands.size() != count)
      return isSubnormal(result);
    const double factor = name == "rcp" ? 0x1p-24 : 0x1p24;
    auto scaled = [&](Value value) -> Value {
      return LLVM::FMulOp::create(builder, value, constant(factor, value.getType()));
    };
    SmallVector<Value> larger(operands);
    larger[0] = scaled(larger[0]);
    if (name == "fma")
      larger[2] = scaled(larger[2]);
    return isBelow(compute(larger), 0x1p-102);
  }

  /// The sign alone where that is so.
  Value flush(Value value, Value isSmall) {
    Value bits = bitsOf(value);
    Value sign = LLVM::AndOp::create(builder, bits, word(INT32_MIN));
    Value chosen = LLVM::SelectOp::create(builder, isSmall, sign, bits);
    return LLVM::BitcastOp::create(builder, value.getType(), chosen);
  }

  ir::MathOp op;
  ImplicitLocOpBuilder builder;
  StringRef function;
  SmallVector<ir::MathOp> functions;
};

} // namespace

SmallVector<ir::MathOp> expandFlushed(ir::MathOp op) {
  FlushedValues known;
  return Expansion(op).expand(operandsToFlush(op, known));
}

void expandFlushed(ModuleOp module) {
  FlushedValues known;
  SmallVector<std::pair<ir::MathOp, SmallVector<unsigned>>> operations;
  module.walk([&](ir::MathOp op) {
    if (ir::flushes(op))
      operations.push_back({op, operandsToFlush(op, known)});
  });
  for (const auto &[op, toFlush] : operations)
    Expansion(op).expand(toFlush);
}

} // namespace het::transforms
