// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command lines as text: splitting the contents of an options file or a
// comma-separated list, and quoting arguments for show.

#ifndef HET_DRIVER_TEXT_H
#define HET_DRIVER_TEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace het::driver {

/// Splits as a shell does: at white space, with '…', "…" and backslashes.
std::vector<std::string> splitWords(llvm::StringRef text);

/// Splits a list at its commas. A comma in quotes or after a backslash is part
/// of its item; the quotes and that backslash are taken away.
std::vector<std::string> splitList(llvm::StringRef text);

/// The argument in double quotes if a shell would not read it back as it is.
std::string quoted(llvm::StringRef argument);

/// All arguments, quoted, separated by blanks.
std::string joined(llvm::ArrayRef<std::string> arguments);

} // namespace het::driver

#endif // HET_DRIVER_TEXT_H
