// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns settings into jobs: what to compile, link and copy, in their order.

#include "Dependencies.h"
#include "Planner.h"
#include "Text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

using namespace het;
using namespace het::driver;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

//===----------------------------------------------------------------------===//
// Names of files
//===----------------------------------------------------------------------===//

std::string Planner::inOutputDirectory(StringRef name) const {
  return s.inOutputDirectory(name);
}

/// The name of a source's intermediate files, which sources of the same name in other
/// folders do not share: `add`, `add-2`.
std::string Planner::uniqueStem(const Source &source) {
  const StringRef own = path::stem(source.path);
  std::string stem = own.str();
  for (unsigned number = 2; !stems.insert(stem).second; ++number)
    stem = (own + "-" + Twine(number)).str();
  return stem;
}

Temporaries::~Temporaries() {
  for (const std::string &path : paths)
    (void)fs::remove(path);
}

llvm::Expected<std::string> Planner::temporary(StringRef stem, StringRef extension) {
  llvm::SmallString<128> place;
  if (s.keep) {
    place = s.keepDirectory;
    if (!s.keepDirectory.empty() && !s.dryRun)
      if (std::error_code error = fs::create_directories(s.keepDirectory))
        return llvm::createStringError(error, "cannot make folder '%s': %s",
                                       s.keepDirectory.c_str(), error.message().c_str());
    path::append(place, stem + "." + extension);
    return place.str().str();
  }
  if (s.dryRun) {
    path::system_temp_directory(/*ErasedOnReboot=*/true, place);
    path::append(place, "hetcc-" + stem + "." + extension);
    return place.str().str();
  }
  if (std::error_code error = fs::createTemporaryFile("hetcc-" + stem, extension, place))
    return llvm::createStringError(error, "cannot make a temporary file: %s",
                                   error.message().c_str());
  llvm::sys::RemoveFileOnSignal(place);
  compilation.temporaries.add(place.str().str());
  return place.str().str();
}

static StringRef emitExtension(DeviceStage stage) {
  switch (stage) {
  case DeviceStage::LLVM:
    return ".ll";
  case DeviceStage::HetIR:
    return ".mlir";
  case DeviceStage::Package:
    return ".hetpkg";
  }
  llvm_unreachable("all stages have an extension");
}

