// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SyntaxConsumer.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/ExprCXX.h"

using namespace het;
using namespace clang;

/// Comes here for what templates make, too.
bool SyntaxConsumer::HandleTopLevelDecl(DeclGroupRef group) {
  for (Decl *declaration : group)
    if (!declaration->isFromASTFile()) // seen when the prelude was precompiled
      TraverseDecl(declaration);
  return true;
}

bool SyntaxConsumer::VisitCXXDefaultArgExpr(CXXDefaultArgExpr *used) {
  return TraverseStmt(used->getExpr());
}

bool SyntaxConsumer::VisitCXXDefaultInitExpr(CXXDefaultInitExpr *used) {
  return TraverseStmt(used->getExpr());
}

/// An implicit constructor, and a member's initialiser, stand in no declaration.
bool SyntaxConsumer::VisitCXXConstructExpr(CXXConstructExpr *made) {
  const CXXConstructorDecl *constructor = made->getConstructor();
  if (!constructors.insert(constructor).second)
    return true;
  for (const CXXCtorInitializer *member : constructor->inits())
    if (!member->isWritten() && !TraverseStmt(member->getInit()))
      return false;
  return true;
}
