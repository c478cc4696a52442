// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SPIR-V lowering plug-in: parses a device's architecture and lowers for it.

#include "../../Support/Lowering/PluginTable.h"
#include "../SPIRVArtifact.h"
#include "LowerKernel.h"
#include "LoweringVersion.h"

using namespace het::spirv;
using het::target::Lowered;

static const char *nameOf(Form form) {
  switch (form) {
  case Form::Native:
    return "native: a work-item is a thread";
  case Form::Flat:
    return "flat: a work-item is a thread, a sub-group a team";
  case Form::Split:
    return "split: a work-item is a thread, several sub-groups are a team";
  case Form::Segmented:
    return "segmented: a work-item is a block";
  }
  return "";
}

static llvm::Expected<Lowered> lower(const HetLowerRequest &request) {
  auto kernel = het::target::parseRequest(request);
  if (!kernel)
    return kernel.takeError();
  auto machine = Machine::parse(request.arch);
  if (!machine)
    return machine.takeError();
  FormChoice choice;
  auto artifact = lowerKernel(*kernel, *machine, choice);
  if (!artifact)
    return artifact.takeError();
  return Lowered{std::move(*artifact), nameOf(choice.form), choice.reason};
}

static llvm::Expected<het::target::Architecture> findArch(llvm::StringRef name) {
  auto arch = het::spirv::findArch(name);
  if (!arch)
    return arch.takeError();
  return het::target::Architecture{std::move(*arch), ".spv"};
}

static llvm::Expected<het::target::Artifact>
extractCode(llvm::ArrayRef<uint8_t> artifact) {
  auto parts = het::target::splitArtifact<HetSpirvArtifact>(artifact, HET_SPIRV_MAGIC);
  if (!parts)
    return parts.takeError();
  auto [header, rest] = *parts;
  if (header.nameBytes > rest.size() ||
      header.codeBytes != rest.size() - header.nameBytes ||
      header.form != HET_SPIRV_MODULE)
    return llvm::make_error<het::target::InvalidRequest>(
        "artifact: found no whole SPIR-V module in it");
  rest = rest.drop_front(header.nameBytes);
  if (header.constantBytes > rest.size())
    return llvm::make_error<het::target::InvalidRequest>(
        "artifact: found more constants than code");
  rest = rest.drop_back(header.constantBytes);
  return het::target::Artifact(rest.begin(), rest.end());
}

HET_LOWERING_PLUGIN("spirv", HET_LOWERING_VERSION, lower, het::target::Forms::Several,
                    findArch, extractCode)
