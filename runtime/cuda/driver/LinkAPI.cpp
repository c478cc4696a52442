// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: the linker. A single package is what it gives; PTX texts are compiled
// together to one; several inputs are linked by the process that compiles
// (docs/design/runtime-compilation.md). Kernels are lowered when they are launched.

#include "PtxText.h"

#include "core/OpenPackage.h"
#include "core/Runtime.h"
#include "core/code/LoweringProcess.h"
#include "het/Base/File.h"
#include "het/Package/CompilerRecords.h"
#include "het/Package/Package.h"
#include "het/Package/PackageText.h"
#include "het/Package/RelocatableCode.h"

#include <sys/auxv.h>
#include <unistd.h>

using namespace het;
using namespace het::cuda;
using namespace het::cuda::driver;

struct CUlinkState_st {
  rtc::LinkRequest request;
  struct Text {
    std::string name, text;
  };
  std::vector<Text> texts; ///< Of other compilers, until they are compiled.
  Bytes image;             ///< What was linked.
  JitLog log;
};

namespace {

using Kind = rtc::LinkRequest::Kind;

/// Puts a message into the log, and where the program wants it.
CUresult fail(CUlinkState_st &state, CUresult code, const std::string &message) {
  state.log.error(message);
  return code;
}

bool isObject(ByteView data) {
  constexpr std::string_view elf("\x7f"
                                 "ELF"),
      archive = "!<arch>\n";
  return data.text().substr(0, elf.size()) == elf ||
         data.text().substr(0, archive.size()) == archive;
}

/// The text that data is; its terminating null may be a part of it.
std::string_view textOf(ByteView data) {
  return data.text().substr(0, data.text().find('\0'));
}

CUresult addPackage(CUlinkState_st &state, ByteView data, const std::string &name) {
  if (!Package::hasMagic(data))
    return fail(state, CUDA_ERROR_INVALID_IMAGE,
                name + ": found no package, expected a .hetpkg package; build it with "
                       "hetcc");
  Result<uint64_t> size =
      data.size < Package::headerSize() ? 0 : Package::sizeOf(data.data);
  if (!size.ok() || *size == 0 || *size > data.size)
    return fail(state, CUDA_ERROR_INVALID_IMAGE,
                name + ": found a package that is cut off, expected a whole one");
  state.request.inputs.push_back(
      {Kind::Package, name, ByteView(data.data, static_cast<size_t>(*size)).copy()});
  return CUDA_SUCCESS;
}

/// What hetcc wrote is a package. Texts of other compilers may use what others define, so
/// they are only looked at.
CUresult addText(CUlinkState_st &state, std::string_view text, const std::string &name) {
  if (!holdsPackage(text)) {
    if (CUresult error = checkText({name, text}, state.log))
      return error;
    state.texts.push_back({name, std::string(text)});
    return CUDA_SUCCESS;
  }
  Bytes package;
  if (CUresult error = readText(text, name, state.log, package))
    return error;
  return addPackage(state, package, name);
}

/// Makes a package of the texts, which is an input like others.
CUresult compileTexts(CUlinkState_st &state) {
  std::vector<NamedText> texts;
  for (const CUlinkState_st::Text &each : state.texts)
    texts.push_back({each.name, each.text});
  const std::string origin = "cuLinkComplete";
  Bytes package;
  if (CUresult error = driver::compileTexts(texts, origin, state.log, package))
    return error;
  state.texts.clear();
  state.request.inputs.push_back({Kind::Package, origin, std::move(package)});
  return CUDA_SUCCESS;
}

/// Whether it is the archive of NVIDIA's device runtime, whose functions the compilers
/// have themselves.
bool isDeviceRuntime(ByteView data, const std::string &name) {
  return isObject(data) && name.find("cudadevrt") != std::string::npos;
}

CUresult add(CUlinkState_st &state, CUjitInputType type, ByteView data,
             const std::string &name) {
  if (!Package::hasMagic(data) && !isObject(data) &&
      (type == CU_JIT_INPUT_PTX || holdsPackage(textOf(data))))
    return addText(state, textOf(data), name);
  if (type == CU_JIT_INPUT_LIBRARY && isDeviceRuntime(data, name))
    return CUDA_SUCCESS;
  if (isObject(data)) {
    state.request.inputs.push_back({Kind::Object, name, data.copy()});
    return CUDA_SUCCESS;
  }
  return addPackage(state, data, name);
}

/// Whether a package has kernels that are only compiled when it is linked.
bool isOpen(const Bytes &bytes, const std::string &name) {
  Result<Package> package = core::openPackage(bytes, name);
  if (!package.ok())
    return false; // loading it says what is wrong
  Result<std::optional<RelocatableCode>> code = findRelocatableCode(package->table());
  return code.ok() && *code && (**code).isOpen;
}

/// Whether the inputs are one package that nothing must be done to.
bool isFinished(const rtc::LinkRequest &request) {
  return request.inputs.size() == 1 && request.inputs[0].kind == Kind::Package &&
         !isOpen(request.inputs[0].data, request.inputs[0].name);
}

CUresult link(CUlinkState_st &state) {
  Result<core::Runtime *> runtime = core::Runtime::get();
  if (!runtime.ok())
    return CUDA_ERROR_NOT_INITIALIZED;
  const std::string compiler = (*runtime)->libraryFolder() + "/het/het-source-compiler";
  // A process would be the caller's, who could attach to it and answer in its place.
  if (getauxval(AT_SECURE) || access(compiler.c_str(), X_OK) != 0)
    return fail(state, CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
                "found device code that must be linked, and no linker for it (" +
                    compiler + "); install hetcc, or link them before");
  const Bytes message = rtc::writeRequest(state.request);
  HetLowerRequest request = {};
  request.code = message.data();
  request.codeSize = message.size();
  request.kernel = "cuLinkComplete";
  request.options = rtc::linkVerb;
  request.arch = request.devicelibPath = "";
  Result<Bytes> bytes = core::lowerElsewhere({compiler, ""}, request);
  if (!bytes.ok())
    return fail(state,
                bytes.status().code == Code::Unavailable ? CUDA_ERROR_OUT_OF_MEMORY
                                                         : CUDA_ERROR_UNKNOWN,
                bytes.status().text());
  std::optional<rtc::Reply> reply = rtc::readReply(*bytes);
  if (!reply)
    return fail(state, CUDA_ERROR_UNKNOWN,
                compiler + ": found another version, expected that of this runtime");
  if (reply->outcome != rtc::Outcome::Made)
    return fail(state, CUDA_ERROR_INVALID_IMAGE, reply->log);
  state.image = std::move(reply->package);
  return CUDA_SUCCESS;
}

bool validType(CUjitInputType type) {
  return type >= CU_JIT_INPUT_CUBIN && type < CU_JIT_NUM_INPUT_TYPES;
}

} // namespace

