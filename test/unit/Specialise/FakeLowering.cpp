// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake target's lowering. Its own object, made when it is first used, is gone when
// the process has ended, as those of a real one are: nothing may be lowered then.

#include "FakeDevice.h"
#include "FakeTarget.h"
#include "Support/SoftwareQueue.h"

#include <atomic>
#include <cstdlib>
#include <thread>
#include <unistd.h>

using het::target::report;
using het::target::success;

namespace {

std::atomic<int> lowerings{0};
std::atomic<bool> mayGoOn{false};

struct Own {
  std::atomic<int> busy{0};
  const pid_t process = getpid(); // a child by fork() has none of the threads
  ~Own() {
    if (busy && process == getpid())
      std::_Exit(99);
  }
};

int32_t lower(const HetLowerRequest *request, HetLowering *out, HetStatus *status) {
  const std::string kernel = request->kernel, words = request->options;
  static Own own;
  ++own.busy;
  if (!words.empty()) {
    ++lowerings;
    if (kernel == "held")
      while (!mayGoOn)
        std::this_thread::yield();
  }
  --own.busy;
  if (!words.empty() && kernel == "fails")
    return report(status, HET_UNSUPPORTED, "takes no constants");
  auto *text = new std::string(kernel + "\n" + words);
  out->data = reinterpret_cast<const uint8_t *>(text->data());
  out->size = text->size();
  out->owner = text;
  return success(status);
}

void release(HetLowering *lowering) {
  delete static_cast<std::string *>(lowering->owner);
  *lowering = {};
}

} // namespace

FAKE_EXPORTED const HetLoweringABI *hetLoweringABI(void) {
  static const HetLoweringABI table = {
      HET_TARGET_ABI_VERSION, sizeof(HetLoweringABI), "fake", "1", lower, release,
      /*explain=*/nullptr,
      /*findArch=*/nullptr,
      /*extractCode=*/nullptr};
  return &table;
}

FAKE_EXPORTED int hetFakeLowerings(void) { return lowerings; }

FAKE_EXPORTED void hetFakeGoOn(int on) { mayGoOn = on; }
