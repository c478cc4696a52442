// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each option's meaning. One function for each group of Options.def; a group's
// function says whether the option was one of its own.

#include "Settings.h"
#include "Architecture.h"
#include "Text.h"
#include "WarningSettings.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>

using namespace het;
using namespace het::driver;
using llvm::StringRef;

namespace {

class SettingsReader {
public:
  explicit SettingsReader(Settings &settings) : s(settings) {}

  llvm::Error apply(const Argument &argument);
  /// Behind the last argument.
  void finish();

private:
  bool applyPhase(const Argument &argument);
  bool applyDependencies(const Argument &argument);
  bool applyLanguage(const Argument &argument);
  bool applyWarnings(const Argument &argument);
  bool applyCode(const Argument &argument);
  bool applyMath(const Argument &argument);
  bool applyHost(const Argument &argument);
  bool applyDriver(const Argument &argument);
  bool applyHet(const Argument &argument);

  void setPhase(Phase phase);
  void setDeviceOutput(const Argument &argument);
  void setOnce(std::string &field, const Argument &argument);
  void setOnce(std::optional<bool> &field, const Argument &argument);
  void warnOfRedefinition(const Argument &argument);
  void addFlag(const char *flag, const Argument &argument);
  void addIncludes(const char *flag, const Argument &argument);
  void addArchitecture(StringRef name);
  void readPtxasOptions(const Argument &argument);
  unsigned number(StringRef text);
  void noteUnused(const Argument &argument);
  void fail(const llvm::Twine &message);

  Settings &s;
  /// Options that -use_fast_math implies; one that is given counts, in any order.
  std::optional<bool> flushToZero, preciseDivision, preciseSqrt, contract;
  llvm::Error error = llvm::Error::success();
};

} // namespace

void SettingsReader::fail(const llvm::Twine &message) {
  error = llvm::joinErrors(
      std::move(error), llvm::createStringError(
                            std::make_error_code(std::errc::invalid_argument), message));
}

unsigned SettingsReader::number(StringRef text) {
  unsigned value = 0;
  if (text.getAsInteger(10, value))
    fail("'" + text + "': expected a number");
  return value;
}

void SettingsReader::setPhase(Phase phase) {
  // The earliest stop wins: -c -shared is -c, -E -c is -E.
  s.phase = std::min(s.phase, phase);
}

void SettingsReader::setDeviceOutput(const Argument &argument) {
  const StringRef name = argument.option->shortName;
  if (!s.deviceOutput.empty() && s.deviceOutput != name)
    fail("More than one compilation phase specified: --" + s.deviceOutput + " and --" +
         name);
  setPhase(Phase::Emit);
  s.emit = DeviceStage::Package;
  s.deviceOutput = name.str();
}

void SettingsReader::warnOfRedefinition(const Argument &argument) {
  s.warnings.push_back(("incompatible redefinition for option '" +
                        argument.option->longName +
                        "', the last value of this option was used")
                           .str());
}

void SettingsReader::setOnce(std::string &field, const Argument &argument) {
  if (!field.empty() && field != argument.value())
    warnOfRedefinition(argument);
  field = argument.value();
}

void SettingsReader::setOnce(std::optional<bool> &field, const Argument &argument) {
  const bool value = argument.value() == "true";
  if (field && *field != value)
    warnOfRedefinition(argument);
  field = value;
}

void SettingsReader::addFlag(const char *flag, const Argument &argument) {
  for (const std::string &value : argument.values)
    s.language.push_back(flag + StringRef(value).ltrim().str());
}

void SettingsReader::addIncludes(const char *flag, const Argument &argument) {
  for (const std::string &value : argument.values) {
    s.language.push_back(flag);
    s.language.push_back(value);
    if (StringRef(flag) != "-include")
      s.includeFolders.push_back(value);
  }
}

