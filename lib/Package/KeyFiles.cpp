// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of keys are read only where nobody else can have written or read them.

#include "KeyFileErrors.h"
#include "het/Package/Keys.h"

#include "het/Base/File.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace het;

static constexpr size_t maxKeyFile = 16384;

Status het::keyFileError(const char *doing, const std::string &path) {
  const int error = errno;
  std::string message = std::string(doing) + ": " + std::strerror(error);
  return error == ENOENT || error == ENOTDIR ? unavailable(std::move(message), path)
                                             : invalid(std::move(message), path);
}

std::string het::modeText(mode_t mode) {
  char text[8];
  std::snprintf(text, sizeof(text), "%04o", static_cast<unsigned>(mode & 07777));
  return text;
}

/// All of a small file; `size` is how much room `text` has.
static bool readAll(int file, char *text, size_t size, size_t &filled) {
  for (filled = 0; filled < size;) {
    const ssize_t got = ::read(file, text + filled, size - filled);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return false;
    if (got == 0)
      break;
    filled += static_cast<size_t>(got);
  }
  return true;
}

/// The text of a file that `check` finds good. Wiped by who asks, where it is secret.
template <typename Check>
static Result<std::string> readChecked(const std::string &path, Check check) {
  // O_NONBLOCK: nobody may ever write to a pipe.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat about;
  if (file < 0 || ::fstat(file, &about) != 0)
    return keyFileError("cannot open", path);
  if (Status status = check(about); !status.ok())
    return std::move(status).from(path);
  if (!S_ISREG(about.st_mode))
    return invalid("cannot read: it is not a regular file", path);
  std::string text(maxKeyFile + 1, '\0');
  size_t filled = 0;
  if (!readAll(file, text.data(), text.size(), filled))
    return keyFileError("cannot read", path);
  if (filled > maxKeyFile)
    return invalid(foundExpected("size", "more bytes",
                                 "at most " + std::to_string(maxKeyFile),
                                 "check that this is the file you meant"),
                   path);
  text.resize(filled);
  return text;
}

Result<PrivateKey> het::readPrivateKey(const std::string &path) {
  Result<std::string> text = readChecked(path, [](const struct stat &about) -> Status {
    if (S_ISDIR(about.st_mode))
      return invalid(foundExpected("private key", "a folder", "a file",
                                   std::string("name ") + privateKeyName + " in it"));
    if (!(about.st_mode & 077))
      return Status::success();
    return invalid(foundExpected("mode of the private key", modeText(about.st_mode),
                                 "0600, so that nobody else can read it",
                                 "make new keys by 'hetpkg keygen', or run 'chmod 600' "
                                 "on it if nobody else can have read it"));
  });
  if (!text.ok())
    return text.status();
  Result<PrivateKey> key = parsePrivateKey(*text);
  wipe(text->data(), text->size());
  if (!key.ok())
    return key.status().from(path);
  return key;
}

/// Whether nobody can have written there who must not.
static Status checkWriters(const struct stat &about, std::optional<uid_t> owner) {
  if (owner && about.st_uid != *owner)
    return invalid(foundExpected("owner", "user " + std::to_string(about.st_uid),
                                 "user " + std::to_string(*owner),
                                 "have that user make it anew, or run 'chown' on it"));
  if (about.st_mode & (owner ? 022 : 002))
    return invalid(foundExpected("mode", modeText(about.st_mode),
                                 owner ? "one with which its owner alone can write"
                                       : "one with which not everybody can write",
                                 "run 'chmod go-w' on it, after a look at what it says"));
  return Status::success();
}

Result<std::string> het::readGuardedText(const std::string &path,
                                         std::optional<uid_t> owner) {
  return readChecked(
      path, [&](const struct stat &about) { return checkWriters(about, owner); });
}

Status het::checkGuardedFolder(const std::string &path, uid_t owner) {
  struct stat about;
  if (::stat(path.c_str(), &about) == 0)
    return checkWriters(about, owner).from(path);
  return errno == ENOENT || errno == ENOTDIR ? Status::success()
                                             : keyFileError("cannot open", path);
}

static Status addKey(const std::string &path, std::optional<uid_t> owner,
                     std::vector<TrustedKey> &keys) {
  Result<std::string> text = readGuardedText(path, owner);
  if (!text.ok())
    return text.status();
  Result<PublicKey> key = parsePublicKey(*text);
  if (!key.ok())
    return key.status().from(path);
  keys.push_back({*key, path});
  return Status::success();
}

/// Whether a folder's entry is a key: others, such as notes and copies of editors, are
/// left alone.
static bool isKeyName(const std::string &name) {
  constexpr std::string_view suffix = ".pub";
  return name.size() > suffix.size() && name[0] != '.' &&
         std::string_view(name).substr(name.size() - suffix.size()) == suffix;
}

Result<std::vector<TrustedKey>> het::readPublicKeys(const std::string &path,
                                                    std::optional<uid_t> owner) {
  std::vector<TrustedKey> keys;
  struct stat about;
  if (::stat(path.c_str(), &about) != 0)
    return keyFileError("cannot open", path);
  if (!S_ISDIR(about.st_mode)) {
    if (Status status = addKey(path, owner, keys); !status.ok())
      return status;
    return keys;
  }
  if (Status status = checkWriters(about, owner); !status.ok())
    return std::move(status).from(path);
  Result<std::vector<std::string>> names = listFolder(path);
  if (!names.ok())
    return names.status();
  std::sort(names->begin(), names->end());
  for (const std::string &name : *names)
    if (isKeyName(name))
      if (Status status = addKey(path + "/" + name, owner, keys); !status.ok())
        return status;
  return keys;
}