llvm::Expected<std::string> Planner::outputFor(const Source &source,
                                               StringRef intermediate) {
  if (s.phase > Phase::Compile)
    return temporary(intermediate, "o");
  const std::string stem = path::stem(source.path).str();
  if (!s.output.empty())
    return s.output;
  if (s.phase == Phase::Dependencies && !s.dependencies.file.empty())
    return s.dependencies.file;
  if (s.phase == Phase::Compile)
    return inOutputDirectory(stem + ".o");
  if (s.phase == Phase::Emit)
    return inOutputDirectory(stem + (s.deviceOutput.empty() ? emitExtension(s.emit).str()
                                                            : "." + s.deviceOutput));
  return std::string("-");
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// Whether a folder of the command line holds another maker's CUDA headers.
/// Makefiles name the toolkit's folder themselves; ours must come first then.
bool Planner::bringsOtherCuda() const {
  if (!s.includeFolders.empty() &&
      fs::equivalent(s.includeFolders.front(), installation.headers))
    return false;
  return llvm::any_of(s.includeFolders, [&](const std::string &folder) {
    return !fs::equivalent(folder, installation.headers) &&
           fs::exists(folder + "/cuda_runtime.h");
  });
}

void Planner::addDependencies(Job &job, const Source &source) {
  if (!s.dependencies.wanted)
    return;
  const bool isAlone = s.phase == Phase::Dependencies;
  const std::string file = isAlone ? "" : dependencyFile(s, source);
  if (job.kind == Job::Kind::Emit) {
    // The kernels' pass alone would list what the host does not include, too.
    Job list = job;
    list.kind = Job::Kind::Preprocess;
    list.hostStage = HostStage::Dependencies;
    list.output = file;
    list.resourceUsage = false;
    list.dependencies = dependencyWords(s, source, "");
    compilation.sources.push_back(std::move(list));
    return;
  }
  if (!isAlone)
    job.leftovers.push_back(file);
  std::vector<std::string> words = dependencyWords(s, source, file);
  std::vector<std::string> &place =
      job.kind == Job::Kind::Command ? job.command : job.dependencies;
  llvm::append_range(place, words);
}

Job Planner::cudaJob(const Source &source) const {
  Job job;
  job.kind = s.phase == Phase::Emit           ? Job::Kind::Emit
             : s.phase <= Phase::Dependencies ? Job::Kind::Preprocess
                                              : Job::Kind::Compile;
  job.hostStage = s.phase == Phase::Preprocess     ? HostStage::Preprocess
                  : s.phase == Phase::Dependencies ? HostStage::Dependencies
                                                   : HostStage::Object;
  job.deviceStage = s.emit;
  if (!s.compile.relocatable) // else the device link makes it
    job.packageFile = s.packageFile;
  job.compile = s.compile;
  job.compile.inputFile = source.path;
  job.compile.headersDir = installation.headers;
  job.compile.optimization = s.optimization.value_or(flags.optimization.value_or(0));
  job.compile.color = llvm::sys::Process::StandardErrHasColors();
  std::vector<std::string> &words = job.compile.clangArguments;
  if (s.cudart == "none")
    words.push_back("-D__HET_CUDART_NONE__");
  const std::string first = bringsOtherCuda() ? installation.headers : "";
  if (!first.empty())
    words.insert(words.end(), {"-I", first});
  if (s.compile.relocatable)
    words.push_back("-D__CUDACC_RDC__=1");
  if (s.compile.deviceDebug)
    words.push_back("-D__CUDACC_DEBUG__=1");
  for (StringRef macro : s.optionMacros)
    words.push_back(("-D" + macro + "=1").str());
  if (!gccFolder.empty())
    words.push_back("--gcc-install-dir=" + gccFolder);
  for (const std::string &word : s.language) // the architectures' own list counts
    if (!StringRef(word).starts_with("-D__CUDA_ARCH_LIST__="))
      words.push_back(word);
  llvm::append_range(words, flags.language);
  llvm::append_range(words, s.diagnostics);
  job.compile.hostArguments = flags.clang;
  job.compile.warningsAreErrors |= flags.warningsAreErrors;
  // A flag that only the linker needs, or a warning that only g++ has, is no reason to
  // complain.
  if (!flags.clang.empty())
    job.compile.hostArguments.insert(job.compile.hostArguments.end(),
                                     {"-Qunused-arguments", "-Wno-unknown-warning-option",
                                      "-Wno-ignored-optimization-argument"});
  llvm::append_range(job.compile.hostArguments, s.diagnostics); // not undone by -Wall
  job.resourceUsage = s.resourceUsage;
  job.shown = showOptions(s, job.compile, flags, first);
  return job;
}

Job Planner::hostJob(const Source &source) const {
  Job job;
  std::vector<std::string> &words = job.command;
  words.push_back(hostCompiler);
  words.push_back(s.phase == Phase::Preprocess     ? "-E"
                  : s.phase == Phase::Dependencies ? "-w"
                                                   : "-c");
  words.insert(words.end(), {"-x", source.kind == SourceKind::C ? "c" : "c++"});
  words.insert(words.end(), {"-D__NVCC__=1", "-D__CUDACC_VER_MAJOR__=12",
                             "-D__CUDACC_VER_MINOR__=9", "-D__CUDACC_VER_BUILD__=86",
                             "-D__CUDA_ARCH_LIST__=" + s.compile.archList});
  if (s.optimization)
    words.push_back("-O" + llvm::utostr(*s.optimization));
  if (s.compile.debug || s.compile.deviceDebug)
    words.push_back("-g");
  words.push_back("-m64");
  if (bringsOtherCuda())
    words.push_back("-I" + installation.headers);
  for (const std::string &word : s.language)
    if (source.kind != SourceKind::C || !StringRef(word).starts_with("-std="))
      words.push_back(word);
  if (s.compile.warningsAreErrors)
    words.push_back("-Werror");
  llvm::append_range(words, s.compilerOptions);
  words.push_back("-I" + installation.headers);
  if (!installation.cccl.empty())
    words.insert(words.end(), {"-isystem", installation.cccl});
  return job;
}

llvm::Error Planner::planSource(const Source &source) {
  if (source.kind == SourceKind::Object) {
    objects.push_back(source.path);
    return llvm::Error::success();
  }
  if (source.kind == SourceKind::Device)
    return planPackage(source);
  bool cuda = source.kind == SourceKind::Cuda;
  if (!cuda && s.phase == Phase::Emit) // Of host code nothing would be kept.
    return llvm::Error::success();
  const std::string intermediate = uniqueStem(source);
  llvm::Expected<std::string> output = outputFor(source, intermediate);
  if (!output)
    return output.takeError();
  Job job = cuda ? cudaJob(source) : hostJob(source);
  job.input = source.path;
  job.output = *output;
  addDependencies(job, source);
  if (!cuda) {
    job.command.push_back(source.path);
    if (job.output != "-")
      job.command.insert(job.command.end(), {"-o", job.output});
  } else if (s.keep && job.kind == Job::Kind::Compile) {
    llvm::Expected<std::string> kept = temporary(intermediate, "hetpkg");
    if (!kept)
      return kept.takeError();
    job.keptPackage = *kept;
  }
  if (s.phase > Phase::Compile)
    objects.push_back(job.output);
  else
    compilation.outputs.push_back(job.output);
  if (s.deviceOutput == "ptx")
    return planText(std::move(job), intermediate);
  compilation.sources.push_back(std::move(job));
  return llvm::Error::success();
}

llvm::Expected<std::string> Planner::packageTool() const {
  llvm::SmallString<128> tool(path::parent_path(installation.executable));
  path::append(tool, "hetpkg");
  return findProgram(tool.str().str());
}

/// -ptx: the package first, then the text that holds it.
llvm::Error Planner::planText(Job package, const std::string &intermediate) {
  llvm::Expected<std::string> tool = packageTool();
  if (!tool)
    return tool.takeError();
  Job text;
  text.input = package.input;
  text.output = package.output;
  llvm::Expected<std::string> place = temporary(intermediate, "hetpkg");
  if (!place)
    return place.takeError();
  package.output = *place;
  text.command = {
      *tool, "extract",  package.output, "--for=ptx:" + s.compile.arch, "--with-package",
      "-o",  text.output};
  compilation.sources.push_back(std::move(package));
  compilation.rest.push_back(std::move(text));
  return llvm::Error::success();
}

/// -cubin, -fatbin of what -ptx and its relatives have written: the package in it.
llvm::Error Planner::planPackage(const Source &source) {
  llvm::Expected<std::string> tool = packageTool();
  if (!tool)
    return tool.takeError();
  llvm::Expected<std::string> output = outputFor(source, "");
  if (!output)
    return output.takeError();
  Job job;
  job.input = source.path;
  job.output = *output;
  job.command = {*tool, "merge", source.path, "-o", *output};
  compilation.outputs.push_back(*output);
  compilation.rest.push_back(std::move(job));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

llvm::Error Planner::planRest() {
  switch (s.phase) {
  case Phase::DeviceLink:
    compilation.outputs.push_back(s.output.empty() ? inOutputDirectory("a_dlink.o")
                                                   : s.output);
    return planDeviceLink(compilation.outputs.back());
  case Phase::Link:
    return planLink();
  case Phase::Archive:
    return planArchive();
  default:
    return llvm::Error::success();
  }
}

/// Words that Clang does not know are the host compiler's, or a fault.
void Planner::planCheck() {
  if (flags.dropped.empty())
    return;
  for (const std::string &word : flags.dropped)
    compilation.notes.push_back(
        "-Xcompiler " + word +
        " is not used for CUDA sources: clang, which compiles them, has no "
        "such option");
  Job job;
  job.command = {hostCompiler, "-x", "c++", "-fsyntax-only"};
  llvm::append_range(job.command, flags.dropped);
  job.command.push_back("/dev/null");
  if (llvm::any_of(s.sources,
                   [](const Source &one) { return one.kind == SourceKind::Cuda; }))
    compilation.checks.push_back(std::move(job));
}

llvm::Expected<Compilation> Planner::plan() {
  llvm::Expected<std::string> compiler = findHostCompiler(s.hostCompiler);
  if (!compiler)
    return compiler.takeError();
  hostCompiler = *compiler;
  if (!s.hostCompiler.empty())
    gccFolder = findGccFolder(hostCompiler);
  planCheck();
  if (s.sources.front().kind == SourceKind::Program) {
    planStart(s.sources.front().path);
    return std::move(compilation);
  }
  for (const Source &source : s.sources)
    if (llvm::Error error = planSource(source))
      return std::move(error);
  if (s.phase == Phase::Compile && s.cudart != "none")
    compilation.notes.push_back(
        "where another linker makes the program, it looks for " HET_RUNTIME_SONAME
        " in LD_LIBRARY_PATH, ../lib beside it, " +
        installation.libraries + ", and where the system looks");
  if (llvm::Error error = planRest())
    return std::move(error);
  return std::move(compilation);
}

llvm::Expected<Compilation>
het::driver::planCompilation(const Settings &settings, const Installation &installation) {
  return Planner(settings, installation).plan();
}
