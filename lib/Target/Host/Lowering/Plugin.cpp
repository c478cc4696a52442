// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's lowering plug-in: parses a device's architecture and lowers for it.

#include "../../Support/Lowering/PluginTable.h"
#include "LowerKernel.h"
#include "LoweringVersion.h"

static llvm::Expected<het::target::Lowered> lower(const HetLowerRequest &request) {
  auto kernel = het::target::parseRequest(request, het::target::Interim::Offered);
  if (!kernel)
    return kernel.takeError();
  auto machine = het::host::Machine::parse(request.arch);
  if (!machine)
    return machine.takeError();
  using het::host::Flushing;
  het::host::HostLowering lowering(*kernel, *machine, Flushing::ByMode);
  auto artifact = lowering.run();
  if (!artifact && lowering.mustWriteOut()) {
    llvm::consumeError(artifact.takeError());
    artifact = het::host::HostLowering(*kernel, *machine, Flushing::WrittenOut).run();
  }
  if (!artifact)
    return artifact.takeError();
  return het::target::Lowered{std::move(*artifact), "", ""};
}

static llvm::Expected<het::target::Architecture> findArch(llvm::StringRef name) {
  auto arch = het::host::findArch(name);
  if (!arch)
    return arch.takeError();
  return het::target::Architecture{std::move(*arch), ".so"};
}

/// An artifact is a shared object.
static llvm::Expected<het::target::Artifact>
extractCode(llvm::ArrayRef<uint8_t> artifact) {
  return het::target::Artifact(artifact.begin(), artifact.end());
}

HET_LOWERING_PLUGIN("host", HET_LOWERING_VERSION, lower, het::target::Forms::One,
                    findArch, extractCode)
