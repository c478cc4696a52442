// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lld knows paths only: inputs are files in memory by their path in /proc, the output a
// pipe, to which lld writes once, from a buffer (a regular file it would make beside).
// Without /proc they are files in a folder of their own, until the link has ended.

#include "ElfLinker.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <deque>
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

/// A folder that nobody else may read, and all that lies in it, as long as this lives.
class TemporaryFolder {
public:
  ~TemporaryFolder() {
    for (const std::string &name : names)
      ::unlink(name.c_str());
    if (!folder.empty())
      ::rmdir(folder.c_str());
  }

  llvm::Error create() {
    for (const char *place : {"/dev/shm", "/tmp", "/var/tmp"}) {
      std::string name = place + std::string("/het-link-XXXXXX");
      if (::mkdtemp(name.data())) {
        folder = name;
        return llvm::Error::success();
      }
    }
    return systemError(
        "found no /proc, and no folder to work in: /dev/shm, /tmp, /var/tmp");
  }

  /// A name for a new file.
  const std::string &add() {
    return names.emplace_back(folder + "/" + std::to_string(names.size()));
  }

private:
  std::string folder;
  std::deque<std::string> names;
};

llvm::Error writeAll(int file, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return systemError("writing");
    bytes = bytes.drop_front(static_cast<size_t>(written));
  }
  return llvm::Error::success();
}

/// A name that arguments use, and the file's bytes.
using LinkInput = std::pair<llvm::StringRef, llvm::StringRef>;

llvm::Expected<File> makeFile(llvm::StringRef bytes) {
  File file(::memfd_create("het-link", MFD_CLOEXEC));
  if (file < 0)
    return systemError("memfd_create");
  if (llvm::Error error = writeAll(file, bytes))
    return std::move(error);
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

/// The arguments with paths in place of names behind '@'.
static std::vector<std::string> resolve(llvm::ArrayRef<std::string> arguments,
                                        const llvm::StringMap<std::string> &paths) {
  std::vector<std::string> resolved;
  for (const std::string &argument : arguments) {
    auto [option, name] = llvm::StringRef(argument).split('@');
    auto input = paths.find(name);
    resolved.push_back(input == paths.end() ? argument : option.str() + input->second);
  }
  return resolved;
}

static llvm::Expected<llvm::SmallVector<char, 0>>
linkInMemory(llvm::ArrayRef<LinkInput> files, llvm::ArrayRef<std::string> arguments) {
  std::vector<File> inputs;
  llvm::StringMap<std::string> paths;
  for (auto [name, bytes] : files) {
    llvm::Expected<File> file = makeFile(bytes);
    if (!file)
      return file.takeError();
    paths[name] = file->path();
    inputs.push_back(std::move(*file));
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return systemError("pipe");
  File from(ends[0]), to(ends[1]);
  std::vector<std::string> resolved = resolve(arguments, paths);
  resolved.insert(resolved.end(), {"--threads=1", "-o", to.path()});
  llvm::SmallVector<char, 0> result;
  std::thread reader([&] { readAll(from, result); });
  llvm::Error error = runLinker(resolved);
  to.close();
  reader.join();
  if (error)
    return error;
  return result;
}

static llvm::Expected<llvm::SmallVector<char, 0>>
linkInFolder(llvm::ArrayRef<LinkInput> files, llvm::ArrayRef<std::string> arguments) {
  TemporaryFolder folder;
  if (llvm::Error error = folder.create())
    return std::move(error);
  llvm::StringMap<std::string> paths;
  for (auto [name, bytes] : files) {
    const std::string &path = paths[name] = folder.add();
    File file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (file < 0)
      return systemError(path.c_str());
    if (llvm::Error error = writeAll(file, bytes))
      return std::move(error);
  }
  std::vector<std::string> resolved = resolve(arguments, paths);
  const std::string &output = folder.add();
  resolved.insert(resolved.end(), {"--threads=1", "-o", output});
  if (llvm::Error error = runLinker(resolved))
    return std::move(error);
  File file(::open(output.c_str(), O_RDONLY | O_CLOEXEC));
  if (file < 0)
    return systemError(output.c_str());
  llvm::SmallVector<char, 0> result;
  readAll(file, result);
  return result;
}

llvm::Expected<llvm::SmallVector<char, 0>>
linkELF(llvm::ArrayRef<LinkInput> files, llvm::ArrayRef<std::string> arguments) {
  return ::access("/proc/self/fd", X_OK) == 0 ? linkInMemory(files, arguments)
                                              : linkInFolder(files, arguments);
}

} // namespace het::target
