// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One compilation: NVRTC's options become the front end's, and the front end's package
// what NVRTC gives.

#include "het/RuntimeCompilation/Options.h"
#include "het/RuntimeCompilation/RuntimeCompilation.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace het;
using namespace het::rtc;

/// Whether a folder of the program's holds another maker's CUDA headers.
static bool bringsOtherCuda(const Settings &settings, const std::string &folder,
                            const std::string &headers) {
  return llvm::any_of(settings.folders, [&](const std::string &given) {
    llvm::SmallString<128> path(given);
    llvm::sys::path::make_absolute(folder, path);
    return !llvm::sys::fs::equivalent(path, headers) &&
           (llvm::sys::fs::exists(path + "/cuda_runtime.h") ||
            llvm::sys::fs::exists(path + "/cuda_fp16.h"));
  });
}

static void addArguments(CompileOptions &compile, const Settings &settings,
                         const std::string &folder) {
  // NVRTC takes what is of a later standard without a word.
  std::vector<std::string> words = {"-std=" + settings.standard, "-Wno-c++14-extensions",
                                    "-Wno-c++17-extensions",     "-Wno-c++20-extensions",
                                    "-Wno-c++23-extensions",     "-Wno-c++26-extensions"};
  if (bringsOtherCuda(settings, folder, compile.headersDir))
    words.push_back("-I" + compile.headersDir);
  for (const std::string &given : settings.folders)
    words.push_back("-I" + given);
  for (const std::string &file : settings.preIncludes)
    words.insert(words.end(), {"-include", file});
  if (compile.relocatable)
    words.push_back("-D__CUDACC_RDC__=1");
  if (compile.deviceDebug)
    words.push_back("-D__CUDACC_DEBUG__=1");
  words.insert(words.end(), compile.clangArguments.begin(), compile.clangArguments.end());
  compile.clangArguments = std::move(words);
}

/// Writes the table of --time, with nvcc's columns. False: the file cannot be written.
static bool writeTime(const Settings &settings, const std::string &folder,
                      const std::string &name, double milliseconds, std::string &log) {
  std::string line;
  llvm::raw_string_ostream os(line);
  os << name << ",nvrtc,,," << settings.compile.arch << ",hetcc,"
     << llvm::format("%.3f", milliseconds) << ",ms\n";
  if (settings.timeFile == "-") {
    log += line;
    return true;
  }
  llvm::SmallString<128> path(settings.timeFile);
  llvm::sys::path::make_absolute(folder, path);
  std::error_code error;
  const bool isNew = !llvm::sys::fs::exists(path);
  llvm::raw_fd_ostream file(path, error, llvm::sys::fs::OF_Append);
  if (error) {
    log += "nvrtc: error: " + settings.timeFile + ": " + error.message() + "\n";
    return false;
  }
  if (isNew)
    file << "source file name,phase name,phase input files,phase output file,arch,tool,"
            "metric,unit\n";
  file << line;
  return true;
}

static SourceInMemory sourceOf(const CompileRequest &request, const Settings &settings) {
  SourceInMemory source;
  source.text = request.source.text;
  source.folder = request.folder.empty() ? "/" : request.folder;
  for (const MemoryFile &header : request.headers)
    source.headers.emplace_back(header.name, header.text);
  source.deviceByDefault = settings.deviceByDefault;
  source.besideHeaders = !settings.sourceFolder;
  source.expressions = request.expressions;
  return source;
}

static void fillIn(Reply &reply, const Settings &settings, Bytes package) {
  reply.outcome = Outcome::Made;
  if (settings.isLinkable) {
    reply.relocatable = std::move(package);
    return;
  }
  reply.text = writeText(package, settings.compile.arch);
  if (settings.hasCubin)
    reply.package = std::move(package);
}

Reply rtc::compile(const CompileRequest &request, const Installation &installation) {
  const auto begin = std::chrono::steady_clock::now();
  Reply reply;
  llvm::Expected<Settings> settings = readOptions(request.options);
  if (!settings) {
    reply.outcome = Outcome::InvalidOption;
    reply.log = "nvrtc: error: " + llvm::toString(settings.takeError()) + "\n";
    return reply;
  }
  SourceInMemory source = sourceOf(request, *settings);
  llvm::raw_string_ostream log(reply.log);
  CompileOptions &compile = settings->compile;
  compile.inputFile =
      request.source.name.empty() ? "default_program" : request.source.name;
  compile.relocatable |= settings->isLinkable;
  compile.headersDir = installation.headers;
  compile.resourceDir = installation.resourceDir;
  compile.diagnostics = &log;
  compile.inMemory = &source;
  addArguments(compile, *settings, source.folder);
  llvm::Expected<Bytes> package = compileDevice(compile, DeviceStage::Package);
  if (package) {
    reply.loweredNames = std::move(source.loweredNames);
    fillIn(reply, *settings, std::move(*package));
  } else {
    llvm::handleAllErrors(
        package.takeError(), [](const Reported &) {},
        [&](const llvm::ErrorInfoBase &error) {
          log << compile.inputFile << ": error: " << error.message() << '\n';
        });
  }
  const std::chrono::duration<double, std::milli> time =
      std::chrono::steady_clock::now() - begin;
  if (!settings->timeFile.empty() &&
      !writeTime(*settings, request.folder, compile.inputFile, time.count(), reply.log))
    reply.outcome = Outcome::NoTimeFile;
  return reply;
}
