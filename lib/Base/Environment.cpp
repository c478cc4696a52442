// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed reading of environment variables. A program that runs with more rights than
// its caller has (setuid, file capabilities) takes none of them from it.

#include "het/Base/Environment.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

using namespace het;

std::optional<std::string> environment::text(const char *name) {
  const char *value = secure_getenv(name);
  if (!value || !*value)
    return std::nullopt;
  return std::string(value);
}

static Status bad(const char *name, const std::string &value,
                  const std::string &expected) {
  return invalid(foundExpected(name, "'" + value + "'", expected,
                               "change or unset this environment variable"));
}

/// All of `text` as a decimal number.
static std::optional<uint64_t> decimal(std::string_view text) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

Result<uint64_t> environment::number(const char *name, uint64_t otherwise,
                                     uint64_t minimum, uint64_t maximum) {
  std::optional<std::string> value = text(name);
  if (!value)
    return otherwise;
  std::optional<uint64_t> parsed = decimal(*value);
  if (!parsed || *parsed < minimum || *parsed > maximum)
    return bad(name, *value,
               "a number from " + std::to_string(minimum) + " to " +
                   std::to_string(maximum));
  return *parsed;
}

Result<uint64_t> environment::size(const char *name, uint64_t otherwise) {
  std::optional<std::string> value = text(name);
  if (!value)
    return otherwise;
  static constexpr std::string_view suffixes = "KMGT";
  std::string_view digits = *value;
  size_t power = suffixes.find(digits.back());
  unsigned shift = 0;
  if (power != std::string_view::npos) {
    shift = 10 * (static_cast<unsigned>(power) + 1);
    digits.remove_suffix(1);
  }
  std::optional<uint64_t> parsed = decimal(digits);
  if (!parsed || *parsed > UINT64_MAX >> shift)
    return bad(name, *value, "a number of bytes, or one with K, M, G or T");
  return *parsed << shift;
}

Result<bool> environment::flag(const char *name, bool otherwise) {
  std::optional<std::string> value = text(name);
  if (!value)
    return otherwise;
  if (*value != "0" && *value != "1")
    return bad(name, *value, "0 or 1");
  return *value == "1";
}

Result<size_t> environment::choice(const char *name, size_t otherwise,
                                   const std::vector<std::string_view> &choices) {
  std::optional<std::string> value = text(name);
  if (!value)
    return otherwise;
  std::string expected;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (*value == choices[i])
      return i;
    if (i)
      expected += i + 1 == choices.size() ? " or " : ", ";
    expected += choices[i];
  }
  return bad(name, *value, expected);
}

std::vector<std::string> environment::list(const char *name, char separator) {
  std::vector<std::string> parts;
  std::string all = text(name).value_or("");
  for (size_t start = 0; start < all.size();) {
    size_t end = std::min(all.find(separator, start), all.size());
    if (end > start)
      parts.push_back(all.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}
