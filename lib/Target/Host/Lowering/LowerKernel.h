// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's lowering, stage by stage; Plugin.cpp offers it to the runtime.

#ifndef HET_LIB_TARGET_HOST_LOWERING_LOWERKERNEL_H
#define HET_LIB_TARGET_HOST_LOWERING_LOWERKERNEL_H

#include "ConvertToHost.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace het::host {

struct LowerOptions {
  std::string devicelibPath;
  /// Run every kernel by the scheduler, also where control is uniform.
  bool schedule = false;
  /// Blocks can be parked, inside where the kernel allows it; 0: they can not.
  unsigned pollInterval = 0;
};

/// From a kernel's hetIR bytecode to an ELF shared object (HostABI.h).
llvm::Expected<llvm::SmallVector<char, 0>>
lowerKernel(llvm::StringRef code, llvm::StringRef kernel,
            const LowerOptions &options);

/// For this machine's processor.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createHostMachine();

/// Adds the exported header `het_kernel`.
void addKernelHeader(llvm::Module &module, llvm::StringRef kernel,
                     const KernelLayout &layout);

/// Optimises for `machine`, emits an object and links it.
llvm::Expected<llvm::SmallVector<char, 0>>
generateSharedObject(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_LOWERKERNEL_H
