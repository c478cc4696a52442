// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading, atomic writing and mapping of whole files (POSIX).

#include "het/Base/File.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace het;

namespace {

/// A file descriptor that closes itself.
class Descriptor {
public:
  explicit Descriptor(int number) : number(number) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() { close(); }

  operator int() const { return number; }

  /// Closes now; false if the system reports a late write error.
  bool close() {
    int closing = number;
    number = -1;
    return closing < 0 || ::close(closing) == 0;
  }

private:
  int number;
};

} // namespace

/// The failure of a system call on `path`; `doing` is e.g. "cannot open".
static Status systemError(const char *doing, const std::string &path) {
  int error = errno;
  std::string message = std::string(doing) + ": " + std::strerror(error);
  bool missing = error == ENOENT || error == ENOTDIR;
  return missing ? unavailable(std::move(message), path)
                 : invalid(std::move(message), path);
}

static Status tooLarge(const std::string &path, uint64_t limit) {
  return invalid(foundExpected("size", "more bytes",
                               "at most " + std::to_string(limit),
                               "check that this is the file you meant"),
                 path);
}

Result<Bytes> het::readFile(const std::string &path, uint64_t limit) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file < 0)
    return systemError("cannot open", path);
  struct stat about;
  if (::fstat(file, &about) != 0)
    return systemError("cannot read", path);
  if (about.st_size > 0 && static_cast<uint64_t>(about.st_size) > limit)
    return tooLarge(path, limit);

  // The stated size is a first guess: pipes and /proc have none. One byte more
  // lets the last read see the end.
  Bytes contents(static_cast<size_t>(about.st_size) + 1);
  size_t filled = 0;
  while (true) {
    if (filled == contents.size())
      contents.resize(2 * contents.size() + 4096);
    ssize_t got =
        ::read(file, contents.data() + filled, contents.size() - filled);
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
  return contents;
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

/// What open() would give a new file: 0666 less the process's mask. The mask is
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

Status het::writeFileAtomically(const std::string &path, ByteView contents) {
  struct stat about;
  bool exists = ::stat(path.c_str(), &about) == 0;
  if (exists && S_ISDIR(about.st_mode))
    return invalid("cannot write: it is a folder", path);
  if (exists && !S_ISREG(about.st_mode))
    return writeInPlace(path, contents);

  std::string aside = path + ".XXXXXX";
  Descriptor file(::mkostemp(aside.data(), O_CLOEXEC));
  if (file < 0)
    return systemError("cannot write", path);
  mode_t mode = exists ? about.st_mode & 07777 : newFileMode();
  bool written = writeAll(file, contents) && ::fchmod(file, mode) == 0 &&
                 file.close() && ::rename(aside.c_str(), path.c_str()) == 0;
  if (written)
    return Status::success();
  Status failure = systemError("cannot write", path);
  ::unlink(aside.c_str());
  return failure;
}

Result<MappedFile> MappedFile::open(const std::string &path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file < 0)
    return systemError("cannot open", path);
  struct stat about;
  if (::fstat(file, &about) != 0)
    return systemError("cannot read", path);
  if (!S_ISREG(about.st_mode))
    return invalid("cannot map: it is not a regular file", path);
  size_t length = static_cast<size_t>(about.st_size);
  if (length == 0)
    return MappedFile(nullptr, 0);
  void *base = ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE, file, 0);
  if (base == MAP_FAILED)
    return systemError("cannot map", path);
  return MappedFile(base, length);
}

MappedFile::MappedFile(MappedFile &&other) noexcept
    : base(std::exchange(other.base, nullptr)),
      length(std::exchange(other.length, 0)) {}

MappedFile &MappedFile::operator=(MappedFile &&other) noexcept {
  std::swap(base, other.base);
  std::swap(length, other.length);
  return *this;
}

MappedFile::~MappedFile() {
  if (base)
    ::munmap(base, length);
}
