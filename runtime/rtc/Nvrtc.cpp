// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVRTC: programs and their compilation.

#include "Compiler.h"
#include "Program.h"

#include "het/Base/Log.h"

#include <atomic>
#include <new>

using namespace het;
using namespace het::rtc;

static constexpr size_t defaultPchHeap = size_t(256) << 20;
static std::atomic<size_t> pchHeap{defaultPchHeap};

const char *nvrtcGetErrorString(nvrtcResult result) {
  switch (result) {
#define NAME(result)                                                                     \
  case result:                                                                           \
    return #result;
    NAME(NVRTC_SUCCESS)
    NAME(NVRTC_ERROR_OUT_OF_MEMORY)
    NAME(NVRTC_ERROR_PROGRAM_CREATION_FAILURE)
    NAME(NVRTC_ERROR_INVALID_INPUT)
    NAME(NVRTC_ERROR_INVALID_PROGRAM)
    NAME(NVRTC_ERROR_INVALID_OPTION)
    NAME(NVRTC_ERROR_COMPILATION)
    NAME(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    NAME(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    NAME(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    NAME(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
    NAME(NVRTC_ERROR_INTERNAL_ERROR)
    NAME(NVRTC_ERROR_TIME_FILE_WRITE_FAILED)
    NAME(NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED)
    NAME(NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED)
    NAME(NVRTC_ERROR_PCH_CREATE)
    NAME(NVRTC_ERROR_CANCELLED)
    NAME(NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED)
#undef NAME
  }
  return "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (!major || !minor)
    return NVRTC_ERROR_INVALID_INPUT;
  *major = 12;
  *minor = 9;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
  if (!count)
    return NVRTC_ERROR_INVALID_INPUT;
  *count = std::size(architectures);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *numbers) {
  if (!numbers)
    return NVRTC_ERROR_INVALID_INPUT;
  for (unsigned number : architectures)
    *numbers++ = number;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source,
                               const char *name, int headerCount,
                               const char *const *headers,
                               const char *const *includeNames) try {
  if (!program || !source || headerCount < 0 ||
      (headerCount && (!headers || !includeNames)))
    return NVRTC_ERROR_INVALID_INPUT;
  auto made = std::make_unique<_nvrtcProgram>();
  made->request.source = {name ? name : "", source};
  for (int i = 0; i < headerCount; ++i) {
    if (!headers[i] || !includeNames[i])
      return NVRTC_ERROR_INVALID_INPUT;
    made->request.headers.push_back({includeNames[i], headers[i]});
  }
  *program = made.release();
  return NVRTC_SUCCESS;
} catch (const std::bad_alloc &) {
  return NVRTC_ERROR_OUT_OF_MEMORY;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
  if (!program || !*program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

static nvrtcResult resultOf(Outcome outcome) {
  switch (outcome) {
  case Outcome::Made:
    return NVRTC_SUCCESS;
  case Outcome::InvalidOption:
    return NVRTC_ERROR_INVALID_OPTION;
  case Outcome::Failed:
    return NVRTC_ERROR_COMPILATION;
  case Outcome::NoTimeFile:
    return NVRTC_ERROR_TIME_FILE_WRITE_FAILED;
  }
  return NVRTC_ERROR_INTERNAL_ERROR;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int optionCount,
                                const char *const *options) try {
  if (!program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (optionCount < 0 || (optionCount && !options))
    return NVRTC_ERROR_INVALID_INPUT;
  CompileRequest &request = program->request;
  request.options.clear();
  for (int i = 0; i < optionCount; ++i) {
    if (!options[i])
      return NVRTC_ERROR_INVALID_INPUT;
    request.options.push_back(options[i]);
  }
  request.folder = workingFolder();
  bool isCancelled = false;
  Stops stops;
  if (program->callback)
    stops = [&] {
      return isCancelled = program->callback(program->payload, nullptr) != 0;
    };
  const std::string &name = request.source.name;
  Result<Reply> reply = ask(compileVerb, writeRequest(request),
                            name.empty() ? "default_program" : name, stops);
  program->wasCompiled = true;
  program->reply = reply.ok() ? reply.take() : Reply();
  if (isCancelled)
    return NVRTC_ERROR_CANCELLED;
  if (reply.ok())
    return resultOf(program->reply.outcome);
  log(Level::Error, "%s", reply.status().text().c_str());
  program->reply.log = "nvrtc: error: " + reply.status().text() + "\n";
  return reply.status().code == Code::Unavailable ? NVRTC_ERROR_OUT_OF_MEMORY
         : reply.status().code == Code::Unsupported
             ? NVRTC_ERROR_BUILTIN_OPERATION_FAILURE
             : NVRTC_ERROR_INTERNAL_ERROR;
} catch (const std::bad_alloc &) {
  return NVRTC_ERROR_OUT_OF_MEMORY;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression) try {
  if (!program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression)
    return NVRTC_ERROR_INVALID_INPUT;
  if (program->wasCompiled)
    return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  program->request.expressions.push_back(expression);
  return NVRTC_SUCCESS;
} catch (const std::bad_alloc &) {
  return NVRTC_ERROR_OUT_OF_MEMORY;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression,
                                const char **name) {
  if (!program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression || !name)
    return NVRTC_ERROR_INVALID_INPUT;
  if (!program->wasCompiled || program->reply.outcome != Outcome::Made)
    return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  const std::vector<std::string> &all = program->request.expressions;
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i] == expression && i < program->reply.loweredNames.size() &&
        !program->reply.loweredNames[i].empty()) {
      *name = program->reply.loweredNames[i].c_str();
      return NVRTC_SUCCESS;
    }
  return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

nvrtcResult nvrtcSetFlowCallback(nvrtcProgram program, int (*callback)(void *, void *),
                                 void *payload) {
  if (!program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!callback)
    return NVRTC_ERROR_INVALID_INPUT;
  program->callback = callback;
  program->payload = payload;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPCHHeapSize(size_t *size) {
  if (!size)
    return NVRTC_ERROR_INVALID_INPUT;
  *size = pchHeap;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcSetPCHHeapSize(size_t size) {
  pchHeap = size;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram program) {
  return program ? NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED : NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram program, size_t *size) {
  if (!program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!size)
    return NVRTC_ERROR_INVALID_INPUT;
  return NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED;
}
