// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache of lowered kernels.
//
// File: "HETCACHE", u32 version, u32 0, SHA-256 of the key, SHA-256 of the artifact,
// u64 its size, the artifact.

#include "Cache.h"
#include "het/Base/Environment.h"
#include "het/Base/File.h"
#include "het/Base/Log.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace fs = std::filesystem;

namespace het::core {

static constexpr char magic[8] = {'H', 'E', 'T', 'C', 'A', 'C', 'H', 'E'};
static constexpr uint32_t formatVersion = 1;
static constexpr size_t headerSize = 8 + 4 + 4 + 32 + 32 + 8;
static constexpr uint64_t defaultCapacity = uint64_t(1) << 30;

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
  return hex(sha256(viewOf(all)));
}

std::string Cache::pathOf(const std::string &key) const {
  return folder + "/" + key + ".hetart";
}

std::optional<Bytes> Cache::load(const std::string &key) {
  if (folder.empty())
    return std::nullopt;
  std::string path = pathOf(key);
  std::error_code error;
  if (!fs::exists(path, error))
    return std::nullopt;
  Result<Bytes> file = readFile(path);
  if (!file.ok())
    return std::nullopt;
  const uint8_t *data = file->data();
  Digest keyDigest = sha256(viewOf(key));
  bool valid = file->size() >= headerSize && !std::memcmp(data, magic, 8);
  uint32_t version = 0, reserved = 1;
  uint64_t size = 0;
  if (valid) {
    std::memcpy(&version, data + 8, 4);
    std::memcpy(&reserved, data + 12, 4);
    std::memcpy(&size, data + 80, 8);
    valid = version == formatVersion && reserved == 0 &&
            size == file->size() - headerSize &&
            !std::memcmp(data + 16, keyDigest.data(), 32) &&
            sha256({data + headerSize, size_t(size)}) ==
                [&] {
                  Digest digest;
                  std::memcpy(digest.data(), data + 48, 32);
                  return digest;
                }();
  }
  if (!valid) {
    log(Level::Info, "cache: %s is damaged; the kernel is lowered again",
        path.c_str());
    fs::remove(path, error);
    return std::nullopt;
  }
  fs::last_write_time(path, fs::file_time_type::clock::now(), error);
  return Bytes(data + headerSize, data + file->size());
}

void Cache::store(const std::string &key, ByteView artifact) {
  if (folder.empty())
    return;
  Bytes file(headerSize + artifact.size);
  uint8_t *data = file.data();
  uint64_t size = artifact.size;
  Digest keyDigest = sha256(viewOf(key)), digest = sha256(artifact);
  std::memcpy(data, magic, 8);
  std::memcpy(data + 8, &formatVersion, 4);
  std::memcpy(data + 16, keyDigest.data(), 32);
  std::memcpy(data + 48, digest.data(), 32);
  std::memcpy(data + 80, &size, 8);
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
    if (file.path().extension() != ".hetart")
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
