// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and atomic writing of whole files, and listing of folders (POSIX).

#include "het/Base/File.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <new>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace het;

Descriptor &Descriptor::operator=(Descriptor &&other) noexcept {
  std::swap(number, other.number);
  return *this;
}

bool Descriptor::close() {
  int closing = std::exchange(number, -1);
  return closing < 0 || ::close(closing) == 0;
}

/// The failure of a system call on `path`; `doing` is e.g. "cannot open".
static Status systemError(const char *doing, const std::string &path) {
  int error = errno;
  std::string message = std::string(doing) + ": " + std::strerror(error);
  bool missing = error == ENOENT || error == ENOTDIR;
  return missing ? unavailable(std::move(message), path)
                 : invalid(std::move(message), path);
}

static Status tooLarge(const std::string &path, uint64_t limit) {
  return invalid(foundExpected("size", "more bytes", "at most " + std::to_string(limit),
                               "check that this is the file you meant"),
                 path);
}

static Status noMemory(const std::string &path) {
  return unavailable("cannot read: no memory for its contents", path);
}

/// Fills `contents` up to the file's end. The stated size is a first guess: pipes and
/// /proc have none. One byte more lets the last read see the end.
static Status readToEnd(int file, uint64_t size, uint64_t limit, const std::string &path,
                        Bytes &contents) {
  contents.resize(static_cast<size_t>(size) + 1);
  size_t filled = 0;
  while (true) {
    if (filled == contents.size())
      contents.resize(2 * contents.size() + 4096);
    ssize_t got = ::read(file, contents.data() + filled, contents.size() - filled);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return systemError("cannot read", path);
    if (got == 0)
      break;
    filled += static_cast<size_t>(got);
    if (filled > limit)
      return tooLarge(path, limit);
  }
  contents.resize(filled);
  return Status::success();
}

Result<Bytes> het::readFile(const std::string &path, uint64_t limit) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file < 0)
    return systemError("cannot open", path);
  struct stat about;
  if (::fstat(file, &about) != 0)
    return systemError("cannot read", path);
  if (!S_ISREG(about.st_mode) || about.st_size == 0)
    limit = std::min(limit, maxStreamBytes);
  uint64_t size = S_ISREG(about.st_mode) ? static_cast<uint64_t>(about.st_size) : 0;
  if (size > limit)
    return tooLarge(path, limit);
  try {
    Bytes contents;
    Status status = readToEnd(file, size, limit, path, contents);
    return status.ok() ? Result<Bytes>(std::move(contents)) : Result<Bytes>(status);
  } catch (const std::bad_alloc &) {
    return noMemory(path);
  }
}

static bool writeAll(int file, ByteView contents) {
  while (!contents.empty()) {
    ssize_t written = ::write(file, contents.data, contents.size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    contents.data += written;
    contents.size -= static_cast<size_t>(written);
  }
  return true;
}

static Status writeInPlace(const std::string &path, ByteView contents) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file < 0 || !writeAll(file, contents) || !file.close())
    return systemError("cannot write", path);
  return Status::success();
}

/// The mode that open() would give a new file: 0666 less the process's mask. The mask is
/// read from /proc, as umask() would change it under other threads' feet.
static mode_t newFileMode() {
  unsigned mask = 022;
  if (FILE *status = std::fopen("/proc/thread-self/status", "re")) {
    char line[256];
    while (std::fgets(line, sizeof(line), status))
      if (std::sscanf(line, "Umask: %o", &mask) == 1)
        break;
    std::fclose(status);
  }
  return 0666 & ~mask;
}

/// The mode of the new file; `old` is the one that it replaces, or null.
static mode_t modeOf(FileAccess access, const struct stat *old) {
  if (access == FileAccess::Owner)
    return 0600;
  const mode_t mode = old ? old->st_mode & 0777 : newFileMode();
  return access == FileAccess::Program ? mode | (mode & 0444) >> 2 : mode;
}

Status het::writeFileAtomically(const std::string &path, ByteView contents,
                                FileAccess access) {
  struct stat about;
  bool exists = ::stat(path.c_str(), &about) == 0;
  if (exists && S_ISDIR(about.st_mode))
    return invalid("cannot write: it is a folder", path);
  if (exists && !S_ISREG(about.st_mode) && access != FileAccess::Owner)
    return writeInPlace(path, contents);

  std::string temporary = path + ".XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file < 0)
    return systemError("cannot write", path);
  mode_t mode = modeOf(access, exists ? &about : nullptr);
  bool written = writeAll(file, contents) && ::fchmod(file, mode) == 0 && file.close() &&
                 ::rename(temporary.c_str(), path.c_str()) == 0;
  if (written)
    return Status::success();
  Status failure = systemError("cannot write", path);
  ::unlink(temporary.c_str());
  return failure;
}

Result<std::vector<std::string>> het::listFolder(const std::string &path) {
  DIR *folder = ::opendir(path.c_str());
  if (!folder)
    return systemError("cannot list", path);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent *entry = ::readdir(folder)) {
    std::string name = entry->d_name;
    if (name != "." && name != "..")
      names.push_back(std::move(name));
    errno = 0;
  }
  Status status = errno ? systemError("cannot list", path) : Status::success();
  ::closedir(folder);
  if (!status.ok())
    return status;
  return names;
}

std::string het::programPath() {
  char path[PATH_MAX];
  // The process's own entry is gone once its main thread has ended.
  const ssize_t length = ::readlink("/proc/thread-self/exe", path, sizeof(path));
  if (length > 0)
    return std::string(path, static_cast<size_t>(length));
  // Without /proc: the path that it was started by.
  const auto *started = reinterpret_cast<const char *>(::getauxval(AT_EXECFN));
  return started && ::realpath(started, path) ? path : "";
}
