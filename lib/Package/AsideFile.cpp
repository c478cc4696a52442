// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a file aside and renames it when it is whole (Linux).

#include "AsideFile.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace het;

/// The system is asked to begin with parts of this size: each request that ends
/// within a page has that page written twice, so there should be few.
static constexpr uint64_t storeWindow = uint64_t(1) << 24;

/// Memory of programs may lie in it: as a core dump, it is its owner's, whatever the mode
/// of the file that it replaces.
static constexpr mode_t newFileMode = 0600;

static Status systemError(const char *doing, const std::string &path) {
  int error = errno;
  std::string message = std::string(doing) + ": " + std::strerror(error);
  bool missing = error == ENOENT || error == ENOTDIR || error == ENOSPC;
  return missing ? unavailable(std::move(message), path)
                 : invalid(std::move(message), path);
}

static std::string folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// Calls `use` with names beside `path` until one is not taken.
template <typename Use>
static int withFreeName(const std::string &path, std::string &name, Use use) {
  static std::atomic<unsigned> counter{0};
  int result;
  do {
    name = path + "." + std::to_string(::getpid()) + "-" + std::to_string(counter++) +
           ".part";
    result = use(name.c_str());
  } while (result < 0 && errno == EEXIST);
  return result;
}

/// Needs /proc, to give it a name later, and a file system that has such files:
/// EOPNOTSUPP without, from old systems EISDIR.
static int openNameless(const std::string &folder) {
  if (::access("/proc/thread-self/fd", X_OK) != 0) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, newFileMode);
}

Result<AsideFile> AsideFile::create(const std::string &path) {
  struct stat about;
  bool exists = ::stat(path.c_str(), &about) == 0;
  if (exists && !S_ISREG(about.st_mode))
    return invalid("cannot write: it is not a regular file", path);
  std::string aside;
  int descriptor = openNameless(folderOf(path));
  if (descriptor < 0 && (errno == EOPNOTSUPP || errno == EISDIR))
    descriptor = withFreeName(path, aside, [](const char *name) {
      return ::open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, newFileMode);
    });
  if (descriptor < 0)
    return systemError("cannot write", path);
  return AsideFile(path, aside, descriptor);
}

AsideFile::AsideFile(AsideFile &&other) noexcept
    : path(std::move(other.path)), aside(std::exchange(other.aside, {})),
      descriptor(std::exchange(other.descriptor, -1)), storing(other.storing.load()) {}

AsideFile::~AsideFile() {
  if (descriptor >= 0)
    ::close(descriptor);
  if (!aside.empty())
    ::unlink(aside.c_str());
}

Status AsideFile::write(uint64_t offset, ByteView bytes) {
  while (!bytes.empty()) {
    ssize_t written =
        ::pwrite(descriptor, bytes.data, bytes.size, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return systemError("cannot write", path);
    bytes = *bytes.slice(static_cast<uint64_t>(written),
                         bytes.size - static_cast<size_t>(written));
    offset += static_cast<uint64_t>(written);
  }
  startStoring(offset);
  return Status::success();
}

void AsideFile::startStoring(uint64_t written) {
  // Data a window behind is whole by now, or nearly so. All of it is a hint: commit()
  // waits for everything and sees what fails.
  uint64_t window = storing;
  while (written / storeWindow >= window + 2)
    if (storing.compare_exchange_weak(window, window + 1))
      (void)::sync_file_range(descriptor, static_cast<off_t>(window * storeWindow),
                              static_cast<off_t>(storeWindow), SYNC_FILE_RANGE_WRITE);
}

/// A file without a name can be linked where there is none only.
Status AsideFile::giveName() {
  if (!aside.empty())
    return Status::success();
  std::string self = "/proc/thread-self/fd/" + std::to_string(descriptor);
  std::string name;
  if (withFreeName(path, name, [&](const char *free) {
        return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, free, AT_SYMLINK_FOLLOW);
      }) < 0)
    return systemError("cannot write", path);
  aside = name;
  return Status::success();
}

Status AsideFile::commit() {
  if (::fsync(descriptor) != 0)
    return systemError("cannot write", path);
  if (Status status = giveName(); !status.ok())
    return status;
  if (::rename(aside.c_str(), path.c_str()) != 0)
    return systemError("cannot write", path);
  aside.clear();
  int folder = ::open(folderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return systemError("cannot store the folder of", path);
  Status status = ::fsync(folder) == 0 ? Status::success()
                                       : systemError("cannot store the folder of", path);
  ::close(folder);
  return status;
}
