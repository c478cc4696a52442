// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ElfLinker.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

LLD_HAS_DRIVER(elf)

namespace het::target {

static std::string pathIn(llvm::StringRef folder, llvm::StringRef name) {
  llvm::SmallString<128> path = folder;
  llvm::sys::path::append(path, name);
  return path.str().str();
}

static llvm::Error writeFile(const std::string &path, llvm::StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (!error) {
    out << bytes;
    out.close();
    error = out.error();
    out.clear_error();
  }
  return error ? llvm::createStringError(error, "%s: %s", path.c_str(),
                                         error.message().c_str())
               : llvm::Error::success();
}

/// One link at a time, since lld has globals.
static llvm::Error runLinker(llvm::ArrayRef<std::string> arguments) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  llvm::SmallVector<const char *> words{"ld.lld"};
  for (const std::string &argument : arguments)
    words.push_back(argument.c_str());
  std::string messages;
  llvm::raw_string_ostream out(messages);
  lld::Result result = lld::lldMain(words, out, out, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return llvm::createStringError(std::errc::io_error, "lld: %s", messages.c_str());
  return llvm::Error::success();
}

llvm::Expected<llvm::SmallVector<char, 0>>
linkELF(llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> files,
        llvm::ArrayRef<std::string> arguments) {
  llvm::SmallString<128> folder;
  if (std::error_code error = llvm::sys::fs::createUniqueDirectory("het-link", folder))
    return llvm::createStringError(error, "temporary directory: %s",
                                   error.message().c_str());
  llvm::scope_exit remove([&] { llvm::sys::fs::remove_directories(folder); });
  for (auto [name, bytes] : files)
    if (llvm::Error error = writeFile(pathIn(folder, name), bytes))
      return error;
  llvm::SmallVector<std::string> resolved;
  for (const std::string &argument : arguments) {
    auto [option, name] = llvm::StringRef(argument).split('@');
    resolved.push_back(name.empty() ? argument : option.str() + pathIn(folder, name));
  }
  const std::string output = pathIn(folder, "linked");
  resolved.append({"-o", output});
  if (llvm::Error error = runLinker(resolved))
    return error;
  auto buffer = llvm::MemoryBuffer::getFile(output, false, false);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "%s: %s", output.c_str(),
                                   buffer.getError().message().c_str());
  return llvm::SmallVector<char, 0>((*buffer)->getBufferStart(),
                                    (*buffer)->getBufferEnd());
}

} // namespace het::target
