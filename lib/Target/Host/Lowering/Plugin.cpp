// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's lowering plug-in: TargetABI.h's table over lowerKernel.

#include "LowerKernel.h"
#include "../../Support/Lowering/TargetLowering.h"

using namespace het::host;
using het::target::setStatus;

namespace {

int32_t lower(const HetLowerRequest *request, HetLowering *out,
              HetStatus *status) {
  LowerOptions options;
  options.devicelibPath = request->devicelibPath;
  options.schedule =
      llvm::StringRef(request->arch).ends_with(HET_HOST_SCRATCH_TEAMS);
  llvm::StringRef code(reinterpret_cast<const char *>(request->code),
                       request->codeSize);
  auto artifact = lowerKernel(code, request->kernel, options);
  if (!artifact) {
    return setStatus(status, HET_UNSUPPORTED,
                     llvm::toString(artifact.takeError()));
  }
  auto *owner = new llvm::SmallVector<char, 0>(std::move(*artifact));
  out->data = reinterpret_cast<const uint8_t *>(owner->data());
  out->size = owner->size();
  out->owner = owner;
  return setStatus(status, HET_OK, "");
}

void release(HetLowering *lowering) {
  delete static_cast<llvm::SmallVector<char, 0> *>(lowering->owner);
  *lowering = {};
}

} // namespace

extern "C" __attribute__((visibility("default"))) const HetLoweringABI *
hetLoweringABI(void) {
  static const HetLoweringABI abi = {HET_TARGET_ABI_VERSION, sizeof(HetLoweringABI),
                                     "host", HET_HOST_LOWERING_VERSION, lower,
                                     release};
  return &abi;
}
