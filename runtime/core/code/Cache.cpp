// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache of lowered kernels.
//
// File: "HETCACHE", u32 version, u32 0, BLAKE2b of the key and the artifact, u64 its
// size, the artifact. The file's time of change says when it was last used, to the hour:
// writing it costs more than reading the file.

#include "core/code/Cache.h"
#include "het/Base/Environment.h"
#include "het/Base/File.h"
#include "het/Base/Log.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace het::core {

static constexpr char magic[8] = {'H', 'E', 'T', 'C', 'A', 'C', 'H', 'E'};
static constexpr char suffix[] = ".hetart";
static constexpr uint32_t formatVersion = 2;
static constexpr size_t headerSize = 8 + 4 + 4 + 32 + 8;
static constexpr uint64_t defaultCapacity = uint64_t(1) << 30;
static constexpr time_t useInterval = 3600; ///< Seconds.

static ByteView viewOf(const std::string &text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

Cache &Cache::get() {
  static Cache *cache = new Cache; // used until the process ends
  return *cache;
}

Result<uint64_t> Cache::readCapacity() {
  return environment::size("HET_CACHE_SIZE", defaultCapacity);
}

Cache::Cache() {
  if (auto own = environment::text("HET_CACHE_DIR"))
    folder = *own;
  else if (auto cacheHome = environment::text("XDG_CACHE_HOME"))
    folder = *cacheHome + "/het";
  else if (auto home = environment::text("HOME"))
    folder = *home + "/.cache/het";
  Result<uint64_t> size = readCapacity(); // the runtime checked it before
  capacity = size.ok() ? *size : defaultCapacity;
  sinceEviction = capacity; // the first store looks
  std::error_code error;
  if (!folder.empty())
    fs::create_directories(folder, error);
  if (error) {
    log(Level::Info, "cache: %s: %s; kernels are not kept", folder.c_str(),
        error.message().c_str());
    folder.clear();
  }
}

std::string Cache::key(const std::vector<std::string> &parts) {
  std::string all;
  for (const std::string &part : parts)
    all += std::to_string(part.size()) + ":" + part;
  return hex(blake2b({viewOf(all)}));
}

std::string Cache::pathOf(const std::string &key) const {
  return folder + "/" + key + suffix;
}

/// Reads a whole file and notes its use; nothing where there is none.
static std::optional<Bytes> readUsed(const std::string &path) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return std::nullopt;
  std::optional<Bytes> contents;
  struct stat about;
  if (::fstat(file, &about) == 0 && S_ISREG(about.st_mode)) {
    contents.emplace(static_cast<size_t>(about.st_size));
    size_t filled = 0;
    while (filled < contents->size()) {
      ssize_t got =
          ::read(file, contents->data() + filled, contents->size() - filled);
      if (got <= 0)
        break; // as good as a damaged one
      filled += static_cast<size_t>(got);
    }
    contents->resize(filled);
    if (about.st_mtime + useInterval < std::time(nullptr))
      (void)::futimens(file, nullptr);
  }
  ::close(file);
  return contents;
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
  if (folder.empty())
    return std::nullopt;
  std::string path = pathOf(key);
  std::optional<Bytes> file = readUsed(path);
  if (!file)
    return std::nullopt;
  if (!isWhole(*file, key)) {
    log(Level::Info, "cache: %s is damaged; the kernel is lowered again",
        path.c_str());
    std::error_code error;
    fs::remove(path, error);
    return std::nullopt;
  }
  file->erase(file->begin(), file->begin() + headerSize);
  return file;
}

std::optional<int64_t> Cache::lastUse(const std::string &key) const {
  struct stat about;
  if (folder.empty() || ::stat(pathOf(key).c_str(), &about) || !S_ISREG(about.st_mode))
    return std::nullopt;
  return int64_t(about.st_mtim.tv_sec) * 1'000'000'000 + about.st_mtim.tv_nsec;
}

bool Cache::isEmpty() const {
  std::error_code error;
  if (!folder.empty())
    for (const fs::directory_entry &file : fs::directory_iterator(folder, error))
      if (file.path().extension() == suffix)
        return false;
  return true;
}

void Cache::store(const std::string &key, ByteView artifact) {
  if (folder.empty())
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
  Status status = writeFileAtomically(pathOf(key), {file.data(), file.size()});
  if (!status.ok())
    log(Level::Info, "cache: %s", status.text().c_str());
  // Looking at all files costs time in proportion, so not at every store.
  if (sinceEviction.fetch_add(file.size()) + file.size() <= capacity / 16)
    return;
  sinceEviction = 0;
  evict();
}

/// Removes the files used longest ago until the cache fits, with room for what is
/// stored until the next time.
void Cache::evict() {
  const uint64_t wanted = capacity - capacity / 16;
  struct Entry {
    fs::path path;
    uint64_t size;
    fs::file_time_type time;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  for (const fs::directory_entry &file : fs::directory_iterator(folder, error)) {
    if (file.path().extension() != suffix)
      continue;
    std::error_code gone; // by another process
    Entry entry{file.path(), file.file_size(gone), file.last_write_time(gone)};
    if (gone)
      continue;
    total += entry.size;
    entries.push_back(std::move(entry));
  }
  if (total <= wanted)
    return;
  std::sort(entries.begin(), entries.end(),
            [](const Entry &a, const Entry &b) { return a.time < b.time; });
  for (const Entry &entry : entries) {
    if (total <= wanted)
      return;
    std::error_code gone;
    fs::remove(entry.path, gone);
    total -= entry.size;
  }
}

} // namespace het::core
