// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lld knows paths only: inputs are files in memory by their path in /proc, the output a
// pipe, to which lld writes once, from a buffer (a regular file it would make beside).

#include "ElfLinker.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

namespace het::target {
namespace {

llvm::Error systemError(const char *what) {
  std::error_code code(errno, std::generic_category());
  return llvm::createStringError(code, "linking in memory: %s: %s", what,
                                 code.message().c_str());
}

/// A descriptor that closes itself.
class File {
public:
  explicit File(int number) : number(number) {}
  File(File &&other) noexcept : number(std::exchange(other.number, -1)) {}
  File &operator=(File &&) = delete;
  ~File() { close(); }

  void close() {
    if (number >= 0)
      ::close(std::exchange(number, -1));
  }
  operator int() const { return number; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(number); }

private:
  int number;
};

llvm::Expected<File> makeFile(llvm::StringRef bytes) {
  File file(::memfd_create("het-link", MFD_CLOEXEC));
  if (file < 0)
    return systemError("memfd_create");
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return systemError("writing to memory");
    bytes = bytes.drop_front(static_cast<size_t>(written));
  }
  return file;
}

/// All that comes until the other end is closed.
void readAll(int file, llvm::SmallVectorImpl<char> &bytes) {
  char part[1 << 16];
  for (ssize_t got; (got = ::read(file, part, sizeof(part))) != 0;) {
    if (got > 0)
      bytes.append(part, part + got);
    else if (errno != EINTR)
      return;
  }
}

} // namespace

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
    return llvm::createStringError("lld: %s", messages.c_str());
  return llvm::Error::success();
}

llvm::Expected<llvm::SmallVector<char, 0>>
linkELF(llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> files,
        llvm::ArrayRef<std::string> arguments) {
  llvm::StringMap<File> inputs;
  for (auto [name, bytes] : files) {
    llvm::Expected<File> file = makeFile(bytes);
    if (!file)
      return file.takeError();
    inputs.try_emplace(name, std::move(*file));
  }
  llvm::SmallVector<std::string> resolved;
  for (const std::string &argument : arguments) {
    auto [option, name] = llvm::StringRef(argument).split('@');
    auto input = inputs.find(name);
    resolved.push_back(input == inputs.end() ? argument
                                             : option.str() + input->second.path());
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return systemError("pipe");
  File from(ends[0]), to(ends[1]);
  resolved.append({"--threads=1", "-o", to.path()});
  llvm::SmallVector<char, 0> result;
  std::thread reader([&] { readAll(from, result); });
  llvm::Error error = runLinker(resolved);
  to.close();
  reader.join();
  if (error)
    return error;
  return result;
}

} // namespace het::target
