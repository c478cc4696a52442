// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole files: read at once; written aside and renamed, so that a reader sees
// the old file or the new one, and a failure leaves nothing behind.

#ifndef HET_BASE_FILE_H
#define HET_BASE_FILE_H

#include "het/Base/Bytes.h"
#include "het/Base/Status.h"

namespace het {

/// All bytes of a regular file, pipe or device. `limit` is the largest size
/// that is accepted.
Result<Bytes> readFile(const std::string &path, uint64_t limit = uint64_t(1)
                                                                 << 40);

/// Writes a temporary file in the same folder and renames it to `path`.
/// Many processes may write the same path at once; the last rename wins. A path
/// that exists and is not a regular file (/dev/null, a pipe) is written to
/// directly.
Status writeFileAtomically(const std::string &path, ByteView contents);

/// A file mapped read-only for the lifetime of this object. The pages come
/// lazily, so opening a large file costs what is read of it. A file that
/// another process truncates meanwhile faults: use it for files that are
/// replaced by renaming.
class MappedFile {
public:
  static Result<MappedFile> open(const std::string &path);
  MappedFile(MappedFile &&other) noexcept;
  MappedFile &operator=(MappedFile &&other) noexcept;
  ~MappedFile();

  ByteView view() const { return {static_cast<const uint8_t *>(base), length}; }

private:
  MappedFile(void *base, size_t length) : base(base), length(length) {}

  void *base = nullptr;
  size_t length = 0;
};

} // namespace het

#endif // HET_BASE_FILE_H
