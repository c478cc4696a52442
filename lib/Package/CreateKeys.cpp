// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes files of keys, so that nothing is overwritten and nobody else reads a private
// one.

#include "KeyFileErrors.h"
#include "het/Package/Keys.h"

#include "het/Base/File.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace het;

/// Makes a folder if it is not there.
static Status makeFolder(const std::string &path, bool &isNew) {
  isNew = ::mkdir(path.c_str(), 0700) == 0;
  return isNew || errno == EEXIST ? Status::success()
                                  : keyFileError("cannot make the folder", path);
}

/// A folder of this user's own, in which others can not put files.
static Result<Descriptor> openOwnFolder(const std::string &path) {
  Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat about;
  if (folder < 0 || ::fstat(folder, &about) != 0)
    return keyFileError("cannot open the folder", path);
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
    return keyFileError("cannot make", full);
  if (::fchmod(file, mode) == 0 && writeAll(file, text) && ::fsync(file) == 0 &&
      file.close())
    return Status::success();
  Status status = keyFileError("cannot write", full);
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
  status = keyFileError("cannot store the folder", path);
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
