// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering plug-in: TargetABI.h's table over lowerKernel.

#include "../../Support/Lowering/TargetLowering.h"
#include "LowerKernel.h"

using het::tensix::Map;
using het::target::giveArtifact;
using het::target::parsePollInterval;
using het::target::refuseOptions;
using het::target::releaseArtifact;
using het::target::setStatus;

static int32_t lower(const HetLowerRequest *request, HetLowering *out,
                     HetStatus *status) {
  het::tensix::LowerOptions options;
  options.devicelibPath = request->devicelibPath;
  options.pollInterval = parsePollInterval(request->options).value_or(0);
  if (!options.pollInterval)
    if (int32_t code = refuseOptions(*request, status))
      return code;
  // A map that is asked for stands behind the chip.
  auto [arch, asked] = llvm::StringRef(request->arch).split(';');
  if (!asked.empty() && asked != "blocks" && asked != "vectors")
    return setStatus(status, HET_INVALID,
                     ("map '" + asked + "': expected blocks or vectors").str());
  options.map = asked == "blocks"    ? Map::Blocks
                : asked == "vectors" ? Map::Vectors
                                     : Map::Chosen;
  options.arch = arch.str();
  if (arch != het::tensix::wormhole && arch != het::tensix::blackhole)
    return setStatus(
        status, HET_INVALID,
        ("architecture '" + arch + "': expected wormhole or blackhole").str());
  llvm::StringRef code(reinterpret_cast<const char *>(request->code),
                       request->codeSize);
  return giveArtifact(
      het::tensix::lowerKernel(code, request->kernel, options), out, status);
}

extern "C" __attribute__((visibility("default"))) const HetLoweringABI *
hetLoweringABI(void) {
  static const HetLoweringABI abi = {
      HET_TARGET_ABI_VERSION,       sizeof(HetLoweringABI), "tensix",
      HET_TENSIX_LOWERING_VERSION, lower,                  releaseArtifact};
  return &abi;
}
