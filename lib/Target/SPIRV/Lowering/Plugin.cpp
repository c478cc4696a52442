// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SPIR-V lowering plug-in: TargetABI.h's table over lowerKernel.

#include "../../Support/Lowering/TargetLowering.h"
#include "../SPIRVArtifact.h"
#include "LowerKernel.h"

using namespace het::spirv;
using het::target::giveArtifact;
using het::target::parsePollInterval;
using het::target::refuseOptions;
using het::target::releaseArtifact;
using het::target::setStatus;

namespace {

int32_t lower(const HetLowerRequest *request, HetLowering *out,
              HetStatus *status) {
  LowerOptions options;
  options.devicelibPath = request->devicelibPath;
  options.pollInterval = parsePollInterval(request->options).value_or(0);
  if (!options.pollInterval)
    if (int32_t code = refuseOptions(*request, status))
      return code;
  auto machine = Machine::parse(request->arch);
  if (!machine)
    return setStatus(status, HET_INVALID, llvm::toString(machine.takeError()));
  llvm::StringRef code(reinterpret_cast<const char *>(request->code),
                       request->codeSize);
  return giveArtifact(
      lowerKernel(code, request->kernel, *machine, options),
      out, status);
}

} // namespace

extern "C" __attribute__((visibility("default"))) const HetLoweringABI *
hetLoweringABI(void) {
  static const HetLoweringABI abi = {HET_TARGET_ABI_VERSION, sizeof(HetLoweringABI),
                                     "spirv", HET_SPIRV_LOWERING_VERSION, lower,
                                     releaseArtifact};
  return &abi;
}
