// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lowering that does to its process what a kernel's name says.

#include "het/Target/TargetABI.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

int32_t report(HetStatus *status, int32_t code, const char *message) {
  status->code = code;
  std::snprintf(status->message, sizeof(status->message), "%s", message);
  return code;
}

/// Deeper than any stack.
[[gnu::noinline]] int recurse(volatile char *above, size_t levels) {
  volatile char frame[4096];
  frame[0] = above[0];
  return levels ? recurse(frame, levels - 1) + frame[0] : 0;
}

void misbehave(const std::string &how) {
  if (how == "segfaults")
    std::raise(SIGSEGV);
  if (how == "aborts") {
    std::fprintf(stderr, "LLVM ERROR: Cannot select\n");
    std::abort();
  }
  if (how == "exits")
    std::exit(0);
  if (how == "overflows")
    std::exit(recurse(const_cast<char *>(how.data()), size_t(1) << 20));
  if (how == "vanishes")
    std::raise(SIGKILL);
  if (how == "writes")
    std::fprintf(stderr, "a remark\n");
  for (std::vector<std::string> all; how == "allocates";)
    all.emplace_back(size_t(1) << 28, 'x');
  for (volatile int i = 0; how == "spins";)
    i = i + 1;
  while (how == "waits")
    pause();
}

/// Until the file is there. `until:FILE` is a kernel that has interim code, `only:FILE`
/// one that has none.
bool waitForFile(const HetLowerRequest &request) {
  const std::string kernel = request.kernel;
  const size_t name = kernel.find(':') + 1;
  const bool isInterim = !std::strcmp(request.options, "interim");
  if (!name || isInterim)
    return !isInterim || kernel.compare(0, name, "until:") == 0;
  while (access(kernel.c_str() + name, F_OK) != 0)
    usleep(1000); // not timed: it looks again
  return true;
}

int32_t lower(const HetLowerRequest *request, HetLowering *out, HetStatus *status) {
  misbehave(request->kernel);
  if (!waitForFile(*request))
    return report(status, HET_INVALID, "options: found 'interim', expected none");
  if (!std::strcmp(request->kernel, "refuses"))
    return report(status, HET_UNSUPPORTED, "is not done here");
  auto *bytes =
      new std::vector<uint8_t>(request->code, request->code + request->codeSize);
  bytes->push_back(std::strcmp(request->options, "interim") ? '!' : '?');
  *out = {bytes->data(), bytes->size(), bytes};
  return report(status, HET_OK, "");
}

void release(HetLowering *lowering) {
  delete static_cast<std::vector<uint8_t> *>(lowering->owner);
  *lowering = {};
}

int32_t explain(const HetLowerRequest *request, HetExplanation *out, HetStatus *status) {
  misbehave(request->kernel);
  std::snprintf(out->form, sizeof(out->form), "rudely");
  return report(status, HET_OK, "");
}

} // namespace

extern "C" __attribute__((visibility("default"))) const HetLoweringABI *
hetLoweringABI(void) {
  static const HetLoweringABI table = {HET_TARGET_ABI_VERSION,
                                       sizeof(HetLoweringABI),
                                       "rude",
                                       "1",
                                       lower,
                                       release,
                                       explain,
                                       /*findArch=*/nullptr,
                                       /*extractCode=*/nullptr};
  return &table;
}