void SettingsReader::addArchitecture(StringRef name) {
  llvm::Expected<std::optional<unsigned>> found = parseArchitecture(name);
  if (!found)
    error = llvm::joinErrors(std::move(error), found.takeError());
  else if (*found)
    s.architectures.insert(**found);
  s.manyArchitectures |= name.starts_with("all");
}

void SettingsReader::readPtxasOptions(const Argument &argument) {
  for (const std::string &word : argument.values) {
    if (word == "-v" || word == "--verbose" || word == "-verbose")
      s.resourceUsage = true;
    else
      s.notes.push_back("-Xptxas " + word + " has no effect: ptxas is not called");
  }
}

bool SettingsReader::applyPhase(const Argument &argument) {
  switch (argument.option->id) {
  case OptionId::Compile:
  case OptionId::DeviceWhole:
    setPhase(Phase::Compile);
    return true;
  case OptionId::DeviceCompile:
    s.compile.relocatable = true;
    setPhase(Phase::Compile);
    return true;
  case OptionId::Link:
    return true;
  case OptionId::Library:
    setPhase(Phase::Archive);
    return true;
  case OptionId::DeviceLink:
    setPhase(Phase::DeviceLink);
    return true;
  case OptionId::Ptx:
  case OptionId::Cubin:
  case OptionId::Fatbin:
  case OptionId::LtoIr:
    setDeviceOutput(argument);
    return true;
  case OptionId::Preprocess:
    setPhase(Phase::Preprocess);
    return true;
  case OptionId::Shared:
    s.shared = true;
    return true;
  case OptionId::Run:
    s.run = true;
    return true;
  case OptionId::RunArguments:
    llvm::append_range(s.programArguments, argument.values);
    return true;
  case OptionId::Output:
    setOnce(s.output, argument);
    return true;
  case OptionId::OutputDirectory:
    setOnce(s.outputDirectory, argument);
    return true;
  default:
    return false;
  }
}

bool SettingsReader::applyDependencies(const Argument &argument) {
  switch (argument.option->id) {
  case OptionId::Dependencies:
  case OptionId::UserDependencies:
    setPhase(Phase::Dependencies);
    s.dependencies.wanted = true;
    s.dependencies.system = argument.is(OptionId::Dependencies);
    return true;
  case OptionId::DependenciesToo:
  case OptionId::UserDependenciesToo:
    s.dependencies.wanted = true;
    s.dependencies.system = argument.is(OptionId::DependenciesToo);
    return true;
  case OptionId::DependencyFile:
    s.dependencies.file = argument.value();
    return true;
  case OptionId::DependencyTarget:
    s.dependencies.target = argument.value();
    return true;
  case OptionId::PhonyTargets:
    s.dependencies.phony = true;
    return true;
  default:
    return false;
  }
}

bool SettingsReader::applyLanguage(const Argument &argument) {
  switch (argument.option->id) {
  case OptionId::Include:
    addIncludes("-include", argument);
    return true;
  case OptionId::Define:
    addFlag("-D", argument);
    return true;
  case OptionId::Undefine:
    addFlag("-U", argument);
    return true;
  case OptionId::IncludePath:
    addIncludes("-I", argument);
    return true;
  case OptionId::SystemInclude:
    addIncludes("-isystem", argument);
    return true;
  case OptionId::Language: // Belongs to the inputs (readInputs).
    return true;
  case OptionId::Standard:
    addFlag("-std=", argument);
    return true;
  case OptionId::TemplateDepth:
    addFlag("-ftemplate-depth=", argument);
    return true;
  case OptionId::TemplateBacktrace:
    addFlag("-ftemplate-backtrace-limit=", argument);
    return true;
  case OptionId::NoExceptions:
    s.compilerOptions.push_back("-fno-exceptions");
    return true;
  case OptionId::ExtendedLambda:
  case OptionId::ExperimentalLambda:
    s.optionMacros.insert("__CUDACC_EXTENDED_LAMBDA__");
    return true;
  case OptionId::RelaxedConstexpr:
    s.optionMacros.insert("__CUDACC_RELAXED_CONSTEXPR__");
    return true;
  case OptionId::DefaultStream:
    if (argument.value() == "per-thread")
      s.language.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    return true;
  default:
    return applyWarnings(argument);
  }
}

