// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Name expressions become variables of the host, `auto __het_name_N = &(expression);`,
// which Clang looks at and generates no code for.

#include "RunTimeSource.h"
#include "het/IR/Module.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace clang;
using llvm::StringRef;

static constexpr StringRef namePrefix = "__het_name_";

std::string het::withNameExpressions(const SourceInMemory &source) {
  std::string text;
  if (source.deviceByDefault)
    text += "#pragma clang force_cuda_host_device begin\n"
            "#pragma clang attribute push (__attribute__((het_default_device)), "
            "apply_to = variable)\n";
  if (source.deviceByDefault)
    text += "#line 1\n";
  text += source.text + "\n";
  if (source.deviceByDefault)
    text += "#pragma clang attribute pop\n"
            "#pragma clang force_cuda_host_device end\n";
  if (source.expressions.empty())
    return text;
  text += "#line 1 \"__nv_name_map\"\n";
  for (size_t i = 0; i < source.expressions.size(); ++i) {
    StringRef expression = StringRef(source.expressions[i]).trim();
    expression.consume_front("&");
    text += ("static auto *const " + namePrefix + std::to_string(i) + " = &(" +
             expression + "\n);\n")
                .str();
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Entities of the host
//===----------------------------------------------------------------------===//

namespace {

/// Visits what the source declares.
class HostEntities : public DynamicRecursiveASTVisitor {
public:
  HostEntities(DiagnosticsEngine &diagnostics, const SourceManager &sources,
               bool deviceByDefault)
      : diagnostics(diagnostics), sources(sources), deviceByDefault(deviceByDefault) {
    auto add = [&](StringRef text) {
      return diagnostics.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Error, text);
    };
    plain = add(
        "A function without execution space annotations "
        "(__host__/__device__/__global__) is considered a host function, and host "
        "functions are not allowed in JIT mode. Consider using -default-device flag to "
        "process unannotated functions as __device__ functions in JIT mode");
    marked = add("A function explicitly marked as a __host__ function is not allowed in "
                 "JIT mode");
    variable = add(
        "A namespace scope variable without memory space annotations "
        "(__device__/__constant__/__shared__/__managed__) is considered a host variable, "
        "and host variables are not allowed in JIT mode. Consider using -default-device "
        "flag to process unannotated namespace scope variables as __device__ variables "
        "in JIT mode");
  }

  bool VisitFunctionDecl(FunctionDecl *function) override {
    if (isSystem(*function) || function->isImplicit() || function->isDefaulted() ||
        function->isDeleted() || function->getPreviousDecl() ||
        function->hasAttr<CUDADeviceAttr>() || function->hasAttr<CUDAGlobalAttr>() ||
        isa<CXXDeductionGuideDecl>(function))
      return true;
    const auto *host = function->getAttr<CUDAHostAttr>();
    if (host && !host->isImplicit())
      diagnostics.Report(function->getLocation(), marked);
    else if (!deviceByDefault && !isOfLambda(*function))
      diagnostics.Report(function->getLocation(), plain);
    return true;
  }

  bool VisitVarDecl(VarDecl *var) override {
    const bool isDevices = var->hasAttr<CUDADeviceAttr>() ||
                           var->hasAttr<CUDAConstantAttr>() ||
                           var->hasAttr<CUDASharedAttr>();
    if (!deviceByDefault && !isDevices && !isSystem(*var) && isPlainDefinition(*var) &&
        !isConstant(*var) && !var->getName().starts_with(namePrefix))
      diagnostics.Report(var->getLocation(), variable);
    return true;
  }

private:
  bool isSystem(const Decl &declaration) const {
    return declaration.getLocation().isInvalid() ||
           sources.isInSystemHeader(declaration.getLocation());
  }
  /// Templates, and what is only declared, stand for nothing: libraries have them for
  /// their types.
  static bool isPlainDefinition(const VarDecl &var) {
    return var.isFileVarDecl() && !var.getDescribedVarTemplate() &&
           !isa<VarTemplateSpecializationDecl>(var) &&
           !var.getDeclContext()->isDependentContext() &&
           var.isThisDeclarationADefinition() == VarDecl::Definition;
  }
  static bool isConstant(const VarDecl &var) {
    const QualType type = var.getASTContext().getBaseElementType(var.getType());
    return var.isConstexpr() || type.isConstQualified() || type->isReferenceType();
  }
  static bool isOfLambda(const FunctionDecl &function) {
    const auto *method = dyn_cast<CXXMethodDecl>(&function);
    return method && method->getParent()->isLambda();
  }

  DiagnosticsEngine &diagnostics;
  const SourceManager &sources;
  const bool deviceByDefault;
  unsigned plain, marked, variable;
};

class HostEntityCheck : public ASTConsumer {
public:
  HostEntityCheck(CompilerInstance &compiler, bool deviceByDefault)
      : visitor(compiler.getDiagnostics(), compiler.getSourceManager(), deviceByDefault) {
  }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group)
      if (!declaration->isFromASTFile()) // the prelude's
        visitor.TraverseDecl(declaration);
    return true;
  }

private:
  HostEntities visitor;
};

} // namespace

std::unique_ptr<ASTConsumer> het::createHostEntityCheck(CompilerInstance &compiler,
                                                        const SourceInMemory &source) {
  return std::make_unique<HostEntityCheck>(compiler, source.deviceByDefault);
}

//===----------------------------------------------------------------------===//
// Lowered names
//===----------------------------------------------------------------------===//

namespace {

class NameLowering : public ASTConsumer {
public:
  NameLowering(DiagnosticsEngine &diagnostics, het::SourceInMemory &source,
               std::function<CodeGenerator *()> generator)
      : diagnostics(diagnostics), source(source), generator(std::move(generator)) {}

