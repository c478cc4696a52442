// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's -ftz=true: arithmetic of float becomes functions that flush (mul_ftz), which
// devices have as instructions or write out. Copies, negations, absolute values and
// double arithmetic stay as they are.
//
// After multiply-adds are fused: what is inside of one is not rounded, so not flushed.
//
// Source: PTX ISA, the modifier .ftz of the floating-point instructions.

#include "het/IR/Module.h"
#include "het/Transforms/FlushedArithmetic.h"
#include "het/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/Pass.h"

namespace het::transforms {
#define GEN_PASS_DEF_FLUSHSUBNORMALS
#include "het/Transforms/Passes.h.inc"
} // namespace het::transforms

using namespace mlir;
using namespace het;

namespace {

bool isFloat(Type type) { return getElementTypeOrSelf(type).isF32(); }

/// Operations that have a function which flushes, and its name without the suffix.
StringRef functionOf(Operation *op) {
  // Small floats, by their bits, are NVIDIA's assembly, which the option spares.
  if (auto math = dyn_cast<ir::MathOp>(op))
    return math.getType().isInteger(16) ? StringRef() : math.getFunction();
  if (auto narrow = dyn_cast<LLVM::FPTruncOp>(op))
    return getElementTypeOrSelf(narrow.getArg().getType()).isF64() ? "float" : "";
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  for (const ir::FlushedOperation &known : ir::flushedOperations())
    if (call ? known.isIntrinsic &&
                   call.getIntrin().starts_with((known.operation + ".").str())
             : op->getName().getStringRef() == known.operation)
      return known.function;
  return "";
}

/// Whether a number that is subnormal counts as a zero, where no function does so itself.
/// Halves have no numbers as small as the floats that are.
bool flushesOperands(Operation *op) {
  if (auto narrow = dyn_cast<LLVM::FPTruncOp>(op))
    return !getElementTypeOrSelf(narrow.getType()).isF16();
  return isa<LLVM::FRemOp, LLVM::CallIntrinsicOp, LLVM::FCmpOp, LLVM::FPExtOp,
             LLVM::FFloorOp, LLVM::FCeilOp, LLVM::FTruncOp, LLVM::RintOp,
             LLVM::NearbyintOp, LLVM::RoundOp, LLVM::RoundEvenOp>(op);
}

class Flusher {
public:
  void run(Operation *root) {
    SmallVector<Operation *> operations;
    root->walk([&](Operation *op) {
      if (llvm::any_of(op->getOperandTypes(), isFloat) ||
          llvm::any_of(op->getResultTypes(), isFloat))
        operations.push_back(op);
    });
    SmallVector<Operation *> others;
    for (Operation *op : operations)
      if (!replace(op) && flushesOperands(op))
        others.push_back(op);
    for (Operation *op : others)
      flushAround(op);
  }

private:
  Value mathOf(ImplicitLocOpBuilder &builder, Type type, StringRef function,
               ir::Accuracy accuracy, ValueRange operands) {
    return ir::MathOp::create(builder, type, builder.getStringAttr(function), accuracy,
                              operands);
  }

  /// Element by element where they are vectors.
  Value apply(ImplicitLocOpBuilder &builder, Type type, StringRef function,
              ir::Accuracy accuracy, ValueRange operands) {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector)
      return mathOf(builder, type, function, accuracy, operands);
    Value result = LLVM::PoisonOp::create(builder, type);
    for (int64_t i = 0; i < vector.getNumElements(); ++i) {
      Value index = LLVM::ConstantOp::create(builder, builder.getI32IntegerAttr(i));
      SmallVector<Value> elements;
      for (Value operand : operands)
        elements.push_back(LLVM::ExtractElementOp::create(builder, operand, index));
      Value element =
          mathOf(builder, vector.getElementType(), function, accuracy, elements);
      result = LLVM::InsertElementOp::create(builder, result, element, index);
    }
    return result;
  }

  /// False where there is no such function.
  bool replace(Operation *op) {
    StringRef function = functionOf(op);
    auto math = dyn_cast<ir::MathOp>(op);
    if (function.empty() || (math && ir::flushes(math)))
      return !function.empty();
    const ir::Accuracy accuracy = math ? math.getAccuracy() : ir::Accuracy::Exact;
    ImplicitLocOpBuilder builder(op->getLoc(), op);
    Value result = apply(builder, op->getResult(0).getType(),
                         (function + ir::flushSuffix).str(), accuracy, op->getOperands());
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
    return true;
  }

  Value flush(ImplicitLocOpBuilder &builder, Value value) {
    return apply(builder, value.getType(), ir::flushFunction, ir::Accuracy::Exact, value);
  }

  void flushAround(Operation *op) {
    ImplicitLocOpBuilder builder(op->getLoc(), op);
    for (OpOperand &operand : op->getOpOperands())
      if (isFloat(operand.get().getType()) && !flushed.contains(operand.get()))
        operand.set(flush(builder, operand.get()));
    if (!isa<LLVM::FRemOp, LLVM::CallIntrinsicOp>(op))
      return; // whole numbers, and halves, are not as small as the subnormal floats
    builder.setInsertionPointAfter(op);
    for (Value result : op->getResults())
      if (isFloat(result.getType())) {
        SmallVector<OpOperand *> uses(llvm::make_pointer_range(result.getUses()));
        Value made = flush(builder, result);
        for (OpOperand *use : uses)
          use->set(made);
      }
  }

  het::transforms::FlushedValues flushed;
};

struct FlushSubnormals : het::transforms::impl::FlushSubnormalsBase<FlushSubnormals> {
  void runOnOperation() override { Flusher().run(getOperation()); }
};

} // namespace