CUresult driver::linkIfOpen(Bytes &image, const std::string &origin,
                            const JitLog &messages) {
  if (!isOpen(image, origin))
    return CUDA_SUCCESS;
  CUlinkState_st state;
  state.log = messages;
  state.request.inputs.push_back({Kind::Package, origin, image});
  if (CUresult error = link(state))
    return error;
  image = std::move(state.image);
  return CUDA_SUCCESS;
}

CUresult cuLinkCreate_v2(unsigned count, CUjit_option *options, void **values,
                         CUlinkState *state) try {
  if (CUresult error = requireContext())
    return error;
  if (!state || (count && (!options || !values)))
    return CUDA_ERROR_INVALID_VALUE;
  auto made = std::make_unique<CUlinkState_st>();
  made->log = JitLog(count, options, values);
  *state = made.release();
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size,
                          const char *name, unsigned, CUjit_option *, void **) try {
  if (!state)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!data || !size || !validType(type))
    return CUDA_ERROR_INVALID_VALUE;
  return add(*state, type, ByteView(static_cast<const uint8_t *>(data), size),
             name ? name : "input of cuLinkAddData");
}
HET_CATCH

CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path,
                          unsigned, CUjit_option *, void **) try {
  if (!state)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!path || !validType(type))
    return CUDA_ERROR_INVALID_VALUE;
  Result<Bytes> bytes = readFile(path);
  if (!bytes.ok())
    return fail(*state, CUDA_ERROR_FILE_NOT_FOUND, bytes.status().text());
  return add(*state, type, *bytes, path);
}
HET_CATCH

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size) try {
  if (!state)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!image)
    return CUDA_ERROR_INVALID_VALUE;
  if (!state->texts.empty())
    if (CUresult error = compileTexts(*state))
      return error;
  if (state->request.inputs.empty())
    return fail(*state, CUDA_ERROR_INVALID_IMAGE,
                "cuLinkComplete: found no package, expected one; add it first");
  if (isFinished(state->request))
    state->image = state->request.inputs[0].data;
  else if (CUresult error = link(*state))
    return error;
  *image = state->image.data();
  if (size)
    *size = state->image.size();
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuLinkDestroy(CUlinkState state) try {
  if (!state)
    return CUDA_ERROR_INVALID_HANDLE;
  delete state;
  return CUDA_SUCCESS;
}
HET_CATCH
