// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering plug-in; it may be called by several threads.

#include "../../Support/Lowering/PluginTable.h"
#include "../Artifact.h"
#include "LowerKernel.h"
#include "LoweringVersion.h"

static llvm::Expected<het::target::Lowered> lower(const HetLowerRequest &request) {
  auto kernel = het::target::parseRequest(request);
  if (!kernel)
    return kernel.takeError();
  auto artifact = het::null::NullLowering(*kernel).run();
  if (!artifact)
    return artifact.takeError();
  return het::target::Lowered{std::move(*artifact), "", ""};
}

static llvm::Expected<het::target::Architecture> findArch(llvm::StringRef name) {
  if (!name.empty() && name != "null")
    return llvm::make_error<het::target::InvalidRequest>(
        ("architecture '" + name + "': expected null or none").str());
  return het::target::Architecture{"null", ".ll"};
}

static llvm::Expected<het::target::Artifact>
extractCode(llvm::ArrayRef<uint8_t> artifact) {
  auto parts = het::target::splitArtifact<HetNullArtifact>(artifact, HET_NULL_MAGIC);
  if (!parts)
    return parts.takeError();
  return het::target::Artifact(parts->second.begin(), parts->second.end());
}

HET_LOWERING_PLUGIN("null", HET_LOWERING_VERSION, lower, het::target::Forms::One,
                    findArch, extractCode)
