// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding declarations' words in the text.

#include "DeclarationRepairs.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Cuda.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"
#include "llvm/ADT/STLExtras.h"

#include <optional>

using namespace het;
using clang::FunctionDecl;
using llvm::StringRef;

/// The `constexpr` of a declaration, if it stands there itself and in no macro.
static std::optional<TextEdit> findConstexpr(const FunctionDecl &function,
                                             const clang::Sema &sema) {
  const clang::SourceManager &sources = sema.getSourceManager();
  if (function.getLocation().isMacroID())
    return std::nullopt;
  const auto [file, start] =
      sources.getDecomposedExpansionLoc(function.getOuterLocStart());
  const auto [fileOfName, name] = sources.getDecomposedLoc(function.getLocation());
  if (file != fileOfName)
    return std::nullopt;
  const StringRef text = sources.getBufferData(file);
  clang::Lexer lexer(clang::SourceLocation(), sema.getLangOpts(), text.begin(),
                     text.begin() + start, text.end());
  for (clang::Token token; !lexer.LexFromRawLexer(token);) {
    const unsigned offset = lexer.getCurrentBufferOffset() - token.getLength();
    if (offset >= name)
      break;
    if (token.is(clang::tok::raw_identifier) && token.getRawIdentifier() == "constexpr")
      return TextEdit{file, offset, token.getLength(), ""};
  }
  return std::nullopt;
}

/// Attributes by which a function without `constexpr` is compiled for the same sides.
static StringRef sidesOf(const FunctionDecl &function) {
  const auto *host = function.getAttr<clang::CUDAHostAttr>();
  const bool isOfBoth = host && host->isImplicit();
  return isOfBoth ? "__attribute__((host)) __attribute__((device))" : "";
}

/// Takes `constexpr` off all declarations of the template that is being read.
static std::vector<TextEdit> removeConstexpr(const clang::Sema &sema) {
  auto *function = llvm::dyn_cast_or_null<FunctionDecl>(sema.CurContext);
  if (!function || !function->isTemplated())
    return {};
  std::vector<TextEdit> edits;
  for (const FunctionDecl *declaration : function->redecls()) {
    std::optional<TextEdit> edit = findConstexpr(*declaration, sema);
    if (!edit)
      return {};
    edit->inserted = sidesOf(*declaration);
    edits.push_back(std::move(*edit));
  }
  return edits;
}

/// The innermost function of both sides, by `constexpr` alone, in which the template of a
/// function of the device's is used that is being instantiated.
static const FunctionDecl *findCallerOfDevice(const clang::Sema &sema) {
  bool isDevice = false;
  for (const auto &context : llvm::reverse(sema.CodeSynthesisContexts)) {
    const auto *function = llvm::dyn_cast_or_null<FunctionDecl>(context.Entity);
    if (!function)
      continue;
    if (isDevice && function->isConstexpr() &&
        clang::SemaCUDA::isImplicitHostDeviceFunction(function))
      return function;
    isDevice |= function->hasAttr<clang::CUDADeviceAttr>() &&
                !function->hasAttr<clang::CUDAHostAttr>();
  }
  return nullptr;
}

/// Makes such a function the host's, in all its declarations.
static std::vector<TextEdit> makeHostFunction(const clang::Sema &sema) {
  const FunctionDecl *caller = findCallerOfDevice(sema);
  if (!caller)
    return {};
  const FunctionDecl *pattern = caller->getTemplateInstantiationPattern();
  std::vector<TextEdit> edits;
  for (const FunctionDecl *declaration : (pattern ? pattern : caller)->redecls()) {
    std::optional<TextEdit> edit = findConstexpr(*declaration, sema);
    if (!edit)
      return {};
    edit->removed = 0;
    edit->inserted = "__attribute__((host)) ";
    edits.push_back(std::move(*edit));
  }
  return edits;
}

/// Inserts `this->` before the name that a diagnostic is about, in functions that have a
/// `this`.
static std::vector<TextEdit> nameThroughThis(const clang::Diagnostic &diagnostic,
                                             const clang::Sema &sema) {
  const auto *method =
      llvm::dyn_cast<clang::CXXMethodDecl>(sema.getFunctionLevelDeclContext());
  if (!method || !method->isInstance())
    return {};
  const auto [file, name] =
      sema.getSourceManager().getDecomposedSpellingLoc(diagnostic.getLocation());
  return {{file, name, 0, "this->"}};
}

/// The place of a declaration's name, or of the classes' names before it; none in a
/// macro.
static std::optional<TextEdit> findName(const FunctionDecl &function,
                                        const clang::Sema &sema) {
  const clang::SourceLocation start = function.getQualifier()
                                          ? function.getQualifierLoc().getBeginLoc()
                                          : function.getLocation();
  if (start.isInvalid() || start.isMacroID())
    return std::nullopt;
  const auto [file, offset] = sema.getSourceManager().getDecomposedLoc(start);
  return TextEdit{file, offset, 0, ""};
}

