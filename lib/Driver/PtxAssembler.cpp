// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of ptxas, for compilers that write PTX text and have it assembled:
// what they then load is a package. Options are those of NVIDIA's documentation of nvcc
// (NVIDIA Tools, ptxas Options).

#include "Architecture.h"
#include "Help.h"
#include "ResourceUsage.h"
#include "Text.h"

#include "het/Base/File.h"
#include "het/Driver/Driver.h"
#include "het/Frontend/Frontend.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace het;
using namespace het::driver;
using llvm::StringRef;

namespace {

enum class AssemblerOption {
  Note, ///< What a device's own compiler decides, or messages that there are none of.
  Architecture,
  Contract,
  Debug,
  Help,
  LineInfo,
  ListArchitectures,
  Optimization,
  OptionsFile,
  Output,
  Relocatable,
  Verbose,
  Version,
};

struct AssemblerOptionInfo {
  StringRef longName, shortName;
  bool takesValue;
  AssemblerOption option;
};

constexpr AssemblerOptionInfo table[] = {
#define HET_ASSEMBLER_OPTION(longName, shortName, takesValue, option)                    \
  {longName, shortName, takesValue, AssemblerOption::option},
#include "PtxAssembler.def"
};

/// The settings of a command line.
struct Assembly {
  CompileOptions compile;
  std::string output = "elf.o";
  bool isVerbose = false;
  bool isAsked = false; ///< For a text about the tool, which has been printed.
};

class AssemblerLine {
public:
  explicit AssemblerLine(Assembly &assembly) : assembly(assembly) {}

  llvm::Error parse(llvm::ArrayRef<std::string> words, unsigned depth = 0);

private:
  llvm::Error apply(const AssemblerOptionInfo &info, StringRef value, unsigned depth);
  llvm::Error readFile(StringRef path, unsigned depth);

  Assembly &assembly;
};

} // namespace

template <typename... Ts>
static llvm::Error fail(const char *format, const Ts &...values) {
  return llvm::createStringError(std::errc::invalid_argument, format, values...);
}

/// The option of a word, which may have its value behind it: --long=value, -short=value,
/// -O3.
static const AssemblerOptionInfo *findOption(StringRef word, StringRef &value,
                                             bool &hasValue) {
  const bool isLong = word.starts_with("--");
  StringRef name;
  std::tie(name, value) = word.ltrim('-').split('=');
  hasValue = word.contains('=');
  for (const AssemblerOptionInfo &info : table)
    // As nvcc's tools, which take long names behind one dash as well.
    if (name == info.longName || (!isLong && name == info.shortName))
      return &info;
  if (isLong)
    return nullptr;
  for (const AssemblerOptionInfo &info : table)
    if (info.takesValue && info.shortName.size() == 1 &&
        word.drop_front().starts_with(info.shortName)) {
      value = word.drop_front(2);
      hasValue = true;
      return &info;
    }
  return nullptr;
}

static std::string assemblerHelp() {
  std::string text =
      "Usage: ptxas [options] file\n\n"
      "Makes a package of PTX text, which cuModuleLoadData takes; the name "
      "and the\noptions are those of NVIDIA's assembler.\n\nOptions:\n";
  for (bool hasEffect : {true, false}) {
    if (!hasEffect)
      text += "\nTaken, but without an effect:\n";
    for (const AssemblerOptionInfo &info : table)
      if ((info.option != AssemblerOption::Note) == hasEffect)
        text += "  --" + info.longName.str() + (info.takesValue ? " <value>" : "") +
                (info.shortName.empty() ? "" : "  (-" + info.shortName.str() + ")") +
                "\n";
  }
  return text;
}

static std::string assemblerVersion() {
  // Triton looks for the release.
  return "ptxas: NVIDIA (R) Ptx optimizing assembler, command line compatible\n" +
         StringRef(versionText()).split('\n').second.str();
}

llvm::Error AssemblerLine::readFile(StringRef path, unsigned depth) {
  static constexpr unsigned maxDepth = 16; // a cycle ends here
  if (depth == maxDepth)
    return fail("options file '%s' is nested too deeply", path.str().c_str());
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return fail("Could not open options file '%s': %s", path.str().c_str(),
                buffer.getError().message().c_str());
  return parse(splitFile((*buffer)->getBuffer()), depth + 1);
}