bool SettingsReader::applyWarnings(const Argument &argument) {
  llvm::Expected<bool> applied = applyWarningOption(argument, s);
  if (applied)
    return *applied;
  error = llvm::joinErrors(std::move(error), applied.takeError());
  return true;
}

/// `code=[compute_90,sm_90]` arrives split at its commas, `code="…,…"` whole.
static StringRef architectureName(StringRef item) {
  item = item.trim(" \"'");
  if (!item.consume_front("arch="))
    item.consume_front("code=");
  return item.trim("[] \"'");
}

bool SettingsReader::applyCode(const Argument &argument) {
  switch (argument.option->id) {
  case OptionId::Arch:
  case OptionId::Code:
  case OptionId::GenerateCode:
    for (const std::string &item : argument.values)
      for (StringRef part : llvm::split(item, ','))
        addArchitecture(architectureName(part));
    return true;
  case OptionId::NoDeviceLink:
    s.deviceLink = false;
    return true;
  case OptionId::RelocatableDeviceCode:
    s.compile.relocatable = argument.value() == "true";
    return true;
  case OptionId::Optimize:
    s.optimization = std::min(number(argument.value()), 3u);
    return true;
  case OptionId::Debug:
    s.compile.debug = true;
    return true;
  case OptionId::DeviceDebug:
    s.compile.deviceDebug = true;
    return true;
  case OptionId::WholeProgram:
    s.optionMacros.insert("__CUDACC_EWP__");
    return true;
  case OptionId::LineInfo:
    s.compile.lineInfo = true;
    return true;
  case OptionId::ResourceUsage:
    s.resourceUsage = true;
    return true;
  case OptionId::PtxasOptions:
    readPtxasOptions(argument);
    return true;
  case OptionId::Profile:
    s.profile = true;
    s.compilerOptions.push_back("-pg");
    return true;
  default:
    return applyMath(argument);
  }
}

bool SettingsReader::applyMath(const Argument &argument) {
  switch (argument.option->id) {
  case OptionId::FastMath:
    s.compile.fastMath = true;
    return true;
  case OptionId::FlushToZero:
    setOnce(flushToZero, argument);
    return true;
  case OptionId::PreciseDivision:
    setOnce(preciseDivision, argument);
    return true;
  case OptionId::PreciseSqrt:
    setOnce(preciseSqrt, argument);
    return true;
  case OptionId::Contract:
    setOnce(contract, argument);
    return true;
  default:
    return false;
  }
}

void SettingsReader::finish() {
  const bool isFast = s.compile.fastMath;
  s.compile.flushToZero = flushToZero.value_or(isFast);
  s.compile.preciseDivision = preciseDivision.value_or(!isFast);
  s.compile.preciseSqrt = preciseSqrt.value_or(!isFast);
  s.compile.contract = contract.value_or(true);
}

bool SettingsReader::applyHost(const Argument &argument) {
  switch (argument.option->id) {
  case OptionId::CompilerBindir:
    setOnce(s.hostCompiler, argument);
    return true;
  case OptionId::ArchiverBinary:
    s.archiver = argument.value();
    return true;
  case OptionId::CompilerOptions:
    // nvcc's shell splits each item once more.
    for (const std::string &item : argument.values)
      llvm::append_range(s.compilerOptions, splitWords(item));
    return true;
  case OptionId::LinkerOptions:
    llvm::append_range(s.linkerOptions, argument.values);
    return true;
  case OptionId::ArchiveOptions:
    llvm::append_range(s.archiveOptions, argument.values);
    return true;
  case OptionId::LinkLibrary:
    llvm::append_range(s.libraries, argument.values);
    return true;
  case OptionId::LibraryPath:
    llvm::append_range(s.libraryPaths, argument.values);
    return true;
  case OptionId::Cudart:
    s.cudart = argument.value();
    return true;
  case OptionId::Machine:
  case OptionId::Machine64:
  case OptionId::ForwardToCompiler:
  case OptionId::ForwardToLinker:
  case OptionId::ForwardAll:
    return true;
  default:
    return false;
  }
}

