// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's -ftz=true, written out: the operands and results of float arithmetic that are
// subnormal become zeros of their sign. Copies, negations, absolute values and double
// arithmetic stay as they are. As hetIR has it in plain operations, every device
// computes the same bits; one whose instructions flush by themselves may use those.
//
// After multiply-adds are fused: what is inside of one is not rounded, so not flushed.
//
// Source: PTX ISA, the modifier .ftz of the floating-point instructions.

#include "het/IR/Module.h"
#include "het/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"

namespace het::transforms {
#define GEN_PASS_DEF_FLUSHSUBNORMALS
#include "het/Transforms/Passes.h.inc"
} // namespace het::transforms

using namespace mlir;
using namespace het;

namespace {

bool isFloat(Type type) { return getElementTypeOrSelf(type).isF32(); }

/// Operations whose float operands and results are flushed.
bool isArithmetic(Operation *op) {
  return isa<LLVM::FAddOp, LLVM::FSubOp, LLVM::FMulOp, LLVM::FDivOp, LLVM::FRemOp,
             LLVM::FMAOp, LLVM::SqrtOp, LLVM::MinNumOp, LLVM::MaxNumOp, LLVM::MinimumOp,
             LLVM::MaximumOp, LLVM::CallIntrinsicOp, LLVM::FCmpOp, LLVM::FPExtOp,
             LLVM::FPTruncOp, ir::MathOp>(op);
}

class Flusher {
public:
  void run(Operation *root) {
    SmallVector<Operation *> operations;
    root->walk([&](Operation *op) {
      if (isArithmetic(op))
        operations.push_back(op);
    });
    for (Operation *op : operations)
      flushResults(op);
    for (Operation *op : operations)
      for (OpOperand &operand : op->getOpOperands())
        if (isFloat(operand.get().getType()) && mayBeSubnormal(operand.get())) {
          ImplicitLocOpBuilder builder(op->getLoc(), op);
          operand.set(flush(builder, operand.get()));
        }
  }

private:
  void flushResults(Operation *op) {
    for (Value result : op->getResults()) {
      if (!isFloat(result.getType()))
        continue;
      ImplicitLocOpBuilder builder(op->getLoc(), op->getContext());
      builder.setInsertionPointAfter(op);
      Value flushed = flush(builder, result);
      Operation *first = result.getDefiningOp()->getNextNode();
      result.replaceAllUsesExcept(flushed, first);
      clean.insert(flushed);
    }
  }

  bool mayBeSubnormal(Value value) const {
    if (clean.contains(value))
      return false;
    APFloat number(0.0f);
    if (matchPattern(value, m_ConstantFloat(&number)))
      return number.isDenormal();
    return !isa_and_nonnull<LLVM::SIToFPOp, LLVM::UIToFPOp>(value.getDefiningOp());
  }

  /// The sign alone where the exponent's bits are 0.
  Value flush(ImplicitLocOpBuilder &builder, Value value) {
    Type type = builder.getI32Type();
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      type = vector.clone(builder.getI32Type());
    auto word = [&](int32_t bits) -> Value {
      Attribute attribute = builder.getI32IntegerAttr(bits);
      if (auto shaped = dyn_cast<ShapedType>(type))
        attribute = DenseElementsAttr::get(shaped, attribute);
      return LLVM::ConstantOp::create(builder, type, cast<TypedAttr>(attribute));
    };
    Value bits = LLVM::BitcastOp::create(builder, type, value);
    Value exponent = LLVM::AndOp::create(builder, bits, word(0x7F800000));
    Value isSmall =
        LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, exponent, word(0));
    Value sign = LLVM::AndOp::create(builder, bits, word(INT32_MIN));
    Value chosen = LLVM::SelectOp::create(builder, isSmall, sign, bits);
    return LLVM::BitcastOp::create(builder, value.getType(), chosen);
  }

  llvm::DenseSet<Value> clean;
};

struct FlushSubnormals : het::transforms::impl::FlushSubnormalsBase<FlushSubnormals> {
  void runOnOperation() override { Flusher().run(getOperation()); }
};

} // namespace
