// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvJitLink over the device link of the process that compiles.

#include "JitLink.h"
#include "Compiler.h"

#include "het/Base/File.h"
#include "het/Base/Log.h"

#include <cstring>
#include <memory>
#include <new>

using namespace het;
using namespace het::rtc;

struct nvJitLink {
  LinkRequest request;
  Reply reply;
  std::string errors;
  bool makesText = false;  ///< -lto -ptx: the text is the result.
  bool isComplete = false; ///< It was, with success.
};

namespace {

bool startsWith(const std::string &text, const char *start) {
  return text.compare(0, std::strlen(start), start) == 0;
}

nvJitLinkResult fail(nvJitLink &link, nvJitLinkResult result, const std::string &text) {
  log(Level::Error, "nvJitLink: %s", text.c_str());
  link.errors += "ERROR " + std::to_string(result) + " in nvJitLink: " + text + "\n";
  return result;
}

/// "sm_90", "compute_90a".
nvJitLinkResult checkArch(const std::string &name) {
  const size_t prefix = startsWith(name, "sm_")        ? 3
                        : startsWith(name, "compute_") ? 8
                        : startsWith(name, "lto_")     ? 4
                                                       : 0;
  if (!prefix)
    return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
  char *end = nullptr;
  const unsigned long number = std::strtoul(name.c_str() + prefix, &end, 10);
  if (end == name.c_str() + prefix || (*end && (end[1] || (*end != 'a' && *end != 'f'))))
    return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
  for (unsigned known : architectures)
    if (known == number)
      return NVJITLINK_SUCCESS;
  return NVJITLINK_ERROR_UNSUPPORTED_ARCH;
}

/// Options by what they begin with. The link takes its settings from the code that it
/// links; registers and the like are the lowering's.
bool isKnownOption(const std::string &option) {
  static constexpr const char *whole[] = {"-time",
                                          "-verbose",
                                          "-lto",
                                          "-ptx",
                                          "-g",
                                          "-lineinfo",
                                          "-no-cache",
                                          "-dlto",
                                          "-no-ptx-debug",
                                          "-optimize-unused-variables",
                                          "-optimized-variables-used",
                                          "-device-stack-protector=true",
                                          "-device-stack-protector=false"};
  static constexpr const char *begins[] = {"-maxrregcount=",
                                           "-O",
                                           "-ftz=",
                                           "-prec-div=",
                                           "-prec-sqrt=",
                                           "-fma=",
                                           "-kernels-used=",
                                           "-variables-used=",
                                           "-Xptxas=",
                                           "-Xnvvm=",
                                           "-split-compile=",
                                           "-split-compile-extended=",
                                           "-jump-table-density=",
                                           "-opt-byte-utilization=",
                                           "-cta-"};
  for (const char *name : whole)
    if (option == name)
      return true;
  for (const char *start : begins)
    if (startsWith(option, start))
      return true;
  return false;
}

nvJitLinkResult readOption(nvJitLink &link, std::string option, bool &hasArch,
                           bool &isLto) {
  if (startsWith(option, "--"))
    option.erase(0, 1);
  if (startsWith(option, "-arch=")) {
    hasArch = true;
    if (nvJitLinkResult result = checkArch(option.substr(std::strlen("-arch="))))
      return fail(link, result, "unknown architecture in " + option);
  } else if (!isKnownOption(option)) {
    return fail(link, NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
                "unrecognized option " + option);
  }
  isLto |= option == "-lto" || option == "-dlto";
  link.makesText |= option == "-ptx";
  link.request.options.push_back(std::move(option));
  return NVJITLINK_SUCCESS;
}

constexpr unsigned char packageMagic[] = {0x89, 'H', 'E', 'T', 'P', 'K', 'G', '\n'};

bool begins(ByteView data, const void *magic, size_t size) {
  return data.size >= size && std::memcmp(data.data, magic, size) == 0;
}

/// What the data is, whatever it was said to be.
bool kindOf(ByteView data, LinkRequest::Kind &kind) {
  if (begins(data, packageMagic, sizeof(packageMagic)))
    kind = LinkRequest::Kind::Package;
  else if (begins(data, "\177ELF", 4) || begins(data, "!<arch>\n", 8))
    kind = LinkRequest::Kind::Object;
  else if (data.size &&
           (data.data[0] == '/' || data.data[0] == '.' || std::isspace(data.data[0])))
    kind = LinkRequest::Kind::Text;
  else
    return false;
  return true;
}

bool suits(nvJitLinkInputType type, LinkRequest::Kind kind) {
  switch (type) {
  case NVJITLINK_INPUT_PTX:
    return kind == LinkRequest::Kind::Text;
  case NVJITLINK_INPUT_CUBIN:
  case NVJITLINK_INPUT_LTOIR:
  case NVJITLINK_INPUT_FATBIN:
    return kind != LinkRequest::Kind::Object;
  case NVJITLINK_INPUT_OBJECT:
  case NVJITLINK_INPUT_LIBRARY:
    return kind == LinkRequest::Kind::Object;
  default:
    return true;
  }
}

bool isInputType(nvJitLinkInputType type) {
  return (type >= NVJITLINK_INPUT_CUBIN && type <= NVJITLINK_INPUT_INDEX) ||
         type == NVJITLINK_INPUT_ANY;
}

nvJitLinkResult add(nvJitLink &link, nvJitLinkInputType type, ByteView data,
                    const std::string &name) {
  LinkRequest::Input input;
  if (!isInputType(type))
    return fail(link, NVJITLINK_ERROR_UNRECOGNIZED_INPUT,
                name + ": unknown type of input " + std::to_string(type));
  if (!kindOf(data, input.kind))
    return fail(link, NVJITLINK_ERROR_INVALID_INPUT,
                name + ": found neither a package, PTX text nor an object; build it with "
                       "hetcc or its NVRTC");
  if (!suits(type, input.kind))
    return fail(link, NVJITLINK_ERROR_INCORRECT_INPUT_TYPE,
                name + ": found another type of input than " + std::to_string(type));
  if (input.kind == LinkRequest::Kind::Text) // the terminating null may be part of it
    data.size = data.text().substr(0, data.text().find('\0')).size();
  input.name = name;
  input.data = data.copy();
  link.request.inputs.push_back(std::move(input));
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult giveSize(size_t *result, size_t size) {
  if (!result)
    return NVJITLINK_ERROR_NULL_INPUT;
  *result = size;
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult give(void *to, const void *from, size_t size) {
  if (!to)
    return NVJITLINK_ERROR_NULL_INPUT;
  std::memcpy(to, from, size);
  return NVJITLINK_SUCCESS;
}

/// A text's size with its terminating null; 0 for none.
size_t sizeOf(const std::string &text) { return text.empty() ? 0 : text.size() + 1; }

} // namespace

nvJitLinkResult rtc::jitLinkCreate(nvJitLinkHandle *handle, uint32_t count,
                                   const char **options) try {
  if (!handle || (count && !options))
    return NVJITLINK_ERROR_NULL_INPUT;
  // A handle of a failure has the log.
  auto made = std::make_unique<nvJitLink>();
  bool hasArch = false, isLto = false;
  nvJitLinkResult result = NVJITLINK_SUCCESS;
  for (uint32_t i = 0; i < count && !result; ++i)
    result = options[i] ? readOption(*made, options[i], hasArch, isLto)
                        : NVJITLINK_ERROR_NULL_INPUT;
  if (!result && !hasArch)
    result = fail(*made, NVJITLINK_ERROR_MISSING_ARCH, "-arch=sm_NN is missing");
  if (!result && made->makesText && !isLto)
    result = fail(*made, NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS, "-ptx needs -lto");
  *handle = made.release();
  return result;
} catch (const std::bad_alloc &) {
  return NVJITLINK_ERROR_INTERNAL;
}

nvJitLinkResult rtc::jitLinkDestroy(nvJitLinkHandle *handle) {
  if (!handle)
    return NVJITLINK_ERROR_NULL_INPUT;
  delete *handle;
  *handle = nullptr;
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult rtc::jitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType type,
                                    const void *data, size_t size, const char *name) try {
  if (!handle || !data)
    return NVJITLINK_ERROR_NULL_INPUT;
  return add(*handle, type, {static_cast<const uint8_t *>(data), size},
             name ? name : "<input>");
} catch (const std::bad_alloc &) {
  return NVJITLINK_ERROR_INTERNAL;
}

nvJitLinkResult rtc::jitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType type,
                                    const char *path) try {
  if (!handle || !path)
    return NVJITLINK_ERROR_NULL_INPUT;
  Result<Bytes> bytes = readFile(path);
  return bytes.ok() ? add(*handle, type, *bytes, path)
                    : fail(*handle, NVJITLINK_ERROR_INVALID_INPUT, bytes.status().text());
} catch (const std::bad_alloc &) {
  return NVJITLINK_ERROR_INTERNAL;
}

nvJitLinkResult rtc::jitLinkComplete(nvJitLinkHandle handle) try {
  if (!handle)
    return NVJITLINK_ERROR_NULL_INPUT;
  Result<Reply> reply = ask(linkVerb, writeRequest(handle->request), "nvJitLinkComplete");
  if (!reply.ok())
    return fail(*handle, NVJITLINK_ERROR_INTERNAL, reply.status().text());
  handle->reply = reply.take();
  handle->isComplete = handle->reply.outcome == Outcome::Made;
  if (handle->isComplete)
    return NVJITLINK_SUCCESS;
  handle->errors += handle->reply.log;
  return NVJITLINK_ERROR_FINALIZE;
} catch (const std::bad_alloc &) {
  return NVJITLINK_ERROR_INTERNAL;
}

nvJitLinkResult rtc::jitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t *size) {
  if (!handle)
    return NVJITLINK_ERROR_NULL_INPUT;
  return handle->isComplete && !handle->makesText
             ? giveSize(size, handle->reply.package.size())
             : NVJITLINK_ERROR_INTERNAL;
}

