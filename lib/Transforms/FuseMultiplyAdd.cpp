// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuses multiplies and adds, once for all devices (docs/spec/hetir.md, Math).
//
// A product is fused into every addition that may take it, also where it has other
// uses, as NVIDIA's compilers do. Of `a * b + c * d` the first product is fused.
// Operations are visited in order, so the result depends on the IR alone.

#include "het/Transforms/Passes.h"

namespace het::transforms {
#define GEN_PASS_DEF_FUSEMULTIPLYADD
#include "het/Transforms/Passes.h.inc"
} // namespace het::transforms

using namespace mlir;

namespace {

constexpr auto contract = LLVM::FastmathFlags::contract;

template <typename Op> bool mayContract(Op op) {
  return bitEnumContainsAll(op.getFastmathFlags(), contract);
}

LLVM::FMulOp productOf(Value value) {
  auto product = value.getDefiningOp<LLVM::FMulOp>();
  return product && mayContract(product) ? product : nullptr;
}

void replaceByFma(Operation *op, Value a, Value b, Value c) {
  OpBuilder builder(op);
  Value fma = LLVM::FMAOp::create(builder, op->getLoc(), a, b, c);
  op->getResult(0).replaceAllUsesWith(fma);
  op->erase();
}

Value negate(Operation *before, Value value) {
  OpBuilder builder(before);
  return LLVM::FNegOp::create(builder, before->getLoc(), value);
}

void fuse(LLVM::FAddOp add) {
  if (!mayContract(add))
    return;
  if (auto left = productOf(add.getLhs()))
    replaceByFma(add, left.getLhs(), left.getRhs(), add.getRhs());
  else if (auto right = productOf(add.getRhs()))
    replaceByFma(add, right.getLhs(), right.getRhs(), add.getLhs());
}

void fuse(LLVM::FSubOp sub) {
  if (!mayContract(sub))
    return;
  if (auto left = productOf(sub.getLhs()))
    replaceByFma(sub, left.getLhs(), left.getRhs(), negate(sub, sub.getRhs()));
  else if (auto right = productOf(sub.getRhs()))
    replaceByFma(sub, negate(sub, right.getLhs()), right.getRhs(), sub.getLhs());
}

void dropContract(Operation *op) {
  auto flags = dyn_cast<LLVM::FastmathFlagsInterface>(op);
  if (!flags)
    return;
  LLVM::FastmathFlagsAttr old = flags.getFastmathAttr();
  if (!old || !bitEnumContainsAny(old.getValue(), contract))
    return;
  op->setAttr(flags.getFastmathAttrName(),
              LLVM::FastmathFlagsAttr::get(op->getContext(), old.getValue() & ~contract));
}

struct FuseMultiplyAdd : het::transforms::impl::FuseMultiplyAddBase<FuseMultiplyAdd> {
  void runOnOperation() override {
    SmallVector<Operation *> operations;
    getOperation()->walk([&](Operation *op) { operations.push_back(op); });
    for (Operation *op : operations) {
      if (auto add = dyn_cast<LLVM::FAddOp>(op))
        fuse(add);
      else if (auto sub = dyn_cast<LLVM::FSubOp>(op))
        fuse(sub);
      else if (auto muladd = dyn_cast<LLVM::FMulAddOp>(op))
        replaceByFma(muladd, muladd.getA(), muladd.getB(), muladd.getC());
    }
    getOperation()->walk([](LLVM::FMulOp product) {
      if (product->use_empty())
        product->erase();
    });
    getOperation()->walk(dropContract);
  }
};

} // namespace
