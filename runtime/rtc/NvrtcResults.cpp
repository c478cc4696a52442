// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVRTC: what a compilation has made, each thing by its size and its contents.

#include "Program.h"

#include <cstring>

using het::ByteView;

static nvrtcResult giveSize(nvrtcProgram program, size_t *result, size_t size) {
  if (!program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!result)
    return NVRTC_ERROR_INVALID_INPUT;
  *result = size;
  return NVRTC_SUCCESS;
}

static nvrtcResult give(nvrtcProgram program, char *to, ByteView contents) {
  if (!program)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!to)
    return NVRTC_ERROR_INVALID_INPUT;
  if (contents.size)
    std::memcpy(to, contents.data, contents.size);
  return NVRTC_SUCCESS;
}

/// A text and its terminating null.
static ByteView terminated(const std::string &text) {
  return {reinterpret_cast<const uint8_t *>(text.c_str()), text.size() + 1};
}

#define RESULT(name, contents)                                                           \
  nvrtcResult nvrtcGet##name##Size(nvrtcProgram program, size_t *size) {                 \
    return giveSize(program, size, program ? (contents).size : 0);                       \
  }                                                                                      \
  nvrtcResult nvrtcGet##name(nvrtcProgram program, char *to) {                           \
    return give(program, to, program ? (contents) : ByteView());                         \
  }
RESULT(PTX, terminated(program->reply.text))
RESULT(CUBIN, ByteView(program->reply.package))
RESULT(LTOIR, ByteView(program->reply.relocatable))
RESULT(NVVM, ByteView())
RESULT(OptiXIR, ByteView())
RESULT(ProgramLog, terminated(program->reply.log))
#undef RESULT
