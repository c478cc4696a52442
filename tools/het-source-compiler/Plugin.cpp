// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA front end as what het-lowering-worker serves: "lowers" a request of
// het/Package/CompilerRecords.h to its reply. Errors of the source are in the reply;
// what crashes, hangs or takes all memory is an error of the request.

#include "het/Base/File.h"
#include "het/RuntimeCompilation/RuntimeCompilation.h"
#include "het/Target/TargetABI.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace het;

/// A compilation takes some 20 MB in small pieces. The C library would get them from the
/// system by 128 KB, and give them back after each: a sixth of the time of a small one.
__attribute__((constructor)) static void keepMemory() {
  constexpr size_t room = size_t(32) << 20, page = size_t(2) << 20;
  ::mallopt(M_ARENA_MAX, 1); // else the thread that compiles has an arena of its own
  ::mallopt(M_MMAP_THRESHOLD, int(room));
  ::mallopt(M_TRIM_THRESHOLD, 8 * int(room));
  ::mallopt(M_TOP_PAD, int(room));
  std::free(std::malloc(1));
  const auto end = reinterpret_cast<uintptr_t>(::sbrk(0)) & ~(page - 1);
  ::madvise(reinterpret_cast<void *>(end - room + page), room - page, MADV_HUGEPAGE);
}

/// lib/het/het-source-compiler has its headers beside it.
static rtc::Installation findInstallation() {
  const std::string program = programPath();
  return {program.substr(0, program.rfind('/')) + "/include", ""};
}

/// The user's variables for other compilers are none for NVRTC's sources.
static void forgetOtherCompilers() {
  for (const char *name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                           "CCC_OVERRIDE_OPTIONS", "COMPILER_PATH", "LIBRARY_PATH"})
    ::unsetenv(name);
}

static int32_t fail(HetStatus *status, const char *message) {
  status->code = HET_INTERNAL;
  std::strncpy(status->message, message, sizeof(status->message) - 1);
  return status->code;
}

static int32_t serve(const HetLowerRequest *request, HetLowering *lowering,
                     HetStatus *status) {
  static const rtc::Installation installation = findInstallation();
  forgetOtherCompilers();
  const ByteView bytes(request->code, request->codeSize);
  Bytes reply;
  if (std::strcmp(request->options, rtc::linkVerb) == 0) {
    const std::optional<rtc::LinkRequest> link = rtc::readLinkRequest(bytes);
    if (!link)
      return fail(status, "the program's library belongs to another version");
    reply = rtc::writeReply(rtc::link(*link));
  } else {
    const std::optional<rtc::CompileRequest> compile = rtc::readCompileRequest(bytes);
    if (!compile)
      return fail(status, "the program's library belongs to another version");
    reply = rtc::writeReply(rtc::compile(*compile, installation));
  }
  auto *data = new uint8_t[reply.size()];
  std::copy(reply.begin(), reply.end(), data);
  lowering->data = data;
  lowering->size = reply.size();
  return HET_OK;
}

static void release(HetLowering *lowering) {
  delete[] lowering->data;
  *lowering = {};
}

extern "C" __attribute__((visibility("default"))) const HetLoweringABI *hetLoweringABI() {
  static const HetLoweringABI table = [] {
    HetLoweringABI made = {};
    made.abiVersion = HET_TARGET_ABI_VERSION;
    made.size = sizeof(made);
    made.name = "source";
    made.version = "1";
    made.lower = serve;
    made.release = release;
    return made;
  }();
  return &table;
}
