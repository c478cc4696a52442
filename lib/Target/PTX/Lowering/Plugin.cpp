// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The PTX lowering plug-in: TargetABI.h's table over lowerKernel.

#include "../../Support/Lowering/TargetLowering.h"
#include "../PTXArtifact.h"
#include "LowerKernel.h"

using namespace het::ptx;
using het::target::giveArtifact;
using het::target::releaseArtifact;
using het::target::setStatus;

namespace {

int32_t lower(const HetLowerRequest *request, HetLowering *out,
              HetStatus *status) {
  auto machine = Machine::parse(request->arch);
  if (!machine)
    return setStatus(status, HET_INVALID, llvm::toString(machine.takeError()));
  auto constants = het::target::LaunchConstants::parse(request->options);
  if (!constants)
    return setStatus(status, HET_INVALID, llvm::toString(constants.takeError()));
  llvm::StringRef code(reinterpret_cast<const char *>(request->code),
                       request->codeSize);
  return giveArtifact(
      lowerKernel(code, request->kernel, *machine, *constants, request->devicelibPath),
      out, status);
}

} // namespace

extern "C" __attribute__((visibility("default"))) const HetLoweringABI *
hetLoweringABI(void) {
  static const HetLoweringABI abi = {HET_TARGET_ABI_VERSION, sizeof(HetLoweringABI),
                                     "ptx", HET_PTX_LOWERING_VERSION, lower,
                                     releaseArtifact, nullptr};
  return &abi;
}
