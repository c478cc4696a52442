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

HET_LOWERING_PLUGIN("null", HET_LOWERING_VERSION, lower, het::target::Forms::One)
