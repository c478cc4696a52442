// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shifts of a constant by a constant that is the width or more, as in (1u << n) - 1 of a
// template. Clang makes poison of one before there is an instruction that could be mended
// (Shifts.cpp), so the amount is mended in the syntax tree.

#include "ConstantShifts.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"

using namespace het;
using namespace clang;

namespace {

class ConstantShifts : public ASTConsumer, DynamicRecursiveASTVisitor {
public:
  void Initialize(ASTContext &created) override { context = &created; }
  /// Comes here for what templates make, too, and before code is made of it.
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group)
      TraverseDecl(declaration);
    return true;
  }

private:
  bool VisitBinaryOperator(BinaryOperator *operation) override;
  // Code that the compiler adds to a declaration:
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *used) override;
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr *used) override;
  bool VisitCXXConstructExpr(CXXConstructExpr *made) override;
  Expr *literal(Expr *like, uint64_t value) const;

  ASTContext *context = nullptr;
  llvm::DenseSet<const CXXConstructorDecl *> constructors; ///< That have been seen.
};

bool ConstantShifts::VisitCXXDefaultArgExpr(CXXDefaultArgExpr *used) {
  return TraverseStmt(used->getExpr());
}

bool ConstantShifts::VisitCXXDefaultInitExpr(CXXDefaultInitExpr *used) {
  return TraverseStmt(used->getExpr());
}

/// An implicit constructor, and a member's initialiser, stand in no declaration.
bool ConstantShifts::VisitCXXConstructExpr(CXXConstructExpr *made) {
  const CXXConstructorDecl *constructor = made->getConstructor();
  if (!constructors.insert(constructor).second)
    return true;
  for (const CXXCtorInitializer *member : constructor->inits())
    if (!member->isWritten() && !TraverseStmt(member->getInit()))
      return false;
  return true;
}

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
