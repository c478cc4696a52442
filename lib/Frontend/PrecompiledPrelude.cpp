// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds or makes a precompiled prelude, in two cache entries: an index (PreludeIndex.h)
// and Clang's file. Their key is all of the command line but what the index can judge
// (the user's macros and -I) and what concerns the source and the outputs alone. A macro
// that the headers' text mentions is part of the key of other entries, with which the
// search goes on.

#include "PrecompiledPrelude.h"
#include "DeviceConsumers.h"
#include "PreludeIndex.h"
#include "PreprocessorHooks.h"

#include "het/Base/Cache.h"

#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace het;
using clang::CompilerInvocation;
using llvm::StringRef;

static bool isPrelude(StringRef path) {
  return path.ends_with("/__het_cuda_prelude.h") ||
         path.ends_with("/__het_rtc_prelude.h");
}

/// The name under which Clang finds the precompiled headers.
static constexpr const char *pchPath = "/het-precompiled-prelude";

namespace {

/// Collects the names of headers that are asked for.
class HeaderNames : public clang::PPCallbacks {
public:
  HeaderNames(const clang::SourceManager &sources, std::vector<std::string> &names)
      : sources(sources), names(names) {}

  void InclusionDirective(clang::SourceLocation place, const clang::Token &,
                          StringRef name, bool isAngled, clang::CharSourceRange,
                          clang::OptionalFileEntryRef file, StringRef, StringRef,
                          const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    if (isAngled || !isBeside(place, name, file))
      names.push_back(name.str());
  }
  void HasInclude(clang::SourceLocation, StringRef name, bool,
                  clang::OptionalFileEntryRef,
                  clang::SrcMgr::CharacteristicKind) override {
    names.push_back(name.str());
  }

private:
  /// Whether a file lies beside the one that asks for it, which comes before all folders.
  bool isBeside(clang::SourceLocation place, StringRef name,
                clang::OptionalFileEntryRef file) const {
    auto asking = sources.getFileEntryRefForID(sources.getFileID(place));
    if (!asking || !file)
      return false;
    llvm::SmallString<128> beside(asking->getDir().getName());
    llvm::sys::path::append(beside, name);
    return beside == file->getName();
  }

  const clang::SourceManager &sources;
  std::vector<std::string> &names;
};

/// A precompiled prelude as it lies in the cache.
struct Prelude {
  PreludeIndex index;
  Bytes tree;
};

/// Reads the prelude.
class MakePrelude : public clang::ASTFrontendAction {
public:
  explicit MakePrelude(Prelude &prelude) : prelude(prelude) {}

protected:
  bool BeginSourceFileAction(clang::CompilerInstance &compiler) override {
    compiler.getLangOpts().CompilingPCH = true;
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<HeaderNames>(
        compiler.getSourceManager(), prelude.index.headers));
    return true;
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        StringRef) override {
    buffer = std::make_shared<clang::PCHBuffer>();
    auto writer = std::make_unique<clang::PCHGenerator>(
        compiler.getPreprocessor(), compiler.getModuleCache(), pchPath, /*isysroot=*/"",
        buffer, compiler.getCodeGenOpts(),
        compiler.getFrontendOpts().ModuleFileExtensions);
    if (!compiler.getLangOpts().CUDAIsDevice)
      return writer;
    return behindDeviceConsumers(compiler, std::move(writer));
  }
  clang::TranslationUnitKind getTranslationUnitKind() override {
    return clang::TU_Prefix;
  }
  void EndSourceFileAction() override;

private:
  Prelude &prelude;
  std::shared_ptr<clang::PCHBuffer> buffer;
};

} // namespace

void MakePrelude::EndSourceFileAction() {
  if (buffer->IsComplete)
    prelude.tree.assign(buffer->Data.begin(), buffer->Data.end());
  clang::CompilerInstance &compiler = getCompilerInstance();
  const clang::SourceManager &sources = compiler.getSourceManager();
  for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file) {
    prelude.index.addFile(file->first.getName());
    constexpr int64_t second = 1'000'000'000;
    if (prelude.index.files.back().time / second != file->first.getModificationTime())
      prelude.tree.clear(); // it has changed since it was read
  }
  // A header that is put into a folder later may come before the one that was read.
  for (const auto &folder : compiler.getHeaderSearchOpts().UserEntries)
    prelude.index.addFile(folder.Path);
  for (const auto &entry : compiler.getPreprocessor().getIdentifierTable())
    prelude.index.names += (entry.getKey() + " ").str();
  llvm::sort(prelude.index.headers);
  prelude.index.headers.erase(llvm::unique(prelude.index.headers),
                              prelude.index.headers.end());
}

