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
  auto constants = LaunchConstants::parse(request.options);
  if (!constants)
    return llvm::make_error<InvalidRequest>(llvm::toString(constants.takeError()));
  LowerRequest kernel = kernelOf(request);
  kernel.pollInterval = constants->pollInterval;
  auto artifact = het::ptx::PTXLowering(kernel, *machine, *constants).run();
  if (!artifact)
    return artifact.takeError();
  return Lowered{std::move(*artifact), "", ""};
}

HET_LOWERING_PLUGIN("ptx", HET_LOWERING_VERSION, lower, Forms::One)
