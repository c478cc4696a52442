// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The PTX lowering plug-in: parses a device's architecture and lowers for it.

#include "../../Support/Lowering/PluginTable.h"
#include "../PTXArtifact.h"
#include "LowerKernel.h"
#include "LoweringVersion.h"

using namespace het::target;

static llvm::Expected<Lowered> lower(const HetLowerRequest &request) {
  auto machine = het::ptx::Machine::parse(request.arch);
  if (!machine)
    return machine.takeError();
  LowerRequest kernel = kernelOf(request);
  auto constants = LaunchConstants::parse(kernel.options);
  if (!constants)
    return llvm::make_error<InvalidRequest>(llvm::toString(constants.takeError()));
  kernel.pollInterval = constants->pollInterval;
  auto artifact = het::ptx::PTXLowering(kernel, *machine, *constants).run();
  if (!artifact)
    return artifact.takeError();
  return Lowered{std::move(*artifact), "", ""};
}

static llvm::Expected<Architecture> findArch(llvm::StringRef name) {
  auto arch = het::ptx::findArch(name);
  if (!arch)
    return arch.takeError();
  return Architecture{std::move(*arch), ".ptx"};
}

/// The text, without its NUL.
static llvm::Expected<Artifact> extractCode(llvm::ArrayRef<uint8_t> artifact) {
  auto parts = splitArtifact<HetPtxArtifact>(artifact, HET_PTX_MAGIC);
  if (!parts)
    return parts.takeError();
  auto [header, rest] = *parts;
  const uint64_t before = header.parameterCount * sizeof(uint32_t) + header.nameBytes;
  if (before > rest.size() || header.codeBytes != rest.size() - before ||
      header.form != HET_PTX_TEXT || !header.codeBytes || rest.back())
    return llvm::make_error<InvalidRequest>("artifact: found no whole PTX text in it");
  rest = rest.drop_front(before).drop_back();
  return Artifact(rest.begin(), rest.end());
}

HET_LOWERING_PLUGIN("ptx", HET_LOWERING_VERSION, lower, Forms::One, findArch, extractCode)