//===----------------------------------------------------------------------===//
// The command line of a prelude
//===----------------------------------------------------------------------===//

using Macro = std::pair<std::string, bool>; ///< "NAME=VALUE", or a name that has none.

static StringRef nameOf(const Macro &macro) {
  return StringRef(macro.first).take_until([](char c) { return c == '=' || c == '('; });
}

static bool isUsers(const clang::HeaderSearchOptions::Entry &folder) {
  return folder.Group == clang::frontend::Angled ||
         folder.Group == clang::frontend::Quoted;
}

/// The invocation without what concerns the source and the outputs alone, and the user's
/// macros and folders.
static CompilerInvocation withoutSource(const CompilerInvocation &invocation,
                                        const std::string &prelude) {
  CompilerInvocation result(invocation);
  clang::FrontendOptions &frontend = result.getFrontendOpts();
  frontend.Inputs.clear();
  frontend.OutputFile.clear();
  frontend.ProgramAction = clang::frontend::GeneratePCH;
  clang::CodeGenOptions &code = result.getCodeGenOpts();
  code.MainFileName.clear();
  code.CudaGpuBinaryFileName.clear();
  code.CoverageCompilationDir.clear();
  result.getLangOpts().CUID.clear();
  result.getDiagnosticOpts().ShowColors = false;
  result.getDependencyOutputOpts() = {};
  clang::PreprocessorOptions &preprocessor = result.getPreprocessorOpts();
  preprocessor.Macros.clear();
  preprocessor.Includes = {prelude};
  preprocessor.clearRemappedFiles(); // repaired sources: one compiler owns them
  llvm::erase_if(result.getHeaderSearchOpts().UserEntries, isUsers);
  return result;
}

/// The identity of this compiler: its file, that file's size and time, and Clang's
/// version.
static std::string compilerIdentity() {
  const std::string program = programPath();
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(program, status))
    return "";
  return program + " " + std::to_string(status.getSize()) + " " +
         std::to_string(status.getLastModificationTime().time_since_epoch().count()) +
         " " + clang::getClangFullVersion();
}

static std::vector<std::string> keyOf(const CompilerInvocation &invocation) {
  std::vector<std::string> key = invocation.getCC1CommandLine();
  key.push_back(compilerIdentity());
  const auto &folders = invocation.getHeaderSearchOpts().UserEntries;
  llvm::SmallString<128> here;
  if (llvm::any_of(folders,
                   [](auto &one) { return llvm::sys::path::is_relative(one.Path); }) &&
      !llvm::sys::fs::current_path(here))
    key.push_back(here.str().str());
  return key;
}

static std::string entryOf(std::vector<std::string> key, const char *part) {
  key.push_back(part);
  return Cache::key(key);
}

//===----------------------------------------------------------------------===//
// Finding and making
//===----------------------------------------------------------------------===//

/// Nothing if the headers have errors: they are told where they are read next.
static std::optional<Prelude> makePrelude(const CompilerInvocation &invocation,
                                          const FileSystemPointer &files) {
  auto copy = std::make_shared<CompilerInvocation>(invocation);
  const auto empty = llvm::MemoryBuffer::getMemBuffer("", "<prelude>");
  copy->getFrontendOpts().Inputs.emplace_back(empty->getMemBufferRef(),
                                              clang::InputKind(clang::Language::CUDA));
  clang::CompilerInstance compiler(copy);
  clang::IgnoringDiagConsumer silent;
  compiler.setVerboseOutputStream(llvm::nulls());
  compiler.setVirtualFileSystem(hideUnavailableHeaders(files));
  compiler.createDiagnostics(&silent, /*ShouldOwnClient=*/false);
  addPreprocessorHooks(compiler);
  Prelude prelude;
  MakePrelude action(prelude);
  if (!compiler.ExecuteAction(action) || prelude.tree.empty())
    return std::nullopt;
  return prelude;
}