llvm::Error AssemblerLine::apply(const AssemblerOptionInfo &info, StringRef value,
                                 unsigned depth) {
  CompileOptions &compile = assembly.compile;
  switch (info.option) {
  case AssemblerOption::Note:
    return llvm::Error::success();
  case AssemblerOption::Architecture:
    if (!value.starts_with("sm_"))
      return fail("Value '%s' is not defined for option 'gpu-name'", value.str().c_str());
    compile.arch = value.str();
    return llvm::Error::success();
  case AssemblerOption::Contract:
    if (value != "true" && value != "false")
      return fail("Value '%s' is not defined for option 'fmad'", value.str().c_str());
    compile.contract = value == "true";
    return llvm::Error::success();
  case AssemblerOption::Debug:
    compile.deviceDebug = true;
    return llvm::Error::success();
  case AssemblerOption::LineInfo:
    compile.lineInfo = true;
    return llvm::Error::success();
  case AssemblerOption::Optimization:
    compile.deviceDebug |= value == "0";
    return llvm::Error::success();
  case AssemblerOption::OptionsFile:
    return readFile(value, depth);
  case AssemblerOption::Output:
    assembly.output = value.str();
    return llvm::Error::success();
  case AssemblerOption::Relocatable:
    return fail("option '--compile-only' is not supported: text that uses what other "
                "texts define is given to cuLinkAddData with them");
  case AssemblerOption::Verbose:
    assembly.isVerbose = true;
    return llvm::Error::success();
  case AssemblerOption::Help:
    llvm::outs() << assemblerHelp();
    break;
  case AssemblerOption::ListArchitectures:
    llvm::outs() << architectureList("sm_");
    break;
  case AssemblerOption::Version:
    llvm::outs() << assemblerVersion();
    break;
  }
  assembly.isAsked = true;
  return llvm::Error::success();
}

llvm::Error AssemblerLine::parse(llvm::ArrayRef<std::string> words, unsigned depth) {
  for (size_t index = 0; index < words.size(); ++index) {
    const StringRef word = words[index];
    if (word.size() < 2 || word[0] != '-') {
      if (!assembly.compile.inputFile.empty())
        return fail("More than one input file: '%s' and '%s'",
                    assembly.compile.inputFile.c_str(), word.str().c_str());
      assembly.compile.inputFile = word.str();
      continue;
    }
    StringRef value;
    bool hasValue = false;
    const AssemblerOptionInfo *info = findOption(word, value, hasValue);
    if (!info)
      return fail("Unknown option '%s'", word.str().c_str());
    if (hasValue && !info->takesValue)
      return fail("option '%s' takes no value", info->longName.str().c_str());
    if (info->takesValue && !hasValue) {
      if (index + 1 == words.size())
        return fail("argument expected after '%s'", word.str().c_str());
      value = words[++index];
    }
    if (llvm::Error error = apply(*info, value, depth))
      return error;
  }
  return llvm::Error::success();
}

static llvm::Error assemble(const Assembly &assembly) {
  const std::string &input = assembly.compile.inputFile;
  if (input.empty())
    return fail("No input files specified; use option --help for more information");
  if (!llvm::sys::fs::exists(input))
    return fail("'%s': No such file or directory", input.c_str());
  if (llvm::sys::fs::equivalent(input, assembly.output))
    return fail("output '%s' is an input, too", assembly.output.c_str());
  llvm::Expected<Bytes> package = compileDevice(assembly.compile, DeviceStage::Package);
  if (!package)
    return package.takeError();
  if (assembly.isVerbose)
    if (llvm::Error error = showResourceUsage(*package, assembly.compile))
      return error;
  if (Status status = writeFileAtomically(assembly.output, *package); !status.ok())
    return fail("%s", status.text().c_str());
  return llvm::Error::success();
}

int het::runPtxAssembler(int argc, const char *const *argv) {
  constexpr int failed = 255; // by which callers tell faults of the text from crashes
  auto fatal = [&](llvm::Error error) {
    llvm::handleAllErrors(
        std::move(error),
        [](const Reported &) {
          llvm::errs() << "ptxas fatal   : Ptx assembly aborted due to errors\n";
        },
        [](const llvm::ErrorInfoBase &info) {
          llvm::errs() << "ptxas fatal   : " << info.message() << '\n';
        });
    return failed;
  };
  Assembly assembly;
  assembly.compile.isPtxText = true;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (llvm::Error error = AssemblerLine(assembly).parse(words))
    return fatal(std::move(error));
  if (assembly.isAsked)
    return 0;
  llvm::Error error = assemble(assembly);
  return error ? fatal(std::move(error)) : 0;
}
