// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's own generators collect, for each pass, and write, for all of them.

#include "IncludedFiles.h"
#include "Messages.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/Utils.h"
#include "llvm/Support/FileSystem.h"

using namespace het;

namespace {

/// Collects what a pass includes.
class Collector : public clang::DependencyFileGenerator {
public:
  Collector(const clang::DependencyOutputOptions &options, IncludedFiles &files,
            std::string source, bool isDevice)
      : DependencyFileGenerator(options), files(files), source(std::move(source)),
        isDevice(isDevice) {}

  /// A precompiled prelude does not know that its own text is a system header.
  void maybeAddDependency(llvm::StringRef file, bool isFromTree, bool isSystem,
                          bool isModuleFile, bool isMissing) override {
    isSystem |= isFromTree && file.ends_with("__het_cuda_prelude.h");
    DependencyFileGenerator::maybeAddDependency(file, isFromTree, isSystem, isModuleFile,
                                                isMissing);
  }
  /// The source comes first, whatever was read first.
  void finishedMainFile(clang::DiagnosticsEngine &) override {
    std::vector<std::string> all = getDependencies().vec();
    if (auto place = llvm::find(all, source); place != all.end())
      std::rotate(all.begin(), place, place + 1);
    files.add(all, isDevice);
  }

private:
  IncludedFiles &files;
  std::string source;
  bool isDevice;
};

/// Writes files that were collected.
class Writer : public clang::DependencyFileGenerator {
public:
  using DependencyFileGenerator::DependencyFileGenerator;

  void add(llvm::ArrayRef<std::string> files) {
    for (const std::string &file : files)
      addDependency(file); // once
  }
  void write(llvm::raw_ostream &stream) { outputDependencyFile(stream); }
};

} // namespace

void IncludedFiles::take(clang::CompilerInvocation &invocation) {
  clang::DependencyOutputOptions &wanted = invocation.getDependencyOutputOpts();
  std::lock_guard<std::mutex> lock(mutex);
  if (options.OutputFile.empty())
    options = wanted; // All passes have the same, but where -M's output goes.
  wanted.OutputFile.clear();
}

void IncludedFiles::attach(clang::CompilerInstance &compiler) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!options.OutputFile.empty())
    compiler.addDependencyCollector(std::make_shared<Collector>(
        options, *this, compiler.getFrontendOpts().Inputs.front().getFile().str(),
        compiler.getLangOpts().CUDAIsDevice != 0));
}

void IncludedFiles::add(llvm::ArrayRef<std::string> files, bool isDevice) {
  std::lock_guard<std::mutex> lock(mutex);
  (isDevice ? deviceFiles : hostFiles) = files.vec();
}

bool IncludedFiles::write(Messages &messages) const {
  std::lock_guard<std::mutex> lock(mutex);
  if (options.OutputFile.empty())
    return true;
  std::error_code error;
  llvm::raw_fd_ostream stream(options.OutputFile, error, llvm::sys::fs::OF_TextWithCRLF);
  if (!error) {
    Writer writer(options);
    writer.add(hostFiles);
    writer.add(deviceFiles);
    writer.write(stream);
    stream.flush();
    error = stream.error();
    stream.clear_error();
  }
  if (!error)
    return true;
  messages.show(Severity::Error, Messages::Place(),
                "cannot write '" + options.OutputFile + "': " + error.message());
  return false;
}