/// The index of a prelude that is there or has been made.
static std::optional<PreludeIndex> provide(const CompilerInvocation &invocation,
                                           const std::vector<std::string> &key,
                                           const FileSystemPointer &files) {
  Cache &cache = Cache::get();
  const std::string indexEntry = entryOf(key, "index"), treeEntry = entryOf(key, "tree");
  if (std::optional<Bytes> text = cache.load(indexEntry)) {
    auto index = PreludeIndex::parse(*text);
    if (index && index->isCurrent() && cache.lastUse(treeEntry))
      return index;
  }
  std::optional<Prelude> made = makePrelude(invocation, files);
  const std::optional<Bytes> text = made ? made->index.toBytes() : std::nullopt;
  if (!text)
    return std::nullopt;
  cache.store(treeEntry, made->tree);
  cache.store(indexEntry, *text);
  return std::move(made->index);
}

/// Adds the macros that the headers' text mentions; false if there is none but those.
static bool addMacros(const std::vector<Macro> &macros, const PreludeIndex &index,
                      std::vector<Macro> &mentioned) {
  std::vector<Macro> all;
  for (const Macro &macro : macros)
    if (llvm::is_contained(mentioned, macro) || index.mentions(nameOf(macro)))
      all.push_back(macro); // in the order of the command line
  const bool isMore = all.size() > mentioned.size();
  mentioned = std::move(all);
  return isMore;
}

/// Names that begin so are the implementation's: headers are there to look at them.
static std::vector<Macro> reservedMacros(const std::vector<Macro> &macros) {
  std::vector<Macro> reserved;
  for (const Macro &macro : macros)
    if (nameOf(macro).starts_with("_"))
      reserved.push_back(macro);
  return reserved;
}

namespace {

/// Bytes of its own as a buffer, which is not copied.
class BytesBuffer : public llvm::MemoryBuffer {
public:
  explicit BytesBuffer(Bytes given) : bytes(std::move(given)) {
    const size_t size = bytes.size();
    bytes.push_back(0);
    const auto *begin = reinterpret_cast<const char *>(bytes.data());
    init(begin, begin + size, /*RequiresNullTerminator=*/true);
  }
  StringRef getBufferIdentifier() const override { return pchPath; }
  BufferKind getBufferKind() const override { return MemoryBuffer_Malloc; }

private:
  Bytes bytes;
};

} // namespace

static FileSystemPointer addFile(const FileSystemPointer &files, Bytes contents) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(pchPath, 0, std::make_unique<BytesBuffer>(std::move(contents)));
  auto result = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(files);
  result->pushOverlay(std::move(memory));
  return result;
}

void het::usePrecompiledPrelude(CompilerInvocation &invocation,
                                FileSystemPointer &files) {
  clang::PreprocessorOptions &preprocessor = invocation.getPreprocessorOpts();
  if (preprocessor.Includes.empty() || !isPrelude(preprocessor.Includes.front()) ||
      !preprocessor.MacroIncludes.empty() || !preprocessor.ImplicitPCHInclude.empty() ||
      !Cache::get().isUsable())
    return;
  CompilerInvocation wanted = withoutSource(invocation, preprocessor.Includes.front());
  std::vector<Macro> macros = reservedMacros(preprocessor.Macros);
  std::vector<std::string> key;
  std::optional<PreludeIndex> index;
  do {
    wanted.getPreprocessorOpts().Macros = macros;
    key = keyOf(wanted);
    index = provide(wanted, key, files);
  } while (index && addMacros(preprocessor.Macros, *index, macros));
  const auto &folders = invocation.getHeaderSearchOpts().UserEntries;
  if (!index || llvm::any_of(folders, [&](const auto &folder) {
        return isUsers(folder) && index->isShadowedBy(folder.Path);
      }))
    return;
  std::optional<Bytes> tree = Cache::get().load(entryOf(key, "tree"));
  if (!tree)
    return;
  files = addFile(files, std::move(*tree));
  preprocessor.ImplicitPCHInclude = pchPath;
}

bool het::isOfPrecompiledPrelude(unsigned diagnostic,
                                 const clang::PreprocessorOptions &options) {
  return options.ImplicitPCHInclude == pchPath &&
         diagnostic >= clang::diag::DIAG_START_SERIALIZATION &&
         diagnostic < clang::diag::DIAG_START_LEX;
}
