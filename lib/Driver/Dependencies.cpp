// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of lists of dependencies, and of the targets in them.

#include "Dependencies.h"

#include "llvm/Support/Path.h"

using namespace het::driver;
namespace path = llvm::sys::path;

std::string Settings::inOutputDirectory(llvm::StringRef name) const {
  llvm::SmallString<128> place(outputDirectory);
  path::append(place, name);
  return place.str().str();
}

static std::string stemOf(const Source &source) { return path::stem(source.path).str(); }

std::string het::driver::dependencyFile(const Settings &settings, const Source &source) {
  if (!settings.dependencies.file.empty())
    return settings.dependencies.file;
  llvm::SmallString<128> place(settings.output.empty()
                                   ? settings.inOutputDirectory(stemOf(source))
                                   : settings.output);
  path::replace_extension(place, "d");
  return place.str().str();
}

std::vector<std::string> het::driver::dependencyWords(const Settings &settings,
                                                      const Source &source,
                                                      const std::string &file) {
  const DependencySettings &wanted = settings.dependencies;
  std::vector<std::string> words;
  if (file.empty())
    words.push_back(wanted.system ? "-M" : "-MM");
  else
    words.insert(words.end(), {wanted.system ? "-MD" : "-MMD", "-MF", file});
  // Alone, -o names the list.
  const bool isNamed = settings.phase != Phase::Dependencies && !settings.output.empty();
  const std::string made =
      isNamed ? settings.output : settings.inOutputDirectory(stemOf(source) + ".o");
  words.insert(words.end(), {"-MT", wanted.target.empty() ? made : wanted.target});
  if (wanted.phony)
    words.push_back("-MP");
  return words;
}
