// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that is written in parts by several threads and takes its place at the
// end, as a whole. Private to this library.

#ifndef HET_LIB_PACKAGE_ASIDEFILE_H
#define HET_LIB_PACKAGE_ASIDEFILE_H

#include "het/Base/Bytes.h"
#include "het/Base/Status.h"

#include <atomic>
#include <string>

namespace het {

/// Where the file system can, the file has no name until it is whole, so that
/// nothing stays behind when the process is killed.
class AsideFile {
public:
  static Result<AsideFile> create(const std::string &path);
  AsideFile(AsideFile &&other) noexcept;
  AsideFile &operator=(AsideFile &&) = delete;
  /// Deletes what was not committed.
  ~AsideFile();

  /// Writes bytes at an offset and has the system begin to store them. Safe to
  /// call from several threads, for parts that do not overlap.
  Status write(uint64_t offset, ByteView bytes);

  /// Waits until the disk has everything, and renames. Call once.
  Status commit();

private:
  AsideFile(std::string path, std::string aside, int descriptor)
      : path(std::move(path)), aside(std::move(aside)), descriptor(descriptor) {}
  Status giveName();
  /// `written`: where what was just written ends.
  void startStoring(uint64_t written);

  std::string path;
  std::string aside; ///< Its name until commit(); empty: it has none.
  int descriptor;
  std::atomic<uint64_t> storing{0}; ///< Windows that the system has begun with.
};

} // namespace het

#endif // HET_LIB_PACKAGE_ASIDEFILE_H
