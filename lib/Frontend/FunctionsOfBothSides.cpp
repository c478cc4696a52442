// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __attribute__((het_side)) on functions, and what becomes of them at the file's end.

#include "FunctionsOfBothSides.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

/// Marks a function that counts as inline until the file has been read.
static constexpr const char mark[] = "het.both_sides";

static bool isMarked(const FunctionDecl &function) {
  return llvm::any_of(
      function.specific_attrs<AnnotateAttr>(),
      [](const AnnotateAttr *note) { return note->getAnnotation() == mark; });
}

namespace {

class SideAttrInfo : public ParsedAttrInfo {
public:
  SideAttrInfo() {
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_GNU, "het_side"}};
    Spellings = spellings;
  }

  /// The second of the two specifiers finds what Clang made of the first.
  AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration,
                                   const ParsedAttr &) const override {
    auto *function = dyn_cast<FunctionDecl>(declaration);
    if (!function || !sema.getLangOpts().CUDAIsDevice ||
        !function->hasAttr<CUDADeviceAttr>() || !function->hasAttr<CUDAHostAttr>() ||
        function->isInlined() || function->isTemplated() ||
        !function->isExternallyVisible())
      return AttributeApplied;
    function->setImplicitlyInline();
    function->addAttr(AnnotateAttr::CreateImplicit(sema.Context, mark, nullptr, 0));
    sema.DeclsToCheckForDeferredDiags.insert(function);
    return AttributeApplied;
  }
};

using Functions = std::vector<FunctionDecl *>;

/// A consumer that stands before the one that makes code: gives it the functions that
/// have waited, when their calls have been looked at.
class WaitingFunctions : public ASTConsumer {
public:
  WaitingFunctions(std::shared_ptr<Functions> functions, ASTConsumer &codeGeneration)
      : functions(std::move(functions)), codeGeneration(codeGeneration) {}

  void HandleTranslationUnit(ASTContext &) override {
    for (FunctionDecl *function : *functions)
      if (function->doesThisDeclarationHaveABody())
        codeGeneration.HandleTopLevelDecl(DeclGroupRef(function));
  }

private:
  std::shared_ptr<Functions> functions;
  ASTConsumer &codeGeneration;
};

/// A consumer that stands behind it: makes functions that have been read what the source
/// says.
class ReadFunctions : public ASTConsumer {
public:
  explicit ReadFunctions(std::shared_ptr<Functions> functions)
      : functions(std::move(functions)) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group)
      if (!declaration->isFromASTFile()) // a precompiled prelude's were released then
        release(declaration);
    return true;
  }

private:
  void release(Decl *declaration) {
    if (auto *function = dyn_cast<FunctionDecl>(declaration)) {
      if (!isMarked(*function))
        return;
      function->dropAttrs<AnnotateAttr>();
      function->setImplicitlyInline(false);
      functions->push_back(function);
    } else if (auto *scope = dyn_cast<DeclContext>(declaration)) {
      for (Decl *inner : scope->decls())
        release(inner);
    }
  }

  std::shared_ptr<Functions> functions;
};

} // namespace

void het::registerSideAttribute() {
  static ParsedAttrInfoRegistry::Add<SideAttrInfo> entry(
      "het_side", "one of the sides that a function is for");
}

void het::addCodeGeneration(std::vector<std::unique_ptr<ASTConsumer>> &consumers,
                            std::unique_ptr<ASTConsumer> codeGeneration) {
  auto functions = std::make_shared<Functions>();
  consumers.push_back(std::make_unique<WaitingFunctions>(functions, *codeGeneration));
  consumers.push_back(std::move(codeGeneration));
  consumers.push_back(std::make_unique<ReadFunctions>(functions));
}
