// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the compiler beside this library, and sends requests to it as lowerings are sent.

#include "Compiler.h"

#include "core/code/LoweringProcess.h"

#include <climits>
#include <cstdlib>
#include <dlfcn.h>
#include <sys/auxv.h>
#include <unistd.h>

using namespace het;
using namespace het::rtc;

/// lib/het/het-source-compiler, whatever link led to this library.
static std::string findCompiler() {
  Dl_info info;
  if (!::dladdr(reinterpret_cast<const void *>(&findCompiler), &info) || !info.dli_fname)
    return "het-source-compiler";
  char *whole = ::realpath(info.dli_fname, nullptr);
  std::string path = whole ? whole : info.dli_fname;
  std::free(whole);
  return path.substr(0, path.rfind('/') + 1) + "het/het-source-compiler";
}

static Result<Bytes> askProcess(const core::LoweringProgram &program,
                                const HetLowerRequest &request, const Stops &stops) {
  Result<core::OngoingLowering> begun = core::OngoingLowering::begin(program, request);
  if (!begun.ok())
    return begun.status();
  return stops ? begun->waitUnless(stops) : begun->wait();
}

Result<Reply> rtc::ask(const char *verb, const Bytes &message, const std::string &name,
                       const Stops &stops) {
  const std::string compiler = findCompiler();
  // A process would be the caller's, who could attach to it and answer in its place.
  if (::getauxval(AT_SECURE) || ::access(compiler.c_str(), X_OK) != 0)
    return unsupported("found no compiler of CUDA (" + compiler + "); install hetcc",
                       name);
  HetLowerRequest request = {};
  request.code = message.data();
  request.codeSize = message.size();
  request.kernel = name.c_str();
  request.options = verb;
  request.arch = request.devicelibPath = "";
  Result<Bytes> bytes = askProcess({compiler, ""}, request, stops);
  if (!bytes.ok())
    return bytes.status();
  std::optional<Reply> reply = readReply(*bytes);
  if (!reply)
    return internal("the process that compiles belongs to another version", compiler);
  return std::move(*reply);
}

std::string rtc::workingFolder() {
  char *folder = ::getcwd(nullptr, 0);
  std::string text = folder ? folder : "";
  std::free(folder);
  return text;
}
