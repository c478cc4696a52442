// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user's cache on disk, of lowered kernels and of precompiled headers: HET_CACHE_DIR,
// else $XDG_CACHE_HOME/het, else ~/.cache/het. A file holds one artifact behind a header
// with its digest; it is written aside and renamed, and one that does not check out is as
// good as none. A folder that others could have written to is not used at all.

#ifndef HET_BASE_CACHE_H
#define HET_BASE_CACHE_H

#include "het/Base/File.h"
#include "het/Base/Hash.h"
#include "het/Base/Status.h"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace het {

class Cache {
public:
  /// The process's cache.
  static Cache &get();

  /// HET_CACHE_SIZE, or what is wrong with it.
  static Result<uint64_t> readCapacity();

  /// The key of an artifact: a digest over all its parts, each with its length.
  static std::string key(const std::vector<std::string> &parts);

  /// The artifact, if it is there and undamaged.
  std::optional<Bytes> load(const std::string &key);
  /// When the artifact was stored or last used, to the hour; nothing if it is not there.
  std::optional<int64_t> lastUse(const std::string &key) const;
  /// Whether there is none at all.
  bool isEmpty() const;
  /// Whether there is a folder to keep artifacts in.
  bool isUsable() const { return !folder.empty(); }
  /// The file of an artifact.
  std::string pathOf(const std::string &key) const;
  /// Keeps an artifact. That it can not be written is no error: a line in the log.
  void store(const std::string &key, ByteView artifact);

private:
  Cache();
  Descriptor openFolder() const;
  void evict();

  std::string folder; ///< empty: there is none
  uint64_t capacity;
  /// Bytes that this process stored since it last looked at the whole folder.
  std::atomic<uint64_t> sinceEviction;
};

} // namespace het

#endif // HET_BASE_CACHE_H