  void HandleTranslationUnit(ASTContext &context) override {
    source.loweredNames.assign(source.expressions.size(), "");
    if (diagnostics.hasErrorOccurred())
      return;
    for (size_t i = 0; i < source.expressions.size(); ++i) {
      const IdentifierInfo &name =
          context.Idents.get((namePrefix + std::to_string(i)).str());
      for (NamedDecl *found : context.getTranslationUnitDecl()->lookup(&name))
        if (const auto *var = dyn_cast<VarDecl>(found))
          lower(*var, i);
    }
  }

private:
  /// What `&(expression)` names.
  static const ValueDecl *namedBy(const VarDecl &var) {
    const Expr *value = var.getInit();
    if (!value)
      return nullptr;
    for (;;) {
      value = value->IgnoreParenCasts();
      const auto *address = dyn_cast<UnaryOperator>(value);
      if (!address || address->getOpcode() != UO_AddrOf)
        break;
      value = address->getSubExpr();
    }
    const auto *reference = dyn_cast<DeclRefExpr>(value);
    return reference ? reference->getDecl() : nullptr;
  }

  void lower(const VarDecl &var, size_t number) {
    const ValueDecl *named = namedBy(var);
    const auto *function = dyn_cast_or_null<FunctionDecl>(named);
    const auto *variable = dyn_cast_or_null<VarDecl>(named);
    if (function && !function->hasAttr<CUDAGlobalAttr>())
      return report(var,
                    "Name expression cannot form address of a non-__global__ "
                    "function",
                    number);
    if (!function && !variable)
      return report(var, "Error in parsing name expression for lowered name lookup",
                    number);
    llvm::Constant *place =
        function ? generator()->GetAddrOfGlobal(GlobalDecl(function), true)
                 : generator()->GetAddrOfGlobal(GlobalDecl(variable), true);
    auto *global =
        place ? dyn_cast<llvm::GlobalValue>(place->stripPointerCasts()) : nullptr;
    if (global)
      source.loweredNames[number] = global->getName().str();
  }

  void report(const VarDecl &var, StringRef text, size_t number) {
    const unsigned id = diagnostics.getCustomDiagID(
        DiagnosticsEngine::Error, "%0. Input name expression was: \"%1\"");
    diagnostics.Report(var.getLocation(), id) << text << source.expressions[number];
  }

  DiagnosticsEngine &diagnostics;
  het::SourceInMemory &source;
  std::function<CodeGenerator *()> generator;
};

} // namespace

std::unique_ptr<ASTConsumer>
het::createNameLowering(CompilerInstance &compiler, SourceInMemory &source,
                        std::function<CodeGenerator *()> generator) {
  return std::make_unique<NameLowering>(compiler.getDiagnostics(), source,
                                        std::move(generator));
}

/// NVRTC calls `static int x;` of the global namespace "x", Clang "_ZL1x".
static void givePlainName(llvm::GlobalVariable &variable, het::SourceInMemory &source) {
  const std::string given = variable.getName().str();
  StringRef name = given;
  size_t length;
  if (!name.consume_front("_ZL") || name.consumeInteger(10, length) ||
      length != name.size() || variable.getParent()->getNamedValue(name))
    return;
  variable.setName(name);
  for (std::string &lowered : source.loweredNames)
    if (lowered == given)
      lowered = name.str();
}

void het::exposeVariables(llvm::Module &module, SourceInMemory &source,
                          bool isRelocatable) {
  for (llvm::GlobalVariable &variable : module.globals()) {
    const StringRef name = variable.getName();
    const unsigned space = variable.getAddressSpace();
    const bool isOfFunction = name.starts_with("_ZZ");
    // Clang makes constants of all that is __constant__, also of what the host writes.
    if (variable.isDeclaration() || isOfFunction || name.starts_with("llvm.") ||
        (variable.isConstant() && space != ir::constantSpace) || space == ir::sharedSpace)
      continue;
    if (variable.hasInternalLinkage()) {
      variable.setExternallyInitialized(true);
      if (!isRelocatable) // what kernels only write is read by the program
        variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
    givePlainName(variable, source);
  }
}

//===----------------------------------------------------------------------===//
// Variables that are the device's by default
//===----------------------------------------------------------------------===//

namespace {

class DefaultDeviceAttrInfo : public ParsedAttrInfo {
public:
  DefaultDeviceAttrInfo() {
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_GNU, "het_default_device"}};
    Spellings = spellings;
    IsSupportedByPragmaAttribute = true;
  }

  void getPragmaAttributeMatchRules(
      SmallVectorImpl<std::pair<attr::SubjectMatchRule, bool>> &rules,
      const LangOptions &) const override {
    rules.push_back({attr::SubjectMatchRule_variable, true});
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration,
                                   const ParsedAttr &) const override {
    auto *var = dyn_cast<VarDecl>(declaration);
    if (!var || isa<ParmVarDecl>(var) || !var->hasGlobalStorage() ||
        var->isStaticLocal() || var->isConstexpr() || var->hasAttr<CUDADeviceAttr>() ||
        var->hasAttr<CUDAConstantAttr>() || var->hasAttr<CUDASharedAttr>() ||
        var->getType()->isReferenceType())
      return AttributeApplied;
    var->addAttr(CUDADeviceAttr::CreateImplicit(sema.Context));
    return AttributeApplied;
  }
};

} // namespace

void het::registerDefaultDeviceAttribute() {
  static ParsedAttrInfoRegistry::Add<DefaultDeviceAttrInfo> registered(
      "het_default_device", "makes a variable one of the device");
}
