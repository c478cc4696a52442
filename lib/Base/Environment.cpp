// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed reading of environment variables. A program that runs with more rights than
// its caller has (setuid, file capabilities) takes none of them from it.

#include "het/Base/Environment.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

using namespace het;

namespace {
struct Declaration {
  const char *name;
  std::string_view values, otherwise;
};

constexpr Declaration declarations[] = {
#define HET_VARIABLE(section, id, name, values, otherwise, reader, text)                 \
  {name, values, otherwise},
#include "het/Base/Environment.def"
};
} // namespace

static const Declaration &declarationOf(Variable variable) {
  return declarations[static_cast<size_t>(variable)];
}

const char *environment::name(Variable variable) { return declarationOf(variable).name; }

std::optional<std::string> environment::text(Variable variable) {
  const char *value = secure_getenv(name(variable));
  if (!value || !*value)
    return std::nullopt;
  return std::string(value);
}

void environment::set(Variable variable, const std::string &text) {
  ::setenv(name(variable), text.c_str(), 1);
}

std::string environment::textOrDefault(Variable variable) {
  return text(variable).value_or(std::string(declarationOf(variable).otherwise));
}

static Status bad(Variable variable, const std::string &value,
                  const std::string &expected) {
  return invalid(foundExpected(environment::name(variable), "'" + value + "'", expected,
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

Result<uint64_t> environment::number(Variable variable, uint64_t minimum,
                                     uint64_t maximum,
                                     std::optional<uint64_t> otherwise) {
  if (otherwise && !text(variable))
    return *otherwise;
  const std::string value = textOrDefault(variable);
  std::optional<uint64_t> parsed = decimal(value);
  if (!parsed || *parsed < minimum || *parsed > maximum)
    return bad(variable, value,
               "a number from " + std::to_string(minimum) + " to " +
                   std::to_string(maximum));
  return *parsed;
}

Result<uint64_t> environment::size(Variable variable, std::optional<uint64_t> otherwise) {
  if (otherwise && !text(variable))
    return *otherwise;
  const std::string value = textOrDefault(variable);
  static constexpr std::string_view suffixes = "KMGT";
  std::string_view digits = value;
  unsigned shift = 0;
  if (size_t power =
          digits.empty() ? std::string_view::npos : suffixes.find(digits.back());
      power != std::string_view::npos) {
    shift = 10 * (static_cast<unsigned>(power) + 1);
    digits.remove_suffix(1);
  }
  std::optional<uint64_t> parsed = decimal(digits);
  if (!parsed || *parsed > UINT64_MAX >> shift)
    return bad(variable, value, "a number of bytes, or one with K, M, G or T");
  return *parsed << shift;
}

Result<bool> environment::flag(Variable variable) {
  const std::string value = textOrDefault(variable);
  if (value != "0" && value != "1")
    return bad(variable, value, "0 or 1");
  return value == "1";
}

Result<size_t> environment::choice(Variable variable, std::optional<size_t> otherwise) {
  if (otherwise && !text(variable))
    return *otherwise;
  const std::string value = textOrDefault(variable);
  std::string expected;
  std::string_view left = declarationOf(variable).values;
  for (size_t i = 0; !left.empty(); ++i) {
    const std::string_view one = left.substr(0, left.find('|'));
    left.remove_prefix(std::min(one.size() + 1, left.size()));
    if (value == one)
      return i;
    if (i)
      expected += left.empty() ? " or " : ", ";
    expected += one;
  }
  return bad(variable, value, expected);
}

std::vector<std::string> environment::list(Variable variable, char separator) {
  std::vector<std::string> parts;
  std::string all = text(variable).value_or("");
  for (size_t start = 0; start < all.size();) {
    size_t end = std::min(all.find(separator, start), all.size());
    if (end > start)
      parts.push_back(all.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}
