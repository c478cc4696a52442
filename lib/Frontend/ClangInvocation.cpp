// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one pass of Clang in this process, and shows its diagnostics.

#include "ClangInvocation.h"
#include "FunctionsOfBothSides.h"
#include "HostCalls.h"
#include "Import.h"
#include "IncludedFiles.h"
#include "MemorySource.h"
#include "Messages.h"
#include "NvrtcMessages.h"
#include "PrecompiledPrelude.h"
#include "PreprocessorHooks.h"
#include "Relocatable.h"
#include "RunTimeSource.h"
#include "SharedVariables.h"
#include "SourceRepairs.h"

#include "het/Frontend/Warnings.h"

#include "clang/Basic/DiagnosticDriver.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"

#include <optional>

using namespace het;
using llvm::StringRef;

/// Errors about what nvcc takes. When Clang says them it has understood the code
/// and goes on rightly.
static constexpr unsigned toleratedErrors[] = {
    clang::diag::err_missing_dependent_template_keyword,
    clang::diag::err_param_default_argument_member_template_redecl};

/// They become remarks, which MessagePrinter shows as warnings: Clang does not
/// map an error to a warning. With assertions it maps none.
static void tolerate(clang::DiagnosticsEngine &diagnostics) {
  using Severity = clang::diag::Severity;
  clang::SourceLocation everywhere;
  diagnostics.setSeverity(clang::diag::warn_pragma_unroll_cuda_value_in_parens,
                          Severity::Ignored, everywhere);
  if (!HET_LLVM_ASSERTIONS)
    for (unsigned id : toleratedErrors)
      diagnostics.setSeverity(id, Severity::Remark, everywhere);
  if (!HET_LLVM_ASSERTIONS) // Clang drops the guide, which few programs go by
    diagnostics.setSeverity(clang::diag::err_deduction_guide_target_attr,
                            Severity::Ignored, everywhere);
  if (!HET_LLVM_ASSERTIONS) // some are still errors (HostCalls.h)
    diagnostics.setSeverity(clang::diag::err_ref_bad_target, Severity::Remark,
                            everywhere);
}

namespace {

/// Which warnings fail the compilation: those that would fail nvcc's, which has fewer.
struct WarningPolicy {
  bool areErrors = false;
  bool areHostCallsErrors = false;
  bool all = false, extra = false; ///< -Wall, -Wextra

  static WarningPolicy of(const CompileOptions &options,
                          const ClangArguments &arguments) {
    auto has = [&](StringRef word) { return llvm::is_contained(arguments, word); };
    return {options.warningsAreErrors, options.hostCallsAreErrors, has("-Wall"),
            has("-Wextra") || has("-W")};
  }
  bool isError(unsigned id, clang::DiagnosticIDs &ids) const {
    return areErrors && isSharedWarning(ids.getWarningOptionForDiag(id), all, extra);
  }
};

/// Whether the diagnostic is at what an operator has in parentheses, as those about an
/// `alignas` of the source are.
static bool isInParentheses(const clang::Diagnostic &info) {
  if (!info.hasSourceManager() || info.getLocation().isInvalid())
    return false;
  const clang::SourceManager &sources = info.getSourceManager();
  auto [file, offset] = sources.getDecomposedSpellingLoc(info.getLocation());
  return sources.getBufferData(file).take_front(offset).rtrim().ends_with("(");
}

/// Renders each diagnostic together with its notes and passes it to Messages.
/// Behind a fault that the next pass will not have, nothing is shown: it may
/// follow from that.
class MessagePrinter : public clang::DiagnosticConsumer {
public:
  MessagePrinter(Messages &messages, clang::DiagnosticOptions &options, StringRef hidden,
                 WarningPolicy policy, SourceRepairs *repairs = nullptr,
                 const clang::CompilerInstance *compiler = nullptr)
      : messages(messages), stream(text), printer(stream, options), hidden(hidden.str()),
        policy(policy), repairs(repairs), compiler(compiler) {
    stream.enable_colors(messages.useColor());
  }
  ~MessagePrinter() override { flush(); }

