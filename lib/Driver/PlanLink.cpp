// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans what follows the sources: the device link, archives, the host's link, the start
// of the program.

#include "Planner.h"
#include "Text.h"

#include "het/Frontend/DeviceLink.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace het;
using namespace het::driver;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Where libomp lies, for its user. See readLinkWords.
std::vector<std::string> Planner::openmpWords() const {
  return {"-L" HET_LLVM_LIBRARIES, "-Wl,-rpath," HET_LLVM_LIBRARIES, "-lomp"};
}

/// Whether this is a name of CUDA's for what libhetrt holds.
static bool isRuntime(StringRef library) {
  return library == "cudart" || library == "cudart_static" || library == "cuda";
}

/// Files in which a device link looks: objects, archives, and the archives of -l. A
/// shared library has had a link of its own.
std::vector<std::string> Planner::deviceInputs() const {
  std::vector<std::string> files;
  for (const std::string &object : objects)
    if (!StringRef(path::filename(object)).contains(".so"))
      files.push_back(object);
  for (StringRef library : s.libraries) {
    const std::string name =
        library.consume_front(":") ? library.str() : ("lib" + library + ".a").str();
    for (const std::string &folder : s.libraryPaths) {
      llvm::SmallString<128> file(folder);
      path::append(file, name);
      if (!fs::exists(file))
        continue;
      files.push_back(file.str().str());
      break;
    }
  }
  return files;
}

/// Whether there is something to link for the device.
bool Planner::hasDeviceCode() const {
  if (s.compile.relocatable)
    for (const Source &source : s.sources)
      if (source.kind == SourceKind::Cuda)
        return true;
  return llvm::any_of(deviceInputs(), hasDeviceParts);
}

llvm::Error Planner::planDeviceLink(std::string output) {
  Job job;
  job.kind = Job::Kind::DeviceLink;
  job.compile = s.compile;
  job.compile.headersDir = installation.headers;
  job.compile.color = llvm::sys::Process::StandardErrHasColors();
  job.linked = deviceInputs();
  job.input = job.linked.empty() ? "" : job.linked.front();
  job.output = std::move(output);
  job.packageFile = s.packageFile;
  llvm::Expected<std::string> registration = temporary("dlink", "reg.c");
  if (!registration)
    return registration.takeError();
  job.registration = *registration;
  llvm::Expected<std::string> package = temporary("dlink", "hetpkg");
  if (!package)
    return package.takeError();
  job.linkedPackage = *package;
  job.command = {hostCompiler, "-c",   "-x",          "c",  "-w",      "-O1",
                 "-fPIC",      "-m64", *registration, "-o", job.output};
  compilation.rest.push_back(std::move(job));
  return llvm::Error::success();
}

llvm::Error Planner::planArchive() {
  llvm::Expected<std::string> archiver = findProgram(s.archiver);
  if (!archiver)
    return archiver.takeError();
  Job job;
  job.output = s.output.empty() ? inOutputDirectory("a.a") : s.output;
  job.command = {*archiver, "rcs"};
  llvm::append_range(job.command, s.archiveOptions);
  job.command.push_back(job.output);
  llvm::append_range(job.command, objects);
  compilation.outputs.push_back(job.output);
  compilation.rest.push_back(std::move(job));
  return llvm::Error::success();
}

/// Libraries of the command line, then the runtime: the shared library itself, whatever
/// name of CUDA's asks for it.
void Planner::addLibraries(std::vector<std::string> &words) const {
  const std::string runtime = installation.libraries + "/libhetrt.so";
  bool openmp = flags.openmp;
  for (const std::string &library : s.libraries) {
    if (library == "gomp" || library == "iomp5")
      openmp = true;
    else
      words.push_back(isRuntime(library) ? runtime : "-l" + library);
  }
  if (openmp)
    llvm::append_range(words, openmpWords());
  if (s.cudart != "none")
    words.push_back(runtime);
  // CMake reads here that its own links need this. Nothing is taken from it in ours.
  if (s.cudart == "static")
    words.insert(words.end(), {"-lcudart_static", "-lrt", "-lpthread", "-ldl"});
}

/// The run path to the runtime, unless the system finds that very one by itself. Options
/// of the command line come behind it and can change its kind.
void Planner::addRunPath(std::vector<std::string> &words) {
  if (s.cudart == "none" && llvm::none_of(s.libraries, isRuntime))
    return;
  if (installation.isKnownToSystem()) {
    compilation.notes.push_back("the system finds " HET_RUNTIME_SONAME
                                " by itself: no run path is set");
    return;
  }
  words.insert(words.end(), {"-Xlinker", "--enable-new-dtags", "-Xlinker", "-rpath",
                             "-Xlinker", installation.libraries});
  compilation.notes.push_back("the run path leads to " HET_RUNTIME_SONAME " in " +
                              installation.libraries);
}

llvm::Error Planner::planLink() {
  if (s.deviceLink && hasDeviceCode()) {
    llvm::Expected<std::string> object = temporary("dlink", "o");
    if (!object)
      return object.takeError();
    if (llvm::Error error = planDeviceLink(*object))
      return error;
    objects.push_back(*object);
  }
  Job job;
  job.output = s.output.empty() ? inOutputDirectory("a.out") : s.output;
  std::vector<std::string> &words = job.command;
  words = {hostCompiler, "-m64"};
  llvm::append_range(words, flags.link);
  if (s.shared)
    words.push_back("-shared");
  words.push_back("-Wl,--start-group");
  llvm::append_range(words, objects);
  addRunPath(words);
  for (const std::string &option : s.linkerOptions)
    words.insert(words.end(), {"-Xlinker", option});
  // Ours come first: Makefiles name the folder of another CUDA themselves.
  words.push_back("-L" + installation.libraries);
  for (const std::string &folder : s.libraryPaths)
    words.push_back("-L" + folder);
  addLibraries(words);
  words.insert(words.end(), {"-Wl,--end-group", "-o", job.output});
  const std::string program = job.output;
  compilation.outputs.push_back(program);
  compilation.rest.push_back(std::move(job));
  if (s.run)
    planStart(program);
  return llvm::Error::success();
}

/// --run
void Planner::planStart(const std::string &program) {
  Job start;
  start.command = {path::has_parent_path(program) ? program : "./" + program};
  llvm::append_range(start.command, s.programArguments);
  compilation.rest.push_back(std::move(start));
}
