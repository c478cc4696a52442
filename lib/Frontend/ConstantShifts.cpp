// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shifts of a constant by a constant that is the width or more, as in (1u << n) - 1 of a
// template. Clang makes poison of one before there is an instruction that could be mended
// (Shifts.cpp), so the amount is mended in the syntax tree.

#include "ConstantShifts.h"
#include "SyntaxConsumer.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

using namespace het;
using namespace clang;

namespace {

class ConstantShifts : public SyntaxConsumer {
  bool VisitBinaryOperator(BinaryOperator *operation) override;
  Expr *literal(Expr *like, uint64_t value) const;
};

Expr *ConstantShifts::literal(Expr *like, uint64_t value) const {
  llvm::APInt number(context->getIntWidth(like->getType()), value);
  return IntegerLiteral::Create(*context, number, like->getType(), like->getExprLoc());
}

/// Makes x << n and an unsigned x >> n into 0 << 0, and a signed x >> n into
/// x >> (width - 1).
bool ConstantShifts::VisitBinaryOperator(BinaryOperator *operation) {
  Expr *value = operation->getLHS(), *amount = operation->getRHS();
  Expr::EvalResult known;
  if (!operation->isShiftOp() || operation->isValueDependent() ||
      !value->getType()->isIntegerType() || !amount->getType()->isIntegerType() ||
      !amount->EvaluateAsInt(known, *context))
    return true;
  const uint64_t width = context->getIntWidth(value->getType());
  const uint32_t count = known.Val.getInt().extOrTrunc(64).getZExtValue();
  if (count < width || !value->EvaluateAsInt(known, *context))
    return true;
  const bool keepsSign =
      operation->getOpcode() == BO_Shr && value->getType()->isSignedIntegerType();
  if (!keepsSign)
    operation->setLHS(literal(value, 0));
  operation->setRHS(literal(amount, keepsSign ? width - 1 : 0));
  return true;
}

} // namespace

std::unique_ptr<ASTConsumer> het::createConstantShifts() {
  return std::make_unique<ConstantShifts>();
}