  void BeginSourceFile(const clang::LangOptions &language,
                       const clang::Preprocessor *preprocessor) override {
    printer.BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override {
    flush();
    printer.EndSourceFile();
  }
  void finish() override { flush(); }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &info) override {
    if (compiler && level >= clang::DiagnosticsEngine::Error &&
        isOfPrecompiledPrelude(info.getID(), compiler->getPreprocessorOpts()))
      preludeRefused = true;
    // Without the precompiled prelude the pass is run again.
    if (preludeRefused || isOfHostCallCheck(info))
      level = clang::DiagnosticsEngine::Ignored;
    else if (info.getID() == clang::diag::err_ref_bad_target)
      level = levelOfCall(info);
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level != clang::DiagnosticsEngine::Note)
      flush();
    if (level != clang::DiagnosticsEngine::Note)
      isHidden = level == clang::DiagnosticsEngine::Ignored;
    if (isHidden)
      return;
    const std::optional<Repair> repair = noteRepair(level, info);
    if (repair == Repair::ClassOfThis || repair == Repair::AmbiguousTemplates) {
      forget(); // This is a note; the error before it will not be there again.
      return;
    }
    if (repair && info.getID() != clang::diag::err_template_kw_missing) {
      if (repair == Repair::TemplateKeyword)
        showRepair(info); // What Clang says is what follows from the missing word.
      return;
    }
    if (repair || (level == clang::DiagnosticsEngine::Remark &&
                   llvm::is_contained(toleratedErrors, info.getID())))
      level = clang::DiagnosticsEngine::Warning;
    else if (repairs && repairs->pending())
      return;
    else if (level == clang::DiagnosticsEngine::Warning &&
             policy.isError(info.getID(), *info.getDiags()->getDiagnosticIDs())) {
      level = clang::DiagnosticsEngine::Error;
      failed = true;
    }
    printer.HandleDiagnostic(level, info);
    if (level != clang::DiagnosticsEngine::Note)
      isOfSharedObject = !isInParentheses(info);
    if (level >= clang::DiagnosticsEngine::Error)
      severity = Severity::Error;
    else if (level == clang::DiagnosticsEngine::Warning)
      severity = Severity::Warning;
  }

  /// Whether a warning was made an error.
  bool hasFailed() const { return failed; }
  /// Whether Clang did not take the precompiled prelude.
  bool hasRefusedPrelude() const { return preludeRefused; }

private:
  std::optional<Repair> noteRepair(clang::DiagnosticsEngine::Level level,
                                   const clang::Diagnostic &info) {
    if (!repairs)
      return std::nullopt;
    if (level >= clang::DiagnosticsEngine::Error && compiler->hasSema() &&
        compiler->getSema().CurContext &&
        compiler->getSema().CurContext->isDependentContext())
      if (std::optional<Repair> repair = repairs->noteInTemplate(info))
        return repair;
    if (compiler->hasSema())
      if (std::optional<Repair> repair =
              repairs->noteOfDeclaration(level, info, compiler->getSema()))
        return repair;
    return repairs->note(info);
  }
  /// The severity of a call across execution spaces, which is a remark to Clang
  /// (tolerate).
  clang::DiagnosticsEngine::Level levelOfCall(const clang::Diagnostic &info) {
    using Level = clang::DiagnosticsEngine::Level;
    const SideCall call = compiler ? noteSideCall(info, *compiler) : SideCall::Refused;
    if (call == SideCall::QuietTrap ||
        (call == SideCall::Trap &&
         info.getSourceManager().isInSystemHeader(info.getLocation())))
      return Level::Ignored;
    const bool isError = call == SideCall::Refused || policy.areHostCallsErrors;
    failed |= isError;
    return isError ? Level::Error : Level::Warning;
  }
  void showRepair(const clang::Diagnostic &info) {
    const clang::PresumedLoc place =
        info.getSourceManager().getPresumedLoc(info.getLocation());
    if (place.isValid())
      messages.show(Severity::Warning,
                    {place.getFilename(), place.getLine(), place.getColumn()},
                    "missing 'template' keyword prior to dependent template name");
  }
  void replace(StringRef clangs, StringRef ours) {
    if (const size_t place = text.find(clangs); place != std::string::npos)
      text.replace(place, clangs.size(), ours);
  }
  /// Says in our words what Clang says of its own option, or of what we have put in.
  void useOurWords() {
    replace("requires relocatable device code (i.e. requires -fgpu-rdc)",
            "requires separate compilation mode; compile and link with -rdc=true");
    replace("template name (null)", "template name 'operator()'");
    if (isOfSharedObject)
      replace("invalid application of 'alignas' to an", "variable has");
  }
  void flush() {
    useOurWords();
    if (messages.form() == Messages::Form::Nvrtc)
      useNvrtcWords(text);
    if (!text.empty() && (hidden.empty() || !StringRef(text).contains(hidden)))
      messages.show(severity, text);
    forget();
  }
  void forget() {
    text.clear();
    severity = Severity::Remark;
  }

