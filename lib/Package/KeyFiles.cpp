// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of keys: made so that nothing is overwritten and nobody else reads a private
// one, and read only where nobody else can have written or read them.

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

static Status systemError(const char *doing, const std::string &path) {
  const int error = errno;
  std::string message = std::string(doing) + ": " + std::strerror(error);
  return error == ENOENT || error == ENOTDIR ? unavailable(std::move(message), path)
                                             : invalid(std::move(message), path);
}

static std::string modeText(mode_t mode) {
  char text[8];
  std::snprintf(text, sizeof(text), "%04o", static_cast<unsigned>(mode & 07777));
  return text;
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

/// Makes a folder if it is not there.
static Status makeFolder(const std::string &path, bool &isNew) {
  isNew = ::mkdir(path.c_str(), 0700) == 0;
  return isNew || errno == EEXIST ? Status::success()
                                  : systemError("cannot make the folder", path);
}

/// A folder of this user's own, in which others can not put files.
static Result<Descriptor> openOwnFolder(const std::string &path) {
  Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat about;
  if (folder < 0 || ::fstat(folder, &about) != 0)
    return systemError("cannot open the folder", path);
  if (about.st_uid != ::geteuid())
    return invalid(foundExpected("owner of the folder",
                                 "user " + std::to_string(about.st_uid),
                                 "user " + std::to_string(::geteuid()) + ", who asks",
                                 "name a folder of your own"),
                   path);
  if (about.st_mode & 022)
    return invalid(foundExpected("mode of the folder", modeText(about.st_mode),
                                 "one with which its owner alone can write",
                                 "run 'chmod go-w' on it, or name another folder"),
                   path);
  return folder;
}

static bool writeAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

/// Makes a file that is not there. One that could not be written wholly is deleted.
static Status createFile(int folder, const std::string &path, const char *name,
                         std::string_view text, mode_t mode) {
  const std::string full = path + "/" + name;
  Descriptor file(
      ::openat(folder, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, mode));
  if (file < 0 && errno == EEXIST)
    return invalid(foundExpected("key", "one that is there already",
                                 "none, as keys are never overwritten",
                                 "name another folder, or move this one away"),
                   full);
  if (file < 0)
    return systemError("cannot make", full);
  if (::fchmod(file, mode) == 0 && writeAll(file, text) && ::fsync(file) == 0 &&
      file.close())
    return Status::success();
  Status status = systemError("cannot write", full);
  ::unlinkat(folder, name, 0);
  return status;
}

/// Makes both files, or none.
static Status createPair(int folder, const std::string &path, const PrivateKey &key) {
  // The public one first: a failure leaves no secret behind.
  if (Status status =
          createFile(folder, path, publicKeyName, publicKeyText(key.publicKey()), 0644);
      !status.ok())
    return status;
  std::string text = privateKeyText(key);
  Status status = createFile(folder, path, privateKeyName, text, 0600);
  wipe(text.data(), text.size());
  if (!status.ok()) {
    ::unlinkat(folder, publicKeyName, 0);
    return status;
  }
  if (::fsync(folder) == 0)
    return status;
  status = systemError("cannot store the folder", path);
  for (const char *name : {privateKeyName, publicKeyName})
    ::unlinkat(folder, name, 0);
  return status;
}

Result<PublicKey> het::createKeys(const std::string &path) {
  bool isNew = false;
  if (Status status = makeFolder(path, isNew); !status.ok())
    return status;
  const PrivateKey key = PrivateKey::generate();
  Result<Descriptor> folder = openOwnFolder(path);
  Status status = folder.ok() ? createPair(*folder, path, key) : folder.status();
  if (status.ok())
    return key.publicKey();
  if (isNew)
    ::rmdir(path.c_str());
  return status;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

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
    return systemError("cannot open", path);
  if (Status status = check(about); !status.ok())
    return std::move(status).from(path);
  if (!S_ISREG(about.st_mode))
    return invalid("cannot read: it is not a regular file", path);
  std::string text(maxKeyFile + 1, '\0');
  size_t filled = 0;
  if (!readAll(file, text.data(), text.size(), filled))
    return systemError("cannot read", path);
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
                                             : systemError("cannot open", path);
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
    return systemError("cannot open", path);
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
