// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole files: read at once; written to a temporary file and renamed, so that a reader
// sees the old file or the new one, and a failure leaves nothing behind.

#ifndef HET_BASE_FILE_H
#define HET_BASE_FILE_H

#include "het/Base/Bytes.h"
#include "het/Base/Status.h"

#include <string>
#include <utility>
#include <vector>

namespace het {

/// A file descriptor that closes itself.
class Descriptor {
public:
  explicit Descriptor(int number = -1) : number(number) {}
  Descriptor(Descriptor &&other) noexcept : number(std::exchange(other.number, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept;
  ~Descriptor() { close(); }

  operator int() const { return number; }

  /// Returns the number, which the caller has to close.
  int release() { return std::exchange(number, -1); }

  /// Closes now; false if the system reports a late write error.
  bool close();

private:
  int number;
};

/// The largest file that is read at once, and the most that is read of what has no size
/// of its own: a pipe, a device.
constexpr uint64_t maxFileBytes = uint64_t(1) << 32;
constexpr uint64_t maxStreamBytes = uint64_t(1) << 28;

/// All bytes of a regular file, pipe or device. `limit` is the largest size that is
/// accepted. Fails where there is no memory for them.
Result<Bytes> readFile(const std::string &path, uint64_t limit = maxFileBytes);

/// Who may read a file that is written.
enum class FileAccess {
  Default, ///< As the file that it replaces, or as the process's umask says.
  Owner,   ///< Its owner alone, whatever it replaces.
  Program, ///< As Default, and those who may read it may run it.
};

/// Writes a temporary file in the same folder and renames it to `path`. Many processes
/// may write the same path at once; the last rename wins. Without FileAccess::Owner a
/// path that exists and is not a regular file (/dev/null, a pipe) is written to
/// directly. No set-user-ID or set-group-ID bit passes to the new file.
Status writeFileAtomically(const std::string &path, ByteView contents,
                           FileAccess access = FileAccess::Default);

/// The real path of the file that this process runs; empty if it cannot be told.
std::string programPath();

/// The names of a folder's entries, `.` and `..` not among them, in no order.
Result<std::vector<std::string>> listFolder(const std::string &path);

} // namespace het

#endif // HET_BASE_FILE_H
