// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that flush become plain operations. LLVM takes these for IEEE 754's: it makes
// x of x * 1.0 and computes constants itself, without flushing or with another idea of
// what is tiny. So operands that may be subnormal, and results, are marked: a mark is an
// addition of -0.0 that LLVM does not know, which flushes and changes nothing else.

#include "FlushMode.h"
#include "het/Transforms/FlushedArithmetic.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace het::host {
namespace {

constexpr llvm::StringLiteral markFunction = "flushed_by_mode";

class Expansion {
public:
  explicit Expansion(ir::MathOp op)
      : op(op), builder(op.getLoc(), op), function(op.getFunction()) {
    function.consume_back(ir::flushSuffix);
  }

  /// The operands that can be taken as they are: those of an operation that are known to
  /// be flushed. What LLVM knew of a function's operand it would compute with.
  SmallVector<bool> plainOperands(transforms::FlushedValues &values) {
    const bool isFunction =
        function != ir::flushFunction &&
        (op.getAccuracy() != ir::Accuracy::Exact || !ir::findFlushedOperation(function));
    SmallVector<bool> plain;
    for (Value operand : op.getArguments())
      plain.push_back(!operand.getType().isF32() ||
                      (!isFunction && values.contains(operand)));
    return plain;
  }

  void expand(ArrayRef<bool> isPlain) {
    SmallVector<Value> operands;
    for (auto [operand, plain] : llvm::zip_equal(ValueRange(op.getArguments()), isPlain))
      operands.push_back(plain ? operand : mark(operand));
    const bool isFlush = function == ir::flushFunction;
    Value result = isFlush
                       ? operands[0]
                       : transforms::computeUnflushed(builder, op, function, operands);
    if (result.getType().isF32() && !isFlush && !transforms::isChoice(function))
      result = mark(result);
    op.replaceAllUsesWith(result);
    op.erase();
  }

private:
  Value mark(Value value) {
    return ir::MathOp::create(builder, value.getType(), markFunction, ir::Accuracy::Exact,
                              value);
  }

  ir::MathOp op;
  ImplicitLocOpBuilder builder;
  StringRef function;
};

} // namespace

void flushByMode(ModuleOp module) {
  transforms::FlushedValues values;
  SmallVector<std::pair<ir::MathOp, SmallVector<bool>>> operations;
  module.walk([&](ir::MathOp op) {
    if (ir::flushes(op))
      operations.push_back({op, Expansion(op).plainOperands(values)});
  });
  for (const auto &[op, isPlain] : operations)
    Expansion(op).expand(isPlain);
}

} // namespace het::host
