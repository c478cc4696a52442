// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache on disk.
//
// File: "HETCACHE", u32 version, u32 0, BLAKE2b of the key and the artifact, u64 its
// size, the artifact. The file's time of change says when it was last used, to the hour:
// writing it costs more than reading the file.
//
// An artifact is code that this process will run, or headers that a compiler takes for
// those of the system. So nothing is taken from a folder or a
// file that another user owns or can write, and nothing is read that is no regular file
// of a plausible size. A file that is being stored is called KEY.hetart.XXXXXX until it
// is whole.

#include "het/Base/Cache.h"
#include "het/Base/Environment.h"
#include "het/Base/Log.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace het {

static constexpr char magic[8] = {'H', 'E', 'T', 'C', 'A', 'C', 'H', 'E'};
static constexpr std::string_view suffix = ".hetart";
static constexpr uint32_t formatVersion = 2;
static constexpr size_t headerSize = 8 + 4 + 4 + 32 + 8;
static constexpr uint64_t defaultCapacity = uint64_t(1) << 30;
static constexpr uint64_t maxFileSize = uint64_t(1) << 30;
static constexpr time_t useInterval = 3600; ///< Seconds.
/// Seconds after which a file that is still being stored was left by a process that died.
static constexpr time_t staleAge = 3600;

