// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetpkg extract --with-package: the kernels as PTX for people and tools to read, and the
// package that runs behind it.

#include "Extract.h"
#include "NamedTarget.h"
#include "PtxText.h"
#include "Verbs.h"
#include "het/Package/PackageText.h"

#include <cstdio>

using namespace het;

static void warn(const std::string &text) {
  std::fprintf(stderr, "warning: %s\n", text.c_str());
}

/// A comment, each line of it.
static std::string comment(const std::string &text) {
  std::string lines = "// ";
  for (char c : text)
    lines += c == '\n' ? std::string("\n// ") : std::string(1, c);
  return lines + "\n";
}

/// The texts of those kernels that have one; of the others, `missing` says why.
static std::vector<std::string> textsOf(const std::vector<ExtractChoice> &choices,
                                        const std::string &target, std::string &missing) {
  std::vector<std::string> texts;
  Result<NamedTarget> named = NamedTarget::open(target);
  if (!named.ok()) {
    warn("the text has no code: " + named.status().text());
    missing += comment("No code: " + named.status().text());
    return texts;
  }
  for (const ExtractChoice &choice : choices) {
    Result<Bytes> code = codeOf(choice, *named, "");
    if (code.ok()) {
      texts.emplace_back(code->begin(), code->end());
      continue;
    }
    warn("the text has no code of a kernel: " + code.status().text());
    missing += comment("No code: " + code.status().text());
  }
  return texts;
}

Status het::extractText(const Input &input, const ExtractOptions &options) {
  if (input.packages.size() != 1)
    return invalid(foundExpected("--with-package",
                                 std::to_string(input.packages.size()) + " packages",
                                 "one", "make one of them with hetpkg merge"),
                   input.path);
  ExtractOptions all = options;
  all.all = true;
  Result<std::vector<ExtractChoice>> choices = chooseKernels(input, all);
  if (!choices.ok())
    return choices.status();
  const Package &package = input.packages.front().package;
  std::string text =
      comment("Written by " + package.producer() +
              ". What runs is the package at the end, on any device; the text is to be "
              "read, and a changed one is refused.");
  const std::vector<std::string> texts = textsOf(*choices, options.target, text);
  text += "\n" + joinPtx(texts);
  const std::string whole = writePackageText(std::move(text), package.view());
  return writeOutput(options.output, ByteView(std::string_view(whole)));
}
