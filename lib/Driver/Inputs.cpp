// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inputs of a command line: what each one is, and whether they fit the
// outputs.

#include "Settings.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace het;
using namespace het::driver;
using llvm::StringRef;

template <typename... Ts>
static llvm::Error fail(const char *format, const Ts &...values) {
  return llvm::createStringError(std::errc::invalid_argument, format, values...);
}

/// Kind of a file by its name; nothing if it cannot be told.
static std::optional<SourceKind> kindByName(StringRef path) {
  StringRef name = llvm::sys::path::filename(path);
  StringRef extension = llvm::sys::path::extension(name);
  auto kind = llvm::StringSwitch<std::optional<SourceKind>>(extension)
                  .Case(".cu", SourceKind::Cuda)
                  .Cases({".cpp", ".cc", ".cxx", ".C", ".c++", ".ii"}, SourceKind::Cxx)
                  .Cases({".c", ".i"}, SourceKind::C)
                  .Cases({".o", ".obj", ".a", ".so", ".lo"}, SourceKind::Object)
                  .Default(std::nullopt);
  if (!kind && name.contains(".so."))
    kind = SourceKind::Object;
  return kind;
}

static llvm::Expected<Source> readInput(const std::string &path, StringRef language) {
  std::optional<SourceKind> kind = kindByName(path);
  if (!language.empty() && kind != SourceKind::Object)
    kind = language == "cu"    ? SourceKind::Cuda
           : language == "c++" ? SourceKind::Cxx
                               : SourceKind::C;
  StringRef extension = llvm::sys::path::extension(path);
  if (!kind && (extension == ".ptx" || extension == ".cubin" || extension == ".fatbin" ||
                extension == ".ltoir"))
    return fail("input '%s' is not supported: a package is made from CUDA "
                "source",
                path.c_str());
  if (!kind)
    return fail("Don't know what to do with '%s'", path.c_str());
  if (!llvm::sys::fs::exists(path))
    return fail("'%s': No such file or directory", path.c_str());
  return Source{path, *kind};
}

static bool isOutputForOne(Phase phase) {
  return phase == Phase::Preprocess || phase == Phase::Dependencies ||
         phase == Phase::Emit || phase == Phase::Compile;
}

static llvm::Error checkOutputs(const Settings &settings) {
  size_t sources = 0, cuda = 0;
  for (const Source &source : settings.sources) {
    sources += source.kind != SourceKind::Object;
    cuda += source.kind == SourceKind::Cuda;
  }
  if (isOutputForOne(settings.phase) && sources == 0)
    return fail("No input files specified; use option --help for more "
                "information");
  if (isOutputForOne(settings.phase) && !settings.output.empty() && sources > 1)
    return fail("A single input file is required for a non-link phase when an "
                "outputfile is specified");
  if (!settings.packageFile.empty() && cuda > 1 && !settings.compile.relocatable)
    return fail("option '--het-package' takes one CUDA source, found %zu; give "
                "each its own package, or embed them",
                cuda);
  if (settings.output == "-" && !isOutputForOne(settings.phase))
    return fail("'-o -' needs --het-emit, -E or -M");
  if (settings.output == "-" && settings.phase == Phase::Compile)
    return fail("an object is not written to stdout; name a file with -o");
  const DependencySettings &dependencies = settings.dependencies;
  if (!dependencies.wanted &&
      (!dependencies.file.empty() || !dependencies.target.empty()))
    return fail("Option '--%s' requires one of '-M', '-MM', '-MD' or '-MMD' to "
                "be specified",
                dependencies.file.empty() ? "dependency-target-name"
                                          : "dependency-output");
  // The output would replace an input.
  for (const Source &source : settings.sources)
    if (!settings.output.empty() && settings.output != "-" &&
        llvm::sys::fs::equivalent(settings.output, source.path))
      return fail("output '%s' is an input, too", settings.output.c_str());
  return llvm::Error::success();
}

llvm::Error het::driver::readInputs(const CommandLine &line, Settings &settings) {
  // -x holds for every source, wherever it stands.
  std::string language;
  for (const Argument &argument : line.arguments)
    if (argument.is(OptionId::Language))
      language = argument.value();
  for (const Argument &argument : line.arguments) {
    if (argument.kind != Argument::Kind::Input)
      continue;
    llvm::Expected<Source> source = readInput(argument.text, language);
    if (!source)
      return source.takeError();
    settings.sources.push_back(std::move(*source));
  }
  if (settings.sources.empty())
    return fail("No input files specified; use option --help for more "
                "information");
  return checkOutputs(settings);
}
