// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering plug-in for Tensix cores: parses a device's architecture and lowers for
// it.

#include "../../Support/Lowering/PluginTable.h"
#include "../TensixABI.h"
#include "ImageFile.h"
#include "LowerKernel.h"
#include "LoweringVersion.h"

static llvm::Expected<het::target::Lowered> lower(const HetLowerRequest &request) {
  auto kernel = het::target::parseRequest(request);
  if (!kernel)
    return kernel.takeError();
  auto chip = het::tensix::Chip::parse(request.arch);
  if (!chip)
    return chip.takeError();
  auto mapped = het::tensix::lowerKernel(*kernel, *chip);
  if (!mapped)
    return mapped.takeError();
  const char *form = mapped->reason.empty() ? "map B: teams in the vector unit"
                                            : "map A: blocks on cores";
  return het::target::Lowered{std::move(mapped->artifact), form, mapped->reason};
}

static llvm::Expected<het::target::Architecture> findArch(llvm::StringRef name) {
  auto arch = het::tensix::findArch(name);
  if (!arch)
    return arch.takeError();
  return het::target::Architecture{std::move(*arch), ".elf"};
}

HET_LOWERING_PLUGIN("tensix", HET_LOWERING_VERSION, lower, het::target::Forms::Several,
                    findArch, het::tensix::makeImageFile)
