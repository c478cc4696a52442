// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end of PTX text as what het-lowering-worker serves: "lowers" a text to a
// package. So the program, which has no LLVM, compiles text in the process that is made
// for what may crash, hang or take all memory.

#include "het/Frontend/PtxText.h"
#include "het/Target/TargetABI.h"

#include <cstring>

using namespace het;

static int32_t compile(const HetLowerRequest *request, HetLowering *lowering,
                       HetStatus *status) {
  const llvm::StringRef text(reinterpret_cast<const char *>(request->code),
                             request->codeSize);
  llvm::Expected<Bytes> package = compilePtxText(text);
  if (!package) {
    std::string message = llvm::toString(package.takeError());
    status->code = HET_INVALID;
    message.resize(std::min(message.size(), sizeof(status->message) - 1));
    std::memcpy(status->message, message.c_str(), message.size() + 1);
    return status->code;
  }
  auto *data = new uint8_t[package->size()];
  std::memcpy(data, package->data(), package->size());
  lowering->data = data;
  lowering->size = package->size();
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
    made.name = "text";
    made.version = "1";
    made.lower = compile;
    made.release = release;
    return made;
  }();
  return &table;
}