  Messages &messages;
  std::string text;
  llvm::raw_string_ostream stream;
  clang::TextDiagnosticPrinter printer;
  std::string hidden;
  WarningPolicy policy;
  bool failed = false;
  bool preludeRefused = false;
  bool isHidden = false;         ///< Whether the last message was, and its notes are.
  bool isOfSharedObject = false; ///< If it is of an alignment (SharedVariables.cpp).
  SourceRepairs *repairs;
  const clang::CompilerInstance *compiler;
  Severity severity = Severity::Remark;
};

} // namespace

/// "sm_90a" is 900.
static std::string archNumber(StringRef arch) {
  arch.consume_front("sm_");
  return arch.take_while(llvm::isDigit).str() + "0";
}

/// Our headers; the user's -I comes first.
static void addHeaders(ClangArguments &arguments, const std::string &folder,
                       const char *prelude) {
  if (!folder.empty())
    arguments.insert(arguments.end(),
                     {"-isystem", folder, "-include", folder + "/" + prelude});
}

/// CCCL, where a toolkit of CUDA 13 has it; the user's -I and -isystem come first.
static void addCccl(ClangArguments &arguments, const std::string &headers) {
  const std::string folder = headers + "/cccl";
  if (llvm::sys::fs::is_directory(folder))
    arguments.insert(arguments.end(), {"-isystem", folder});
}

/// A program beside which Clang looks for g++'s headers first. Without a folder it would
/// take them from `/..`, and lists of dependencies would name files that are nowhere once
/// a build system has resolved their dots.
static std::string clangProgramOf(const CompileOptions &options) {
  namespace path = llvm::sys::path;
  const std::string resources = resourceDirOf(options); // ROOT/lib/clang/VERSION
  llvm::SmallString<128> place(
      path::parent_path(path::parent_path(path::parent_path(resources))));
  path::append(place, "bin", "clang");
  return place.str().str();
}

