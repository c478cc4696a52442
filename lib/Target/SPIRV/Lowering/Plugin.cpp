// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SPIR-V lowering plug-in: TargetABI.h's table over lowerKernel.

#include "../../Support/Lowering/TargetLowering.h"
#include "../SPIRVArtifact.h"
#include "LowerKernel.h"

using namespace het::spirv;
using namespace het::target;

namespace {

/// Lowers the kernel; null with a status.
std::optional<llvm::SmallVector<char, 0>> lowerRequest(const HetLowerRequest &request,
                                                       FormChoice &choice,
                                                       HetStatus *status) {
  LowerOptions options;
  options.devicelibPath = request.devicelibPath;
  options.pollInterval = parsePollInterval(request.options).value_or(0);
  if (!options.pollInterval && refuseOptions(request, status))
    return std::nullopt;
  auto machine = Machine::parse(request.arch);
  if (!machine) {
    setStatus(status, HET_INVALID, llvm::toString(machine.takeError()));
    return std::nullopt;
  }
  llvm::StringRef code(reinterpret_cast<const char *>(request.code), request.codeSize);
  auto artifact = lowerKernel(code, request.kernel, *machine, options, choice);
  if (artifact)
    return std::move(*artifact);
  setStatus(status, HET_UNSUPPORTED, llvm::toString(artifact.takeError()));
  return std::nullopt;
}

int32_t lower(const HetLowerRequest *request, HetLowering *out, HetStatus *status) {
  FormChoice choice;
  auto artifact = lowerRequest(*request, choice, status);
  return artifact ? giveArtifact(std::move(*artifact), out, status) : status->code;
}

int32_t explain(const HetLowerRequest *request, HetExplanation *out, HetStatus *status) {
  FormChoice choice;
  if (!lowerRequest(*request, choice, status))
    return status->code;
  llvm::StringRef form;
  switch (choice.form) {
  case Form::Native:
    form = "native: a work-item is a thread";
    break;
  case Form::Flat:
    form = "flat: a work-item is a thread, a sub-group a team";
    break;
  case Form::Split:
    form = "split: a work-item is a thread, several sub-groups are a team";
    break;
  case Form::Segmented:
    form = "segmented: a work-item is a block";
    break;
  }
  return giveExplanation(form, choice.reason, out, status);
}

} // namespace

extern "C" __attribute__((visibility("default"))) const HetLoweringABI *
hetLoweringABI(void) {
  static const HetLoweringABI abi = {HET_TARGET_ABI_VERSION, sizeof(HetLoweringABI),
                                     "spirv", HET_SPIRV_LOWERING_VERSION, lower,
                                     releaseArtifact, explain};
  return &abi;
}
