// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __attribute__((het_shared)) on a local variable without an initialiser.

#include "SharedVariables.h"

#include "clang/Lex/Lexer.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

using namespace clang;

namespace {

class SharedAttrInfo : public ParsedAttrInfo {
public:
  SharedAttrInfo() {
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_GNU, "het_shared"}};
    Spellings = spellings;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration,
                                   const ParsedAttr &) const override;
};

} // namespace

/// Whether an initialiser follows the declarator, by its first token.
static bool hasInitialiser(Sema &sema, const VarDecl &variable) {
  std::optional<Token> next = Lexer::findNextToken(
      variable.getEndLoc(), sema.getSourceManager(), sema.getLangOpts());
  return next && next->isOneOf(tok::equal, tok::l_brace, tok::l_paren);
}

static void warnUnlessTrivial(Sema &sema, const VarDecl &variable,
                              const CXXMethodDecl &method, StringRef kind) {
  if (!method.isUserProvided())
    return;
  DiagnosticsEngine &diagnostics = sema.getDiagnostics();
  unsigned id = diagnostics.getCustomDiagID(
      DiagnosticsEngine::Warning, "the %0 of __shared__ variable %1 is not run");
  diagnostics.Report(variable.getLocation(), id) << kind << &variable;
}

/// Whether Clang would run a constructor or destructor for the variable, or may
/// once its template is instantiated.
static bool needsCode(Sema &sema, const VarDecl &variable) {
  QualType type = sema.Context.getBaseElementType(variable.getType());
  SourceLocation place = variable.getLocation();
  if (type->isDependentType())
    return true;
  CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !sema.isCompleteType(place, type))
    return false;
  CXXConstructorDecl *constructor = sema.LookupDefaultConstructor(record);
  CXXDestructorDecl *destructor = sema.LookupDestructor(record);
  if (!constructor || constructor->isDeleted())
    return false;
  bool constructs = !sema.CUDA().isEmptyConstructor(place, constructor);
  bool destroys = !sema.CUDA().isEmptyDestructor(place, destructor);
  if (constructs)
    warnUnlessTrivial(sema, variable, *constructor, "constructor");
  if (destroys)
    warnUnlessTrivial(sema, variable, *destructor, "destructor");
  return constructs || destroys;
}

/// Makes Clang complete a dependent type when its template is instantiated: nothing
/// else asks for it where the object is only referred to. The alignment is the type's
/// own.
static void completeWhenInstantiated(ASTContext &context, VarDecl &variable) {
  QualType type = variable.getType();
  if (type->isDependentType())
    variable.addAttr(AlignedAttr::CreateImplicit(
        context, /*IsAlignmentExpr=*/false,
        context.getTrivialTypeSourceInfo(type, variable.getLocation()),
        variable.getLocation(), AlignedAttr::Keyword_alignas));
}

ParsedAttrInfo::AttrHandling
SharedAttrInfo::handleDeclAttribute(Sema &sema, Decl *declaration,
                                    const ParsedAttr &) const {
  // A variable that is an alias is defined without an initialiser. Nothing else
  // comes of the attribute on a local one.
  auto *variable = dyn_cast<VarDecl>(declaration);
  if (variable && variable->getDeclContext()->isFunctionOrMethod() &&
      !variable->hasExternalStorage() && !hasInitialiser(sema, *variable) &&
      needsCode(sema, *variable)) {
    variable->addAttr(AliasAttr::CreateImplicit(sema.Context, "het.shared"));
    completeWhenInstantiated(sema.Context, *variable);
  }
  return AttributeApplied;
}

void het::registerSharedAttribute() {
  static ParsedAttrInfoRegistry::Add<SharedAttrInfo> entry("het_shared",
                                                           "an object in shared memory");
}
