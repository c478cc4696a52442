// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inputs of a command line: what each one is, and whether they fit the
// outputs.

#include "Settings.h"

#include "het/Package/PackageText.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
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
                  .Cases({".ptx", ".cubin", ".fatbin", ".ltoir"}, SourceKind::Device)
                  .Default(std::nullopt);
  if (!kind && name.contains(".so."))
    kind = SourceKind::Object;
  return kind;
}

static bool isSource(SourceKind kind) {
  return kind == SourceKind::Cuda || kind == SourceKind::Cxx || kind == SourceKind::C;
}

/// Whether a file is PTX text that another compiler, or a person, wrote: its kernels are
/// in the text, not in a package behind it.
static bool isPlainPtx(StringRef path) {
  if (!path.ends_with(".ptx"))
    return false;
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  return file && !holdsPackage((*file)->getBuffer());
}

static llvm::Expected<Source> readInput(const std::string &path, StringRef language,
                                        const Settings &settings) {
  std::optional<SourceKind> kind = kindByName(path);
  if (!language.empty() && kind != SourceKind::Object)
    kind = language == "cu"    ? SourceKind::Cuda
           : language == "c++" ? SourceKind::Cxx
                               : SourceKind::C;
  if (kind == SourceKind::Device && settings.phase == Phase::Emit && isPlainPtx(path)) {
    kind = SourceKind::Cuda; // It has a front end of its own.
    if (settings.deviceOutput == "ptx" && settings.output.empty())
      return fail("input '%s' would be overwritten with -ptx: name the output with -o",
                  path.c_str());
  }
  if (kind == SourceKind::Device && settings.phase == Phase::Emit &&
      settings.deviceOutput == "ptx")
    return fail("input '%s' is not supported with -ptx: the text of a package that is "
                "there is written by hetpkg extract --with-package",
                path.c_str());
  if (kind == SourceKind::Device && settings.deviceOutput.empty())
    return fail("input '%s' is not supported here: an object is made from CUDA source; "
                "load this file with cuModuleLoad",
                path.c_str());
  if (!kind && settings.run)
    kind = SourceKind::Program;
  if (!kind)
    return fail("Don't know what to do with '%s'", path.c_str());
  // The host compiler refuses C and C++ sources itself that are not there: build systems
  // ask it for its version with such a name.
  const bool isForHost = kind == SourceKind::C || kind == SourceKind::Cxx;
  if (!settings.dryRun && !settings.clean && !isForHost && !llvm::sys::fs::exists(path))
    return fail("'%s': No such file or directory", path.c_str());
  return Source{path, *kind};
}

static bool isOutputForOne(Phase phase) {
  return phase == Phase::Preprocess || phase == Phase::Dependencies ||
         phase == Phase::Emit || phase == Phase::Compile;
}

/// Whether the inputs are what the phase works on.
static llvm::Error checkKinds(const Settings &settings) {
  size_t cuda = 0;
  for (const Source &source : settings.sources) {
    cuda += source.kind == SourceKind::Cuda;
    if (source.kind == SourceKind::Program && settings.sources.size() > 1)
      return fail("Don't know what to do with '%s'", source.path.c_str());
  }
  if (settings.phase == Phase::Emit && settings.deviceOutput.empty() && cuda == 0)
    return fail("option '--het-emit' needs CUDA source; '%s' has no kernels (-x cu makes "
                "it CUDA)",
                settings.sources.front().path.c_str());
  return llvm::Error::success();
}

static llvm::Error checkOutputs(const Settings &settings) {
  size_t sources = 0, cuda = 0;
  for (const Source &source : settings.sources) {
    sources += isSource(source.kind) || source.kind == SourceKind::Device;
    cuda += source.kind == SourceKind::Cuda;
  }
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
  if (!dependencies.wanted && !dependencies.file.empty())
    return fail("Option '--dependency-output' requires one of '-M', '-MM', '-MD' or "
                "'-MMD' to be specified");
  if (dependencies.wanted && settings.phase == Phase::Preprocess)
    return fail("'-MD'/'-MMD' is not supported when '-E' is also specified");
  // The output would replace an input.
  for (const Source &source : settings.sources)
    if (!settings.output.empty() && settings.output != "-" &&
        llvm::sys::fs::equivalent(settings.output, source.path))
      return fail("output '%s' is an input, too", settings.output.c_str());
  return llvm::Error::success();
}

/// Checks that the rest of the command line fits a text or binary of kernels.
static llvm::Error checkDeviceOutput(const CommandLine &line, const Settings &settings) {
  const std::string &output = settings.deviceOutput;
  const bool many = settings.manyArchitectures || settings.architectures.size() > 1;
  if ((output == "ptx" || output == "cubin") && many)
    return fail("Option '--%s (-%s)' is not allowed when compiling for multiple GPU "
                "architectures",
                output.c_str(), output.c_str());
  if (output == "ltoir" && !line.has(OptionId::LinkOptimize) &&
      !line.has(OptionId::LinkOptimizeShort))
    return fail("Option '-ltoir' requires use of option '-dlto'");
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
    llvm::Expected<Source> source = readInput(argument.text, language, settings);
    if (!source)
      return source.takeError();
    settings.sources.push_back(std::move(*source));
  }
  if (settings.sources.empty())
    return fail("No input files specified; use option --help for more "
                "information");
  if (llvm::Error error = checkKinds(settings))
    return error;
  if (llvm::Error error = checkDeviceOutput(line, settings))
    return error;
  return checkOutputs(settings);
}
