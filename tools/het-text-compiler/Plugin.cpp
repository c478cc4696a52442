// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end of PTX text as what het-lowering-worker serves: "lowers" a text to a
// package. So the program, which has no LLVM, compiles text in the process that is made
// for what may crash, hang or take all memory.

#include "het/Frontend/PtxText.h"
#include "het/Target/TargetABI.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace het;

/// A name and a text, and so on, each with a null behind it.
static std::vector<PtxText> readTexts(llvm::StringRef code) {
  std::vector<PtxText> texts;
  while (!code.empty()) {
    const auto [name, behind] = code.split('\0');
    const auto [text, rest] = behind.split('\0');
    texts.push_back({name.str(), text});
    code = rest;
  }
  return texts;
}

static llvm::Expected<Bytes> make(const HetLowerRequest &request) {
  const std::vector<PtxText> texts =
      readTexts({reinterpret_cast<const char *>(request.code), request.codeSize});
  if (llvm::StringRef(request.options) != "check")
    return compilePtxTexts(texts);
  for (const PtxText &text : texts)
    if (llvm::Error error = checkPtxText(text))
      return std::move(error);
  return Bytes();
}

static int32_t compile(const HetLowerRequest *request, HetLowering *lowering,
                       HetStatus *status) {
  llvm::Expected<Bytes> package = make(*request);
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
