// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __attribute__((het_side)) on functions, and what becomes of them at the file's end.

#include "FunctionsOfBothSides.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
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

/// The functions of a file, once it has been read: then they are what the source says.
class Functions {
public:
  explicit Functions(CompilerInstance &compiler) : compiler(compiler) {}

  void endFile() {
    collect(compiler.getASTContext().getTranslationUnitDecl());
    for (FunctionDecl *function : functions)
      function->dropAttrs<AnnotateAttr>();
    setInline(false);
  }
  void setInline(bool isInline) {
    for (FunctionDecl *function : functions)
      function->setImplicitlyInline(isInline);
  }
  /// Those with bodies.
  llvm::SmallVector<FunctionDecl *> definitions() const {
    return llvm::to_vector(llvm::make_filter_range(functions, [](FunctionDecl *function) {
      return function->doesThisDeclarationHaveABody();
    }));
  }

private:
  void collect(DeclContext *scope) {
    for (Decl *declaration : scope->decls()) {
      if (auto *function = dyn_cast<FunctionDecl>(declaration)) {
        if (isMarked(*function))
          functions.push_back(function);
      } else if (auto *inner = dyn_cast<DeclContext>(declaration)) {
        collect(inner);
      }
    }
  }

  CompilerInstance &compiler;
  llvm::SmallVector<FunctionDecl *> functions;
};

/// Stands before the one that makes code: what it is given last comes behind the file's
/// end, and is to wait for the calls all the same.
class Before : public ASTConsumer {
public:
  Before(std::shared_ptr<Functions> functions, ASTConsumer &codeGeneration)
      : functions(std::move(functions)), codeGeneration(codeGeneration) {}

  bool HandleTopLevelDecl(DeclGroupRef) override {
    functions->setInline(true);
    return true;
  }
  void HandleTranslationUnit(ASTContext &) override {
    for (FunctionDecl *function : functions->definitions())
      codeGeneration.HandleTopLevelDecl(DeclGroupRef(function));
  }

private:
  std::shared_ptr<Functions> functions;
  ASTConsumer &codeGeneration;
};

class Behind : public ASTConsumer {
public:
  explicit Behind(std::shared_ptr<Functions> functions)
      : functions(std::move(functions)) {}

  bool HandleTopLevelDecl(DeclGroupRef) override {
    functions->setInline(false);
    return true;
  }

private:
  std::shared_ptr<Functions> functions;
};

} // namespace

void het::registerSideAttribute() {
  static ParsedAttrInfoRegistry::Add<SideAttrInfo> entry(
      "het_side", "one of the sides that a function is for");
}

void het::addCodeGeneration(std::vector<std::unique_ptr<ASTConsumer>> &consumers,
                            std::unique_ptr<ASTConsumer> codeGeneration,
                            CompilerInstance &compiler) {
  auto functions = std::make_shared<Functions>(compiler);
  compiler.getPreprocessor().setTokenWatcher([functions](const Token &token) {
    if (token.is(tok::eof))
      functions->endFile();
  });
  consumers.push_back(std::make_unique<Before>(functions, *codeGeneration));
  consumers.push_back(std::move(codeGeneration));
  consumers.push_back(std::make_unique<Behind>(functions));
}