nvJitLinkResult rtc::jitLinkGetLinkedCubin(nvJitLinkHandle handle, void *to) {
  if (!handle)
    return NVJITLINK_ERROR_NULL_INPUT;
  return handle->isComplete && !handle->makesText
             ? give(to, handle->reply.package.data(), handle->reply.package.size())
             : NVJITLINK_ERROR_INTERNAL;
}

nvJitLinkResult rtc::jitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t *size) {
  if (!handle)
    return NVJITLINK_ERROR_NULL_INPUT;
  return handle->isComplete && handle->makesText
             ? giveSize(size, handle->reply.text.size() + 1)
             : NVJITLINK_ERROR_INTERNAL;
}

nvJitLinkResult rtc::jitLinkGetLinkedPtx(nvJitLinkHandle handle, char *to) {
  if (!handle)
    return NVJITLINK_ERROR_NULL_INPUT;
  return handle->isComplete && handle->makesText
             ? give(to, handle->reply.text.c_str(), handle->reply.text.size() + 1)
             : NVJITLINK_ERROR_INTERNAL;
}

nvJitLinkResult rtc::jitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t *size) {
  return handle ? giveSize(size, sizeOf(handle->errors)) : NVJITLINK_ERROR_NULL_INPUT;
}

nvJitLinkResult rtc::jitLinkGetErrorLog(nvJitLinkHandle handle, char *to) {
  return handle ? give(to, handle->errors.c_str(), sizeOf(handle->errors))
                : NVJITLINK_ERROR_NULL_INPUT;
}

nvJitLinkResult rtc::jitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t *size) {
  if (!handle)
    return NVJITLINK_ERROR_NULL_INPUT;
  return giveSize(size, handle->isComplete ? sizeOf(handle->reply.log) : 0);
}

nvJitLinkResult rtc::jitLinkGetInfoLog(nvJitLinkHandle handle, char *to) {
  if (!handle)
    return NVJITLINK_ERROR_NULL_INPUT;
  return give(to, handle->reply.log.c_str(),
              handle->isComplete ? sizeOf(handle->reply.log) : 0);
}