ClangArguments het::commonClangArguments(const CompileOptions &options) {
  ClangArguments arguments = {
      "hetcc", "-x", "cuda",
      // No CUDA toolkit: the headers are ours, and there is no device library.
      // The SDK version selects the current form of launches.
      "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib",
      // Locations hold the names of files as they were given, whole.
      "-fdebug-compilation-dir=/",
      // Always the newest that Clang's builtins may ask for; what the user asked
      // for is what __CUDA_ARCH__ says (the prelude sets it).
      "--cuda-gpu-arch=sm_90", "-D__HET_CUDA_ARCH__=" + archNumber(options.arch),
      "-Wno-unknown-cuda-version",
      // nvcc and the host compilers behind it take these for no more than a
      // matter of style.
      "-Wno-register", "-Wno-c++11-narrowing", "-Wno-error=return-mismatch",
      // A constexpr function that calls others, as nvcc takes it, is computed when it
      // runs.
      "-Wno-invalid-constexpr",
      // nvcc asks for `__host__ __device__` on deduction guides.
      "-Wno-deprecated-attributes",
      // A `#pragma unroll` is a wish.
      "-Wno-pass-failed", "-Xclang", "-target-sdk-version=12.9"};
  arguments.push_back("-resource-dir=" + resourceDirOf(options));
  arguments.push_back(options.color ? "-fcolor-diagnostics" : "-fno-color-diagnostics");
  if (options.inMemory)
    llvm::append_range(arguments, memoryArguments());
  addHeaders(arguments, options.headersDir,
             options.inMemory ? "__het_rtc_prelude.h" : "__het_cuda_prelude.h");
  // The other driver's way to link has one table of kernels for a whole program.
  if (options.relocatable)
    arguments.insert(arguments.end(), {"-fgpu-rdc", "--no-offload-new-driver",
                                       "-cuid=" + relocatableId(options)});
  if (options.fastMath)
    arguments.insert(arguments.end(),
                     {"-D__USE_FAST_MATH__=1", "-fgpu-approx-transcendentals"});
  arguments.insert(arguments.end(), options.clangArguments.begin(),
                   options.clangArguments.end());
  addCccl(arguments, options.headersDir);
  arguments.insert(arguments.end(), options.dependencyArguments.begin(),
                   options.dependencyArguments.end());
  return arguments;
}

/// The cc1 arguments of the only job that the driver makes of a command line.
static std::optional<llvm::opt::ArgStringList>
makeJob(clang::driver::Compilation &compilation) {
  for (const clang::driver::Command &job : compilation.getJobs())
    if (!job.getArguments().empty() && StringRef(job.getArguments().front()) == "-cc1")
      return job.getArguments();
  return std::nullopt;
}

static void showCommand(Messages &messages, const llvm::opt::ArgStringList &arguments) {
  std::string line;
  llvm::raw_string_ostream stream(line);
  stream << "#$ clang";
  for (const char *argument : arguments) {
    stream << ' ';
    llvm::sys::printArg(stream, argument, /*Quote=*/false);
  }
  stream << '\n';
  messages.print(line);
}

/// Clang's own list is that of the architecture that code is generated for.
static void setArchList(clang::CompilerInvocation &invocation,
                        const CompileOptions &options) {
  static constexpr const char *macro = "__CUDA_ARCH_LIST__";
  auto &macros = invocation.getPreprocessorOpts().Macros;
  llvm::erase_if(macros, [](const auto &entry) {
    return StringRef(entry.first).split('=').first == macro;
  });
  const std::string &list = options.archList;
  macros.insert(macros.begin(),
                {macro + ("=" + (list.empty() ? archNumber(options.arch) : list)),
                 /*undefined=*/false});
}

/// Launches use the stream that the headers' macro asks for, whether it came
/// from --default-stream or from the user's own -D.
static void chooseDefaultStream(clang::CompilerInvocation &invocation) {
  static constexpr const char *macro = "CUDA_API_PER_THREAD_DEFAULT_STREAM";
  auto &macros = invocation.getPreprocessorOpts().Macros;
  bool perThread = false;
  for (const auto &[definition, undefined] : macros)
    if (StringRef(definition).split('=').first == macro)
      perThread = !undefined;
  if (!perThread)
    return;
  invocation.getLangOpts().GPUDefaultStream =
      clang::LangOptions::GPUDefaultStreamKind::PerThread;
  // Clang defines the macro itself now; the user's value replaces it.
  macros.insert(macros.begin(), {macro, /*undefined=*/true});
}

namespace {
enum class Outcome { Ok, Failed, PreludeRefused };
} // namespace

