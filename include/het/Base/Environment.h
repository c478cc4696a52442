// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed reading of the environment variables that Environment.def declares; others can
// not be read. An unset or empty variable means the default; a bad value is a Status
// that names the variable and what it may be, never ignored.

#ifndef HET_BASE_ENVIRONMENT_H
#define HET_BASE_ENVIRONMENT_H

#include "het/Base/Status.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace het {

enum class Variable {
#define HET_VARIABLE(section, id, name, values, otherwise, reader, text) id,
#include "het/Base/Environment.def"
};

} // namespace het

namespace het::environment {

/// As users write it: HET_DEVICES.
const char *name(Variable variable);

/// The variable's text; nothing if it is unset or empty, or if the process runs with
/// more rights than its caller (secure_getenv).
std::optional<std::string> text(Variable variable);

/// The variable's text, or its default as Environment.def spells it.
std::string textOrDefault(Variable variable);

/// Sets it for this process and those that it starts.
void set(Variable variable, const std::string &text);

/// A decimal number in [minimum, maximum]. Without `otherwise` the default is that of
/// Environment.def, as in the functions below.
Result<uint64_t> number(Variable variable, uint64_t minimum, uint64_t maximum,
                        std::optional<uint64_t> otherwise = std::nullopt);

/// A size in bytes: a decimal number with an optional suffix K, M, G or T
/// (powers of 1024).
Result<uint64_t> size(Variable variable,
                      std::optional<uint64_t> otherwise = std::nullopt);

/// 0 or 1.
Result<bool> flag(Variable variable);

/// The position of the variable's text among the values that Environment.def lists.
Result<size_t> choice(Variable variable, std::optional<size_t> otherwise = std::nullopt);

/// The parts between separators; empty parts are left out. ',' for lists of
/// names, ':' for search paths.
std::vector<std::string> list(Variable variable, char separator);

} // namespace het::environment

#endif // HET_BASE_ENVIRONMENT_H