static ByteView viewOf(const std::string &text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

Cache &Cache::get() {
  static Cache *cache = new Cache; // used until the process ends
  return *cache;
}

Result<uint64_t> Cache::readCapacity() { return environment::size(Variable::CacheSize); }

/// HET_CACHE_DIR, else a folder of the user's; empty: there is none.
static std::string chooseFolder() {
  if (auto own = environment::text(Variable::CacheDir))
    return *own;
  if (auto cacheHome = environment::text(Variable::CacheHome))
    return *cacheHome + "/het";
  if (auto home = environment::text(Variable::Home))
    return *home + "/.cache/het";
  return "";
}

/// Makes the folder and those above it, for this user alone.
static bool makeFolder(const std::string &path) {
  auto make = [&] { return ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST; };
  if (make())
    return true;
  const size_t slash = path.rfind('/');
  return errno == ENOENT && slash != std::string::npos && slash != 0 &&
         makeFolder(path.substr(0, slash)) && make();
}

/// Whether this process's user alone can have written it.
static bool isOwn(const struct stat &about) {
  return about.st_uid == ::geteuid() && (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool isPlausible(const struct stat &about) {
  return S_ISREG(about.st_mode) && isOwn(about) &&
         static_cast<uint64_t>(about.st_size) <= maxFileSize;
}

Cache::Cache() {
  folder = chooseFolder();
  Result<uint64_t> size = readCapacity(); // the runtime checked it before
  capacity = size.ok() ? *size : defaultCapacity;
  sinceEviction = capacity; // the first store looks
  if (folder.empty())
    return;
  const bool made = makeFolder(folder);
  if (made && openFolder() >= 0)
    return;
  const bool isOthers = made && errno == EPERM;
  log(isOthers ? Level::Warn : Level::Info, "cache: %s: %s; nothing is kept",
      folder.c_str(),
      isOthers ? "found a folder that others own or can write, expected one that only "
                 "this user can write; change its mode or name another in HET_CACHE_DIR"
               : std::strerror(errno));
  folder.clear();
}

/// The folder, for one operation: a program may close descriptors that it does not know.
/// EPERM where others could have put something there.
Descriptor Cache::openFolder() const {
  Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat about;
  if (opened < 0 || ::fstat(opened, &about) != 0)
    return Descriptor();
  if (isOwn(about))
    return opened;
  opened.close();
  errno = EPERM;
  return Descriptor();
}

std::string Cache::key(const std::vector<std::string> &parts) {
  std::string all;
  for (const std::string &part : parts)
    all += std::to_string(part.size()) + ":" + part;
  return hex(blake2b({viewOf(all)}));
}

static std::string nameOf(const std::string &key) { return key + std::string(suffix); }

std::string Cache::pathOf(const std::string &key) const {
  return folder + "/" + nameOf(key);
}

namespace {

/// What is found in the place of an artifact.
struct Found {
  /// Only what was read to its end can be damaged. What cannot be read now (no
  /// descriptor, no memory) may be good, and stays.
  bool wasRead = false;
  Bytes contents; ///< Empty for what can be no artifact, whatever it holds.
};

} // namespace

static Found notRead() { return {false, {}}; }
static Found noArtifact() { return {true, {}}; }

/// Reads an open file. One that has shrunk is as good as damaged.
static Found readWhole(int file, size_t size) try {
  Bytes contents(size);
  size_t filled = 0;
  while (filled < size) {
    const ssize_t got = ::read(file, contents.data() + filled, size - filled);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return notRead();
    if (got == 0)
      break;
    filled += static_cast<size_t>(got);
  }
  contents.resize(filled);
  return {true, std::move(contents)};
} catch (const std::bad_alloc &) {
  return notRead();
}

/// Opens without waiting: nobody may ever write to a pipe.
static Descriptor openUsed(int folder, const std::string &name) {
  int file = -1;
  do
    file = ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  while (file < 0 && errno == EINTR);
  return Descriptor(file);
}

/// Reads a file and notes its use.
static Found readUsed(int folder, const std::string &name) {
  Descriptor file = openUsed(folder, name);
  if (file < 0)
    return errno == ELOOP ? noArtifact() : notRead(); // a link
  struct stat about;
  if (::fstat(file, &about) != 0)
    return notRead();
  if (!isPlausible(about))
    return noArtifact();
  Found found = readWhole(file, static_cast<size_t>(about.st_size));
  if (found.wasRead && about.st_mtime + useInterval < std::time(nullptr))
    (void)::futimens(file, nullptr);
  return found;
}

/// Whether a file is what store() wrote for this key.
static bool isWhole(const Bytes &file, const std::string &key) {
  if (file.size() < headerSize)
    return false;
  uint32_t version = 0, reserved = 1;
  uint64_t size = 0;
  Digest expected;
  const uint8_t *data = file.data();
  std::memcpy(&version, data + 8, 4);
  std::memcpy(&reserved, data + 12, 4);
  std::memcpy(expected.data(), data + 16, 32);
  std::memcpy(&size, data + 48, 8);
  return !std::memcmp(data, magic, 8) && version == formatVersion && reserved == 0 &&
         size == file.size() - headerSize &&
         blake2b({viewOf(key), {data + headerSize, size_t(size)}}) == expected;
}

std::optional<Bytes> Cache::load(const std::string &key) {
  Descriptor opened = folder.empty() ? Descriptor() : openFolder();
  if (opened < 0)
    return std::nullopt;
  Found found = readUsed(opened, nameOf(key));
  if (!found.wasRead)
    return std::nullopt;
  if (!isWhole(found.contents, key)) {
    log(Level::Info, "cache: %s is damaged; it is made again", pathOf(key).c_str());
    ::unlinkat(opened, nameOf(key).c_str(), 0);
    return std::nullopt;
  }
  found.contents.erase(found.contents.begin(), found.contents.begin() + headerSize);
  return std::move(found.contents);
}

std::optional<int64_t> Cache::lastUse(const std::string &key) const {
  Descriptor opened = folder.empty() ? Descriptor() : openFolder();
  struct stat about;
  if (opened < 0 ||
      ::fstatat(opened, nameOf(key).c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0 ||
      !isPlausible(about))
    return std::nullopt;
  return int64_t(about.st_mtim.tv_sec) * 1'000'000'000 + about.st_mtim.tv_nsec;
}

static bool isArtifactName(std::string_view name) {
  return name.size() > suffix.size() &&
         name.substr(name.size() - suffix.size()) == suffix;
}

/// A file that a process is storing, or was when it died.
static bool isTemporaryName(std::string_view name) {
  const size_t dot = name.rfind('.');
  return dot != std::string_view::npos && isArtifactName(name.substr(0, dot));
}

bool Cache::isEmpty() const {
  Descriptor opened = folder.empty() ? Descriptor() : openFolder();
  if (opened < 0)
    return true;
  Result<std::vector<std::string>> names = listFolder(folder);
  return !names.ok() || std::none_of(names->begin(), names->end(), isArtifactName);
}

void Cache::store(const std::string &key, ByteView artifact) {
  if (folder.empty() || openFolder() < 0 || artifact.size > maxFileSize - headerSize)
    return;
  Bytes file(headerSize + artifact.size);
  uint8_t *data = file.data();
  uint64_t size = artifact.size;
  Digest digest = blake2b({viewOf(key), artifact});
  std::memcpy(data, magic, 8);
  std::memcpy(data + 8, &formatVersion, 4);
  std::memcpy(data + 16, digest.data(), 32);
  std::memcpy(data + 48, &size, 8);
  std::copy(artifact.begin(), artifact.end(), data + headerSize);
  Status status =
      writeFileAtomically(pathOf(key), {file.data(), file.size()}, FileAccess::Owner);
  if (!status.ok())
    log(Level::Info, "cache: %s", status.text().c_str());
  // Looking at all files costs time in proportion, so not at every store.
  if (sinceEviction.fetch_add(file.size()) + file.size() <= capacity / 16)
    return;
  sinceEviction = 0;
  evict();
}

namespace {

/// The files of the cache, with what decides which are deleted.
struct Inventory {
  struct Entry {
    std::string name;
    uint64_t size;
    timespec time;

    bool operator<(const Entry &other) const {
      return std::tie(time.tv_sec, time.tv_nsec) <
             std::tie(other.time.tv_sec, other.time.tv_nsec);
    }
  };
  std::vector<Entry> artifacts;
  uint64_t total = 0; ///< Bytes, with what is being stored.
};

} // namespace

/// Counts what is there, and removes what processes have left that died storing it.
static Inventory takeInventory(int folder, const std::vector<std::string> &names) {
  Inventory inventory;
  const time_t now = std::time(nullptr);
  for (const std::string &name : names) {
    const bool isTemporary = isTemporaryName(name);
    struct stat about;
    if ((!isTemporary && !isArtifactName(name)) ||
        ::fstatat(folder, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0)
      continue; // not the cache's, or gone: by another process
    const bool isStale = isTemporary && std::abs(now - about.st_mtime) > staleAge;
    if ((isStale || !isPlausible(about)) && ::unlinkat(folder, name.c_str(), 0) == 0)
      continue;
    inventory.total += static_cast<uint64_t>(about.st_size);
    if (!isTemporary)
      inventory.artifacts.push_back(
          {name, static_cast<uint64_t>(about.st_size), about.st_mtim});
  }
  return inventory;
}

/// Removes the files used longest ago until the cache fits, with room for what is
/// stored until the next time.
void Cache::evict() {
  const uint64_t wanted = capacity - capacity / 16;
  Descriptor opened = openFolder();
  Result<std::vector<std::string>> names = listFolder(folder);
  if (opened < 0 || !names.ok())
    return;
  Inventory inventory = takeInventory(opened, *names);
  if (inventory.total <= wanted)
    return;
  std::sort(inventory.artifacts.begin(), inventory.artifacts.end());
  for (const Inventory::Entry &entry : inventory.artifacts) {
    if (inventory.total <= wanted)
      return;
    ::unlinkat(opened, entry.name.c_str(), 0);
    inventory.total -= entry.size;
  }
}

} // namespace het
