// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index of a precompiled prelude: the files and folders that were read, the names
// that headers were asked for by, and every identifier that was looked at. It tells
// whether another compilation would read the same.

#ifndef HET_LIB_FRONTEND_PRELUDEINDEX_H
#define HET_LIB_FRONTEND_PRELUDEINDEX_H

#include "het/Base/Bytes.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace het {

struct PreludeIndex {
  /// A file or a folder.
  struct File {
    std::string path;
    uint64_t size; ///< 0 for a folder.
    int64_t
        time; ///< Of the last change, in nanoseconds since 1970; -1 for nothing there.
  };
  std::vector<File> files;
  /// As #include and __has_include name them, without those beside the file that asks.
  std::vector<std::string> headers;
  /// Identifiers, each between blanks.
  std::string names = " ";

  /// Nothing for text that toBytes() has not made.
  static std::optional<PreludeIndex> parse(ByteView text);
  /// Nothing if a path cannot be told from what is around it.
  std::optional<Bytes> toBytes() const;

  /// Notes what is at a path now.
  void addFile(llvm::StringRef path);
  /// Whether all files are as they were.
  bool isCurrent() const;
  /// Whether a macro of that name could have changed what was read.
  bool mentions(llvm::StringRef macro) const;
  /// Whether a folder has a file of the name of one of the headers.
  bool isShadowedBy(llvm::StringRef folder) const;
};

} // namespace het

#endif // HET_LIB_FRONTEND_PRELUDEINDEX_H
