// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refuses `&threadIdx` and `&threadIdx.x` in Clang's syntax tree: a thread has copies of
// such an object, none of which is the object.

#include "BuiltinAddresses.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"

using namespace het;
using namespace clang;

namespace {

class BuiltinAddressCheck : public ASTConsumer, DynamicRecursiveASTVisitor {
public:
  void Initialize(ASTContext &created) override { context = &created; }
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group)
      if (!declaration->isFromASTFile()) // seen when the prelude was precompiled
        TraverseDecl(declaration);
    return true;
  }

private:
  bool VisitUnaryOperator(UnaryOperator *operation) override;

  ASTContext *context = nullptr;
};

} // namespace

static bool isBuiltin(const ValueDecl &variable) {
  const IdentifierInfo *name = variable.getIdentifier();
  return name && variable.getDeclContext()->isTranslationUnit() &&
         llvm::is_contained({"threadIdx", "blockIdx", "blockDim", "gridDim"},
                            name->getName());
}

bool BuiltinAddressCheck::VisitUnaryOperator(UnaryOperator *operation) {
  if (operation->getOpcode() != UO_AddrOf)
    return true;
  const Expr *object = operation->getSubExpr()->IgnoreParens();
  if (const auto *member = dyn_cast<MemberExpr>(object); member && !member->isArrow())
    object = member->getBase()->IgnoreParenImpCasts();
  const auto *named = dyn_cast<DeclRefExpr>(object);
  if (!named || !isBuiltin(*named->getDecl()))
    return true;
  DiagnosticsEngine &diagnostics = context->getDiagnostics();
  diagnostics.Report(
      operation->getOperatorLoc(),
      diagnostics.getCustomDiagID(DiagnosticsEngine::Error,
                                  "cannot take the address of the built-in variable %0"))
      << named->getDecl();
  return true;
}

std::unique_ptr<ASTConsumer> het::createBuiltinAddressCheck() {
  return std::make_unique<BuiltinAddressCheck>();
}
