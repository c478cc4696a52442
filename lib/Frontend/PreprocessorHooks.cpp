// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callbacks of Clang's preprocessor for pragmas, macros and headers of CUDA's.

#include "PreprocessorHooks.h"
#include "DiagnosticPragmas.h"
#include "LaunchBraces.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using llvm::StringRef;

/// The library that a header belongs to, if it is one that we do not have; else
/// null. From runtime/include/unavailable.txt.
static const char *unavailableLibrary(StringRef header) {
  static constexpr struct {
    StringRef header;
    const char *library;
  } table[] = {
#define HET_UNAVAILABLE(header, library) {header, library},
#include "UnavailableHeaders.inc"
  };
  for (const auto &entry : table)
    if (entry.header == header)
      return entry.library;
  return nullptr;
}

/// NVIDIA's CUDA Core Compute Libraries: headers alone, for each compiler of CUDA.
static bool isOfCoreLibraries(StringRef library) {
  return library == "CUB" || library == "Thrust" || library == "libcu++";
}

namespace {

class FilesWithoutHeaders : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override {
    if (isHidden(path))
      return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::status(path);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override {
    if (isHidden(path))
      return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::openFileForRead(path);
  }

private:
  static bool isHidden(const llvm::Twine &path) {
    llvm::SmallString<128> storage;
    StringRef name = path.toStringRef(storage);
    if (!name.consume_front("/usr/include/") &&
        !name.consume_front("/usr/local/include/"))
      return false;
    const char *library = unavailableLibrary(name);
    return library && !isOfCoreLibraries(library);
  }
};

class Hooks : public PPCallbacks {
public:
  explicit Hooks(Preprocessor &preprocessor)
      : preprocessor(preprocessor),
        unavailable(preprocessor.getDiagnostics().getCustomDiagID(
            DiagnosticsEngine::Note, "%0 is not available in hetcc yet")),
        separate(preprocessor.getDiagnostics().getCustomDiagID(
            DiagnosticsEngine::Note,
            "%0 does not come with hetcc; install CCCL (on PyPI nvidia-cuda-cccl-cu12) "
            "and pass its folder with -I")) {}

  void MacroDefined(const Token &name, const MacroDirective *directive) override;
  void InclusionDirective(SourceLocation, const Token &, StringRef name, bool,
                          CharSourceRange range, OptionalFileEntryRef file, StringRef,
                          StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    const char *library = file ? nullptr : unavailableLibrary(name);
    if (library)
      preprocessor.getDiagnostics().Report(
          range.getBegin(), isOfCoreLibraries(library) ? separate : unavailable)
          << library;
  }

private:
  void appendPragma(ArrayRef<Token> words, SourceLocation place,
                    SmallVectorImpl<Token> &tokens);

  Preprocessor &preprocessor;
  unsigned unavailable;
  unsigned separate; ///< What is found where the user has put it.
};

/// Reaches a preprocessor before it reads anything.
class HooksAttacher : public DependencyCollector {
public:
  explicit HooksAttacher(bool parses) : parses(parses) {}

  void attachToPreprocessor(Preprocessor &preprocessor) override {
    preprocessor.addPPCallbacks(std::make_unique<Hooks>(preprocessor));
    if (!parses)
      return;
    het::allowLaunchBraces(preprocessor);
    het::addDiagnosticPragmas(preprocessor);
  }

private:
  bool parses; ///< Else the preprocessor's tokens are the output.
};

} // namespace

/// Appends `_Pragma("words")`.
void Hooks::appendPragma(ArrayRef<Token> words, SourceLocation place,
                         SmallVectorImpl<Token> &tokens) {
  std::string text;
  for (const Token &word : words) {
    if (!text.empty() && word.hasLeadingSpace())
      text += ' ';
    for (char c : preprocessor.getSpelling(word)) {
      if (c == '"' || c == '\\')
        text += '\\';
      text += c;
    }
  }
  auto append = [&](tok::TokenKind kind, StringRef spelling) -> Token & {
    Token &token = tokens.emplace_back();
    token.startToken();
    token.setKind(kind);
    preprocessor.CreateString(spelling, token, place, place);
    return token;
  };
  append(tok::identifier, "_Pragma")
      .setIdentifierInfo(preprocessor.getIdentifierInfo("_Pragma"));
  append(tok::l_paren, "(");
  append(tok::string_literal, '"' + text + '"');
  append(tok::r_paren, ")");
}

/// `#define UNROLL #pragma unroll`: nvcc preprocesses to text, in which an
/// expansion that begins a line is a directive. Here it becomes a _Pragma.
void Hooks::MacroDefined(const Token &name, const MacroDirective *directive) {
  const MacroInfo *macro = directive->getMacroInfo();
  if (!macro->isObjectLike() || macro->getNumTokens() < 2)
    return;
  ArrayRef<Token> body = macro->tokens();
  const IdentifierInfo *word = body[1].getIdentifierInfo();
  if (body[0].isNot(tok::hash) || !word || !word->isStr("pragma"))
    return;
  SmallVector<Token, 4> tokens;
  SourceLocation place = body[0].getLocation();
  appendPragma(body.drop_front(2), place, tokens);
  MacroInfo *replaced = preprocessor.AllocateMacroInfo(macro->getDefinitionLoc());
  replaced->setTokens(tokens, preprocessor.getPreprocessorAllocator());
  replaced->setDefinitionEndLoc(macro->getDefinitionEndLoc());
  preprocessor.appendDefMacroDirective(name.getIdentifierInfo(), replaced,
                                       directive->getLocation());
}

void het::addPreprocessorHooks(CompilerInstance &compiler) {
  compiler.addDependencyCollector(std::make_shared<HooksAttacher>(
      compiler.getFrontendOpts().ProgramAction != frontend::PrintPreprocessedInput));
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
het::hideUnavailableHeaders(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  return llvm::makeIntrusiveRefCnt<FilesWithoutHeaders>(std::move(files));
}
