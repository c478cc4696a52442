// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading by pread, into memory that is bounded by the file's size.

#include "FileParts.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

using namespace het;

static Status failure(const char *doing, const std::string &path) {
  const bool isMissing = errno == ENOENT || errno == ENOTDIR;
  std::string message = std::string(doing) + ": " + std::strerror(errno);
  return isMissing ? unavailable(message, path) : invalid(message, path);
}

Result<std::shared_ptr<FileParts>> FileParts::open(const std::string &path) {
  // O_NONBLOCK: nobody may ever write to a pipe.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file < 0)
    return failure("cannot open", path);
  struct stat about;
  if (::fstat(file, &about) != 0)
    return failure("cannot read", path);
  if (!S_ISREG(about.st_mode))
    return invalid("cannot read: it is not a regular file", path);
  auto parts = std::make_shared<FileParts>(ByteView());
  parts->length = static_cast<uint64_t>(about.st_size);
  parts->file = std::move(file);
  parts->path = path;
  return parts;
}

/// Whether all of `to` could be filled.
static bool fill(int file, uint64_t offset, Bytes &to) {
  for (size_t filled = 0; filled < to.size();) {
    ssize_t got = ::pread(file, to.data() + filled, to.size() - filled,
                          static_cast<off_t>(offset + filled));
    if (got < 0 && errno == EINTR)
      continue;
    if (got == 0)
      errno = ENODATA; // it has become shorter
    if (got <= 0)
      return false;
    filled += static_cast<size_t>(got);
  }
  return true;
}

Result<ByteView> FileParts::read(uint64_t offset, uint64_t count, Bytes &storage) const {
  if (offset > length || count > length - offset)
    return invalid("cannot read: found " + std::to_string(length) + " bytes, expected " +
                       std::to_string(count) + " from " + std::to_string(offset) + " on",
                   path);
  if (file < 0)
    return *borrowed.slice(offset, count);
  if (count > maxFileBytes)
    return invalid("cannot read: found a part of " + std::to_string(count) +
                       " bytes, expected at most " + std::to_string(maxFileBytes),
                   path);
  try {
    storage.resize(static_cast<size_t>(count));
  } catch (const std::bad_alloc &) {
    return unavailable("cannot read: no memory for " + std::to_string(count) + " bytes",
                       path);
  }
  if (!fill(file, offset, storage))
    return failure("cannot read", path);
  return ByteView(storage);
}
