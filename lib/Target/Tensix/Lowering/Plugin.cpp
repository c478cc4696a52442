// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering plug-in: TargetABI.h's table over lowerKernel.

#include "../../Support/Lowering/TargetLowering.h"
#include "LowerKernel.h"
#include <cstring>

using het::tensix::LowerOptions;
using het::tensix::Map;
using namespace het::target;

/// What a request asks for; fails with a status.
static int32_t parseRequest(const HetLowerRequest &request, LowerOptions &options,
                            HetStatus *status) {
  options.devicelibPath = request.devicelibPath;
  options.pollInterval = parsePollInterval(request.options).value_or(0);
  if (!options.pollInterval)
    if (int32_t code = refuseOptions(request, status))
      return code;
  // A map that is asked for stands behind the chip.
  auto [arch, asked] = llvm::StringRef(request.arch).split(';');
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
  return setStatus(status, HET_OK, "");
}

static llvm::StringRef codeOf(const HetLowerRequest &request) {
  return {reinterpret_cast<const char *>(request.code), request.codeSize};
}

static int32_t lower(const HetLowerRequest *request, HetLowering *out,
                     HetStatus *status) {
  LowerOptions options;
  if (int32_t code = parseRequest(*request, options, status))
    return code;
  return giveArtifact(
      het::tensix::lowerKernel(codeOf(*request), request->kernel, options), out, status);
}

/// Most reasons against map B are found on the way to code.
static int32_t explain(const HetLowerRequest *request, HetExplanation *out,
                       HetStatus *status) {
  LowerOptions options;
  if (int32_t code = parseRequest(*request, options, status))
    return code;
  auto artifact = het::tensix::lowerKernel(codeOf(*request), request->kernel, options);
  if (!artifact)
    return setStatus(status, HET_UNSUPPORTED, llvm::toString(artifact.takeError()));
  HetTensixArtifact header;
  std::memcpy(&header, artifact->data(), sizeof(header));
  llvm::StringRef reason(artifact->data() + sizeof(header) + header.nameBytes,
                         header.reasonBytes);
  return giveExplanation(reason.empty() ? "map B: teams in the vector unit"
                                        : "map A: blocks on cores",
                         reason, out, status);
}

extern "C" __attribute__((visibility("default"))) const HetLoweringABI *
hetLoweringABI(void) {
  static const HetLoweringABI abi = {
      HET_TARGET_ABI_VERSION,      sizeof(HetLoweringABI), "tensix",
      HET_TENSIX_LOWERING_VERSION, lower,                  releaseArtifact,
      explain};
  return &abi;
}
