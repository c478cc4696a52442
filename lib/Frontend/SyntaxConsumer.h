// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The base of consumers that change Clang's syntax tree where LLVM IR would be too late.

#ifndef HET_LIB_FRONTEND_SYNTAXCONSUMER_H
#define HET_LIB_FRONTEND_SYNTAXCONSUMER_H

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/DenseSet.h"

namespace het {

/// Visits all code that the code generator will see, before it does: what stands in
/// declarations, what templates make, and what the compiler adds to a declaration.
class SyntaxConsumer : public clang::ASTConsumer,
                       public clang::DynamicRecursiveASTVisitor {
public:
  void Initialize(clang::ASTContext &created) override { context = &created; }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

  bool VisitCXXDefaultArgExpr(clang::CXXDefaultArgExpr *used) override;
  bool VisitCXXDefaultInitExpr(clang::CXXDefaultInitExpr *used) override;
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) override;

protected:
  clang::ASTContext *context = nullptr;

private:
  llvm::DenseSet<const clang::CXXConstructorDecl *> constructors; ///< That were seen.
};

} // namespace het

#endif // HET_LIB_FRONTEND_SYNTAXCONSUMER_H
