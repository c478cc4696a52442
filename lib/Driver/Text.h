// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command lines as text: splitting what stands in options files, variables and
// comma-separated lists, letter by letter as nvcc does, and quoting arguments
// for show.

#ifndef HET_LIB_DRIVER_TEXT_H
#define HET_LIB_DRIVER_TEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace het::driver {

/// Splits as a shell does: at white space, with '…', "…" and backslashes.
std::vector<std::string> splitWords(llvm::StringRef text);

/// The words of an options file: as a shell's, but ' is a character.
std::vector<std::string> splitFile(llvm::StringRef text);

/// The words of NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS: white space in "…"
/// does not separate them, and all characters are kept.
std::vector<std::string> splitVariable(llvm::StringRef text);

/// How an option's list is read. A comma in "…" or after a backslash is part of
/// its item.
enum class ListStyle {
  Paths,      ///< Quotes are taken away; a backslash is, before a comma.
  Macros,     ///< Quotes are kept; a backslash is taken away.
  FileMacros, ///< The same in an options file: quotes are taken away, too.
};

/// Splits a list at its commas; fails on a quote without a partner.
llvm::Expected<std::vector<std::string>> splitList(llvm::StringRef text, ListStyle style);

/// A list, as splitList() takes it apart in the style Paths.
std::string pathItems(llvm::ArrayRef<std::string> items);

/// An item as splitList() reads it back, in the style Macros.
std::string listItem(llvm::StringRef text);

/// The argument in double quotes if a shell would not read it back as it is.
std::string quoted(llvm::StringRef argument);

/// All arguments, quoted, separated by blanks.
std::string joined(llvm::ArrayRef<std::string> arguments);

} // namespace het::driver

#endif // HET_LIB_DRIVER_TEXT_H
