// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A large file of which parts are read. Each part is a copy, unlike a mapping's pages: it
// stays what was checked when somebody writes to the file, and a file that becomes
// shorter is a failure and no signal. Private to this library.

#ifndef HET_LIB_PACKAGE_FILEPARTS_H
#define HET_LIB_PACKAGE_FILEPARTS_H

#include "het/Base/File.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace het {

/// Safe to use from many threads at once.
class FileParts {
public:
  /// A regular file.
  static Result<std::shared_ptr<FileParts>> open(const std::string &path);
  /// Borrows bytes that do not change, and copies nothing.
  explicit FileParts(ByteView bytes) : borrowed(bytes), length(bytes.size) {}

  uint64_t size() const { return length; }

  /// The `count` bytes from `offset` on, which may lie in `storage`.
  Result<ByteView> read(uint64_t offset, uint64_t count, Bytes &storage) const;

  /// Calls `make` once for a key and keeps what it has put into its storage.
  template <typename Make> Result<ByteView> keep(uint32_t key, Make make) const {
    std::lock_guard<std::mutex> lock(mutex);
    Kept &one = kept[key];
    if (one.view)
      return *one.view;
    Result<ByteView> made = make(one.storage);
    if (made.ok())
      one.view = *made;
    return made;
  }

private:
  struct Kept {
    Bytes storage;
    std::optional<ByteView> view;
  };

  ByteView borrowed;
  uint64_t length;
  Descriptor file; ///< None where the bytes are borrowed.
  std::string path;
  mutable std::mutex mutex;
  mutable std::map<uint32_t, Kept> kept;
};

} // namespace het

#endif // HET_LIB_PACKAGE_FILEPARTS_H
