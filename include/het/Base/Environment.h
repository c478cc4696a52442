// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed reading of the HET_* environment variables. An unset or empty variable
// means the default; a bad value is a Status that names the variable and what
// it may be, never ignored.

#ifndef HET_BASE_ENVIRONMENT_H
#define HET_BASE_ENVIRONMENT_H

#include "het/Base/Status.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace het::environment {

/// The variable's text; nothing if it is unset or empty, or if the process runs with
/// more rights than its caller (secure_getenv).
std::optional<std::string> text(const char *name);

/// A decimal number in [minimum, maximum].
Result<uint64_t> number(const char *name, uint64_t otherwise, uint64_t minimum,
                        uint64_t maximum);

/// A size in bytes: a decimal number with an optional suffix K, M, G or T
/// (powers of 1024).
Result<uint64_t> size(const char *name, uint64_t otherwise);

/// 0 or 1.
Result<bool> flag(const char *name, bool otherwise);

/// The position in `choices` of the variable's text.
Result<size_t> choice(const char *name, size_t otherwise,
                      const std::vector<std::string_view> &choices);

/// The parts between separators; empty parts are left out. ',' for lists of
/// names, ':' for search paths.
std::vector<std::string> list(const char *name, char separator);

} // namespace het::environment

#endif // HET_BASE_ENVIRONMENT_H
