// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of chips for lowering without one: "wormhole", "blackhole;blocks".

#include "../../Support/Lowering/PluginTable.h"
#include "LowerKernel.h"

using namespace llvm;

namespace het::tensix {

Expected<std::string> findArch(StringRef name) {
  std::string arch;
  for (StringRef word : target::wordsOf(name))
    arch += (arch.empty() ? "" : ";") + word.str();
  if (arch.empty())
    return make_error<target::InvalidRequest>(
        "architecture: found none, expected wormhole or blackhole; name the chip");
  Expected<Chip> chip = Chip::parse(arch);
  if (!chip)
    return chip.takeError();
  return arch;
}

} // namespace het::tensix
