// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's lowering plug-in: parses a device's architecture and lowers for it.

#include "../../Support/Lowering/PluginTable.h"
#include "../HostABI.h"
#include "LowerKernel.h"
#include "LoweringVersion.h"

static llvm::Expected<het::target::Lowered> lower(const HetLowerRequest &request) {
  auto kernel = het::target::parseRequest(request);
  if (!kernel)
    return kernel.takeError();
  bool schedule = llvm::StringRef(request.arch).ends_with(HET_HOST_SCRATCH_TEAMS);
  auto artifact = het::host::HostLowering(*kernel, schedule).run();
  if (!artifact)
    return artifact.takeError();
  return het::target::Lowered{std::move(*artifact), "", ""};
}

HET_LOWERING_PLUGIN("host", HET_LOWERING_VERSION, lower, het::target::Forms::One)