/// Makes the instance of a template that is being read, a function of the host's, one of
/// both sides.
static std::vector<TextEdit> makeFunctionOfBothSides(const clang::Sema &sema) {
  const FunctionDecl *function = sema.getCurFunctionDecl(/*AllowLambda=*/true);
  const FunctionDecl *pattern =
      function ? function->getTemplateInstantiationPattern() : nullptr;
  if (!pattern)
    return {};
  std::vector<TextEdit> edits;
  for (const FunctionDecl *declaration : pattern->redecls()) {
    std::optional<TextEdit> edit = findName(*declaration, sema);
    if (!edit)
      return {};
    edit->inserted = "__attribute__((host)) __attribute__((device)) ";
    edits.push_back(std::move(*edit));
  }
  return edits;
}

/// Whether a diagnostic is about a function of the device that one of the host's names;
/// `callee` and `caller` are its arguments that say their sides.
static bool isCallOfDevice(const clang::Diagnostic &diagnostic, unsigned callee,
                           unsigned caller) {
  using Target = clang::CUDAFunctionTarget;
  return diagnostic.getRawArg(callee) == uint64_t(Target::Device) &&
         diagnostic.getRawArg(caller) == uint64_t(Target::Host);
}

static bool hasPack(const FunctionDecl &function) {
  return function.getPrimaryTemplate()->getTemplateParameters()->hasParameterPack();
}

/// Whether the declaration is the template's only one, which other files need not know by
/// its name.
static bool isOnlyDeclaration(const FunctionDecl &function) {
  const FunctionDecl *pattern = function.getPrimaryTemplate()->getTemplatedDecl();
  return pattern->isThisDeclarationADefinition() && !pattern->getPreviousDecl() &&
         pattern->getMostRecentDecl() == pattern;
}

/// Makes Clang prefer the one of two candidates that has no pack: of two that are
/// otherwise equal it takes the one with more conditions.
std::vector<TextEdit> DeclarationRepairs::preferCandidate(const FunctionDecl &candidate,
                                                          const clang::Sema &sema) {
  if (!candidate.getPrimaryTemplate() || candidate.getNumParams())
    return {};
  candidates.push_back(&candidate);
  if (candidates.size() != 2 || hasPack(*candidates[0]) == hasPack(*candidates[1]))
    return {};
  const FunctionDecl &better = *candidates[hasPack(*candidates[0])];
  if (!isOnlyDeclaration(better))
    return {};
  // Before the name, as the declaration may begin with a macro. Behind `*` and `&` an
  // attribute would be the type's.
  const clang::SourceManager &sources = sema.getSourceManager();
  const FunctionDecl *pattern = better.getPrimaryTemplate()->getTemplatedDecl();
  const auto [file, name] = sources.getDecomposedSpellingLoc(pattern->getLocation());
  const StringRef before = sources.getBufferData(file).take_front(name).rtrim();
  if (before.ends_with("*") || before.ends_with("&"))
    return {};
  return {{file, name, 0, "__attribute__((enable_if(true, \"\"))) "}};
}

std::vector<TextEdit> DeclarationRepairs::find(clang::DiagnosticsEngine::Level level,
                                               const clang::Diagnostic &diagnostic,
                                               const clang::Sema &sema) {
  const unsigned id = diagnostic.getID();
  if (level != clang::DiagnosticsEngine::Note) {
    isAmbiguous = (id == clang::diag::err_ovl_ambiguous_call ||
                   id == clang::diag::err_ovl_ambiguous_member_call) &&
                  sema.isUnevaluatedContext();
    candidates.clear();
  }
  if (id == clang::diag::err_constexpr_local_var_non_literal_type)
    return removeConstexpr(sema);
  if (id == clang::diag::err_found_in_dependent_base ||
      id == clang::diag::err_found_later_in_class)
    return nameThroughThis(diagnostic, sema);
  if ((id == clang::diag::err_ref_bad_target && isCallOfDevice(diagnostic, 0, 3)) ||
      (id == clang::diag::note_ovl_candidate_bad_target &&
       isCallOfDevice(diagnostic, 3, 4)))
    return makeFunctionOfBothSides(sema);
  if (level >= clang::DiagnosticsEngine::Error && sema.getLangOpts().CUDAIsDevice)
    return makeHostFunction(sema);
  constexpr unsigned declaration = 2; // the argument of the note that is one
  if (id != clang::diag::note_ovl_candidate || !isAmbiguous ||
      diagnostic.getArgKind(declaration) != clang::DiagnosticsEngine::ak_nameddecl)
    return {};
  const auto *candidate = llvm::dyn_cast<FunctionDecl>(
      reinterpret_cast<const clang::NamedDecl *>(diagnostic.getRawArg(declaration)));
  return candidate ? preferCandidate(*candidate, sema) : std::vector<TextEdit>();
}
