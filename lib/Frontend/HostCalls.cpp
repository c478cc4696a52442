// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostCalls.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/Cuda.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

using namespace het;

static bool isTarget(const clang::Diagnostic &diagnostic, unsigned argument,
                     clang::CUDAFunctionTarget target) {
  return diagnostic.getRawArg(argument) == static_cast<uint64_t>(target);
}

/// Whether a declaration is an instance of a template, or in one.
static bool isOfInstance(const clang::Decl *declaration) {
  if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
    if (function->isTemplateInstantiation())
      return true;
  const clang::DeclContext *scope = declaration->getDeclContext();
  return !scope->isTranslationUnit() &&
         isOfInstance(clang::Decl::castFromDeclContext(scope));
}

/// Whether a message that waited until its function was certain to be compiled is of an
/// instance of a template.
static bool isInInstance(const clang::Diagnostic &diagnostic, const clang::Sema &sema) {
  return llvm::any_of(sema.DeviceDeferredDiags, [&](const auto &entry) {
    auto isThis = [&](const clang::PartialDiagnosticAt &message) {
      return message.first == diagnostic.getLocation();
    };
    return llvm::any_of(entry.second, isThis) && isOfInstance(entry.first);
  });
}

/// Marks a function that no code is to be made of.
static void mark(clang::FunctionDecl &function, bool isDevice) {
  for (clang::FunctionDecl *each : function.redecls()) {
    if (!each->hasAttr<clang::ErrorAttr>())
      each->addAttr(
          clang::ErrorAttr::CreateImplicit(each->getASTContext(), hostFunctionMark));
    // The body is no code for devices: nothing in it is to be reported or compiled.
    if (isDevice && each->doesThisDeclarationHaveABody() && !each->isDefaulted())
      each->setBody(nullptr);
  }
}

SideCall het::noteSideCall(const clang::Diagnostic &diagnostic,
                           const clang::CompilerInstance &compiler) {
  using Kind = clang::DiagnosticsEngine::ArgumentKind;
  using Target = clang::CUDAFunctionTarget;
  const bool isDevice = compiler.getLangOpts().CUDAIsDevice;
  if (diagnostic.getID() != clang::diag::err_ref_bad_target ||
      diagnostic.getArgKind(2) != Kind::ak_nameddecl ||
      !isTarget(diagnostic, 0, isDevice ? Target::Host : Target::Device) ||
      !isTarget(diagnostic, 3, Target::HostDevice) || !compiler.hasSema())
    return SideCall::Refused;
  // A call that is reported while the caller is read is not in Clang's tree; one that is
  // reported later is.
  if (compiler.getSema().getCurFunctionDecl(/*AllowLambda=*/true))
    return SideCall::Refused;
  auto *named = reinterpret_cast<clang::NamedDecl *>(diagnostic.getRawArg(2));
  auto *function = llvm::dyn_cast<clang::FunctionDecl>(named);
  if (!function || (!isDevice && !isInInstance(diagnostic, compiler.getSema())))
    return SideCall::Refused;
  mark(*function, isDevice);
  return isDevice ? SideCall::Trap : SideCall::QuietTrap;
}

static constexpr const char refused[] = "a call of a host function is refused";

namespace {
class HostCallCheck : public clang::ASTConsumer {
public:
  explicit HostCallCheck(clang::CompilerInstance &compiler) : compiler(compiler) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef) override {
    tell();
    return true;
  }
  void HandleTranslationUnit(clang::ASTContext &) override { tell(); }

private:
  void tell() {
    clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    if (diagnostics.getClient()->getNumErrors() && !diagnostics.hasErrorOccurred())
      diagnostics.Report(
          diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, refused));
  }

  clang::CompilerInstance &compiler;
};
} // namespace

std::unique_ptr<clang::ASTConsumer>
het::createHostCallCheck(clang::CompilerInstance &compiler) {
  return std::make_unique<HostCallCheck>(compiler);
}

bool het::isOfHostCallCheck(const clang::Diagnostic &diagnostic) {
  if (diagnostic.getID() < clang::diag::DIAG_UPPER_LIMIT)
    return false;
  llvm::SmallString<64> text;
  diagnostic.FormatDiagnostic(text);
  return text == refused;
}

void het::trapHostCalls(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.getFnAttribute(hostFunctionAttribute).getValueAsString() !=
        hostFunctionMark)
      continue;
    function.removeFnAttr(hostFunctionAttribute);
    function.deleteBody();
    function.setComdat(nullptr);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setVisibility(llvm::GlobalValue::DefaultVisibility);
    function.setDSOLocal(true);
    llvm::IRBuilder<> builder(
        llvm::BasicBlock::Create(module.getContext(), "", &function));
    builder.CreateIntrinsic(llvm::Intrinsic::trap, {});
    builder.CreateUnreachable();
  }
}

namespace {
class TrapDeviceCalls : public llvm::PassInfoMixin<TrapDeviceCalls> {
public:
  static llvm::PreservedAnalyses run(llvm::Module &module,
                                     llvm::ModuleAnalysisManager &) {
    trapHostCalls(module);
    return llvm::PreservedAnalyses::none();
  }

  static bool isRequired() { return true; }
};
} // namespace

void het::trapDeviceCalls(clang::CodeGenOptions &options) {
  options.PassBuilderCallbacks.push_back([](llvm::PassBuilder &builder) {
    builder.registerPipelineStartEPCallback(
        [](llvm::ModulePassManager &manager, llvm::OptimizationLevel) {
          manager.addPass(TrapDeviceCalls());
        });
  });
}