/// One run of the pass.
static Outcome runPass(const clang::CompilerInvocation &invocation, Messages &messages,
                       FileSystemPointer files, clang::FrontendAction &action,
                       StringRef hidden, WarningPolicy policy, SourceRepairs &repairs,
                       IncludedFiles &included, bool mayPrecompile) {
  auto copy = std::make_shared<clang::CompilerInvocation>(invocation);
  repairs.apply(*copy, *files);
  if (mayPrecompile)
    usePrecompiledPrelude(*copy, files);
  clang::CompilerInstance compiler(copy);
  MessagePrinter printer(messages, copy->getDiagnosticOpts(), hidden, policy, &repairs,
                         &compiler);
  compiler.setVerboseOutputStream(llvm::nulls());
  compiler.setVirtualFileSystem(hideUnavailableHeaders(files));
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  tolerate(compiler.getDiagnostics());
  addPreprocessorHooks(compiler);
  included.attach(compiler);
  bool ok = compiler.ExecuteAction(action);
  printer.finish();
  if (printer.hasRefusedPrelude())
    return Outcome::PreludeRefused;
  ok = ok && !printer.hasFailed() && !compiler.getDiagnostics().hasErrorOccurred();
  return ok ? Outcome::Ok : Outcome::Failed;
}

/// The pass, again with what Clang's messages ask for.
static bool runPasses(const clang::CompilerInvocation &invocation, Messages &messages,
                      const FileSystemPointer &files, clang::FrontendAction &action,
                      StringRef hidden, WarningPolicy policy, IncludedFiles &included) {
  bool mayPrecompile = !action.usesPreprocessorOnly();
  SourceRepairs repairs;
  Outcome outcome;
  do {
    outcome = runPass(invocation, messages, files, action, hidden, policy, repairs,
                      included, mayPrecompile);
    mayPrecompile &= outcome != Outcome::PreludeRefused;
  } while (outcome == Outcome::PreludeRefused ||
           (outcome == Outcome::Failed && (repairs.pending() || repairs.giveUp())));
  return outcome == Outcome::Ok;
}

bool het::runClang(const ClangArguments &arguments, const CompileOptions &options,
                   Messages &messages,
                   const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &files,
                   clang::FrontendAction &action, IncludedFiles &included,
                   StringRef hidden) {
  clang::DiagnosticOptions driverOptions;
  driverOptions.ShowColors = messages.useColor();
  const WarningPolicy policy = WarningPolicy::of(options, arguments);
  MessagePrinter driverPrinter(messages, driverOptions, hidden, WarningPolicy());
  auto ids = llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>();
  clang::DiagnosticsEngine driverDiagnostics(ids, driverOptions, &driverPrinter,
                                             /*ShouldOwnClient=*/false);

  clang::driver::Driver driver(clangProgramOf(options),
                               llvm::sys::getDefaultTargetTriple(), driverDiagnostics,
                               "hetcc", files);
  driver.setProbePrecompiled(false);
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  std::unique_ptr<clang::driver::Compilation> compilation(
      driver.BuildCompilation(pointers));
  if (!compilation || driverDiagnostics.hasErrorOccurred())
    return false;
  auto job = makeJob(*compilation);
  if (!job) {
    messages.show(Severity::Error, Messages::Place(),
                  "nothing to compile in '" + options.inputFile + "'");
    return false;
  }
  if (options.verbose)
    showCommand(messages, *job);

  clang::CompilerInvocation invocation;
  if (!clang::CompilerInvocation::CreateFromArgs(
          invocation, llvm::ArrayRef(*job).drop_front(), driverDiagnostics))
    return false;
  invocation.getFrontendOpts().DisableFree = false;
  if (options.inMemory)
    useNvrtcForm(invocation.getDiagnosticOpts());
  setArchList(invocation, options);
  chooseDefaultStream(invocation);
  included.take(invocation);
  registerSharedAttribute();
  registerSideAttribute();
  registerDefaultDeviceAttribute();
  return runPasses(invocation, messages, files, action, hidden, policy, included);
}
