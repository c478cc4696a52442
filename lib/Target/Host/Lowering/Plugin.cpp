// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's lowering plug-in: TargetABI.h's table over lowerKernel.

#include "LowerKernel.h"
#include "../../Support/Lowering/TargetLowering.h"

using namespace het::host;
using het::target::giveArtifact;
using het::target::parsePollInterval;
using het::target::refuseOptions;
using het::target::releaseArtifact;

namespace {

int32_t lower(const HetLowerRequest *request, HetLowering *out,
              HetStatus *status) {
  LowerOptions options;
  options.pollInterval = parsePollInterval(request->options).value_or(0);
  if (!options.pollInterval)
    if (int32_t code = refuseOptions(*request, status))
      return code;
  options.devicelibPath = request->devicelibPath;
  options.schedule =
      llvm::StringRef(request->arch).ends_with(HET_HOST_SCRATCH_TEAMS);
  llvm::StringRef code(reinterpret_cast<const char *>(request->code),
                       request->codeSize);
  return giveArtifact(lowerKernel(code, request->kernel, options), out, status);
}

} // namespace

extern "C" __attribute__((visibility("default"))) const HetLoweringABI *
hetLoweringABI(void) {
  static const HetLoweringABI abi = {HET_TARGET_ABI_VERSION, sizeof(HetLoweringABI),
                                     "host", HET_HOST_LOWERING_VERSION, lower,
                                     releaseArtifact, nullptr};
  return &abi;
}
