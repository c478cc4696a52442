// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths relative to the running program; the host compiler.

#include "Installation.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace het::driver;
namespace path = llvm::sys::path;

Installation Installation::find(const char *argv0) {
  static int anchor;
  Installation found;
  found.executable = llvm::sys::fs::getMainExecutable(argv0, &anchor);
  llvm::SmallString<256> place(path::parent_path(path::parent_path(found.executable)));
  path::append(place, "lib");
  found.libraries = place.str().str();
  path::append(place, "het");
  found.toolkit = place.str().str();
  path::append(place, "include");
  found.headers = place.str().str();
  path::append(place, "cccl");
  if (llvm::sys::fs::is_directory(place))
    found.cccl = place.str().str();
  return found;
}

bool Installation::isKnownToSystem() const {
  static constexpr const char *folders[] = {
      "/lib/x86_64-linux-gnu",     "/lib64",     "/lib",
      "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"};
  const std::string name = "/" HET_RUNTIME_SONAME;
  for (const char *folder : folders) // the first is the one that is loaded
    if (llvm::sys::fs::exists(folder + name))
      return llvm::sys::fs::equivalent(folder + name, libraries + name);
  return false;
}

std::string het::driver::findGccFolder(const std::string &compiler) {
  llvm::SmallString<128> answer;
  if (llvm::sys::fs::createTemporaryFile("hetcc-gcc", "txt", answer))
    return "";
  llvm::FileRemover remover(answer);
  const llvm::StringRef question[] = {compiler, "-print-libgcc-file-name"};
  const std::optional<llvm::StringRef> redirects[] = {"", answer.str(), ""};
  if (llvm::sys::ExecuteAndWait(compiler, question, std::nullopt, redirects) != 0)
    return "";
  auto text = llvm::MemoryBuffer::getFile(answer);
  const llvm::StringRef file = text ? (*text)->getBuffer().trim() : llvm::StringRef();
  return path::filename(file) == "libgcc.a" ? path::parent_path(file).str() : "";
}

llvm::Expected<std::string> het::driver::findProgram(const std::string &name) {
  llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(name);
  // A path is taken as it is there.
  if (found && llvm::sys::fs::can_execute(*found))
    return *found;
  return llvm::createStringError(std::errc::no_such_file_or_directory,
                                 "Failed to find the program '%s'", name.c_str());
}

llvm::Expected<std::string> het::driver::findHostCompiler(const std::string &chosen) {
  static const char *const names[] = {"g++", "clang++-22", "clang++", "c++"};
  if (!chosen.empty() && !llvm::sys::fs::is_directory(chosen)) {
    if (llvm::Expected<std::string> found = findProgram(chosen))
      return *found;
    else
      llvm::consumeError(found.takeError());
    return llvm::createStringError(
        std::errc::no_such_file_or_directory,
        "Failed to find the host compiler '%s' that -ccbin names", chosen.c_str());
  }
  llvm::SmallVector<llvm::StringRef, 1> folder;
  if (!chosen.empty())
    folder.push_back(chosen);
  for (const char *name : names)
    if (auto found = llvm::sys::findProgramByName(name, folder))
      return *found;
  return llvm::createStringError(std::errc::no_such_file_or_directory,
                                 "Failed to find a host compiler (g++ or clang++) in %s",
                                 chosen.empty() ? "PATH" : chosen.c_str());
}
