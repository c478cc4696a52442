// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of a few messages, by patterns of Clang's.

#include "NvrtcMessages.h"
#include "MemorySource.h"

#include "clang/Basic/DiagnosticOptions.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Regex.h"

using llvm::StringRef;

void het::useNvrtcForm(clang::DiagnosticOptions &options) {
  options.setFormat(clang::TextDiagnosticFormat::MSVC);
  options.ShowColumn = false;
  options.ShowOptionNames = false;
  options.ShowLineNumbers = false;
  options.ShowFixits = false;
  options.ShowColors = false;
}

namespace {

/// A pattern of Clang's, and what is said in its place.
struct Phrase {
  StringRef pattern, replacement;
};

constexpr Phrase phrases[] = {
    {"fatal error: '([^']*)' file not found",
     "catastrophic error: could not open source file \"\\1\" (no such file in the search "
     "list)"},
    {"fatal error: ", "catastrophic error: "},
    {"error: use of undeclared identifier '([^']*)'(; did you mean '[^']*'\\?)?",
     "error: identifier \"\\1\" is undefined"},
    {"error: unknown type name '([^']*)'(; did you mean '[^']*'\\?)?",
     "error: identifier \"\\1\" is undefined"},
    {"error: expected ';'[^\n]*", "error: expected a \";\""},
};

} // namespace

void het::useNvrtcWords(std::string &text) {
  restoreNames(text);
  // Only the message itself: neither where a file was included nor the source below it.
  size_t start = 0;
  while (StringRef(text).substr(start).starts_with("In file included from "))
    start = std::min(text.find('\n', start), text.size() - 1) + 1;
  const size_t end = std::min(text.find('\n', start), text.size());
  std::string line = text.substr(start, end - start);
  for (const Phrase &phrase : phrases)
    line = llvm::Regex(phrase.pattern).sub(phrase.replacement, line);
  text.replace(start, end - start, line);
}
