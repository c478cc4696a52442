// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: the linker. What it is given is a package, or PTX texts, which are compiled
// together; what it gives is a package: kernels are lowered when they are launched.

#include "PtxText.h"

#include "het/Base/File.h"
#include "het/Package/Package.h"
#include "het/Package/PackageText.h"

#include <cstring>

using namespace het;
using namespace het::cuda;
using namespace het::cuda::driver;

struct CUlinkState_st {
  Bytes image;
  std::string origin; ///< Of the image; empty: there is none.
  struct Text {
    std::string name, text;
  };
  std::vector<Text> texts;
  JitLog log;
};

namespace {

/// Puts a message into the log, and where the program wants it.
CUresult fail(CUlinkState_st &state, CUresult code, const std::string &message) {
  state.log.error(message);
  return code;
}

/// One package, or texts: what is in a package is linked already.
CUresult refuseSecond(CUlinkState_st &state, const std::string &name) {
  return fail(state, CUDA_ERROR_NOT_SUPPORTED,
              name + ": found a second package, expected one, or PTX texts alone; merge "
                     "packages first, with 'hetpkg merge'");
}

CUresult addText(CUlinkState_st &state, std::string_view text, const std::string &name) {
  if (CUresult error = checkText({name, text}, state.log))
    return error;
  if (!state.origin.empty())
    return refuseSecond(state, name);
  state.texts.push_back({name, std::string(text)});
  return CUDA_SUCCESS;
}

/// Whether it is the archive of NVIDIA's device runtime, whose functions the compiler of
/// texts has itself.
bool isDeviceRuntime(ByteView data, const std::string &name) {
  constexpr std::string_view magic = "!<arch>\n";
  return data.size >= magic.size() &&
         std::memcmp(data.data, magic.data(), magic.size()) == 0 &&
         name.find("cudadevrt") != std::string::npos;
}

CUresult add(CUlinkState_st &state, CUjitInputType type, ByteView data,
             const std::string &name) {
  if (type == CU_JIT_INPUT_NVVM)
    return fail(state, CUDA_ERROR_INVALID_IMAGE,
                name + ": found NVVM bitcode, expected a .hetpkg package; build it with "
                       "hetcc");
  if (type == CU_JIT_INPUT_LIBRARY && isDeviceRuntime(data, name))
    return CUDA_SUCCESS;
  Bytes unpacked;
  if (type == CU_JIT_INPUT_PTX && !Package::hasMagic(data)) {
    // The terminating null may be a part of the data.
    std::string_view text(reinterpret_cast<const char *>(data.data), data.size);
    text = text.substr(0, text.find('\0'));
    if (!holdsPackage(text))
      return addText(state, text, name);
    if (CUresult error = readText(text, name, state.log, unpacked))
      return error;
    data = unpacked;
  }
  if (!Package::hasMagic(data))
    return fail(state, CUDA_ERROR_INVALID_IMAGE,
                name + ": found no package, expected a .hetpkg package; build it with "
                       "hetcc");
  if (!state.origin.empty() || !state.texts.empty())
    return refuseSecond(state, name);
  Result<uint64_t> size = Package::sizeOf(data.data);
  if (!size.ok() || *size > data.size)
    return fail(state, CUDA_ERROR_INVALID_IMAGE,
                name + ": found a package that is cut off, expected a whole one");
  state.image = ByteView(data.data, *size).copy();
  state.origin = name;
  return CUDA_SUCCESS;
}

/// Makes the image of the texts.
CUresult link(CUlinkState_st &state) {
  std::vector<NamedText> texts;
  for (const CUlinkState_st::Text &each : state.texts)
    texts.push_back({each.name, each.text});
  const std::string origin = "cuLinkComplete";
  if (CUresult error = compileTexts(texts, origin, state.log, state.image))
    return error;
  state.texts.clear();
  state.origin = origin;
  return CUDA_SUCCESS;
}

bool validType(CUjitInputType type) {
  return type >= CU_JIT_INPUT_CUBIN && type < CU_JIT_NUM_INPUT_TYPES;
}

} // namespace

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
    if (CUresult error = link(*state))
      return error;
  if (state->origin.empty())
    return fail(*state, CUDA_ERROR_INVALID_IMAGE,
                "cuLinkComplete: found no package, expected one; add it first");
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
