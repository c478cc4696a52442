// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text is compiled in a process of its own, het-text-compiler, as kernels are lowered:
// the program has no compiler, and text from anywhere may make one crash.

#include "PtxText.h"

#include "core/Runtime.h"
#include "core/code/LoweringProcess.h"
#include "het/Base/Log.h"
#include "het/Package/PackageText.h"

#include <algorithm>
#include <cstring>
#include <sys/auxv.h>
#include <unistd.h>

using namespace het;
using namespace het::cuda;
using namespace het::cuda::driver;

JitLog::JitLog(unsigned count, const CUjit_option *options, void **values) {
  char *info = nullptr;
  size_t infoRoom = 0;
  for (unsigned index = 0; options && values && index < count; ++index) {
    if (options[index] == CU_JIT_ERROR_LOG_BUFFER)
      errors = static_cast<char *>(values[index]);
    if (options[index] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) {
      room = static_cast<unsigned>(reinterpret_cast<uintptr_t>(values[index]));
      written = values + index;
    }
    if (options[index] == CU_JIT_INFO_LOG_BUFFER)
      info = static_cast<char *>(values[index]);
    if (options[index] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES) {
      infoRoom = reinterpret_cast<uintptr_t>(values[index]);
      values[index] = nullptr;
    }
  }
  // There is nothing to tell of what went well.
  if (info && infoRoom)
    *info = 0;
  if (written)
    *written = nullptr;
  if (errors && room)
    *errors = 0;
}

void JitLog::error(const std::string &message) {
  log(Level::Error, "%s", message.c_str());
  if (!errors || !room)
    return;
  const size_t length = std::min(message.size(), room - 1);
  std::memcpy(errors, message.data(), length);
  errors[length] = 0;
  if (written)
    *written = reinterpret_cast<void *>(length + 1);
}

bool driver::isText(ByteView head) {
  if (head.size == 0)
    return false;
  const char first = static_cast<char>(head.data[0]);
  return first == '/' || first == '.' || first == ' ' || first == '\t' || first == '\n' ||
         first == '\r';
}

/// Has the text compiler do what `options` says with texts.
static CUresult ask(const std::vector<NamedText> &texts, const std::string &origin,
                    const char *options, JitLog &messages, Bytes &package) {
  Result<core::Runtime *> runtime = core::Runtime::get();
  if (!runtime.ok())
    return CUDA_ERROR_NOT_INITIALIZED;
  const std::string compiler = (*runtime)->libraryFolder() + "/het/het-text-compiler";
  // A process would be the caller's, who could attach to it and answer in its place.
  if (getauxval(AT_SECURE) || access(compiler.c_str(), X_OK) != 0) {
    messages.error(origin + ": found PTX text, and no compiler for it (" + compiler +
                   "); install hetcc, or compile the text before, with hetcc -fatbin");
    return CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
  }
  // A name and a text, and so on, each with a null behind it.
  std::string code;
  for (const NamedText &each : texts) {
    code.append(each.name.substr(0, each.name.find('\0'))).push_back('\0');
    code.append(each.text.substr(0, each.text.find('\0'))).push_back('\0');
  }
  HetLowerRequest request = {};
  request.code = reinterpret_cast<const uint8_t *>(code.data());
  request.codeSize = code.size();
  request.kernel = origin.c_str();
  request.arch = request.devicelibPath = "";
  request.options = options;
  Result<Bytes> made = core::lowerElsewhere({compiler, ""}, request);
  if (made.ok()) {
    package = made.take();
    return CUDA_SUCCESS;
  }
  messages.error(made.status().text());
  return made.status().code == Code::Unavailable ? CUDA_ERROR_OUT_OF_MEMORY
                                                 : CUDA_ERROR_INVALID_PTX;
}

CUresult driver::compileTexts(const std::vector<NamedText> &texts,
                              const std::string &origin, JitLog &messages,
                              Bytes &package) {
  return ask(texts, origin, "", messages, package);
}

CUresult driver::checkText(const NamedText &text, JitLog &messages) {
  Bytes nothing;
  return ask({{"PTX text", text.text}}, text.name, "check", messages, nothing);
}

CUresult driver::readText(std::string_view text, const std::string &origin,
                          JitLog &messages, Bytes &package) {
  if (!holdsPackage(text))
    return compileTexts({{"PTX text", text}}, origin, messages, package);
  Result<Bytes> found = readPackageText(text, origin);
  if (!found.ok()) {
    messages.error(found.status().text());
    return CUDA_ERROR_INVALID_PTX;
  }
  package = found.take();
  return CUDA_SUCCESS;
}