bool SettingsReader::applyDriver(const Argument &argument) {
  switch (argument.option->id) {
  case OptionId::DryRun:
    s.dryRun = true;
    return true;
  case OptionId::Verbose:
    s.verbose = true;
    return true;
  case OptionId::Threads:
    s.threads = number(argument.value());
    return true;
  case OptionId::Keep:
  case OptionId::SaveTemps:
    s.keep = true;
    return true;
  case OptionId::KeepDirectory:
    s.keepDirectory = argument.value();
    return true;
  case OptionId::Time:
    s.timeFile = argument.value();
    return true;
  case OptionId::CleanTargets:
    s.clean = true;
    return true;
  default:
    return applyHet(argument);
  }
}

bool SettingsReader::applyHet(const Argument &argument) {
  switch (argument.option->id) {
  case OptionId::HetEmit:
    setPhase(Phase::Emit);
    s.emit = llvm::StringSwitch<DeviceStage>(argument.value())
                 .Case("llvm", DeviceStage::LLVM)
                 .Case("hetir", DeviceStage::HetIR)
                 .Default(DeviceStage::Package);
    return true;
  case OptionId::HetPackage:
    setOnce(s.packageFile, argument);
    return true;
  case OptionId::HetSafePoints:
    s.compile.safePoints = llvm::StringSwitch<SafePointMode>(argument.value())
                               .Case("none", SafePointMode::None)
                               .Case("barriers", SafePointMode::Barriers)
                               .Default(SafePointMode::Loops);
    return true;
  case OptionId::HetMath:
    s.compile.math = argument.value() == "native" ? MathMode::Native : MathMode::Portable;
    return true;
  default:
    return false;
  }
}

void SettingsReader::noteUnused(const Argument &argument) {
  const OptionInfo &option = *argument.option;
  if (option.values == "<n>" || option.values == "<number>")
    for (const std::string &value : argument.values)
      (void)number(value);
  s.notes.push_back((argument.text + " has no effect: " + option.text).str());
}

llvm::Error SettingsReader::apply(const Argument &argument) {
  const OptionInfo &option = *argument.option;
  if (option.use == OptionUse::Refuse)
    fail("option '" + argument.text + "' is not supported: " + option.text);
  else if (option.use == OptionUse::Note)
    noteUnused(argument);
  else
    applyPhase(argument) || applyDependencies(argument) || applyLanguage(argument) ||
        applyCode(argument) || applyHost(argument) || applyDriver(argument);
  return std::move(error);
}

llvm::Expected<Settings> het::driver::readSettings(const CommandLine &line) {
  Settings settings;
  SettingsReader reader(settings);
  for (const Argument &argument : line.arguments) {
    if (argument.kind == Argument::Kind::Option)
      if (llvm::Error error = reader.apply(argument))
        return std::move(error);
    if (argument.kind != Argument::Kind::Unknown)
      continue;
    if (line.forwardToCompiler)
      settings.compilerOptions.push_back(argument.text);
    if (line.forwardToLinker)
      settings.linkerOptions.push_back(argument.text);
  }
  if (line.has(OptionId::Code) && !line.has(OptionId::Arch))
    return llvm::createStringError(std::errc::invalid_argument,
                                   "-arch option not specified");
  reader.finish();
  if (settings.architectures.empty())
    settings.architectures.insert(defaultArchitecture);
  settings.compile.arch = "sm_" + llvm::utostr(*settings.architectures.rbegin());
  for (unsigned number : settings.architectures)
    settings.compile.archList +=
        (settings.compile.archList.empty() ? "" : ",") + llvm::utostr(number) + "0";
  settings.compile.verbose = settings.verbose;
  return std::move(settings);
}
